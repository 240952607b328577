"""The notes and sources of an answer: periods, definitions, what is derived, what is missing, where it is from."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from dexter.data.metrics import metric_named, name_for_people
from dexter.data.unavailable import Unavailable
from dexter.offline.analysis import Analysis, View
from dexter.offline.evidence import CLOSE, Span
from dexter.offline.items import Item
from dexter.offline.phrases import Phrases
from dexter.offline.values import Value, Values

_ACCESSION = re.compile(r"\d{10}-\d{2}-\d{6}")
_FILING = re.compile(r"(?P<form>[\w/\-]+) (?P<accession>\d{10}-\d{2}-\d{6}) \((?P<filed>\d{4}-\d\d-\d\d)\)")
_TWELVE_MONTHS = re.compile(r"twelve months to (\d{4}-\d\d-\d\d)")
_MOST_LINKS = 8
_FISCAL_EXAMPLES = 12
_CALENDAR_YEAR_END = "12-31"


def notes(analysis: Analysis, values: Values, phrases: Phrases) -> list[str]:
    """What a reader has to know of the figures."""
    return _Notes(analysis, values, phrases).all()


class _Notes:
    def __init__(self, analysis: Analysis, values: Values, phrases: Phrases) -> None:
        self._analysis = analysis
        self._values = values
        self._phrases = phrases
        self._shown = [
            (item, view, span, values.at(item, view.ticker, span))
            for view in analysis.views
            for item in analysis.items
            for span in view.spans
        ]

    def all(self) -> list[str]:
        return [
            *self._companies(),
            *dict.fromkeys(self._analysis.intent.notes),
            *self._fiscal_years(),
            *self._currencies(),
            *self._multiples(),
            *self._definitions(),
            *self._derived(),
            *self._missing_periods(),
            *self._holes(),
            *self._priced_holes(),
        ]

    def _companies(self) -> Iterator[str]:
        """Who the tickers are, with the exchange."""
        known = [
            self._values.company(ticker)
            for ticker in self._analysis.tickers
            if ticker in self._analysis.evidence.tickers
        ]
        named = (
            self._phrases.say("company_on", name=company.name, ticker=company.ticker, exchange=company.exchange)
            for company in known
            if company.name and company.exchange
        )
        said = self._phrases.listed(named)
        if said:
            yield self._phrases.say("companies", companies=said)

    def _fiscal_years(self) -> Iterator[str]:
        spans = {view.ticker: [span for span in view.spans if span.basis != "ttm"] for view in self._analysis.views}
        fiscal = {ticker: fiscal[-1] for ticker, fiscal in spans.items() if fiscal}
        if any(self._values.company(ticker).fiscal_year_end != _CALENDAR_YEAR_END for ticker in fiscal):
            examples = (
                f"{ticker} {self._phrases.dated(span)}" for ticker, span in list(fiscal.items())[:_FISCAL_EXAMPLES]
            )
            yield self._phrases.say("fiscal_years", examples=self._phrases.listed(examples))
        when = self._analysis.intent.when
        if when.as_of and not when.ends:
            yield self._phrases.say("as_of", day=when.as_of)
        if when.calendar:
            yield self._phrases.say("calendar_taken")

    def _currencies(self) -> Iterator[str]:
        if len(self._analysis.currencies) > 1:
            yield self._phrases.say("currencies", currencies=self._phrases.listed(self._analysis.currencies))

    def _multiples(self) -> Iterator[str]:
        if not any(name != CLOSE for name in self._analysis.priced):
            return
        days = dict.fromkeys(
            closes[0].period_end
            for ticker in self._analysis.tickers
            if (closes := self._analysis.evidence.closes(ticker))
        )
        ends = {ticker: end for ticker in self._analysis.tickers if (end := self._twelve_months(ticker))}
        if days and ends:
            basis = self._phrases.say(
                "trailing_basis", ends=self._phrases.listed(f"{ticker} {end}" for ticker, end in ends.items())
            )
            yield self._phrases.say("multiple_note", day=self._phrases.listed(days), basis=basis)

    def _twelve_months(self, ticker: str) -> str:
        texts = (
            cell.derived or ""
            for cell in self._analysis.evidence.cells
            if cell.ticker == ticker and not cell.fiscal_period
        )
        return next((match[1] for text in texts if (match := _TWELVE_MONTHS.search(text))), "")

    def _definitions(self) -> Iterator[str]:
        names = dict.fromkeys(
            [item.name for item in self._analysis.items if item.kind == "figure"] + [*self._analysis.priced]
        )
        grows = any(item.kind.startswith("growth") for item in self._analysis.items)
        said = []
        for name in names:
            metric = metric_named(name)
            if metric and metric.formula.operation == "growth":
                grows = True
            elif metric:
                left, right = (self._phrases.metric(operand) for operand in metric.formula.operands)
                if f"{left} {metric.formula.sign} {right}".casefold() == self._phrases.metric(name).casefold():
                    continue
                note = f" ({self._phrases.translated(metric.note)})" if metric.note else ""
                said.append(f"{self._phrases.metric(name)} = {left} {metric.formula.sign} {right}{note}")
        if grows:
            said.append(self._phrases.say("growth_definition"))
        if said:
            yield self._phrases.say("definitions", definitions="; ".join(said))

    def _derived(self) -> Iterator[str]:
        """Lines that were not filed as they stand; metrics are defined instead."""
        how: dict[str, dict[str, dict[str, None]]] = {}
        for _, view, span, value in self._shown:
            cell = value.cells[0] if isinstance(value, Value) and len(value.cells) == 1 else None
            if cell and cell.derived and metric_named(cell.concept) is None:
                period = f"{view.ticker} {self._phrases.span(span)}"
                how.setdefault(cell.derived, {}).setdefault(period, {})[self._phrases.metric(cell.concept)] = None
        if how:
            items = (f"{self._periods(what)} = {self._phrases.translated(text)}" for text, what in how.items())
            yield self._phrases.say("derived", items="; ".join(items))

    def _periods(self, lines: Mapping[str, Iterable[str]]) -> str:
        """Which lines of which periods."""
        return self._phrases.listed(f"{period} ({self._phrases.listed(names)})" for period, names in lines.items())

    def _missing_periods(self) -> Iterator[str]:
        for view in self._analysis.views:
            if view.resolved.missing:
                yield self._missing(view)
        shown = {view.ticker for view in self._analysis.views}
        for ticker in self._analysis.tickers:
            known = ticker in self._analysis.evidence.tickers
            if self._analysis.items and ticker not in shown and known:
                yield self._phrases.say("nothing_in_period", company=ticker, span=self._reach(ticker))

    def _missing(self, view: View) -> str:
        periods = self._phrases.listed(self._phrases.label(label) for label in view.resolved.missing)
        return self._phrases.say("period_hole", company=view.ticker, periods=periods, reach=self._reach(view.ticker))

    def _reach(self, ticker: str) -> str:
        """The periods of each kind that were found: oldest to newest."""
        runs = (self._analysis.evidence.spans(ticker, basis) for basis in ("annual", "quarterly", "ttm"))
        return self._phrases.listed(
            f"{self._phrases.dated(run[-1])} – {self._phrases.dated(run[0])}" for run in runs if run
        )

    def _holes(self) -> Iterator[str]:
        missing: dict[tuple[str, Item], list[Span]] = {}
        for item, view, span, value in self._shown:
            if not isinstance(value, Unavailable):
                continue
            if value.why == "missing":
                missing.setdefault((view.ticker, item), []).append(span)
            elif value.why == "not_meaningful":
                what = f"{view.ticker} {self._phrases.item(item)} {self._phrases.span(span)}"
                yield self._phrases.say("not_meaningful", what=what)
            else:
                yield self._phrases.say(
                    "not_applicable", company=view.ticker, reason=self._phrases.translated(value.reason)
                )
        lines = {
            ticker: [
                self._missing_line(item, spans) for (of, item), spans in missing.items() if of == ticker and item.asked
            ]
            for ticker, _ in missing
        }
        yield from self._holes_of(lines)
        yield from self._instead()

    def _missing_line(self, item: Item, spans: Sequence[Span]) -> str:
        periods = self._phrases.listed(dict.fromkeys(self._phrases.span(span) for span in spans))
        metric = metric_named(item.name)
        gone = [need for need in metric.needs if not self._analysis.evidence.has(need)] if metric else []
        without = (
            self._phrases.say("without", lines=self._phrases.listed(map(self._phrases.metric, gone))) if gone else ""
        )
        return self._phrases.say("on_day", label=self._phrases.item(item) + without, end=periods)

    def _holes_of(self, lines: Mapping[str, Sequence[str]]) -> Iterator[str]:
        """What each company lacks; those that lack the same are named together."""
        alike: dict[tuple[str, str], list[str]] = {}
        for ticker, gone in lines.items():
            key = "hole" if self._analysis.evidence.is_sample(ticker) else "hole_elsewhere"
            what = self._phrases.listed(dict.fromkeys(gone))
            if what:
                alike.setdefault((key, what), []).append(ticker)
        for (key, what), tickers in alike.items():
            where = self._phrases.say("hole_of", company=self._phrases.listed(tickers))
            yield self._phrases.say(key, where=where, what=what)

    def _instead(self) -> Iterator[str]:
        for wanted, given in self._analysis.substituted.items():
            yield self._phrases.say("instead", wanted=self._phrases.metric(wanted), given=self._phrases.metric(given))

    def _priced_holes(self) -> Iterator[str]:
        missing: dict[str, list[str]] = {}
        for ticker in self._analysis.tickers:
            if not self._analysis.evidence.closes(ticker):
                continue
            for name in self._analysis.priced:
                mark, why = self._analysis.evidence.why_no_multiple(ticker, name_for_people(name))
                if self._values.multiple(name, ticker) is None and mark != "n.m.":
                    missing.setdefault(ticker, []).append(self._phrases.metric(name))
                elif mark == "n.m.":
                    what = f"{ticker} {self._phrases.metric(name)}"
                    yield self._phrases.say("multiple_not_meaningful", what=what, why=self._phrases.translated(why))
        yield from self._holes_of(missing)
