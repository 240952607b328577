"""Cells from the vendor's rows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date
from decimal import Decimal
from typing import Any

from dexter.data.concepts import Concept, concept_named, label_of
from dexter.data.financialdatasets.fields import PAYMENTS, SHARES
from dexter.data.periods import fiscal_quarter, fiscal_year
from dexter.data.provider import StatementQuery
from dexter.results import Cell

_CURRENCY = re.compile(r"[A-Z]{3}")
_LARGEST = 20  # digits: more than any balance sheet has
_FISCAL_QUARTER = re.compile(r"(\d{4})-?Q([1-4])")


def row_cells(row: Mapping[str, Any], fields: Mapping[str, str], query: StatementQuery) -> Iterator[Cell]:
    """The cells of one period: the fields by concept that hold a number; none of a row without a date or currency."""
    try:
        end = date.fromisoformat(str(row.get("report_period")))
    except ValueError:
        return
    currency = str(row.get("currency") or "").upper()
    if not _CURRENCY.fullmatch(currency):
        return
    for name, field in fields.items():
        concept, value = concept_named(name), _number(row.get(field))
        if concept and value is not None:
            number, derived = _payment(value, field) if name in PAYMENTS else (value, None)
            unit = _unit(concept, currency)
            year, period = _label(end, row, query, concept)
            yield Cell(
                ticker=query.company.ticker,
                company=query.company.name,
                concept=name,
                label=label_of(name),
                value=format(number, "f"),
                unit=unit,
                currency="" if unit == "shares" else currency,
                fiscal_year=year,
                fiscal_period=period,
                period_end=end.isoformat(),
                derived=derived,
                source=f"financialdatasets: {field}",
                provenance="vendor",
            )


def _number(value: object) -> Decimal | None:
    if not isinstance(value, int | Decimal) or isinstance(value, bool):
        return None
    number = Decimal(value)
    return number if number.is_finite() and abs(number.adjusted()) < _LARGEST else None


def _payment(value: Decimal, field: str) -> tuple[Decimal, str | None]:
    return (-value, f"{field} with its sign turned") if value < 0 else (value, None)


def _unit(concept: Concept, currency: str) -> str:
    if concept.name in SHARES:
        return "shares"
    return f"{currency}/shares" if concept.nature == "per_share" else currency


def _label(end: date, row: Mapping[str, Any], query: StatementQuery, concept: Concept) -> tuple[int, str]:
    """Fiscal year and period by the same rule as everywhere, the vendor's own quarter where the year end is unknown."""
    if query.period == "annual":
        return fiscal_year(end), "FY"
    year_end = query.company.fiscal_year_end
    said = _FISCAL_QUARTER.fullmatch(str(row.get("fiscal_period") or ""))
    if year_end:
        quarter = fiscal_quarter(end, year_end)
        year, number = quarter.year, quarter.quarter
    elif said:
        year, number = int(said[1]), int(said[2])
    else:
        year, number = fiscal_year(end), 0
    if query.period == "ttm" and concept.nature != "balance":
        return year, "TTM"
    return year, f"Q{number}" if number else ""
