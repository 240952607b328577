"""Turn an HTTP failure into a `ProviderError` that names vendor, status, kind and remedy."""

from __future__ import annotations

import email.utils
from collections.abc import Mapping
from datetime import UTC, datetime

from dexter.errors import ProviderError

RETRIED_STATUSES = frozenset({408, 425, 429, 500, 502, 503, 504})
RETRIED_KINDS = frozenset({"network", "timeout", "rate_limit", "unavailable"})

_KINDS = {
    401: "auth",
    402: "billing",
    403: "auth",
    404: "not_found",
    408: "timeout",
    410: "not_found",
    429: "rate_limit",
}
_MEANINGS = {
    "auth": "refused access",
    "billing": "asks for payment",
    "not_found": "has no such document",
    "timeout": "took too long",
    "rate_limit": "is refusing more requests for now",
    "unavailable": "is not available",
    "redirect": "sent the request elsewhere",
    "other": "refused the request",
}
_REMEDIES = {
    "auth": "Check the key or contact that is set for it.",
    "billing": "Check the plan and balance of that account, or use another source.",
    "not_found": "Check the company or document asked for.",
    "timeout": "Try again later.",
    "rate_limit": "Wait a while before asking again.",
    "unavailable": "Try again later.",
    "network": "Check the network, the proxy and the base URL in the settings.",
    "bad_data": "Try again later; if it stays so, check the base URL in the settings.",
    "other": "Check what was asked for; the vendor does not take it in this form.",
}


def kind_of_status(status: int) -> str:
    """The kind of `ProviderError` an HTTP status stands for."""
    if status in _KINDS:
        return _KINDS[status]
    return "unavailable" if status >= 500 else "other"  # noqa: PLR2004 - HTTP's own line between the two


def status_failure(
    provider: str, status: int, *, location: str = "", remedies: Mapping[str, str] | None = None
) -> ProviderError:
    """The error for a response whose status is not a success."""
    kind = kind_of_status(status)
    meaning = _MEANINGS["redirect"] if location else _MEANINGS[kind]
    remedy = f"Set its base URL to where it lives now: {location}" if location else ""
    return failure(provider, f"{meaning} (HTTP {status})", kind=kind, status=status, remedy=remedy, remedies=remedies)


def failure(
    provider: str,
    what: str,
    *,
    kind: str,
    status: int | None = None,
    remedy: str = "",
    remedies: Mapping[str, str] | None = None,
) -> ProviderError:
    """An error whose sentence is the vendor's name and `what`; the vendor's own remedies win over the general ones."""
    chosen = remedy or (remedies or {}).get(kind) or _REMEDIES.get(kind, "")
    return ProviderError(provider, f"{provider} {what}.", status=status, kind=kind, remedy=chosen)


def retry_after_seconds(value: str | None, now: datetime | None = None) -> float | None:
    """Seconds to wait from a `Retry-After` header (seconds or an HTTP date); None where there is none to obey."""
    if not value:
        return None
    if value.strip().isdigit():
        return float(value)
    try:
        moment = email.utils.parsedate_to_datetime(value)
    except ValueError:
        return None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return max(0.0, (moment - (now or datetime.now(UTC))).total_seconds())
