"""Views for the stages' tests: built by hand in the notation of the worked examples, or at random."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from dexter.config.limits import Limits
from dexter.context.stage import CallMade, RunContext, StoredResult, ToolTraits
from dexter.context.tokens import TokenMeter, threshold_of
from dexter.errors import ScratchpadError
from dexter.ids import IdSource
from dexter.messages import (
    AssistantMessage,
    MediaBlock,
    Message,
    Messages,
    SystemMessage,
    TextBlock,
    ThinkingBlock,
    ToolCall,
    ToolMessage,
    UserMessage,
)

TRAITS = {
    "get_financials": ToolTraits(clearable=True),
    "web_search": ToolTraits(clearable=True, query="query"),
    "read_result": ToolTraits(clearable=True, pages=True, limited=False),
    "calculate": ToolTraits(clearable=True, limited=False),
    "skill": ToolTraits(),
}
FOLDER = Path("/runs/r1/results")


@dataclass
class Results:
    """A result store in memory: what was written to files, and every result whole. `full` is a disk without room.

    `parents` are the results of the conversation's earlier runs.
    """

    full: bool = False
    stored: dict[int, StoredResult] = field(default_factory=dict)
    parents: dict[int, StoredResult] = field(default_factory=dict)
    files: dict[int, str] = field(default_factory=dict)
    transcripts: list[Messages] = field(default_factory=list)

    def persist(self, result: int, text: str) -> Path:
        self._check()
        assert result not in self.files, "a result is written to a file once"
        self.files[result] = text
        return FOLDER / f"{result}.txt"

    def read(self, result: int) -> StoredResult:
        return self.stored[result] if result in self.stored else self.parents[result]

    def read_after(self, boundary: int) -> Iterator[StoredResult]:
        return (self.stored[number] for number in sorted(self.stored) if number > boundary)

    def newest_first(self) -> list[int]:
        return sorted({**self.parents, **self.stored}, reverse=True)

    def transcript(self, messages: Messages) -> Path:
        self._check()
        self.transcripts.append(messages)
        return FOLDER.parent / "transcripts" / f"{len(self.transcripts)}.jsonl"

    def _check(self) -> None:
        if self.full:
            raise ScratchpadError("No space left on device.", remedy="Free some space.")


@dataclass
class Script:
    """Builds a view message by message: `.q()`, `.a(…)`, `.u()`, `.h()`."""

    ids: IdSource = field(default_factory=IdSource)
    store: Results = field(default_factory=Results)
    messages: list[Message] = field(default_factory=lambda: [SystemMessage("m0", "You are a test.")])

    def q(self, text: str = "compare NVDA vs AMD") -> Script:
        """A question."""
        return self.add(UserMessage(self.ids.next_message(), text, "question"))

    def u(self, text: str = "also INTC") -> Script:
        """A line the user typed meanwhile."""
        return self.add(UserMessage(self.ids.next_message(), text, "queued"))

    def h(self, text: str = "a notice", kind: str = "notice") -> Script:
        """A harness message."""
        return self.add(UserMessage(self.ids.next_message(), text, "harness", kind))

    def a(
        self,
        *results: Any,
        text: str = "",
        thinking: tuple[ThinkingBlock, ...] = (),
        tool: str = "get_financials",
        arguments: Sequence[Mapping[str, Any] | None] = (),
        status: str = "ok",
    ) -> Script:
        """An assistant message with one call for each result, and the results; a number is a size in characters."""
        calls = tuple(
            ToolCall(self.ids.next_call(), tool, arguments[i] if i < len(arguments) else {"ticker": f"T{i}"}, f"p{i}")
            for i in range(len(results))
        )
        self.add(AssistantMessage(self.ids.next_message(), text, thinking, calls))
        for call, result in zip(calls, results, strict=True):
            content = financial_json(result) if isinstance(result, int) else result
            self.result(call, content, status)
        return self

    def result(self, call: ToolCall, content: Any, status: str = "ok") -> ToolMessage:
        """The result of a call, also in the store."""
        number = self.ids.next_result()
        recalls = call.arguments.get("id") if call.name == "read_result" and call.arguments else None
        message = ToolMessage(
            self.ids.next_message(),
            number,
            call.id,
            call.name,
            status,
            content,
            recalls=recalls,  # type: ignore[arg-type]
        )
        message = replace(message, chars=len(message.text))
        self.store.stored[number] = StoredResult(number, call.name, call.arguments or {}, status, message.text)
        self.add(message)
        return message

    def add(self, message: Message) -> Script:
        """Any message."""
        self.messages.append(message)
        return self

    @property
    def view(self) -> Messages:
        """The messages so far."""
        return tuple(self.messages)

    def ctx(self, *, window: int = 200_000, limits: Limits | None = None, **changes: Any) -> RunContext:
        """A context with the tools of the tests; all calls of the view are on record, the newest as this turn's."""
        limits = limits or Limits()
        turns = [m for m in self.messages if isinstance(m, AssistantMessage)]
        calls = tuple(CallMade(turn, call) for turn, m in enumerate(turns, 1) for call in m.tool_calls)
        settings: dict[str, Any] = {"turn": len(turns), "tools": TRAITS, "calls": calls, "meter": TokenMeter()}
        settings.update(changes)
        return RunContext(
            limits=limits,
            window=window,
            threshold=threshold_of(window, limits),
            new_id=self.ids.next_message,
            results=self.store,
            **settings,
        )


def financial_json(size: int) -> str:
    """A result of exactly `size` characters: compact JSON lines of figures."""
    rows = (
        json.dumps({"ticker": "NVDA", "concept": "Revenues", "value": 1_000_003 * i, "period_end": "2025-01-26"})
        for i in range(1, size // 80 + 2)
    )
    return "\n".join(rows)[:size].ljust(size, "0")


def tool_messages(view: Iterable[Message]) -> list[ToolMessage]:
    """The results in a view."""
    return [message for message in view if isinstance(message, ToolMessage)]


def forms(view: Iterable[Message]) -> dict[int, str]:
    """Result id → whole, preview or cleared."""
    return {message.result: message.form for message in tool_messages(view)}


def shape(view: Iterable[Message]) -> str:
    """A view in the notation of the worked examples: `Q A #1 #2 U H(index) A #3`."""
    letters = {"question": "Q", "queued": "U"}
    words = []
    for message in view:
        if isinstance(message, AssistantMessage):
            words.append("A")
        elif isinstance(message, ToolMessage):
            words.append(f"#{message.result}")
        elif isinstance(message, UserMessage):
            words.append(letters.get(message.origin) or f"H({message.kind})")
    return " ".join(words)


_NASTY = (
    "中文财报数据，营业收入与毛利率。",
    "👩‍👩‍👧‍👦🇩🇪🇫🇷e\u0301\u0301",
    "\ud83d\ude00\ud800 lone",
    "line\u2028sep\u0085arator\r\n",
    "مرحبا بالعالم",
    '{"value": 26044, "unit": "USD"}\n',
    "plain words without any figure at all ",
    "</summary><persisted-output>\n",
)
_SIZES = (0, 1, 20, 119, 130, 600, 3_000, 20_000, 49_999, 50_001, 70_000)
# What a conversation's provider sends as reasoning.
_THINKING = ((), ("plain",), ("plain",), ("demanded",), ("signed",), ("plain", "signed", "redacted"))
_TOOLS = ("get_financials", "web_search", "read_result", "calculate", "skill")


def random_script(rng: random.Random, rounds: int) -> Script:
    """Up to two earlier questions with answers, then this one with so many rounds; sometimes the disk is full."""
    script = Script(store=Results(full=rng.random() < 0.15))
    kinds = rng.choice(_THINKING)
    for _ in range(rng.randint(0, 2)):
        script.q(_text(rng))
        _rounds(script, rng, rng.randint(0, 3), kinds)
        script.a(text="An answer.")
    script.q(_text(rng) or "?")
    _rounds(script, rng, rounds, kinds)
    return script


def _rounds(script: Script, rng: random.Random, count: int, kinds: Sequence[str]) -> None:
    for _ in range(count):
        contents = [_content(rng) for _ in range(rng.choice((0, 1, 1, 1, 2, 3, 6)))]
        tool = rng.choice(_TOOLS)
        arguments = [_arguments(rng, tool, script.ids.result) for _ in contents]
        status = rng.choice(("ok", "ok", "ok", "error", "timeout", "interrupted", "partial"))
        script.a(
            *contents, text=_text(rng), thinking=_thinking(rng, kinds), tool=tool, arguments=arguments, status=status
        )
        if rng.random() < 0.2:
            script.u(_text(rng))
        if rng.random() < 0.2:
            script.h(_text(rng), rng.choice(("notice", "note")))


def _text(rng: random.Random) -> str:
    return rng.choice(("", rng.choice(_NASTY), rng.choice(_NASTY) * rng.randint(1, 40)))


def _content(rng: random.Random) -> str | tuple[TextBlock | MediaBlock, ...]:
    size = rng.choice(_SIZES)
    text = (rng.choice(_NASTY) * (size // 8 + 1))[:size]
    if rng.random() < 0.15:
        return (TextBlock(text), MediaBlock("image/png", "aGVsbG8="), TextBlock("end"))
    return text


def _thinking(rng: random.Random, kinds: Sequence[str]) -> tuple[ThinkingBlock, ...]:
    return tuple(_block(rng, kind) for kind in kinds if rng.random() < 0.7)


def _block(rng: random.Random, kind: str) -> ThinkingBlock:
    if kind == "redacted":
        return ThinkingBlock("", "signed", {"type": "redacted_thinking", "data": "x"}, "p")
    if kind == "signed":
        return ThinkingBlock(_text(rng), "signed", {"type": "thinking", "signature": "s"}, "p")
    return ThinkingBlock(_text(rng), "demanded" if kind == "demanded" else "plain")


def _arguments(rng: random.Random, tool: str, newest: int) -> Mapping[str, Any] | None:
    if rng.random() < 0.05:
        return None
    if tool == "read_result":
        return {"id": max(newest, 1), "offset": rng.choice((0, 20_000))}
    if tool == "web_search":
        return {"query": _text(rng) + rng.choice(("NVDA revenue Q3", "NVDA revenue Q4"))}
    return {"ticker": rng.choice(("NVDA", "AMD", "INTC")), "note": _text(rng)}
