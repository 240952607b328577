"""What the results of a run say: their cells by company, figure and period, and what was calculated from them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal, InvalidOperation
from functools import cached_property
from typing import Any

from dexter.data.periods import calendar_quarter
from dexter.data.provider import Period
from dexter.results import Cell, StoredResult

_BASES: Mapping[str, Period] = {
    "FY": "annual",
    "TTM": "ttm",
    **dict.fromkeys(("Q1", "Q2", "Q3", "Q4"), "quarterly"),
}
_COMPANY_ERROR = re.compile(r"^Error \((?P<asked>[^)\n]+)\): (?P<why>.+)$", re.MULTILINE)
_MULTIPLE_HOLE = re.compile(r"^(?P<mark>–|n\.m\.|n/a) (?P<labels>.+?): (?P<reason>.+)$", re.MULTILINE)
CLOSE = "Close"
MARKET = "get_market_data"
_LAST_QUARTER = 4


@dataclass(frozen=True, order=True)
class Span:
    """A fiscal period of one company. Ordered in time; `end` and `start` are ISO days."""

    end: str
    basis: Period
    year: int
    name: str
    start: str = ""

    @property
    def label(self) -> str:
        """As tables head it: `FY2025`, `Q3 FY2026`, `TTM`."""
        return {"annual": f"FY{self.year}", "ttm": "TTM"}.get(self.basis, f"{self.name} FY{self.year}")

    @property
    def calendar_name(self) -> tuple[int, str]:
        """The calendar quarter in which most of it lies; of longer ones the year, or 0 where it ends within one."""
        quarter = calendar_quarter(date.fromisoformat(self.end))
        if self.basis == "quarterly":
            return quarter.year, f"Q{quarter.quarter}"
        return (quarter.year if quarter.quarter == _LAST_QUARTER else 0), self.name


class Evidence:
    """Cells and outcomes of results, newest result first where two say the same."""

    def __init__(self, results: Iterable[StoredResult]) -> None:
        self.results: Sequence[StoredResult] = tuple(sorted(results, key=lambda result: result.id))

    def known_on(self, day: str) -> Evidence:
        """Only what was looked up as of that day, and what was calculated."""
        return Evidence(
            result
            for result in self.results
            if result.arguments.get("as_of", day) == day and ("as_of" in result.arguments or result.tool == "calculate")
        )

    def spans(self, ticker: str, basis: Period) -> list[Span]:
        """The company's periods of that kind of which there is a figure, newest first."""
        found = {span.end: span for span in self._spans.get((ticker, basis), ())}
        return sorted(found.values(), reverse=True)

    def figure(self, ticker: str, name: str, span: Span) -> Cell | None:
        """The cell of a figure in that period, or None. A balance stands at the day the period ends."""
        return self._cells.get((ticker, name, span.basis, span.end)) or self._balances.get((ticker, name, span.end))

    def closes(self, ticker: str) -> list[Cell]:
        """Closing prices, newest first."""
        found = {cell.period_end: cell for cell in self._of(ticker) if cell.concept == CLOSE}
        return [found[day] for day in sorted(found, reverse=True)]

    def multiple(self, ticker: str, name: str) -> Cell | None:
        """The newest cell of a figure that needs a price."""
        cells = [cell for cell in self._of(ticker) if cell.concept == name]
        return max(cells, key=lambda cell: cell.period_end, default=None)

    def why_no_multiple(self, ticker: str, label: str) -> tuple[str, str]:
        """The mark and the reason that the market's result gives for a multiple that is not there; '' for none."""
        for section in self._market_sections.get(ticker, ()):
            for match in _MULTIPLE_HOLE.finditer(section):
                if label in match["labels"].split("; "):
                    return match["mark"], match["reason"]
        return "", ""

    def company_name(self, ticker: str) -> str:
        """The company's name as its cells have it; '' where there are none."""
        return next((cell.company for cell in self._of(ticker) if cell.company), "")

    def is_sample(self, ticker: str) -> bool:
        """Whether the company's figures come from the bundled sample."""
        return f"Sources {ticker} [sample]" in self._texts

    def source_lines(self, ticker: str, tool: str = "") -> str:
        """What the results name as the company's sources."""
        texts = (result.text for result in self.results if tool in ("", result.tool))
        lines = (line for text in texts for line in text.splitlines())
        return "\n".join(line for line in lines if line.startswith((f"Sources {ticker} ", f"Sources {ticker}:")))

    def has(self, name: str) -> bool:
        """Whether any company has this figure."""
        return any(cell.concept == name for cell in self.cells)

    def result_of(self, cell: Cell) -> int:
        """The id of the result the cell stands in."""
        return next((result.id for result in reversed(self.results) if cell in result.cells), 0)

    @cached_property
    def tickers(self) -> tuple[str, ...]:
        """Every company with a cell."""
        return tuple(dict.fromkeys(cell.ticker for cell in self.cells if cell.ticker))

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """All cells, those of the newest result first."""
        return tuple(cell for result in reversed(self.results) for cell in result.cells)

    @cached_property
    def errors(self) -> Mapping[str, str]:
        """Why a company gave nothing, by the ticker that was asked for."""
        return {
            match["asked"]: match["why"].strip()
            for result in self.results
            for match in _COMPANY_ERROR.finditer(result.text)
        }

    @cached_property
    def failures(self) -> tuple[str, ...]:
        """Whole results that are errors, as they read."""
        bad = (result for result in self.results if result.status != "ok" and not result.cells)
        return tuple(result.text.strip() for result in bad if not _COMPANY_ERROR.search(result.text))

    @cached_property
    def calculated(self) -> Mapping[str, Decimal]:
        """Outcomes of `calculate` by name."""
        outcomes: dict[str, Decimal] = {}
        for result in self.results:
            if result.tool == "calculate" and result.status == "ok":
                outcomes |= _outcomes(result.text)
        return outcomes

    def was_called(self, tool: str, arguments: Mapping[str, Any]) -> bool:
        """Whether this very call has a result already."""
        return (tool, canonical(arguments)) in self._calls

    @cached_property
    def _calls(self) -> frozenset[tuple[str, str]]:
        return frozenset((result.tool, canonical(result.arguments)) for result in self.results)

    @cached_property
    def _market_sections(self) -> Mapping[str, list[str]]:
        """What results of the market say, company by company, the newest first."""
        sections: dict[str, list[str]] = {}
        for result in reversed(self.results):
            for section in result.text.split("\n\n") if result.tool == MARKET else ():
                sections.setdefault(section.partition(" · ")[0], []).append(section)
        return sections

    @cached_property
    def _texts(self) -> str:
        return "\n".join(result.text for result in self.results)

    def _of(self, ticker: str) -> Sequence[Cell]:
        return self._by_ticker.get(ticker, ())

    @cached_property
    def _by_ticker(self) -> Mapping[str, Sequence[Cell]]:
        grouped: dict[str, list[Cell]] = {}
        for cell in self.cells:
            grouped.setdefault(cell.ticker, []).append(cell)
        return grouped

    @cached_property
    def _cells(self) -> Mapping[tuple[str, str, Period, str], Cell]:
        return {
            (cell.ticker, cell.concept, _BASES[cell.fiscal_period], cell.period_end): cell
            for cell in reversed(self.cells)
            if cell.fiscal_period in _BASES
        }

    @cached_property
    def _balances(self) -> Mapping[tuple[str, str, str], Cell]:
        return {
            (cell.ticker, cell.concept, cell.period_end): cell
            for cell in reversed(self.cells)
            if not cell.period_start and cell.fiscal_period in _BASES
        }

    @cached_property
    def _spans(self) -> Mapping[tuple[str, Period], list[Span]]:
        grouped: dict[tuple[str, Period], list[Span]] = {}
        # Cells with a start come last, so that a span knows its start where any cell does.
        for cell in sorted(self.cells, key=lambda cell: bool(cell.period_start)):
            if cell.fiscal_period in _BASES and cell.fiscal_year is not None:
                basis = _BASES[cell.fiscal_period]
                span = Span(cell.period_end, basis, cell.fiscal_year, cell.fiscal_period, cell.period_start)
                grouped.setdefault((cell.ticker, basis), []).append(span)
        return grouped


def canonical(arguments: Mapping[str, Any]) -> str:
    """One text for equal arguments."""
    return json.dumps(arguments, sort_keys=True, ensure_ascii=False, default=str)


def _outcomes(text: str) -> dict[str, Decimal]:
    """`name = expression = value`, a line each; lines of inputs have no expression."""
    outcomes: dict[str, Decimal] = {}
    for line in text.splitlines():
        parts = line.split(" = ")
        if len(parts) > 2:  # noqa: PLR2004 - name, expression, value
            try:
                outcomes[parts[0]] = Decimal(parts[-1])
            except InvalidOperation:
                continue
    return outcomes
