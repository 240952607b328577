"""Which filing is meant by 'FY2025', 'Q2 2025' or a date."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

from dexter.data.company import Company
from dexter.data.periods import fiscal_quarter, fiscal_year
from dexter.data.sec.submissions import FilingEntry

_ISO = re.compile(r"\d{4}-\d{2}(?:-\d{2})?")
_YEAR = re.compile(r"(?:FY|fiscal\s*(?:year)?)?\s*(\d{4})", re.IGNORECASE)
_QUARTER = re.compile(r"Q([1-4])\s*(?:of\s*)?(?:FY|fiscal\s*(?:year)?)?\s*(\d{4})", re.IGNORECASE)


def for_period(entries: Sequence[FilingEntry], company: Company, period: str) -> tuple[FilingEntry, ...]:
    """The filings that report on a period: `FY2025` or `2025`, `Q2 2025` (fiscal), `2025-01-26` or `2025-01`.

    Raises:
        ValueError: `period` is none of these.
    """
    wanted = period.strip()
    if not wanted:
        return tuple(entries)
    if _ISO.fullmatch(wanted):
        return tuple(entry for entry in entries if entry.report_date.startswith(wanted))
    if match := _QUARTER.fullmatch(wanted):
        return tuple(e for e in entries if _quarter(e, company) == (int(match[2]), int(match[1])))
    if match := _YEAR.fullmatch(wanted):
        return tuple(e for e in entries if _year(e, company) == int(match[1]))
    raise ValueError(f"{period!r} is no period: say FY2025, Q2 2025 or a date like 2025-01-26")


def filed_after(period: str) -> str:
    """A day before which no report on that period was filed; '' where none can be told."""
    match = re.search(r"\d{4}", period)
    return f"{int(match[0]) - 1}-01-01" if match else ""


def period_label(entry: FilingEntry, company: Company) -> str:
    """`FY2025` or `Q2 FY2026` for an annual or quarterly report; the date alone for others."""
    if not entry.report_date:
        return ""
    if entry.form.upper().startswith("10-Q") and (quarter := _quarter(entry, company)):
        return f"Q{quarter[1]} FY{quarter[0]}"
    if entry.form.upper().startswith(("10-K", "20-F", "40-F")):
        return f"FY{fiscal_year(date.fromisoformat(entry.report_date))}"
    return ""


def _quarter(entry: FilingEntry, company: Company) -> tuple[int, int] | None:
    if not (entry.report_date and company.fiscal_year_end):
        return None
    found = fiscal_quarter(date.fromisoformat(entry.report_date), company.fiscal_year_end)
    return (found.year, found.quarter)


def _year(entry: FilingEntry, company: Company) -> int:
    """The fiscal year a filing reports on; for one without a period the year of its filing."""
    if not entry.report_date:
        return int(entry.filed[:4])
    if entry.form.upper().startswith("10-Q") and (quarter := _quarter(entry, company)):
        return quarter[0]
    return fiscal_year(date.fromisoformat(entry.report_date))
