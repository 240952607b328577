"""A discounted cash flow valuation: its inputs among the evidence, and its arithmetic as steps of `calculate`.

Free cash flow of the newest fiscal year grows at a rate that falls in equal steps to the terminal rate; the years'
flows and what comes after them are discounted to the end of that fiscal year. Rates are rounded to a tenth of a per
cent before they are used, so that what is printed is what was computed with.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from typing import Any

from dexter.offline.analysis import Analysis
from dexter.offline.evidence import Evidence, Span
from dexter.offline.steps import input_name, step_name
from dexter.results import Cell

YEARS = 10
HISTORY = 5
FLOW, SALES, CASH, DEBT, SHARES = (
    "FreeCashFlow",
    "Revenues",
    "CashAndEquivalents",
    "LongTermDebt",
    "SharesOutstanding",
)
CONCEPTS = (FLOW, SALES, CASH, DEBT, SHARES)
# What nobody can look up. The growth of the first year is never above the cap, nor below the terminal rate.
ASSUMPTIONS: Mapping[str, Decimal] = {
    "discount_rate": Decimal("0.10"),
    "terminal_growth": Decimal("0.025"),
    "growth_cap": Decimal("0.20"),
}
_RATE_DIGITS = 3
_GRID_DISCOUNT = (Decimal("-0.01"), Decimal(0), Decimal("0.01"))
_GRID_TERMINAL = (Decimal("-0.005"), Decimal(0), Decimal("0.005"))
GRID = tuple((rate, terminal) for rate in _GRID_DISCOUNT for terminal in _GRID_TERMINAL)


@dataclass(frozen=True)
class Valuation:
    """One company's valuation, as far as the evidence reaches. `asked` are rates that the question gives."""

    ticker: str
    evidence: Evidence
    asked: Mapping[str, Decimal] = field(default_factory=dict)

    @classmethod
    def of(cls, ticker: str, analysis: Analysis) -> Valuation:
        """The valuation that a question asks for."""
        return cls(ticker, analysis.evidence, dict(analysis.intent.assumptions))

    @cached_property
    def rates(self) -> Mapping[str, Decimal]:
        """The assumptions: those the question gives, else the usual ones."""
        return {**ASSUMPTIONS, **self.asked}

    @property
    def is_sound(self) -> bool:
        """Whether the discount rate lies above terminal growth in every cell of the grid."""
        lowest = self.rates["discount_rate"] + min(_GRID_DISCOUNT)
        return lowest > self.rates["terminal_growth"] + max(_GRID_TERMINAL)

    @cached_property
    def spans(self) -> Sequence[Span]:
        """The fiscal years with a free cash flow, newest first."""
        spans = self.evidence.spans(self.ticker, "annual")
        return [span for span in spans if self.evidence.figure(self.ticker, FLOW, span)][:HISTORY]

    def cell(self, name: str, span: Span | None = None) -> Cell | None:
        """A figure of that fiscal year, or of the newest."""
        at = span or (self.spans[0] if self.spans else None)
        return self.evidence.figure(self.ticker, name, at) if at else None

    @cached_property
    def close(self) -> Cell | None:
        """The newest close, if it is in the currency of the statements."""
        close = next(iter(self.evidence.closes(self.ticker)), None)
        flow = self.cell(FLOW)
        return close if close and flow and close.currency == flow.currency else None

    @property
    def is_meaningful(self) -> bool:
        """Whether there is a positive cash flow to start from."""
        flow = self.cell(FLOW)
        return flow is not None and flow.number > 0

    @cached_property
    def missing(self) -> tuple[str, ...]:
        """What an equity value a share would need beside the flows."""
        shares = self.cell(SHARES)
        absent = [name for name in (CASH, DEBT) if self.cell(name) is None]
        return (*absent, *(() if shares and shares.number > 0 else (SHARES,)))

    def origin(self, name: str) -> str:
        """Where an assumption comes from."""
        return "the question" if name in self.asked else "assumption"

    def name(self, *parts: str) -> str:
        """A step's name."""
        return step_name(self.ticker, "DCF", *parts)

    def value(self, *parts: str) -> Decimal | None:
        """What a step came to, None where it was not computed."""
        return self.evidence.calculated.get(self.name(*parts))

    @property
    def is_computed(self) -> bool:
        """Whether the arithmetic is done."""
        return self.value("enterprise_value") is not None

    def arguments(self) -> dict[str, Any]:
        """The one call of `calculate` that does it all."""
        cells = self._inputs()
        values = [
            {"name": input_name(cell), "value": cell.value, "source": f"#{self.evidence.result_of(cell)} {_said(cell)}"}
            for cell in cells
        ]
        values += [{"name": name, "value": str(rate), "source": self.origin(name)} for name, rate in self.rates.items()]
        steps = [{"name": name, "expression": text} for name, text in (*self._flows(), *self._bridge(), *self._grid())]
        return {"values": values, "expressions": steps}

    def _inputs(self) -> list[Cell]:
        ends = (self.spans[0], self.spans[-1])
        cells = [self.cell(name, span) for span in ends for name in (FLOW, SALES)]
        cells += [self.cell(name) for name in (CASH, DEBT, SHARES)]
        return list(dict.fromkeys(cell for cell in (*cells, self.close) if cell))

    def _flows(self) -> Iterator[tuple[str, str]]:
        """Growth, flow, discount factor and present value of each year."""
        rates = [name for name, text in self._history()]
        yield from self._history()
        least = ", ".join((*rates, "growth_cap"))
        first = self.name("growth", "1")
        yield first, f"round(max(min({least}), terminal_growth), {_RATE_DIGITS})"
        for year in range(2, YEARS + 1):
            step = f"{first} + (terminal_growth - {first}) * {year - 1} / {YEARS - 1}"
            yield self.name("growth", str(year)), f"round({step}, {_RATE_DIGITS})"
        flow = self.cell(FLOW)
        before = input_name(flow) if flow else ""
        for year in range(1, YEARS + 1):
            name = self.name("flow", str(year))
            yield name, f"{before} * (1 + {self.name('growth', str(year))})"
            yield self.name("factor", str(year)), f"1 / (1 + discount_rate) ** {year}"
            yield self.name("present", str(year)), f"{name} * {self.name('factor', str(year))}"
            before = name

    def _history(self) -> list[tuple[str, str]]:
        """The yearly growth there has been of flow and revenue, where both ends are positive."""
        newest, oldest = self.spans[0], self.spans[-1]
        found = []
        for concept in (FLOW, SALES):
            ends = self.cell(concept, oldest), self.cell(concept, newest)
            if newest.year > oldest.year and all(cell and cell.number > 0 for cell in ends):
                first, last = (input_name(cell) for cell in ends if cell)
                found.append((self.name("past", concept), f"cagr({first}, {last}, {newest.year - oldest.year})"))
        return found

    def _bridge(self) -> Iterator[tuple[str, str]]:
        """From the flows to the value of a share."""
        present = ", ".join(self.name("present", str(year)) for year in range(1, YEARS + 1))
        yield self.name("sum_of_flows"), f"sum({present})"
        last, factor = self.name("flow", str(YEARS)), self.name("factor", str(YEARS))
        terminal = self.name("terminal_value")
        yield terminal, f"{last} * (1 + terminal_growth) / (discount_rate - terminal_growth)"
        yield self.name("present_terminal"), f"{terminal} * {factor}"
        value = self.name("enterprise_value")
        yield value, f"{self.name('sum_of_flows')} + {self.name('present_terminal')}"
        if self.missing:
            return
        cash, debt, shares = (input_name(cell) for name in (CASH, DEBT, SHARES) if (cell := self.cell(name)))
        yield self.name("equity"), f"{value} + {cash} - {debt}"
        yield self.name("per_share"), f"{self.name('equity')} / {shares}"
        if self.close:
            yield self.name("against_close"), f"growth({self.name('per_share')}, {input_name(self.close)})"

    def _grid(self) -> Iterator[tuple[str, str]]:
        """The value of a share at other rates, over the same flows."""
        if self.missing:
            return
        cash, debt, shares = (input_name(cell) for name in (CASH, DEBT, SHARES) if (cell := self.cell(name)))
        flows = [self.name("flow", str(year)) for year in range(1, YEARS + 1)]
        for number, (by, more) in enumerate(GRID, 1):
            rate, terminal = f"(discount_rate + {by})", f"(terminal_growth + {more})"
            after = f"{flows[-1]} * (1 + {terminal}) / ({rate} - {terminal}) / (1 + {rate}) ** {YEARS}"
            total = f"npv({rate}, {', '.join(flows)}) + {after}"
            yield self.name("grid", str(number)), f"({total} + {cash} - {debt}) / {shares}"


def _said(cell: Cell) -> str:
    return f"{cell.ticker} {cell.concept} {cell.period_end}"
