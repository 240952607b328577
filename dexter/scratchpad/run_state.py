"""Where a run stands by its file alone: what replay shows and what resume goes on from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

from dexter.ids import IdSource
from dexter.message_json import tool_call_from_json
from dexter.messages import AssistantMessage, Messages, ToolCall, ToolMessage
from dexter.scratchpad.file import Span
from dexter.scratchpad.naming import RunPaths
from dexter.scratchpad.reader import BadLine, Line, read_lines
from dexter.scratchpad.rebuild import UNUSABLE, ViewFold
from dexter.scratchpad.recall import result_id, untrusted_of
from dexter.usage import Usage

_MOST_COST = 10**12  # dollars; more is damage


@dataclass(frozen=True)
class StageRecord:
    """A recorded edit of the view: the stage's name and its report as JSON."""

    stage: str
    report: Mapping[str, Any]


@dataclass
class RunState:
    """What the lines fed so far say.

    `header` is the `run` line. `turn` is the last turn in which the model answered, `calls` every call made with its
    turn. `usage` and `cost_usd` (None where unknown) are those of the whole run, `spent_usd` is what is known of the
    cost. `answer` is the newest `answer` line; `end` the newest `end` line unless the run was taken up again after it.
    `stop_reason` is that of the newest model turn, `sources` are those of all results in order. `queued` are lines the
    user typed that were not handed on before the run was cut off. `subagents` are the runs of sub-agents that `usage`
    and `cost_usd` do not hold yet. `untrusted` says where text that others wrote came from, in this run and those
    before it in the conversation. `bad` are the lines that were of no use.
    """

    scratchpad: Path
    question: str = ""
    started: str = ""
    updated: str = ""
    header: Mapping[str, Any] = field(default_factory=dict)
    turn: int = 0
    calls: list[tuple[int, ToolCall]] = field(default_factory=list)
    reports: list[StageRecord] = field(default_factory=list)
    results: list[tuple[int, Span]] = field(default_factory=list)
    ids: IdSource = field(default_factory=IdSource)
    usage: Usage = field(default_factory=Usage)
    cost_usd: Decimal | None = Decimal(0)
    spent_usd: Decimal = Decimal(0)
    answer: Mapping[str, Any] | None = None
    end: Mapping[str, Any] | None = None
    stop_reason: str = ""
    sources: list[Mapping[str, Any]] = field(default_factory=list)
    queued: list[str] = field(default_factory=list)
    subagents: list[str] = field(default_factory=list)
    untrusted: list[str] = field(default_factory=list)
    bad: list[BadLine] = field(default_factory=list)
    view: ViewFold = field(default_factory=ViewFold)
    _answered: set[str] = field(default_factory=set)

    @property
    def messages(self) -> Messages:
        """The view now."""
        return self.view.messages

    @property
    def unplaced(self) -> tuple[ToolMessage, ...]:
        """Results of the newest calls that are on record but have not entered the view, in the order of the calls."""
        waiting = {message.call: message for message in self.view.waiting}
        return tuple(waiting[call.id] for call in self._newest_calls() if call.id in waiting)

    @property
    def open_calls(self) -> tuple[ToolCall, ...]:
        """Calls of the newest assistant message that have no result on record."""
        return tuple(call for call in self._newest_calls() if call.id not in self._answered)

    def feed(self, line: Line | BadLine) -> None:
        """Take one line."""
        if isinstance(line, BadLine):
            self.bad.append(line)
            return
        self.started = self.started or line.record["timestamp"]
        self.updated = line.record["timestamp"]
        outcome = self.view.feed(line)
        try:
            self._take(line)
        except UNUSABLE:
            outcome = BadLine(line.offset, line.length, "wrong fields")
        if isinstance(outcome, BadLine):
            self.bad.append(outcome)

    def _newest_calls(self) -> tuple[ToolCall, ...]:
        newest = next((m for m in reversed(self.messages) if isinstance(m, AssistantMessage)), None)
        return newest.tool_calls if newest else ()

    def _take(self, line: Line) -> None:
        record = line.record
        match line.type:
            case "init":
                self.question = str(record["content"])
            case "run":
                self._see_run(record)
            case "message":
                self._see_message(record["id"])
                if record.get("origin") == "queued" and record["text"] in self.queued:
                    self.queued.remove(record["text"])
            case "tool_result":
                self._see_result(line)
            case "model_turn":
                self._see_turn(record)
            case "view_edit":
                self._see_edit(record)
            case "subagent":
                self._see_subagent(record)
            case "queue":
                self._see_queue(str(record["action"]), str(record["line"]))
            case "answer":
                self.answer = record
            case "end":
                self._see_end(record)
            case "resume":
                self.end = None

    def _see_run(self, record: Mapping[str, Any]) -> None:
        if not isinstance(record.get("settings") or {}, Mapping):
            raise TypeError
        self.header = record
        self.untrusted.extend(untrusted_of(record))

    def _see_message(self, message: str) -> None:
        self.ids.message = max(self.ids.message, _number(message))

    def _see_result(self, line: Line) -> None:
        result = result_id(line.record, self.ids.result + 1)
        self.results.append((result, Span(line.offset, line.length)))
        self.ids.result = max(self.ids.result, result)
        self.sources.extend(line.record.get("sources", ()))
        self.untrusted.extend(untrusted_of(line.record))
        self._answered.add(str(line.record.get("call", "")))
        self._see_message(str(line.record.get("message", "")))

    def _see_turn(self, record: Mapping[str, Any]) -> None:
        self.turn = int(record["turn"])
        self.stop_reason = str(record.get("stop_reason", ""))
        self._see_message(record["message"]["id"])
        for call in map(tool_call_from_json, record["message"].get("tool_calls", ())):
            self.calls.append((self.turn, call))
            self.ids.call = max(self.ids.call, _number(call.id))
            self.ids.unique_provider_id(call.provider_id, call.id)
        self.usage += Usage.from_json(record.get("usage") or {})
        self._see_cost(known_cost(record.get("cost_usd")))

    def _see_cost(self, cost: Decimal | None) -> None:
        self.spent_usd += cost or Decimal(0)
        self.cost_usd = None if cost is None or self.cost_usd is None else self.cost_usd + cost

    def _see_edit(self, record: Mapping[str, Any]) -> None:
        self.reports.append(StageRecord(record["stage"], record["report"]))
        if record["report"].get("model"):  # a model was asked
            self._see_cost(known_cost(record["report"].get("cost_usd")))
        for op in record["ops"]:
            for message in op.get("messages", ()):
                self._see_message(message["id"])

    def _see_subagent(self, record: Mapping[str, Any]) -> None:
        if record["status"] == "started":
            self.subagents.append(str(record["run"]))

    def _see_queue(self, action: str, line: str) -> None:
        if action == "queued":
            self.queued.append(line)
        elif line in self.queued:  # the newest of equal ones
            at = len(self.queued) - 1 - self.queued[::-1].index(line)
            del self.queued[at]

    def _see_end(self, record: Mapping[str, Any]) -> None:
        if not is_end(record):
            raise TypeError
        self.end = record
        self.queued.clear()  # who typed them was there when the attempt ended
        if "usage" in record:
            self.subagents.clear()
            self.usage, self.cost_usd = Usage.from_json(record["usage"]), known_cost(record.get("cost_usd"))
            self.spent_usd = self.spent_usd if self.cost_usd is None else self.cost_usd


def read_state(scratchpad: Path) -> RunState:
    """Fold a whole file.

    Raises:
        ScratchpadError: The file cannot be read.
    """
    state = RunState(scratchpad)
    for line in read_lines(scratchpad):
        state.feed(line)
    return state


def read_whole_state(scratchpad: Path) -> RunState:
    """The same, with the usage and cost of sub-agents whose run was not counted before the process died.

    Raises:
        ScratchpadError: The file cannot be read.
    """
    state = read_state(scratchpad)
    for name in state.subagents:
        path = RunPaths(RunPaths.of(scratchpad).subagents, name).scratchpad
        if path.is_file():
            part = read_whole_state(path)
            state.usage += part.usage
            state.spent_usd += part.spent_usd
            known = part.cost_usd is not None and state.cost_usd is not None
            state.cost_usd = (state.cost_usd or Decimal(0)) + (part.cost_usd or Decimal(0)) if known else None
    state.subagents.clear()
    return state


def conversation_ids(scratchpads: Iterable[Path]) -> IdSource:
    """An id source that goes on where the runs of a conversation left off.

    Raises:
        ScratchpadError: A file cannot be read.
    """
    sources = [read_state(scratchpad).ids for scratchpad in scratchpads]
    return IdSource(
        max((ids.message for ids in sources), default=0),
        max((ids.call for ids in sources), default=0),
        max((ids.result for ids in sources), default=0),
    )


def _number(name: str) -> int:
    return int(name[1:]) if name[1:].isdecimal() else 0


def known_cost(text: object) -> Decimal | None:
    """A recorded cost; None where it was unknown.

    Raises:
        ArithmeticError, ValueError: it is no amount.
    """
    cost = Decimal(text) if isinstance(text, str) and text else None
    if cost is not None and not (cost.is_finite() and abs(cost) < _MOST_COST):
        raise ValueError(text)
    return cost


def is_end(record: Mapping[str, Any]) -> bool:
    """Whether an `end` line holds what its type promises: a damaged one is none."""
    try:
        Usage.from_json(record.get("usage", {}))
        known_cost(record.get("cost_usd"))
    except UNUSABLE:
        return False
    kinds = {"status": str, "exit_status": int, "turns": int}
    return all(isinstance(record[name], kind) for name, kind in kinds.items() if name in record)
