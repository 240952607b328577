"""The rule-based model: it drives the same loop and the same tools as any other, and says that it is one of rules."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from decimal import Decimal
from functools import cache
from typing import Protocol

from dexter.data.company import Company
from dexter.data.identity.directory import Directory
from dexter.data.identity.mentions import find_companies
from dexter.data.sample.provider import SampleProvider
from dexter.messages import Messages, ToolSpec
from dexter.models.protocol import ModelInfo, ModelResponse, Prices, RequestedCall, StreamItem, TextPiece, ToolChoice
from dexter.offline.analysis import Analysis
from dexter.offline.conversation import read_conversation, stored
from dexter.offline.evidence import Evidence
from dexter.offline.intent import Intent
from dexter.offline.plan import PlannedCall, next_calls
from dexter.offline.refusals import can_look_up
from dexter.offline.summarise import write_request
from dexter.offline.understand import CompanyMention, understand
from dexter.offline.write import write_answer
from dexter.results import StoredResult
from dexter.text import estimate_tokens
from dexter.usage import Usage

_PIECE = 48
_WINDOW = 128_000
_FREE = Prices(Decimal(0), Decimal(0), Decimal(0), Decimal(0))

INFO = ModelInfo("offline", "offline", window=_WINDOW, fast="offline", prices=_FREE)


class Results(Protocol):
    """Where earlier results are kept."""

    def read(self, result: int) -> StoredResult:
        """The result of that id. Raises `KeyError` where there is none."""
        ...


class OfflineModel:
    """Answers from the bundled sample (or whatever the tools reach) by rules alone.

    `results` gives earlier results whole; only those that the view names are asked for. `sample` are the companies
    there are without a network, those of the bundled sample unless others are given; `directory` knows who else there
    is.
    """

    def __init__(
        self, results: Results, sample: Sequence[Company] | None = None, directory: Directory | None = None
    ) -> None:
        self.info = INFO
        self._results = results
        self._sample = tuple(_packaged_sample() if sample is None else sample)
        self._directory = directory or _directory(self._sample)
        self._understood: dict[str, Intent] = {}

    async def stream(
        self,
        messages: Messages,
        *,
        tools: Sequence[ToolSpec],
        tool_choice: ToolChoice,
        max_tokens: int,
    ) -> AsyncIterator[StreamItem]:
        """Plan the next calls, or write the answer where there is nothing left to look up.

        A request without tools may also be one for a summary, or for notes to remember.
        """
        names = frozenset(tool.name for tool in tools) if tool_choice == "auto" else frozenset()
        requested = write_request(messages, max_tokens) if not tools else ""
        calls, text = ([], requested) if requested else self._turn(messages, names)
        for piece in _pieces(text):
            yield TextPiece(piece)
        yield _response(text, calls, messages, tools)

    def _turn(self, messages: Messages, tools: frozenset[str]) -> tuple[list[PlannedCall], str]:
        """The next calls, or the answer."""
        analyses = self._analyses(messages)
        calls = next_calls([analysis for analysis in analyses if can_look_up(analysis.intent)], tools)
        if calls:
            return calls, ""
        return [], write_answer(analyses, self._company, [company.ticker for company in self._sample])

    async def count(self, messages: Messages, *, tools: Sequence[ToolSpec]) -> int | None:
        """The estimate: there is no tokenizer of rules."""
        return _input_tokens(messages, tools)

    def _analyses(self, messages: Messages) -> list[Analysis]:
        conversation = read_conversation(messages, self._understand)
        evidence = Evidence(stored(conversation.results, self._results.read))
        return [Analysis(intent, evidence, self._tickers(intent)).settled for intent in conversation.intents]

    def _understand(self, question: str) -> Intent:
        """Every question is read once, however many turns it takes."""
        if question not in self._understood:
            self._understood[question] = understand(question, self._companies_in)
        return self._understood[question]

    def _companies_in(self, question: str) -> list[CompanyMention]:
        """The companies a question names; a doubtful word names none, an ambiguous one several."""
        return [
            CompanyMention(mention.companies[0], mention.start, mention.end, mention.companies[1:])
            for mention in find_companies(question, self._directory)
            if len(mention.companies) > 1 or mention.certainty != "unsure"
        ]

    def _tickers(self, intent: Intent) -> tuple[str, ...]:
        return tuple(company.ticker for company in self._sample) if intent.everyone else intent.companies

    def _company(self, ticker: str) -> Company:
        known: Callable[[str], Company | None] = self._directory.by_ticker
        return (
            next((company for company in self._sample if company.ticker == ticker), None)
            or known(ticker)
            or Company(ticker, "")
        )


@cache
def _packaged_sample() -> tuple[Company, ...]:
    return SampleProvider().companies


@cache
def _directory(sample: tuple[Company, ...]) -> Directory:
    return Directory(sample)


def _pieces(text: str) -> Iterator[str]:
    return (text[start : start + _PIECE] for start in range(0, len(text), _PIECE))


def _response(text: str, calls: Sequence[PlannedCall], messages: Messages, tools: Sequence[ToolSpec]) -> ModelResponse:
    requested = tuple(
        RequestedCall(f"offline_{len(messages)}_{number}", call.tool, json.dumps(call.arguments, ensure_ascii=False))
        for number, call in enumerate(calls)
    )
    output = estimate_tokens(text) + sum(estimate_tokens(call.raw) for call in requested)
    return ModelResponse(
        text,
        tool_calls=requested,
        stop_reason="tool_use" if requested else "end_turn",
        usage=Usage(input_uncached=_input_tokens(messages, tools), output=output),
        cost_usd=Decimal(0),
    )


def _input_tokens(messages: Messages, tools: Sequence[ToolSpec]) -> int:
    return sum(message.tokens for message in messages) + sum(tool.tokens for tool in tools)
