"""One turn of the rule-based model: the messages read, the next calls planned or the answer written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from dexter.data.company import Company
from dexter.data.identity.directory import Directory
from dexter.data.identity.mentions import find_companies
from dexter.messages import Messages
from dexter.offline.analysis import Analysis
from dexter.offline.conversation import read_conversation, stored
from dexter.offline.evidence import Evidence
from dexter.offline.intent import Intent
from dexter.offline.misspelt import misspelt
from dexter.offline.plan import PlannedCall, next_calls
from dexter.offline.refusals import can_look_up
from dexter.offline.understand import CompanyMention, understand
from dexter.offline.write import write_answer
from dexter.results import StoredResult


class Results(Protocol):
    """Where earlier results are kept."""

    def read(self, result: int) -> StoredResult:
        """The result of that id. Raises `KeyError` where there is none."""
        ...


@dataclass
class Analyst:
    """Plans and writes from messages and results alone; it keeps nothing but questions it has read already.

    `sample` are the companies there are without a network; `directory` knows who else there is.
    """

    results: Results
    sample: Sequence[Company]
    directory: Directory
    _understood: dict[str, Intent] = field(default_factory=dict)

    def turn(self, messages: Messages, tools: frozenset[str]) -> tuple[list[PlannedCall], str]:
        """The next calls of those tools, or the answer where there is nothing left to look up."""
        analyses = self._analyses(messages)
        calls = next_calls([analysis for analysis in analyses if can_look_up(analysis.intent)], tools)
        if calls:
            return calls, ""
        return [], write_answer(analyses, self._company, [company.ticker for company in self.sample])

    def understand(self, question: str) -> Intent:
        """Every question is read once, however many turns it takes."""
        if question not in self._understood:
            self._understood[question] = understand(question, self._companies_in)
        return self._understood[question]

    def _analyses(self, messages: Messages) -> list[Analysis]:
        conversation = read_conversation(messages, self.understand)
        evidence = Evidence(stored(conversation.results, self.results.read))
        return [Analysis(intent, evidence, self._tickers(intent)).settled for intent in conversation.intents]

    def _companies_in(self, question: str) -> list[CompanyMention]:
        """The companies a question names; a doubtful word names none, an ambiguous one several."""
        named = [
            CompanyMention(mention.companies[0], mention.start, mention.end, mention.companies[1:])
            for mention in find_companies(question, self.directory)
            if len(mention.companies) > 1 or mention.certainty != "unsure"
        ]
        return [*named, *misspelt(question, self.sample, named)]

    def _tickers(self, intent: Intent) -> tuple[str, ...]:
        return tuple(company.ticker for company in self.sample) if intent.everyone else intent.companies

    def _company(self, ticker: str) -> Company:
        known = {company.ticker: company for company in self.sample}
        return known.get(ticker) or self.directory.by_ticker(ticker) or Company(ticker, "")
