"""Market capitalization and multiples on a day: its close, and the newest twelve months that had ended by it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from dexter.data.company import Company
from dexter.data.derive import Column, CompanyFigures
from dexter.data.metrics import MULTIPLES
from dexter.data.provider import Prices
from dexter.data.sources import accessions_of
from dexter.data.unavailable import Unavailable
from dexter.results import Cell

# Older than two quarterly reports: the count may no longer be near.
_STALE_DAYS = 190


@dataclass(frozen=True)
class Valuation:
    """The close, the twelve months' last day, and each multiple or why there is none."""

    close: Cell
    twelve_months_to: str
    multiples: tuple[Cell | Unavailable, ...]
    accessions: frozenset[str] = frozenset()
    notes: tuple[str, ...] = ()


def value(company: Company, close: Cell, trailing: Sequence[Cell]) -> Valuation:
    """Multiples at `close`. `trailing` are twelve-month flows and balances; nothing that ended later is used.

    Of a foreign filer there are none: what is traded may be a receipt for several shares or for a part of one.
    """
    if company.kind == "foreign":
        return Valuation(close, "", tuple(_of_a_receipt(company, close, metric.name) for metric in MULTIPLES))
    ended = [cell for cell in trailing if cell.period_end <= close.period_end]
    end = max((cell.period_end for cell in ended), default="")
    shares = max(_share_counts(ended), key=lambda cell: cell.period_end, default=None)
    fixed = {"Close": close} | ({"SharesOutstanding": shares} if shares else {})
    figures = CompanyFigures(company, ended, fixed=fixed)
    multiples = tuple(figures.figure(metric.name, Column("ttm", end)) for metric in MULTIPLES)
    basis = [cell for cell in ended if cell.period_end == end] + ([shares] if shares else [])
    return Valuation(close, end, multiples, accessions_of(basis), _share_note(shares, close))


def close_cells(prices: Prices) -> tuple[Cell, ...]:
    """Each close as a cell of its day, oldest first."""
    adjusted = f"adjusted for {prices.adjusted}" if prices.adjusted else "not adjusted"
    source = "; ".join(source.title for source in prices.sources)
    return tuple(
        Cell(
            ticker=prices.company.ticker,
            company=prices.company.name,
            concept="Close",
            label="Closing price",
            value=point.close,
            unit=f"{prices.currency}/shares",
            currency=prices.currency,
            period_end=point.date,
            source=f"{source}, {adjusted}",
            provenance="sample" if any(source.dataset == "sample" for source in prices.sources) else "vendor",
        )
        for point in prices.points
    )


def _of_a_receipt(company: Company, close: Cell, name: str) -> Unavailable:
    reason = (
        "a foreign filer's price may be of a receipt for several shares or a part of one, and how many EDGAR's data do"
        " not tell"
    )
    return Unavailable(company.ticker, name, "not_applicable", reason, period_end=close.period_end)


def _share_counts(cells: Sequence[Cell]) -> list[Cell]:
    return [cell for cell in cells if cell.concept == "SharesOutstanding"]


def _share_note(shares: Cell | None, close: Cell) -> tuple[str, ...]:
    if shares is None:
        return ()
    age = (date.fromisoformat(close.period_end) - date.fromisoformat(shares.period_end)).days
    stale = f", {age} days before the close: the market value is rough" if age > _STALE_DAYS else ""
    where = f"{shares.source}; {shares.form} filed {shares.filed}"
    return (f"{shares.ticker}: share count of {shares.period_end}{stale} ({where}).",)
