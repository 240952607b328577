"""What an answer can't give, said first: what is missing, and which setting would bring it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from dexter.offline.analysis import Analysis
from dexter.offline.intent import Intent
from dexter.offline.phrases import Phrases
from dexter.offline.vocabulary import topic_needs

_NO_LINES = re.compile(r"Not in the sample for \S+: (.+?)\.(?:\s|$)")

# The SEC provider was asked in earnest; its reason is worth more than where the sample ends.
_ASKED_SEC = re.compile(r"\bsec(?:: | (?!needs a contact))")


def can_look_up(intent: Intent) -> bool:
    """Whether there is anything to look up for this question."""
    return intent.asks_figures and not intent.lost and bool(intent.companies or intent.everyone)


def refusals(analysis: Analysis, phrases: Phrases, sample: Sequence[str]) -> list[str]:
    """Every reason why the question is not, or not wholly, answered."""
    return list(_Refusals(analysis, phrases, sample).all())


class _Refusals:
    def __init__(self, analysis: Analysis, phrases: Phrases, sample: Sequence[str]) -> None:
        self._analysis = analysis
        self._intent = analysis.intent
        self._phrases = phrases
        self._sample = phrases.listed(sample)

    def all(self) -> Iterator[str]:
        intent = self._intent
        figures = bool(self._analysis.evidence.cells)
        if intent.stance:
            yield self._phrases.say(intent.stance if figures else f"{intent.stance}_only")
        if intent.topics:
            yield self._topics()
        yield from self._companies()
        for choice in intent.unclear:
            yield self._phrases.say("unclear", choice=choice)
        if intent.unclear and not intent.companies:
            return
        if not can_look_up(intent) and not intent.stance and not intent.topics:
            yield self._not_understood()
        elif intent.unread and figures:
            yield self._phrases.say("unread", words=self._phrases.listed(intent.unread))
        yield from (self._phrases.say("tool_failed", reason=failure) for failure in self._analysis.evidence.failures)

    def _topics(self) -> str:
        said = self._phrases.listed(self._phrases.say(f"topic_{topic}") for topic in self._intent.topics)
        needs = dict.fromkeys(topic_needs()[topic] for topic in self._intent.topics)
        head = self._phrases.say("topic_also" if self._intent.asks_figures else "topic", topics=said)
        return self._phrases.say("sentence_gap").join((head, *(self._phrases.say(f"needs_{need}") for need in needs)))

    def _companies(self) -> Iterator[str]:
        for ticker in self._intent.companies:
            reason = self._analysis.evidence.errors.get(ticker)
            if reason and ticker not in self._analysis.evidence.tickers:
                yield self._without_figures(ticker, reason)

    def _without_figures(self, ticker: str, reason: str) -> str:
        """Why a company gave nothing: it is not in the sample, none of the lines is, or as the tool says it."""
        if "not in the bundled sample" in reason and not _ASKED_SEC.search(reason):
            key = "unknown_company" if self._analysis.items else "unknown_price"
            return self._phrases.say(key, company=ticker, companies=self._sample)
        lines = _NO_LINES.search(reason)
        if lines is None:
            return self._phrases.say("company_error", company=ticker, reason=reason)
        where = self._phrases.say("hole_of", company=ticker)
        what = self._phrases.listed(self._phrases.labelled(label) for label in lines[1].split(", "))
        return self._phrases.say("hole", where=where, what=what)

    def _not_understood(self) -> str:
        intent = self._intent
        if not (intent.companies or intent.everyone):
            asks = intent.asks_figures or intent.unread
            key = "no_company" if asks else "can_do"
            return self._phrases.say(key, companies=self._sample, words=self._unread())
        if intent.lost:
            return self._phrases.say("lost", words=self._phrases.listed(dict.fromkeys(intent.lost)))
        return self._phrases.say("not_understood", words=self._unread())

    def _unread(self) -> str:
        """The words nobody understood, in brackets; '' where there are none."""
        words = self._phrases.listed(self._intent.unread)
        return self._phrases.say("not_understood_words", words=words) if words else ""
