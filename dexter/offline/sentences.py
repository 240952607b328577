"""The two or three sentences that follow from the figures of an answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dexter.offline.amounts import amount_of, in_sentence
from dexter.offline.analysis import Analysis, View
from dexter.offline.evidence import CLOSE, Span
from dexter.offline.items import Item, growth_metric
from dexter.offline.phrases import Phrases
from dexter.offline.steps import StepKind
from dexter.offline.values import Value, Values
from dexter.results import Cell

_FEW_PLACES = 5
_FIRST_PLACES = 3
_EXTREMES_FROM = 3


def sentences(analysis: Analysis, values: Values, phrases: Phrases) -> list[str]:
    """What the tables show, said: over time for each company, side by side for several, prices last."""
    writer = _Writer(analysis, values, phrases)
    return [*writer.statements(), *writer.gathered(), *writer.priced()]


class _Writer:
    def __init__(self, analysis: Analysis, values: Values, phrases: Phrases) -> None:
        self._analysis = analysis
        self._values = values
        self._phrases = phrases

    def statements(self) -> Iterator[str]:
        views = self._analysis.views
        leading = self._analysis.leading or self._analysis.items[:1]
        if self._analysis.is_series and not self._analysis.intent.when.has_parts:
            for item in leading:
                yield from (text for view in views if (text := self._series(item, view)))
        if len(views) > 1:
            yield from (text for item in leading if (text := self._side_by_side(item)))
        elif views and not self._analysis.is_series:
            yield from self._single(views[0])

    def gathered(self) -> Iterator[str]:
        """Sums and means, where they were asked for."""
        for step in self._analysis.steps.values():
            value = self._values.of_step(step)
            if step.kind in ("total", "average") and value:
                yield self._phrases.say(
                    step.kind,
                    company=self._name(step.ticker),
                    label=self._phrases.item(step.item),
                    periods=self._phrases.listed(self._phrases.span(span) for span in step.spans),
                    value=in_sentence(value.amount, self._phrases.language),
                )

    def priced(self) -> Iterator[str]:
        """Prices and multiples: ranked where there are several companies, else one after the other."""
        names = [name for name in self._analysis.priced if name != CLOSE]
        tickers = [t for t in self._analysis.tickers if self._analysis.priced and self._analysis.evidence.closes(t)]
        moves = [move for ticker in tickers if (move := self._price_move(ticker))]
        if moves or len(tickers) == 1 or not names:
            yield from moves or (self._at_close(ticker, names) for ticker in tickers)
        else:
            most = 1 if self._analysis.intent.overview else _FIRST_PLACES
            yield from (text for name in names[:most] if (text := self._multiples(name, tickers)))

    def _multiples(self, name: str, tickers: Sequence[str]) -> str:
        """The companies by that multiple; where only one has it, that one's."""
        having = [ticker for ticker in tickers if self._values.multiple(name, ticker)]
        return self._at_close(having[0], [name]) if len(having) == 1 else self._multiple_ranking(name, having)

    def _multiple_ranking(self, name: str, tickers: Sequence[str]) -> str:
        values = {ticker: value for ticker in tickers if (value := self._values.multiple(name, ticker))}
        ascending = self._analysis.intent.ascending
        order = sorted(values, key=lambda ticker: values[ticker].amount.number, reverse=not ascending)
        said = [f"{ticker} {in_sentence(values[ticker].amount, self._phrases.language)}" for ticker in order]
        key = "ranking_least" if ascending else "ranking"
        label = self._phrases.metric(name)
        return self._phrases.say(key, label=label, places=self._phrases.listed(said), last="") if said else ""

    def _single(self, view: View) -> Iterator[str]:
        """One company's figures, period by period."""
        name = self._name(view.ticker)
        for span in view.spans:
            figures = [said for item in self._analysis.leading if (said := self._figure(item, view.ticker, span))]
            if figures:
                key, period = ("single" if name else "single_more"), self._phrases.dated(span)
                yield self._phrases.say(key, company=name, period=period, figures=self._phrases.listed(figures))
                name = ""

    def _figure(self, item: Item, ticker: str, span: Span) -> str:
        value = self._values.at(item, ticker, span)
        if not isinstance(value, Value):
            return ""
        said = in_sentence(value.amount, self._phrases.language)
        growth = self._growth(item, ticker, span)
        return self._phrases.say("figure", label=self._phrases.item(item), value=said, growth=growth)

    def _growth(self, item: Item, ticker: str, span: Span) -> str:
        metric = growth_metric(item.name, "year")
        cell = self._analysis.evidence.figure(ticker, metric, span) if metric else None
        if cell is None or item.kind != "figure":
            return ""
        growth = in_sentence(amount_of(cell, "percent"), self._phrases.language, signed=True)
        return self._phrases.say("single_growth", growth=growth)

    def _series(self, item: Item, view: View) -> str:
        pairs = [
            (span, value) for span in view.spans if isinstance(value := self._values.at(item, view.ticker, span), Value)
        ]
        if len(pairs) < 2:  # noqa: PLR2004 - a change has two ends
            return ""
        (first_span, first), (last_span, last) = pairs[0], pairs[-1]
        change = self._outcome("change", item, view.ticker, (first_span, last_span))
        said = self._phrases.say(
            "series_amount" if item.shape == "amount" else "series_percent" if change else "series_times",
            company=self._name(view.ticker),
            label=self._phrases.item(item),
            first=in_sentence(first.amount, self._phrases.language),
            last=in_sentence(last.amount, self._phrases.language),
            first_period=self._phrases.dated(first_span),
            last_period=self._phrases.dated(last_span),
            change=change,
            growth=self._wrapped("growth", item, view.ticker, (first_span, last_span)),
            cagr=self._wrapped("cagr", item, view.ticker, (first_span, last_span)),
        )
        return said + (
            self._phrases.say("sentence_gap") + self._extremes(pairs) if len(pairs) >= _EXTREMES_FROM else ""
        )

    def _extremes(self, pairs: Sequence[tuple[Span, Value]]) -> str:
        low, high = (pick(pairs, key=lambda pair: pair[1].amount.number) for pick in (min, max))
        return self._phrases.say(
            "extremes",
            high=in_sentence(high[1].amount, self._phrases.language),
            high_period=self._phrases.span(high[0]),
            low=in_sentence(low[1].amount, self._phrases.language),
            low_period=self._phrases.span(low[0]),
        )

    def _wrapped(self, kind: StepKind, item: Item, ticker: str, ends: tuple[Span, Span]) -> str:
        outcome = self._outcome(kind, item, ticker, ends)
        return self._phrases.say(f"series_{kind}", **{kind: outcome}) if outcome else ""

    def _outcome(self, kind: StepKind, item: Item, ticker: str, ends: tuple[Span, Span]) -> str:
        """The outcome of the step of that kind over these periods, or ''."""
        for step in self._analysis.steps.values():
            same = (step.kind, step.item, step.ticker) == (kind, item, ticker)
            if same and (step.spans[0], step.spans[-1]) == ends:
                value = self._values.of_step(step)
                return in_sentence(value.amount, self._phrases.language, signed=True) if value else ""
        return ""

    def _side_by_side(self, item: Item) -> str:
        if item.kind != "figure":
            return ""
        ranking = self._analysis.ranked(item)
        if len(ranking) < 2:  # noqa: PLR2004 - nothing to compare
            return self._alone(item, ranking)
        return self._pair(item, ranking) if len(ranking) == 2 else self._ranking(item, ranking)  # noqa: PLR2004

    def _alone(self, item: Item, ranking: Sequence[tuple[str, Span, Cell]]) -> str:
        """The only one of several companies that has the figure; why the others have none is said in the notes."""
        said = [
            self._phrases.say(
                "single", company=ticker, period=self._phrases.dated(span), figures=self._figure(item, ticker, span)
            )
            for ticker, span, _ in ranking
        ]
        return "".join(said)

    def _pair(self, item: Item, ranking: Sequence[tuple[str, Span, Cell]]) -> str:
        (first, first_span, first_cell), (second, second_span, second_cell) = ranking
        label = self._phrases.item(item)
        names = {"first": self._name(first), "second": self._name(second)}
        if first_cell.number == second_cell.number:
            return self._phrases.say("pair_equal", label=label, value=self._said(item, first_cell), **names)
        times, difference = (self._pair_outcome(kind, item, first, second) for kind in ("ratio", "difference"))
        return self._phrases.say(
            "pair_amount" if times else "pair_plain",
            label=label,
            first_value=self._said(item, first_cell),
            second_value=self._said(item, second_cell),
            first_period=self._phrases.dated(first_span),
            second_period=self._phrases.dated(second_span),
            times=times,
            difference=difference,
            **names,
        )

    def _pair_outcome(self, kind: str, item: Item, first: str, second: str) -> str:
        for step in self._analysis.steps.values():
            if (step.kind, step.item, step.ticker, step.other) == (kind, item, first, second):
                value = self._values.of_step(step)
                return in_sentence(value.amount, self._phrases.language) if value else ""
        return ""

    def _ranking(self, item: Item, ranking: Sequence[tuple[str, Span, Cell]]) -> str:
        least = self._analysis.intent.ascending
        ordered = list(reversed(ranking)) if least else list(ranking)
        if len(ordered) > _FEW_PLACES:
            ordered = [*ordered[:_FIRST_PLACES], ordered[-1]]
        places = (
            self._phrases.say("place", company=ticker, value=self._said(item, cell), period=self._phrases.dated(span))
            for ticker, span, cell in ordered
        )
        said = list(places)
        last = self._phrases.say("last_place", place=said.pop()) if len(ranking) > _FEW_PLACES else ""
        key = "ranking_least" if least else "ranking"
        return self._phrases.say(key, label=self._phrases.item(item), places=self._phrases.listed(said), last=last)

    def _said(self, item: Item, cell: Cell) -> str:
        return in_sentence(amount_of(cell, item.shape), self._phrases.language)

    def _price_move(self, ticker: str) -> str:
        step = self._analysis.price_step(ticker)
        value = self._values.of_step(step)
        if step is None or value is None:
            return ""
        (_, first), (_, last) = step.inputs
        return self._phrases.say(
            "price_change",
            company=self._name(ticker),
            first=self._said(Item(CLOSE), first),
            first_day=first.period_end,
            last=self._said(Item(CLOSE), last),
            last_day=last.period_end,
            growth=in_sentence(value.amount, self._phrases.language, signed=True),
        )

    def _at_close(self, ticker: str, names: Sequence[str]) -> str:
        close = self._analysis.close(ticker)
        if close is None:
            return ""
        price = self._said(Item(CLOSE), close)
        figures = [
            self._phrases.say(
                "priced_figure",
                label=self._phrases.metric(name),
                value=in_sentence(value.amount, self._phrases.language),
            )
            for name in names
            if (value := self._values.multiple(name, ticker))
        ]
        if not figures:
            return self._phrases.say("priced_only", company=self._name(ticker), day=close.period_end, price=price)
        return self._phrases.say(
            "priced",
            company=self._name(ticker),
            day=close.period_end,
            price=price,
            figures=self._phrases.listed(figures),
        )

    def _name(self, ticker: str) -> str:
        """The name where one company is spoken of; tickers tell several apart."""
        if len(self._analysis.tickers) > 1:
            return ticker
        return self._phrases.company(ticker, self._values.company(ticker).name)
