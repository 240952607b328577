"""The rule-based model: it drives the same loop and the same tools as any other, and says that it is one of rules.

What it takes to answer is imported with the first question: a run's first events come before that.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator, Sequence
from decimal import Decimal
from functools import cached_property
from typing import TYPE_CHECKING

from dexter.messages import Messages, ToolSpec
from dexter.models.protocol import ModelInfo, ModelResponse, Prices, RequestedCall, StreamItem, TextPiece, ToolChoice
from dexter.text import estimate_tokens
from dexter.usage import Usage

if TYPE_CHECKING:
    from dexter.data.company import Company
    from dexter.data.identity.directory import Directory
    from dexter.offline.plan import PlannedCall
    from dexter.offline.turn import Analyst, Results

_PIECE = 48
_WINDOW = 128_000
_FREE = Prices(Decimal(0), Decimal(0), Decimal(0), Decimal(0))

INFO = ModelInfo("offline", "offline", window=_WINDOW, fast="offline", prices=_FREE)


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
        self._sample = sample
        self._directory = directory

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
        from dexter.offline.summarise import write_request

        names = frozenset(tool.name for tool in tools) if tool_choice == "auto" else frozenset()
        requested = write_request(messages, max_tokens) if not tools else ""
        calls, text = ([], requested) if requested else self._analyst.turn(messages, names)
        for piece in _pieces(text):
            yield TextPiece(piece)
        yield _response(text, calls, messages, tools)

    async def count(self, messages: Messages, *, tools: Sequence[ToolSpec]) -> int | None:
        """The estimate: there is no tokenizer of rules."""
        return _input_tokens(messages, tools)

    @cached_property
    def _analyst(self) -> Analyst:
        from dexter.data.sample.directory import packaged_directory
        from dexter.data.sample.provider import SampleProvider
        from dexter.offline.turn import Analyst

        sample = SampleProvider().companies if self._sample is None else self._sample
        return Analyst(self._results, sample, self._directory or packaged_directory())


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
