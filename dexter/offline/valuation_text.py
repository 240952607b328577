"""A valuation as Markdown: every input and assumption, each year, the bridge to a share, and other rates."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import ROUND_HALF_UP, Decimal

from dexter.data.tables import markdown
from dexter.offline.amounts import amount_of, in_table
from dexter.offline.phrases import Phrases
from dexter.offline.valuation import CASH, DEBT, FLOW, GRID, SALES, SHARES, YEARS, Valuation
from dexter.results import Cell

_MILLION = Decimal(10**6)


def valuation_parts(valuation: Valuation, phrases: Phrases, company: str) -> Iterator[str]:
    """The paragraphs and tables of one company's valuation; why there is none, where there is none."""
    if not valuation.spans:
        if valuation.ticker in valuation.evidence.tickers:
            yield phrases.say("dcf_no_flow", company=company)
        return
    if not valuation.is_sound:
        yield phrases.say("dcf_unsound")
        return
    if not valuation.is_meaningful:
        yield phrases.say("dcf_not_meaningful", company=company)
        return
    if not valuation.is_computed:
        yield phrases.say("dcf_not_computed", company=company)
        return
    written = _Written(valuation, phrases)
    yield f"**{phrases.say('dcf_title', company=company)}**"
    yield written.inputs()
    yield written.years()
    yield written.bridge()
    if valuation.missing:
        lines = phrases.listed(phrases.metric(name) for name in valuation.missing)
        yield phrases.say("dcf_missing", company=company, lines=lines)
    else:
        yield written.grid()
    yield phrases.say("dcf_method", years=YEARS)


class _Written:
    def __init__(self, valuation: Valuation, phrases: Phrases) -> None:
        self._valuation = valuation
        self._phrases = phrases

    def inputs(self) -> str:
        """Figures with the day they are of, then growth as it was, then assumptions."""
        say, valuation = self._phrases.say, self._valuation
        newest, oldest = valuation.spans[0], valuation.spans[-1]
        cells = [(name, valuation.cell(name, span)) for name in (FLOW, SALES) for span in (newest, oldest)]
        cells += [(name, valuation.cell(name)) for name in (CASH, DEBT, SHARES)]
        rows = [self._cell_row(name, cell) for name, cell in dict.fromkeys(cells) if cell]
        if close := valuation.close:
            rows.append([say("dcf_close"), close.period_end, in_table(amount_of(close, "amount"))])
        past = [(name, valuation.value("past", name)) for name in (FLOW, SALES)]
        years = newest.year - oldest.year
        rows += [[say("dcf_past", label=self._phrases.metric(n), years=years), "", _percent(v)] for n, v in past if v]
        rows += [
            [say(f"dcf_{name}"), say("dcf_asked" if name in valuation.asked else "dcf_assumed"), _rate(rate)]
            for name, rate in valuation.rates.items()
        ]
        return markdown([[say("dcf_input"), say("dcf_of"), say("dcf_value")], *rows])

    def years(self) -> str:
        """A row a year."""
        say, value = self._phrases.say, self._number
        head = [say(f"dcf_{name}") for name in ("year", "growth", "flow", "factor", "present")]
        rows = [
            [
                str(year),
                _percent(value("growth", str(year))),
                _millions(value("flow", str(year))),
                f"{value('factor', str(year)):.4f}",
                _millions(value("present", str(year))),
            ]
            for year in range(1, YEARS + 1)
        ]
        return markdown([head, *rows])

    def bridge(self) -> str:
        """From the sum of the years to a share."""
        say, valuation = self._phrases.say, self._valuation
        amounts = ["sum_of_flows", "terminal_value", "present_terminal", "enterprise_value", "equity"]
        rows = [[say(f"dcf_{name}"), _millions(found)] for name in amounts if (found := valuation.value(name))]
        per_share, against = valuation.value("per_share"), valuation.value("against_close")
        rows += [[say("dcf_per_share"), _cents(per_share)]] if per_share is not None else []
        rows += [[say("dcf_against_close"), _percent(against)]] if against is not None else []
        return markdown([[say("dcf_bridge"), say("dcf_value")], *rows])

    def grid(self) -> str:
        """Discount rates down, terminal growth across."""
        rates = list(dict.fromkeys(rate for rate, _ in GRID))
        terminals = list(dict.fromkeys(terminal for _, terminal in GRID))
        across = [_rate(self._valuation.rates["terminal_growth"] + more) for more in terminals]
        numbered = {pair: str(number) for number, pair in enumerate(GRID, 1)}
        rows = [
            [
                _rate(self._valuation.rates["discount_rate"] + rate),
                *(_cents(self._number("grid", numbered[rate, terminal])) for terminal in terminals),
            ]
            for rate in rates
        ]
        return markdown([[self._phrases.say("dcf_grid"), *across], *rows])

    def _cell_row(self, name: str, cell: Cell) -> list[str]:
        return [self._phrases.metric(name), cell.period_end, in_table(amount_of(cell, "amount"))]

    def _number(self, *parts: str) -> Decimal:
        found = self._valuation.value(*parts)
        return Decimal("NaN") if found is None else found


def _percent(rate: Decimal) -> str:
    return f"{(rate * 100).quantize(Decimal('0.1'), ROUND_HALF_UP)}%"


def _rate(rate: Decimal) -> str:
    """A rate with every digit it was given with, one decimal at least."""
    percent = rate * 100
    return _percent(rate) if percent == round(percent, 1) else f"{percent.normalize():f}%"


def _millions(amount: Decimal) -> str:
    return f"{(amount / _MILLION).quantize(Decimal(1), ROUND_HALF_UP):,}"


def _cents(amount: Decimal) -> str:
    return f"{amount.quantize(Decimal('0.01'), ROUND_HALF_UP):,}"
