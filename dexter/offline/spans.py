"""From the periods a question names to those a company has figures of, and the labels it has none for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from dexter.data.provider import Period
from dexter.offline.evidence import Evidence, Span
from dexter.offline.when import FULL_YEAR, PARTS, Label, When

DEFAULT_YEARS = 5
DEFAULT_QUARTERS = 8
_NEAR = timedelta(days=7)
_QUARTERS = ("Q1", "Q2", "Q3", "Q4")


@dataclass(frozen=True)
class Resolved:
    """A company's periods that answer, oldest first; labels it has no figures for; whether a day was met."""

    spans: tuple[Span, ...] = ()
    missing: tuple[Label, ...] = ()


Has = Callable[[Span], bool]


def resolve(when: When, ticker: str, evidence: Evidence, *, has: Has, balances_only: bool = False) -> Resolved:
    """The periods of a company that `when` means. Where nothing was said: the newest of each kind.

    The newest are those that have some of what is asked for, if there are such.
    """
    if when.ends:
        ending = sorted(_ending(when, ticker, evidence))
        # A balance at a year's end is the same whether it is called the year's or the last quarter's.
        return Resolved(tuple({span.end: span for span in reversed(ending)}.values() if balances_only else ending))
    if when.labels:
        return _labelled(when, ticker, evidence)
    if when.basis is None:
        return Resolved(_newest_of_each(ticker, evidence, has, balances_only=balances_only))
    spans = _having(has, evidence.spans(ticker, when.basis))[: when.newest or 1]
    return Resolved(tuple(reversed(spans)))


def expanded(labels: Sequence[Label], *, through: bool, quarterly: bool) -> tuple[Label, ...]:
    """Every label that is meant: those between the ends of a range, the quarters of a year, of a half."""
    if through and len(labels) == 2:  # noqa: PLR2004 - a range has two ends
        labels = _between(*labels)
    return tuple(dict.fromkeys(part for label in labels for part in _parts(label, quarterly=quarterly)))


def _parts(label: Label, *, quarterly: bool) -> Iterable[Label]:
    if label.period == FULL_YEAR and quarterly:
        return (Label(label.year, quarter) for quarter in _QUARTERS)
    return (Label(label.year, quarter) for quarter in PARTS.get(label.period, (label.period,)))


def _between(first: Label, last: Label) -> tuple[Label, ...]:
    if first.year is None or last.year is None or not _same_kind(first, last):
        return (first, last)
    if first.period == FULL_YEAR:
        return tuple(Label(year) for year in range(min(first.year, last.year), max(first.year, last.year) + 1))
    ordinals = sorted(label.year * 4 + int(label.period[1:]) - 1 for label in (first, last) if label.year is not None)
    return tuple(Label(number // 4, f"Q{number % 4 + 1}") for number in range(ordinals[0], ordinals[1] + 1))


def _same_kind(first: Label, last: Label) -> bool:
    kinds = {label.period if label.period == FULL_YEAR else label.period[:1] for label in (first, last)}
    return kinds in ({FULL_YEAR}, {"Q"})


def _labelled(when: When, ticker: str, evidence: Evidence) -> Resolved:
    mixed = {label.period == FULL_YEAR for label in when.labels} == {True, False}
    quarterly = when.basis == "quarterly" and not mixed
    labels = expanded(when.labels, through=when.through, quarterly=quarterly)
    if when.since:
        labels = _up_to_newest(labels[0], evidence.spans(ticker, _basis(labels[0], when)))
    found = {label: _named(label, when, ticker, evidence) for label in labels}
    spans = {span for span in found.values() if span}
    return Resolved(tuple(sorted(spans)), tuple(label for label, span in found.items() if span is None))


def _up_to_newest(first: Label, spans: Sequence[Span]) -> tuple[Label, ...]:
    if not spans or first.year is None or spans[0].year < first.year:
        return (first,)
    return _between(first, Label(spans[0].year, spans[0].name if first.period != FULL_YEAR else FULL_YEAR))


def _named(label: Label, when: When, ticker: str, evidence: Evidence) -> Span | None:
    """The newest span of that name; `calendar` labels name the calendar period most of it lies in."""
    for span in evidence.spans(ticker, _basis(label, when)):
        year, name = span.calendar_name if when.calendar else (span.year, span.name)
        if label.year in (None, year) and label.period == (name if span.basis == "quarterly" else FULL_YEAR):
            return span
    return None


def _basis(label: Label, when: When) -> Period:
    if label.period != FULL_YEAR:
        return "quarterly"
    return "ttm" if when.basis == "ttm" else "annual"


def _having(has: Has, spans: list[Span]) -> list[Span]:
    return [span for span in spans if has(span)] or spans


def _newest_of_each(ticker: str, evidence: Evidence, has: Has, *, balances_only: bool) -> tuple[Span, ...]:
    """The newest year, twelve months and quarter; twelve months that are the year itself are not said twice."""
    kinds: tuple[Period, ...] = ("annual", "quarterly", "ttm")
    found = [span for kind in kinds for span in evidence.spans(ticker, kind)]
    there = _having(has, found)
    years, quarters, trailing = ([span for span in there if span.basis == kind][:1] for kind in kinds)
    if balances_only:
        trailing = []
    if years and trailing and trailing[0].end == years[0].end:
        trailing = []
    if balances_only and years and quarters and years[0].end == quarters[0].end:
        quarters = []
    return (*years, *trailing, *quarters)


def _ending(when: When, ticker: str, evidence: Evidence) -> set[Span]:
    bases: tuple[Period, ...] = (when.basis,) if when.basis else ("annual", "quarterly")
    spans = [span for basis in bases for span in evidence.spans(ticker, basis)]
    return {span for span in spans for day in when.ends if _ends_on(span.end, day)}


def _ends_on(end: str, day: str) -> bool:
    """Whether a period that ended on `end` is meant by that day or month; 52/53-week years end up to a week off."""
    last = date.fromisoformat(end)
    if len(day) == len("YYYY-MM"):
        return day in (end[:7], (last - _NEAR).isoformat()[:7]) if last.day <= _NEAR.days else end.startswith(day)
    try:
        return abs(last - date.fromisoformat(day)) <= _NEAR
    except ValueError:
        return False
