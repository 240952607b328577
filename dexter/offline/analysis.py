"""One question against the evidence: which companies, periods and lines an answer has, and what is still to compute."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

from dexter.data.metrics import metric_named
from dexter.figures.vocabulary import figure_words
from dexter.offline.closes import chosen_closes
from dexter.offline.evidence import CLOSE, Evidence, Span
from dexter.offline.intent import Intent
from dexter.offline.items import Item, is_balance, priced_names, statement_items
from dexter.offline.spans import Resolved, resolve
from dexter.offline.steps import Step, close_step, gather_steps, item_step, pair_steps, series_steps
from dexter.offline.when import PARTS
from dexter.results import Cell

_LEADING = 4
_FEW_RATIOS = 2
_LEADING_OF_OVERVIEW = 2


@dataclass(frozen=True)
class View:
    """One company in an answer: its ticker and the periods shown, oldest first."""

    ticker: str
    resolved: Resolved

    @property
    def spans(self) -> tuple[Span, ...]:
        """The periods, oldest first."""
        return self.resolved.spans


@dataclass(frozen=True)
class Analysis:
    """What an answer is made of. Nothing here is computed: values are cells, the rest are steps for `calculate`."""

    intent: Intent
    evidence: Evidence
    tickers: tuple[str, ...]

    @property
    def settled(self) -> Analysis:
        """This one, or where a day named is no period's end: one of what was known on that day."""
        when = self.intent.when
        looked = any(ticker in self.evidence.tickers for ticker in self.tickers)
        if not (when.as_of and when.ends and self.items and looked) or self.views:
            return self
        intent = replace(self.intent, when=replace(when, ends=()))
        return Analysis(intent, self.evidence.known_on(when.as_of), self.tickers)

    @cached_property
    def wanted(self) -> tuple[Item, ...]:
        """The lines that the question asks for, whatever there is of them."""
        return statement_items(self.intent)

    @cached_property
    def items(self) -> tuple[Item, ...]:
        """The lines from statements; one that no company has gives way to what may stand in for it."""
        items = (self._standing_in(item) for item in self.wanted)
        lines = [line for item in items for line in self._with_its_lines(item)]
        asked = {line for line in lines if line.asked}
        return tuple(dict.fromkeys(replace(line, asked=line in asked) for line in lines))

    def shows_sides(self, item: Item) -> bool:
        """Whether what a ratio is made of stands beside it: where one company has no more than a few of them."""
        few = len(self.tickers) == 1 and len(self.wanted) <= _FEW_RATIOS
        return few and item.kind == "figure" and not item.is_growth

    @cached_property
    def substituted(self) -> Mapping[str, str]:
        """The figures asked for that another one stands in for."""
        names = (item.name for item in self.wanted)
        return {name: other for name in names if (other := self._standing_in(Item(name)).name) != name}

    @cached_property
    def priced(self) -> tuple[str, ...]:
        """The figures that need a price."""
        return priced_names(self.intent)

    @cached_property
    def leading(self) -> Sequence[Item]:
        """The lines worth a sentence: those asked for first; of an overview only the first few."""
        figures = [item for item in self.items if item.asked and not (self.intent.overview and item.is_growth)]
        return figures[: _LEADING_OF_OVERVIEW if self.intent.overview else _LEADING]

    @cached_property
    def views(self) -> tuple[View, ...]:
        """Every company with at least one period, in the order asked."""
        if not self.items:
            return ()
        views = (View(ticker, self._resolved(ticker)) for ticker in self.tickers)
        return tuple(view for view in views if view.spans)

    @cached_property
    def is_series(self) -> bool:
        """Whether some company has several periods of one kind: a table over time."""
        return any(len(view.spans) > len({span.basis for span in view.spans}) for view in self.views)

    @cached_property
    def steps(self) -> Mapping[str, Step]:
        """Everything to be computed, by name."""
        return {step.name: step for step in self._steps()}

    def value_step(self, item: Item, ticker: str, span: Span) -> Step | None:
        """The step behind an item that is no cell."""
        return item_step(item, ticker, span, self.evidence)

    def ranked(self, item: Item) -> list[tuple[str, Span, Cell]]:
        """Companies by a figure of their first period shown (in a series: the last), the largest first.

        Nobody is ranked by amounts of different currencies.
        """
        rows = []
        for view in self.views:
            span = view.spans[-1] if self.is_series else view.spans[0]
            cell = self.evidence.figure(view.ticker, item.name, span)
            if cell is not None:
                rows.append((view.ticker, span, cell))
        if len({cell.currency for _, _, cell in rows}) > 1:
            return []
        return sorted(rows, key=lambda row: (-row[2].number, row[0]))

    @cached_property
    def currencies(self) -> tuple[str, ...]:
        """The currencies of the lines shown."""
        cells = (self.evidence.figure(v.ticker, i.name, s) for v in self.views for i in self.items for s in v.spans)
        return tuple(dict.fromkeys(cell.currency for cell in cells if cell and cell.currency))

    def close(self, ticker: str) -> Cell | None:
        """The close an answer gives: the newest one asked for, else the newest there is."""
        return next(iter(self.chosen_closes(ticker) or self.evidence.closes(ticker)), None)

    def chosen_closes(self, ticker: str) -> list[Cell]:
        """The closes asked for, newest first: all there are, those of the days or years named, or the newest few."""
        return chosen_closes(self.intent.when, self.evidence.closes(ticker))

    def price_step(self, ticker: str) -> Step | None:
        """How far the price moved over the closes asked for, where there are several."""
        closes = self.chosen_closes(ticker)
        if CLOSE not in self.priced or len(closes) < 2 or closes[-1].number <= 0:  # noqa: PLR2004 - a change has two ends
            return None
        return close_step(Item(CLOSE), ticker, closes[-1], closes[0])

    def _resolved(self, ticker: str) -> Resolved:
        balances = all(is_balance(item.name) for item in self.items)
        has = partial(self.has, ticker)
        resolved = resolve(self.intent.when, ticker, self.evidence, has=has, balances_only=balances)
        if len(self.tickers) > 1 and self.intent.when.is_empty:
            return Resolved(tuple(span for span in resolved.spans if balances or span.basis != "quarterly"))
        return resolved

    def has(self, ticker: str, span: Span) -> bool:
        """Whether the company has some of what is asked for in that period."""
        names = [name for item in self.leading for name in item.needs]
        return any(self.evidence.figure(ticker, name, span) for name in names)

    def _with_its_lines(self, item: Item) -> list[Item]:
        """A metric that no company has comes with what there is of the lines it needs, a lone ratio with its sides."""
        metric = metric_named(item.name)
        if metric is None or item.kind != "figure" or item.is_growth:
            return [item]
        if not self.evidence.has(item.name):
            return [*(Item(need, asked=False) for need in metric.needs if self.evidence.has(need)), item]
        shown = metric.formula.operands if self.shows_sides(item) else ()
        return [*(Item(operand, asked=False) for operand in shown), item]

    def _standing_in(self, item: Item) -> Item:
        words = figure_words().get(item.name)
        if not (words and words.instead) or self.evidence.has(item.name) or not self.evidence.has(words.instead):
            return item
        return replace(item, name=words.instead)

    def _steps(self) -> Iterator[Step]:
        for view in self.views:
            for item in self.items:
                yield from self._item_steps(item, view)
        if len(self.views) > 1 and (len(self.views) == 2 or self.intent.does("difference")):  # noqa: PLR2004 - a pair
            for item in self.leading:
                ranking = self.ranked(item)
                if len(ranking) > 1:
                    yield from pair_steps(item, ranking[0], ranking[-1])

        yield from (step for ticker in self.tickers if (step := self.price_step(ticker)))

    def _item_steps(self, item: Item, view: View) -> Iterator[Step]:
        for span in view.spans:
            step = self.value_step(item, view.ticker, span)
            if step:
                yield step
        for spans in self._runs(view.spans):
            yield from series_steps(item, view.ticker, spans, self.evidence)
            if self.intent.does("average") and item.asked:
                yield from gather_steps("average", item, view.ticker, spans, self.evidence)
            if self.intent.does("total") and item.asked and item.shape == "amount" and not is_balance(item.name):
                yield from gather_steps("total", item, view.ticker, spans, self.evidence)
        yield from self._part_steps(item, view)

    def _part_steps(self, item: Item, view: View) -> Iterator[Step]:
        """Halves and nine months: their quarters added up."""
        if item.shape != "amount" or not item.asked or is_balance(item.name):
            return
        for label in self.intent.when.labels:
            quarters = PARTS.get(label.period, ())
            spans = [span for span in view.spans if span.name in quarters and label.year in (None, span.year)]
            if len(spans) == len(quarters) > 0:
                yield from gather_steps("total", item, view.ticker, spans, self.evidence)

    def _runs(self, spans: Sequence[Span]) -> Iterator[list[Span]]:
        """Periods of one kind together, where there are several."""
        for basis in dict.fromkeys(span.basis for span in spans):
            run = [span for span in spans if span.basis == basis]
            if len(run) > 1:
                yield run
