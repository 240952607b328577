"""When a failed model call is made again, and after how long. Pure: who waits and who shows it stands elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from dexter.errors import ModelError
from dexter.models.error_remedies import LONG_WAIT_S


@dataclass(frozen=True)
class RetryPolicy:
    """Exponential waits with jitter, in seconds. `random` gives numbers in [0, 1).

    A provider's own `retry_after` is honoured up to `longest_retry_after_s`; one that asks for longer ends the tries,
    because the user can decide better than a silent wait.
    """

    random: Callable[[], float]
    attempts: int = 5
    total_s: float = 120.0
    first_s: float = 0.5
    longest_s: float = 20.0
    longest_retry_after_s: float = LONG_WAIT_S

    def wait_before_retry(self, error: ModelError, *, attempt: int, waited_s: float) -> float | None:
        """Seconds to wait after `attempt` failed, or None when it should not be tried again."""
        if not error.retryable or attempt >= self.attempts:
            return None
        wait = self._wait(error, attempt)
        return None if wait is None or waited_s + wait > self.total_s else wait

    def _wait(self, error: ModelError, attempt: int) -> float | None:
        if error.retry_after is not None:
            return error.retry_after if error.retry_after <= self.longest_retry_after_s else None
        backoff = min(self.first_s * 2 ** (attempt - 1), self.longest_s)
        return float(backoff * (0.75 + 0.5 * self.random()))
