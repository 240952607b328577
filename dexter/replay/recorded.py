"""A run's own turns, played again: a model that says what was said, and results as they were recorded."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple, get_args

from dexter.errors import DexterError, ModelError, UsageError
from dexter.message_json import message_from_json
from dexter.messages import AssistantMessage, Messages, SystemMessage, ToolSpec, UserMessage, canonical_json
from dexter.models.protocol import ModelInfo, ModelResponse, RequestedCall, StopReason, StreamItem, ToolChoice
from dexter.replay.reckon import Reckoner
from dexter.replay.whole import record_at
from dexter.results import ToolResult
from dexter.scratchpad.file import Span
from dexter.scratchpad.reader import Line, read_lines
from dexter.scratchpad.rebuild import UNUSABLE, ViewFold
from dexter.scratchpad.recall import result_from_record, result_id
from dexter.usage import Usage

_STOP_REASONS: tuple[StopReason, ...] = get_args(StopReason)


class EndOfRecordError(DexterError):
    """All recorded turns have been played."""


@dataclass(frozen=True)
class RecordedTurn:
    """One answer of the model, and the lines the user had queued that were handed on after it."""

    message: AssistantMessage
    stop_reason: StopReason
    output_tokens: int
    queued: tuple[str, ...] = ()


class RecordedResult(NamedTuple):
    """A result's id, and where its line lies."""

    id: int
    span: Span


@dataclass(frozen=True)
class Recording:
    """What is needed to play a run: its beginning, its turns, and where the results of its calls lie.

    `opening` are system prompt, earlier conversation and question; `results` is by the calls' ids.
    """

    path: Path
    opening: Messages
    tools: tuple[ToolSpec, ...]
    turns: tuple[RecordedTurn, ...]
    results: Mapping[str, RecordedResult]

    def result(self, call: str) -> ToolResult:
        """What a call had brought. One that was cut off brought nothing.

        Raises:
            ScratchpadError: the result is damaged.
        """
        place = self.results.get(call)
        if place is None:
            return ToolResult("The run was cut off before this call had a result.", "interrupted")
        record = record_at(self.path, place.span)
        stored = result_from_record(record, place.id, self.path)
        recalls = record.get("recalls")
        return ToolResult(
            stored.text,
            record.get("status", "ok"),
            cells=stored.cells,
            data={"recalls": recalls} if recalls is not None else {},
            sources=stored.sources,
        )


def read_recording(path: Path) -> Recording:
    """Everything that is needed to play a run again; damaged lines are left out.

    Raises:
        UsageError: the file holds no turns that could be played.
        ScratchpadError: it cannot be read.
    """
    fold, opening = ViewFold(), None
    turns: list[RecordedTurn] = []
    results: dict[str, RecordedResult] = {}
    for line in read_lines(path):
        if not isinstance(line, Line):
            continue
        try:
            if line.type in ("model_call", "view_edit", "model_turn") and opening is None:
                opening = fold.messages
            if opening is None:
                fold.feed(line)
            _take(line, turns, results)
        except UNUSABLE:
            continue
    if not turns or not opening or not isinstance(opening[0], SystemMessage):
        raise UsageError(
            f"{path.name.removesuffix('.jsonl')} holds no turns that could be played again.",
            remedy="Choose a run of Dexter's with at least one answer of the model; `dexter runs` lists them.",
        )
    return Recording(path, opening, fold.tools, tuple(turns), results)


def _take(line: Line, turns: list[RecordedTurn], results: dict[str, RecordedResult]) -> None:
    record = line.record
    if line.type == "model_turn":
        message = message_from_json(record["message"])
        if isinstance(message, AssistantMessage):
            usage = Usage.from_json(record.get("usage") or {})
            turns.append(RecordedTurn(message, _stop_reason(record.get("stop_reason")), usage.output))
    elif line.type == "tool_result" and isinstance(record.get("call"), str):
        results[record["call"]] = RecordedResult(result_id(record, len(results) + 1), Span(line.offset, line.length))
    elif line.type == "message" and turns:
        said = message_from_json(record) if record["role"] == "user" else None
        if isinstance(said, UserMessage) and said.origin == "queued":
            turns[-1] = replace(turns[-1], queued=(*turns[-1].queued, said.text))


def _stop_reason(recorded: object) -> StopReason:
    """As recorded; what was interrupted was no answer, so the run went on after it."""
    if recorded == "interrupted":
        return "pause_turn"
    return next((reason for reason in _STOP_REASONS if reason == recorded), "end_turn")


@dataclass
class RecordedModel:
    """Says in each turn what was said then, whatever it is sent; counts what it is sent by estimate.

    `on_turn` is called with each turn before it is told. With `refuses` a request larger than the window is refused,
    as a provider would.
    """

    recording: Recording
    info: ModelInfo
    reckoner: Reckoner
    on_turn: Callable[[RecordedTurn], None] = lambda _turn: None
    refuses: bool = True
    played: int = 0

    async def stream(
        self,
        messages: Messages,
        *,
        tools: Sequence[ToolSpec],  # noqa: ARG002 - the recorded ones
        tool_choice: ToolChoice,  # noqa: ARG002 - the turn is made already
        max_tokens: int,  # noqa: ARG002 - likewise
    ) -> AsyncIterator[StreamItem]:
        """Tell the next turn.

        Raises:
            EndOfRecordError: there is none.
            ModelError: the request is larger than the window.
        """
        if self.played == len(self.recording.turns):
            raise EndOfRecordError("All recorded turns were played.")
        tokens = self.reckoner.tokens(messages)
        if self.refuses and tokens > self.info.window:
            raise ModelError(
                f"About {tokens:,} tokens are more than the window of {self.info.window:,}.",
                kind="context_overflow",
                remedy="Use a model with a larger window.",
                used=tokens,
                limit=self.info.window,
            )
        turn = self.recording.turns[self.played]
        self.played += 1
        self.on_turn(turn)
        usage = self.reckoner.usage(messages, turn.output_tokens)
        yield ModelResponse(
            turn.message.text,
            thinking=turn.message.thinking,
            tool_calls=tuple(
                RequestedCall(call.provider_id, call.name, call.raw or canonical_json(call.arguments))
                for call in turn.message.tool_calls
            ),
            stop_reason=turn.stop_reason,
            usage=usage,
            cost_usd=self.reckoner.cost(usage),
        )

    async def count(self, messages: Messages, *, tools: Sequence[ToolSpec]) -> int | None:  # noqa: ARG002 - recorded
        """The estimate."""
        return self.reckoner.tokens(messages)
