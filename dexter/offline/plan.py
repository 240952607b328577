"""What to look up or compute next: the calls a question needs whose results are not there yet.

Planned anew in every turn from the question and the results alone, so that a run cut off anywhere goes on the same.
First figures and prices, then older periods where the first look did not reach far enough, then `calculate`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from dexter.data.metrics import metric_named
from dexter.data.provider import Period
from dexter.figures.vocabulary import figure_words
from dexter.offline.analysis import Analysis
from dexter.offline.closes import priced_on
from dexter.offline.evidence import CLOSE, MARKET, canonical
from dexter.offline.items import is_balance
from dexter.offline.spans import DEFAULT_QUARTERS, DEFAULT_YEARS
from dexter.offline.steps import Step, calculate_arguments
from dexter.offline.valuation import CONCEPTS as VALUATION_CONCEPTS
from dexter.offline.valuation import HISTORY, Valuation
from dexter.offline.when import FULL_YEAR

FINANCIALS = "get_financials"
CALCULATE = "calculate"
SKILL = "skill"
DCF_SKILL = "dcf-valuation"

_MOST_TICKERS = 10
_MOST_PERIODS = 40
_MOST_STEPS = 90
_MOST_INPUTS = 190
_BACK: dict[Period, int] = {"annual": 1, "quarterly": 4, "ttm": 4}
_DEFAULT: dict[Period, int] = {"annual": DEFAULT_YEARS, "quarterly": DEFAULT_QUARTERS, "ttm": DEFAULT_QUARTERS}


@dataclass(frozen=True)
class PlannedCall:
    """One tool call."""

    tool: str
    arguments: dict[str, Any]


def next_calls(analyses: Sequence[Analysis], tools: frozenset[str]) -> list[PlannedCall]:
    """The calls of the next turn; empty where everything there can be is there."""
    for stage in (_first_look, _further_back, _computed):
        calls = [
            call
            for analysis in analyses
            for call in stage(analysis)
            if call.tool in tools and not analysis.evidence.was_called(call.tool, call.arguments)
        ]
        if calls:
            return list({(call.tool, canonical(call.arguments)): call for call in calls}.values())
    return []


def _first_look(analysis: Analysis) -> Iterator[PlannedCall]:
    if analysis.intent.does("dcf"):
        yield from _valuation_look(analysis)
        return
    for period, limit in _periods(analysis):
        for tickers in _batches(analysis.tickers):
            yield _financials(analysis, tickers, period, limit)
    if analysis.priced:
        for tickers in _batches(analysis.tickers):
            yield PlannedCall(MARKET, _market_arguments(analysis, tickers))


def _valuation_look(analysis: Analysis) -> Iterator[PlannedCall]:
    """The workflow as it is written down, what it starts from, and a price to hold the outcome against."""
    yield PlannedCall(SKILL, {"name": DCF_SKILL})
    for tickers in _batches(analysis.tickers):
        listed = {"tickers": list(tickers)}
        yield PlannedCall(
            FINANCIALS, {**listed, "concepts": list(VALUATION_CONCEPTS), "period": "annual", "limit": HISTORY}
        )
        yield PlannedCall(MARKET, {**listed, "parts": ["quote"]})


def _further_back(analysis: Analysis) -> Iterator[PlannedCall]:
    """Older periods of the companies whose first ones did not reach back far enough, if there may be more."""
    if analysis.intent.does("dcf"):
        return
    for period, limit in _periods(analysis):
        for ticker in analysis.tickers:
            more = _more(analysis, ticker, period, limit)
            if more > limit:
                yield _financials(analysis, [ticker], period, min(more, _MOST_PERIODS))


def _more(analysis: Analysis, ticker: str, period: Period, limit: int) -> int:
    """How many periods it takes to reach the oldest year named, or one with the figures asked for."""
    spans = analysis.evidence.spans(ticker, period)
    if len(spans) < limit:
        return limit
    years = [label.year for label in analysis.intent.when.labels if label.year]
    if years:
        return limit + max(0, spans[-1].year - min(years) + 1) * _BACK[period] if spans[-1].year > min(years) else limit
    there = any(analysis.has(ticker, span) for span in spans)
    return limit if there or period != "annual" else DEFAULT_YEARS + 1


def _computed(analysis: Analysis) -> Iterator[PlannedCall]:
    if analysis.intent.does("dcf"):
        valuations = (Valuation.of(ticker, analysis) for ticker in analysis.tickers)
        yield from (PlannedCall(CALCULATE, v.arguments()) for v in valuations if v.is_meaningful and v.is_sound)
        return
    steps = [step for name, step in analysis.steps.items() if name not in analysis.evidence.calculated]
    for batch in _step_batches(steps):
        yield PlannedCall(CALCULATE, calculate_arguments(batch, analysis.evidence.result_of))


def _step_batches(steps: Sequence[Step]) -> Iterator[list[Step]]:
    """As many steps together as one call takes."""
    batch: list[Step] = []
    inputs: set[str] = set()
    for step in steps:
        names = {name for name, _ in step.inputs}
        if batch and (len(batch) >= _MOST_STEPS or len(inputs | names) > _MOST_INPUTS):
            yield batch
            batch, inputs = [], set()
        batch.append(step)
        inputs |= names
    if batch:
        yield batch


def _financials(analysis: Analysis, tickers: Sequence[str], period: Period, limit: int) -> PlannedCall:
    arguments = {"tickers": list(tickers), "concepts": _concepts(analysis, period), "period": period, "limit": limit}
    when = analysis.intent.when
    as_of = {"as_of": when.as_of} if when.as_of and not when.ends else {}
    return PlannedCall(FINANCIALS, {**arguments, **as_of})


def _concepts(analysis: Analysis, period: Period) -> list[str]:
    """The lines asked for, what they rest on, and what may stand in for one that is missing."""
    names: list[str] = []
    for item in analysis.wanted:
        for name in item.needs:
            words = figure_words().get(name)
            for wanted in (name, words.instead if words else ""):
                metric = metric_named(wanted)
                if metric and period not in metric.periods:
                    names += metric.needs
                elif wanted:
                    names += [wanted, *(metric.needs if metric else ())]
                    names += metric.formula.operands if metric and analysis.shows_sides(item) else ()
    return list(dict.fromkeys(names))


def _periods(analysis: Analysis) -> Iterator[tuple[Period, int]]:
    """Which kinds of period to ask for, and how many of each."""
    if not analysis.wanted:
        return
    for period in _bases(analysis):
        yield period, _limit(analysis, period)


def _bases(analysis: Analysis) -> tuple[Period, ...]:
    when = analysis.intent.when
    if when.ends and when.basis is None:
        return ("annual", "quarterly")
    if when.basis is None:
        balances = all(is_balance(item.name) for item in analysis.wanted)
        several = len(analysis.tickers) > 1
        return ("annual", "quarterly") if balances else ("annual", "ttm") if several else ("annual", "ttm", "quarterly")
    kinds = {label.period == FULL_YEAR for label in when.labels}
    if when.basis == "quarterly" and kinds == {True, False}:
        return ("annual", "quarterly")
    return (when.basis,)


def _limit(analysis: Analysis, period: Period) -> int:
    """So many of the newest periods, with those that growth is measured from; one more where one may be empty."""
    when = analysis.intent.when
    back = _BACK[period] if any(item.kind in ("growth_year", "growth_quarter") for item in analysis.wanted) else 0
    if when.labels or when.ends:
        return _DEFAULT[period] + back
    return min((when.newest or 1) + back + ((when.newest or 1) > 1), _MOST_PERIODS)


def _market_arguments(analysis: Analysis, tickers: Sequence[str]) -> dict[str, Any]:
    """Quotes and multiples of today, or of the day asked for; the history where closes of several days are meant."""
    arguments: dict[str, Any] = {"tickers": list(tickers)}
    multiples = any(name != CLOSE for name in analysis.priced)
    intent = analysis.intent
    moves = intent.does("change", "trend", "year", "quarter", "extreme", "average", "cagr")
    over_time = CLOSE in analysis.priced and not intent.overview and (moves or not intent.when.is_empty)
    parts = ["history"] if over_time else ["quote"]
    arguments["parts"] = [*parts, *(["multiples"] if multiples else [])]
    day = priced_on(intent.when)
    return {**arguments, "end": day} if day and multiples else arguments


def _batches(tickers: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(tickers), _MOST_TICKERS):
        yield tickers[start : start + _MOST_TICKERS]
