"""Random conversations, and runs recorded as the agent records them."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from hypothesis import strategies as st

from dexter.ids import IdSource
from dexter.messages import (
    AssistantMessage,
    Message,
    Messages,
    SystemMessage,
    TextBlock,
    ThinkingBlock,
    ToolCall,
    ToolMessage,
    ToolSpec,
    UserMessage,
)
from dexter.results import Cell, Source, ToolResult
from dexter.scratchpad.file import FilePort, RealFiles
from dexter.scratchpad.scratchpad import Scratchpad
from dexter.scratchpad.view import diff_view, view_hash
from dexter.usage import Usage

STARTED = datetime(2026, 3, 20, 12, 0, 0, tzinfo=UTC)
QUESTION = "compare NVDA vs AMD"
TOOLS = (ToolSpec("get_financials", "Statements.", {"type": "object"}), ToolSpec("calculate", "Sums.", {}))
texts = st.text(st.characters(exclude_categories=()), max_size=12) | st.sampled_from(
    ['{"a":1}', '{"a": 1.10}', "\ud83d\ude00"]
)


def ticking_clock() -> Callable[[], str]:
    """A clock that moves on by a millisecond with each look."""
    ticks = itertools.count()
    return lambda: f"2026-03-20T12:00:{next(ticks) / 1000:06.3f}Z"


def new_scratchpad(folder: Path, *, port: FilePort | None = None, parents: tuple[Path, ...] = ()) -> Scratchpad:
    """An empty record of a run in `folder`."""
    port = port or RealFiles()
    return Scratchpad.create(folder, QUESTION, started=STARTED, clock=ticking_clock(), port=port, parents=parents)


@dataclass
class RecordedRun:
    """A run played without model and tools, recorded in the agent's order; `sent` are the views of its model calls."""

    scratchpad: Scratchpad
    ids: IdSource = field(default_factory=IdSource)
    view: Messages = ()
    turn: int = 0
    sent: list[Messages] = field(default_factory=list)
    texts: dict[int, str] = field(default_factory=dict)

    def begin(self, *, parent: str | None = None, history: Messages = ()) -> None:
        """The first lines: question, system prompt, tools, the earlier conversation."""
        record = self.scratchpad.record
        record.init(QUESTION)
        record.run(
            run=self.scratchpad.paths.run,
            conversation="c1",
            parent=parent,
            system="Be exact.",
            tools=[tool.to_json() for tool in TOOLS],
            settings={"model": "scripted", "policy": "dexter"},
        )
        self.view = (SystemMessage("m0", "Be exact."),)
        for message in (*history, UserMessage(self.ids.next_message(), QUESTION)):
            self.enter(message)

    def enter(self, message: Message) -> None:
        """A message is recorded and enters the view."""
        self.scratchpad.record.message(message)
        self.view = (*self.view, message)

    def ask_model(self, text: str, calls: int, thinking: tuple[ThinkingBlock, ...] = ()) -> tuple[ToolCall, ...]:
        """A model call and its answer with so many tool calls."""
        self.turn += 1
        hashed = view_hash(self.view, TOOLS)
        record = self.scratchpad.record
        record.model_call(turn=self.turn, view_hash=hashed, tokens_estimated=9, max_tokens=100, tool_choice="auto")
        self.sent.append(self.view)
        made = tuple(
            ToolCall(self.ids.next_call(), "get_financials", {"ticker": text}, f"call_{i}") for i in range(calls)
        )
        message = AssistantMessage(self.ids.next_message(), text, thinking, made)
        usage = Usage(input_uncached=10, output=2)
        record.model_turn(
            message, turn=self.turn, stop_reason="", usage=usage, cost_usd="0.01", model="scripted", duration_s=0.1
        )
        self.view = (*self.view, message)
        return made

    def finish(self, call: ToolCall, text: str, *, blocks: bool = False, status: str = "ok") -> ToolMessage:
        """A tool returns; the result is on disk when this returns, but not in the view yet."""
        content = (TextBlock(text), TextBlock("end")) if blocks else text
        message = ToolMessage(
            self.ids.next_message(), self.ids.next_result(), call.id, call.name, status, content, chars=len(text)
        )
        result = ToolResult(text, cells=(Cell("NVDA", "Revenues", "1", "USD"),), sources=(Source("dataset", "sample"),))
        self.scratchpad.record.tool_result(call, message, result, duration_s=0.01)
        self.texts[message.result] = message.text
        return message

    def edit(self, after: Messages, *, stage: str = "truncate", report: dict[str, object] | None = None) -> None:
        """A stage changes the view."""
        ops = diff_view(self.view, after)
        self.scratchpad.record.view_edit(stage, report=report or {}, ops=ops, tokens=(2, 1))
        self.view = after

    def end(self, status: str = "answered", exit_status: int = 0) -> None:
        """The attempt is over."""
        usage = Usage(input_uncached=10 * self.turn, output=2 * self.turn)
        self.scratchpad.record.end(status=status, exit_status=exit_status, usage=usage, cost_usd="0.05")
        self.scratchpad.close()


@st.composite
def edited(draw: st.DrawFn, view: Messages, new_id: Callable[[], str]) -> Messages:
    """What some stage might make of a view: dropped, replaced, moved and new messages; the system prompt stays."""
    kept = [message for message in view[1:] if draw(st.integers(0, 5))]
    if draw(st.booleans()):
        kept = draw(st.permutations(kept)) if len(kept) < 8 else kept[3:] + kept[:3]
    changed = [_changed(draw, message) if draw(st.integers(0, 3)) == 0 else message for message in kept]
    for _ in range(draw(st.integers(0, 3))):
        note = UserMessage(new_id(), draw(texts), "harness", "index", ((1, 2),), ((1, "line"),))
        changed.insert(draw(st.integers(0, len(changed))), note)
    return (*view[:1], *changed)


def _changed(draw: st.DrawFn, message: Message) -> Message:
    if isinstance(message, ToolMessage):
        return replace(message, content=draw(texts), form="preview", path="results/1.txt")
    if isinstance(message, SystemMessage):
        return message
    return replace(message, text=draw(texts))


@st.composite
def conversations(draw: st.DrawFn) -> Messages:
    """A view with parallel calls, thinking, queued and harness lines, results as text and as blocks."""
    ids = IdSource()
    return (SystemMessage("m0", draw(texts)), *_conversation(draw, ids))


def _conversation(draw: st.DrawFn, ids: IdSource) -> Iterator[Message]:
    yield UserMessage(ids.next_message(), draw(texts))
    for _ in range(draw(st.integers(0, 4))):
        calls = tuple(
            ToolCall(ids.next_call(), "t", draw(st.none() | st.dictionaries(texts, texts, max_size=2)), raw=draw(texts))
            for _ in range(draw(st.integers(0, 3)))
        )
        signed = ThinkingBlock(draw(texts), "signed", {"signature": "s"}, "p")
        yield AssistantMessage(ids.next_message(), draw(texts), draw(st.sampled_from([(), (signed,)])), calls)
        for call in calls:
            content = draw(texts | st.tuples(st.builds(TextBlock, texts)))
            yield ToolMessage(ids.next_message(), ids.next_result(), call.id, "t", "ok", content)
        if draw(st.booleans()):
            yield UserMessage(ids.next_message(), draw(texts), draw(st.sampled_from(["queued", "harness"])))


@st.composite
def play(draw: st.DrawFn, run: RecordedRun) -> RecordedRun:
    """Some turns of a run: parallel results that finish in any order, stage edits, queued lines."""
    run.begin()
    for _ in range(draw(st.integers(1, 5))):
        calls = run.ask_model(draw(texts), draw(st.integers(0, 3)))
        done = {}
        for call in draw(st.permutations(calls)):
            done[call.id] = run.finish(call, draw(texts), blocks=draw(st.booleans()))
        for call in calls:
            run.enter(done[call.id])
        if draw(st.booleans()):
            run.edit(draw(edited(run.view, run.ids.next_message)))
        if draw(st.booleans()):
            run.enter(UserMessage(run.ids.next_message(), draw(texts), "queued"))
    return run
