"""What is meant where a question does not say it: the usual figures, the usual number of periods, all companies."""

from __future__ import annotations

from dataclasses import replace

from dexter.offline import vocabulary
from dexter.offline.intent import Intent
from dexter.offline.spans import DEFAULT_QUARTERS, DEFAULT_YEARS
from dexter.offline.valuation import FLOW, HISTORY
from dexter.offline.when import FULL_YEAR, When

NEWEST_YEARS = When(basis="annual", newest=HISTORY)


def completed(intent: Intent) -> Intent:
    """The intent with what goes without saying."""
    if not intent.companies and not intent.everyone and _ranks_nobody(intent):
        intent = replace(intent, everyone=True)
    if intent.does("dcf") and intent.companies:
        return replace(intent, metrics=(FLOW,), relations=(), overview=False, when=NEWEST_YEARS)
    return _with_figures(_with_periods(intent))


def _ranks_nobody(intent: Intent) -> bool:
    """A ranking of no company in particular is one of all."""
    return bool(intent.metrics) and intent.does("most", "least") and not (intent.topics or intent.unread)


def _with_periods(intent: Intent) -> Intent:
    """Several periods where a trend, a peak, a mean or a change is asked for and their number is not said."""
    when = intent.when
    if intent.does("extreme") and intent.by_quarter and all(label.period == FULL_YEAR for label in when.labels):
        intent = replace(intent, when=replace(when, basis="quarterly"))
    if when.newest and not when.labels and intent.does("cagr"):
        # The growth of n years has n + 1 ends.
        return replace(intent, when=replace(when, newest=when.newest + 1))
    if when.labels or when.ends or when.newest or when.basis == "ttm":
        return intent
    by_quarter = intent.by_quarter or when.basis == "quarterly"
    if intent.does("trend", "extreme", "average", "total", "cagr") or _asks_change(intent):
        newest = DEFAULT_QUARTERS if by_quarter else DEFAULT_YEARS
        return replace(intent, when=replace(when, basis="quarterly" if by_quarter else "annual", newest=newest))
    if when.basis == "quarterly":
        return replace(intent, when=replace(when, newest=DEFAULT_QUARTERS // 2))
    return intent


def _asks_change(intent: Intent) -> bool:
    """Whether one company's change is asked for, and not that of a year or a quarter."""
    alone = len(intent.companies) == 1 and not intent.does("year", "quarter", "most", "least")
    return alone and (intent.does("change") or intent.stance == "cause")


def _with_figures(intent: Intent) -> Intent:
    """Growth of no line is that of revenue and income; companies alone are asked about as a whole."""
    if intent.metrics or intent.relations or intent.topics or not (intent.companies or intent.everyone):
        return intent
    if intent.does("change", "year", "quarter", "cagr"):
        return replace(intent, metrics=("Revenues", "NetIncome"))
    if intent.unread and not intent.stance:
        return intent
    return replace(intent, metrics=vocabulary.metric_groups()["overview"], overview=True)
