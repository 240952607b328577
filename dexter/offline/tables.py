"""The figures of an answer as Markdown tables, with the day each period ends."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from dexter.data.metrics import name_for_people
from dexter.data.tables import markdown
from dexter.data.unavailable import Unavailable
from dexter.offline.amounts import amount_of, in_table, unit_of
from dexter.offline.analysis import Analysis, View
from dexter.offline.evidence import CLOSE, Span
from dexter.offline.items import Item, shape_of
from dexter.offline.phrases import Phrases
from dexter.offline.values import Values
from dexter.results import Cell

# Up to so many lines go beside each other as columns; more go below each other.
_FEW_ITEMS = 3
_MOST_COMPANIES_ABREAST = 3
_MOST_CLOSES = 26


def tables(analysis: Analysis, values: Values, phrases: Phrases) -> list[str]:
    """Every table of the answer, the statements' before the prices'."""
    tables = _Tables(analysis, values, phrases)
    return [*tables.statements(), *tables.priced()]


class _Tables:
    def __init__(self, analysis: Analysis, values: Values, phrases: Phrases) -> None:
        self._analysis = analysis
        self._values = values
        self._phrases = phrases

    def statements(self) -> Iterator[str]:
        """Over time one table a company; else companies beside each other, or ranked below each other."""
        views = self._analysis.views
        if not views:
            return
        if len(views) == 1:
            yield self._of_company(views[0])
        elif self._analysis.is_series and len(self._analysis.items) == 1 and len(views) <= _MOST_COMPANIES_ABREAST:
            yield self._over_time(self._analysis.items[0])
        elif self._analysis.is_series:
            for view in views:
                yield f"**{self._name(view.ticker)}**\n\n{self._of_company(view)}"
        elif len(views) <= _MOST_COMPANIES_ABREAST:
            yield self._abreast(views)
        else:
            yield from self._ranked()

    def priced(self) -> Iterator[str]:
        """Closes and multiples: a column a company; the history of closes below."""
        names = self._analysis.priced
        tickers = [ticker for ticker in self._analysis.tickers if self._analysis.evidence.closes(ticker)]
        if not names or not tickers:
            return
        histories = list(self._histories(tickers))
        if names == (CLOSE,) and histories:
            yield from histories
            return
        closes = [close for ticker in tickers if (close := self._analysis.close(ticker))]
        newest = all(close == self._analysis.evidence.closes(close.ticker)[0] for close in closes)
        when = self._phrases.say("at_last_close" if newest and not self._analysis.intent.when.ends else "at_close")
        if len(closes) > _MOST_COMPANIES_ABREAST:
            yield self._priced_below(when, names, closes)
        else:
            yield self._priced_abreast(when, names, closes)
        yield from histories

    def _priced_abreast(self, when: str, names: Sequence[str], closes: Sequence[Cell]) -> str:
        """A column a company."""
        tickers = [close.ticker for close in closes]
        head = [when, *(f"{close.ticker} ({close.period_end})" for close in closes)]
        cells = ([self._priced_cell(name, ticker) for ticker in tickers] for name in names)
        labels = (self._priced_label(name, tickers) for name in names)
        return markdown([head, *([label, *row] for label, row in zip(labels, cells, strict=True))])

    def _priced_below(self, when: str, names: Sequence[str], closes: Sequence[Cell]) -> str:
        """A row a company, by the first figure."""
        values = {close.ticker: self._values.multiple(names[0], close.ticker) for close in closes}
        numbers = {ticker: value.amount.number for ticker, value in values.items() if value}
        order = sorted(numbers, key=lambda ticker: numbers[ticker], reverse=not self._analysis.intent.ascending)
        rest = [ticker for ticker in values if ticker not in numbers]
        days = {close.ticker: close.period_end for close in closes}
        head = [f"{self._phrases.say('company_head')} ({when})", *(self._priced_label(name, order) for name in names)]
        rows = {ticker: [self._priced_cell(name, ticker) for name in names] for ticker in (*order, *rest)}
        return markdown([head, *([f"{ticker} ({days[ticker]})", *row] for ticker, row in rows.items())])

    def _histories(self, tickers: Sequence[str]) -> Iterator[str]:
        closes = {
            ticker: {cell.period_end: cell for cell in self._analysis.chosen_closes(ticker)} for ticker in tickers
        }
        days = sorted({day for by_day in closes.values() for day in by_day}, reverse=True)[:_MOST_CLOSES]
        if len(days) > 1:
            rows = [[day, *(self._close(closes[ticker].get(day)) for ticker in tickers)] for day in days]
            yield markdown([[self._phrases.metric(CLOSE), *tickers], *rows])

    def _close(self, cell: Cell | None) -> str:
        return in_table(amount_of(cell, "amount")) if cell else "–"

    def _priced_label(self, name: str, tickers: Sequence[str]) -> str:
        cells = [value.cells[0] for ticker in tickers if (value := self._values.multiple(name, ticker))]
        return self._phrases.metric(name) + self._unit(name, cells)

    def _priced_cell(self, name: str, ticker: str) -> str:
        if name == CLOSE:
            return self._close(self._analysis.close(ticker))
        value = self._values.multiple(name, ticker)
        mark, _ = self._analysis.evidence.why_no_multiple(ticker, name_for_people(name))
        return in_table(value.amount) if value else mark or "–"

    def _of_company(self, view: View) -> str:
        """Few lines: a row a period. More: a row a line, the newest period first."""
        items = self._analysis.items
        if len(items) <= _FEW_ITEMS:
            head = [
                self._phrases.say("period"),
                self._phrases.say("period_end"),
                *(self._label(item) for item in items),
            ]
            rows = [
                [self._phrases.span(span), span.end, *(self._cell(item, view.ticker, span) for item in items)]
                for span in view.spans
            ]
            return markdown([head, *rows])
        spans = view.spans[::-1]
        head = [self._phrases.say("figure_head"), *(self._phrases.span(span) for span in spans)]
        ends = [self._phrases.say("period_end"), *(span.end for span in spans)]
        rows = [[self._label(item), *(self._cell(item, view.ticker, span) for span in spans)] for item in items]
        return markdown([head, ends, *rows])

    def _abreast(self, views: Sequence[View]) -> str:
        most = max(len(view.spans) for view in views)
        columns = [(view.ticker, view.spans[nth]) for nth in range(most) for view in views if nth < len(view.spans)]
        head = [self._phrases.say("figure_head"), *(f"{ticker} {self._phrases.span(span)}" for ticker, span in columns)]
        ends = [self._phrases.say("period_end"), *(span.end for _, span in columns)]
        rows = [
            [self._label(item), *(self._cell(item, *column) for column in columns)] for item in self._analysis.items
        ]
        return markdown([head, ends, *rows])

    def _ranked(self) -> Iterator[str]:
        """A table for each kind of period, a row a company, the highest figure first."""
        bases = dict.fromkeys(span.basis for view in self._analysis.views for span in view.spans)
        for basis in bases:
            spans = {view.ticker: span for view in self._analysis.views for span in view.spans if span.basis == basis}
            yield self._ranking(spans)

    def _ranking(self, spans: Mapping[str, Span]) -> str:
        items = self._analysis.items
        lead = next((item for item in items if item.asked), items[0])
        cells = {ticker: self._analysis.evidence.figure(ticker, lead.name, span) for ticker, span in spans.items()}
        comparable = len(self._analysis.currencies) < 2  # noqa: PLR2004 - amounts of two currencies have no order
        numbers = {ticker: cell.number for ticker, cell in cells.items() if cell and comparable}
        order = sorted(numbers, key=lambda ticker: numbers[ticker], reverse=not self._analysis.intent.ascending)
        rest = [ticker for ticker in spans if ticker not in numbers]
        head = [self._phrases.say(key) for key in ("company_head", "period", "period_end")]
        rows = [
            [ticker, self._phrases.span(span), span.end, *(self._cell(item, ticker, span) for item in items)]
            for ticker in (*order, *rest)
            for span in (spans[ticker],)
        ]
        return markdown([[*head, *(self._label(item) for item in items)], *rows])

    def _over_time(self, item: Item) -> str:
        """One line of a few companies: a row a period's name, the day it ends beside each value."""
        labels = sorted({(span.basis, span.year, span.name) for view in self._analysis.views for span in view.spans})
        head = [self._phrases.say("period")]
        for view in self._analysis.views:
            head += [f"{view.ticker} {self._label(item)}", self._phrases.say("period_end")]
        rows = [[self._row_label(label), *self._row(item, label)] for label in labels]
        return markdown([head, *rows])

    def _row_label(self, label: tuple[str, int, str]) -> str:
        view = next(
            span for view in self._analysis.views for span in view.spans if (span.basis, span.year, span.name) == label
        )
        return self._phrases.span(view)

    def _row(self, item: Item, label: tuple[str, int, str]) -> Iterator[str]:
        for view in self._analysis.views:
            span = next((span for span in view.spans if (span.basis, span.year, span.name) == label), None)
            yield self._cell(item, view.ticker, span) if span else "–"
            yield span.end if span else "–"

    def _cell(self, item: Item, ticker: str, span: Span) -> str:
        value = self._values.at(item, ticker, span)
        return value.mark if isinstance(value, Unavailable) else in_table(value.amount)

    def _label(self, item: Item) -> str:
        return self._phrases.item(item) + (self._unit(item.name, self._cells_of(item)) if item.kind == "figure" else "")

    def _cells_of(self, item: Item) -> list[Cell]:
        figures = (
            self._analysis.evidence.figure(view.ticker, item.name, span)
            for view in self._analysis.views
            for span in view.spans
        )
        return [cell for cell in figures if cell]

    def _unit(self, name: str, cells: Sequence[Cell]) -> str:
        """In brackets behind a label: the currency and the million, once."""
        units = {unit_of(cell, shape_of(name)) for cell in cells}
        currency = "/".join(dict.fromkeys(cell.currency for cell in cells if cell.currency))
        million = self._phrases.say("million")
        if "money" in units:
            return f" ({currency} {million})"
        return f" ({million})" if "shares" in units else f" ({currency})" if "per_share" in units else ""

    def _name(self, ticker: str) -> str:
        return self._phrases.company(ticker, self._values.company(ticker).name)
