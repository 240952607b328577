"""Every error a person can act on, in one tree, and the exit status each leads to.

    DexterError                    carries a sentence and the remedy
    ├── UsageError                 2: the command line or a question was wrong
    │   ├── SettingsError          2: a setting, named by file, key and line
    │   └── MissingKeyError        2: a provider needs a key that is not set
    ├── ScratchpadError            1: the record could not be written or read
    ├── ModelError                 1: the model's provider refused or failed; carries an ErrorInfo's kind
    ├── ProviderError              1: a data provider refused or failed
    └── Interrupted                130, 143, 129: the user or the system ended the run

Errors the *model* can act on are not exceptions at this level: tools raise `ToolError`, which becomes a result
with status `error`. Anything else is a bug and propagates.
"""

from __future__ import annotations

from enum import IntEnum


class ExitStatus(IntEnum):
    """What the process tells its caller. Public contract, see docs/interfaces.md."""

    ANSWERED = 0
    FAILED = 1
    USAGE = 2
    INCOMPLETE = 3
    FIGURE_NOT_FOUND = 4
    BELOW_MINIMUM = 5
    HUNG_UP = 129
    INTERRUPTED = 130
    TERMINATED = 143


class DexterError(Exception):
    """An error with a remedy. `str()` gives the sentence; `remedy` says what to do about it."""

    exit_status = ExitStatus.FAILED

    def __init__(self, message: str, *, remedy: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy


class UsageError(DexterError):
    """The command line, the question or a named run was wrong."""

    exit_status = ExitStatus.USAGE


class SettingsError(UsageError):
    """A setting is unknown, ill-typed or not allowed where it stands."""


class MissingKeyError(UsageError):
    """A provider was asked for whose key is not set."""


class ScratchpadError(DexterError):
    """The record of a run could not be written, read or locked."""


# Failures that pass: the same request may get through a little later.
RETRIED_KINDS = frozenset({"rate_limit", "overloaded", "network", "timeout"})
# Failures of one request that every other would meet with, too.
KINDS_FOR_ALL = frozenset({"auth", "billing"})


class ModelError(DexterError):
    """A model call failed. `kind` is one of the kinds of `dexter.models.errors`.

    For `context_overflow`, `used` (the input alone, without room for output) and `limit` are what the provider said, in
    `unit` (`tokens`, `bytes`, `tokens_per_minute`), where it said it. `shrinkable`: a smaller request would get through
    where this one never will (an overflow, or a request larger than a per-minute limit). `retryable`: the same request
    may get through within minutes. `retry_after` is in seconds. `begun`: the answer had begun, so that what was sent is
    paid for.
    """

    def __init__(
        self,
        message: str,
        *,
        kind: str,
        remedy: str = "",
        used: int | None = None,
        limit: int | None = None,
        unit: str = "tokens",
        retry_after: float | None = None,
        shrinkable: bool | None = None,
        retryable: bool | None = None,
        begun: bool = False,
    ) -> None:
        super().__init__(message, remedy=remedy)
        self.kind = kind
        self.used = used
        self.limit = limit
        self.unit = unit
        self.retry_after = retry_after
        self.begun = begun
        self.shrinkable = kind == "context_overflow" if shrinkable is None else shrinkable
        self.retryable = kind in RETRIED_KINDS and not self.shrinkable if retryable is None else retryable


class ProviderError(DexterError):
    """A data provider failed: which, with what status, of what kind.

    Kinds: auth, billing, not_found, not_covered, rate_limit, unavailable, timeout, network, bad_data,
    not_applicable, not_configured, other.
    """

    def __init__(self, provider: str, message: str, *, status: int | None = None, kind: str, remedy: str = "") -> None:
        super().__init__(message, remedy=remedy)
        self.provider = provider
        self.status = status
        self.kind = kind


class ToolError(Exception):
    """Raised by a tool; becomes a result with status `error` that says what would work."""

    def __init__(self, message: str, *, remedy: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy

    def as_text(self) -> str:
        """The text the model sees."""
        return f"Error: {self.message}" + (f" {self.remedy}" if self.remedy else "")


class ArgumentsError(ToolError):
    """The arguments of a call are not what the tool takes."""


class Interrupted(DexterError):  # noqa: N818 - an ending, not a fault
    """The run was ended from outside; what was found is on record."""

    def __init__(
        self,
        message: str,
        *,
        exit_status: ExitStatus = ExitStatus.INTERRUPTED,
        remedy: str = "`dexter resume` goes on from it.",
    ) -> None:
        super().__init__(message, remedy=remedy)
        self.exit_status = exit_status
