"""Numbers, dates and flags as the SEC's XML forms write them."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation

_LARGEST = 30  # digits
_ISO = re.compile(r"\d{4}-\d{2}-\d{2}")
_AMERICAN = re.compile(r"(\d{1,2})[-/](\d{1,2})[-/](\d{4})")


def decimal_or_none(text: str) -> Decimal | None:
    """A plain or comma-grouped number; None for anything else, never 0, and for what is larger than any amount is."""
    try:
        value = Decimal(text.replace(",", "").strip())
    except InvalidOperation:
        return None
    return value if value.is_finite() and abs(value.adjusted()) < _LARGEST else None


def iso_date(text: str) -> str:
    """`2022-12-13-05:00` and `12-31-2021` as ISO dates; '' for anything else."""
    if match := _ISO.match(text.strip()):
        return match[0]
    if match := _AMERICAN.match(text.strip()):
        return f"{match[3]}-{int(match[1]):02d}-{int(match[2]):02d}"
    return ""


def is_true(text: str) -> bool:
    """`1`, `true`, `Y` in any case."""
    return text.strip().lower() in {"1", "true", "y", "yes"}


def plain(value: Decimal | None) -> str:
    """A number with grouped digits and no trailing zeros; '' for None."""
    if value is None:
        return ""
    text = f"{value:,f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
