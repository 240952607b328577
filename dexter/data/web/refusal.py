"""What is refused on the way to a page, as an error a model and a person can act on."""

from __future__ import annotations

from dexter.errors import ProviderError

_SHOWN = 120
_REMEDY = "Use the public http(s) address of a page; a host of your own can be named in web.allowed_hosts."


class RefusedUrlError(ProviderError):
    """A URL that must not be fetched, and why. `reason` is a clause."""

    def __init__(self, url: str, reason: str, *, remedy: str = "") -> None:
        shown = url if len(url) <= _SHOWN else url[:_SHOWN] + "…"
        remedy = (
            remedy or "Use the public http(s) address of a page; a host of your own can be named in web.allowed_hosts."
        )
        super().__init__("web", f"{shown!r} is not fetched: {reason}.", kind="not_configured", remedy=remedy)
        self.reason = reason
