"""An answer over HTTP, and what one may cost."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """What one answer may cost. Times in seconds; `max_bytes` counts the unpacked body."""

    max_bytes: int = 64 * 1024 * 1024
    connect_timeout: float = 10.0
    read_timeout: float = 20.0
    total_timeout: float = 90.0
    attempts: int = 4
    first_wait: float = 0.5
    max_wait: float = 30.0


DEFAULT_LIMITS = Limits()


@dataclass(frozen=True)
class Response:
    """A successful answer. `retrieved_at` is when the bytes came from the source (ISO, UTC), also for cached ones.

    `stale` means: older than its lifetime, used because the source could not be reached.
    """

    url: str
    body: bytes
    media_type: str = ""
    charset: str = ""
    retrieved_at: str = ""
    stale: bool = False

    def text(self) -> str:
        """The body as text, in its declared character set or UTF-8; what does not fit is replaced."""
        try:
            return self.body.decode(self.charset or "utf-8", errors="replace")
        except LookupError:
            return self.body.decode("utf-8", errors="replace")
