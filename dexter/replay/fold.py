"""From lines to entries, one at a time and in one pass: nothing is kept but what an entry holds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from dexter.replay.entries import (
    Answer,
    Approval,
    Call,
    Ended,
    Entry,
    Json,
    Message,
    Notice,
    Queued,
    Request,
    Response,
    Result,
    Resumed,
    Retry,
    Skipped,
    Stage,
    Subagent,
    Unknown,
)
from dexter.replay.excerpts import beginning, excerpt, shortened, text_of_blocks
from dexter.replay.timeline import Header
from dexter.replay.values import call_of, cost_of, object_of, seconds_of, turn_of
from dexter.scratchpad.file import Span
from dexter.scratchpad.reader import BadLine, Line
from dexter.scratchpad.rebuild import UNUSABLE
from dexter.scratchpad.recall import result_id
from dexter.scratchpad.run_state import known_cost
from dexter.usage import Usage

_SAID_CHARS = 20_000  # what a model said in one turn is nearly always shorter


@dataclass
class TimelineFold:
    """Lines in, entries out. `turn` is that of the newest line, `updated` its time."""

    header: Header = field(default_factory=Header)
    turn: int = 0
    updated: str = ""
    _asked: bool = False  # there is a request: this is no file of the original's
    _waiting: bool = False  # the newest request has no answer yet
    _requests: int = 0
    _newest_result: int = 0
    _known_results: set[int] = field(default_factory=set)
    _calls: dict[str, Call] = field(default_factory=dict)
    _preparing: frozenset[str] = frozenset()  # stages that run at the beginning of a turn, before its request

    def feed(self, line: Line | BadLine) -> Entry | None:
        """Take one line; None where it adds nothing to the timeline."""
        span = Span(line.offset, line.length)
        if isinstance(line, BadLine):
            return Skipped(self.turn, self.updated, span, line.reason)
        at: str = line.record["timestamp"]
        if not self.header.started:
            self.header = replace(self.header, started=at)
        self.updated = at
        take = _TAKERS.get(line.type)
        if take is None:
            return Unknown(self.turn, at, span, line.type)
        try:
            return take(self, line.record, at, span)
        except UNUSABLE:
            return Skipped(self.turn, at, span, "wrong fields")

    def init(self, record: Json, _at: str, _span: Span) -> None:
        """The question."""
        self.header = replace(self.header, question=str(record["content"]))

    def run(self, record: Json, _at: str, _span: Span) -> None:
        """How the run began."""
        settings = object_of(record.get("settings") or {})
        self.header = replace(
            self.header,
            schema=int(record["schema"]),
            conversation=str(record.get("conversation", "")),
            parent=str(record["parent"]) if record.get("parent") else None,
            spawned_by=str(record.get("spawned_by") or ""),
            model=str(settings.get("model") or ""),
            fast_model=str(settings.get("fast_model") or ""),
            policy=str(settings.get("policy") or ""),
            window=int(settings.get("window") or 0),
            threshold=int(settings.get("threshold") or 0),
            settings=settings,
        )
        self._preparing = _stages_before_a_request(self.header.policy)

    def message(self, record: Json, at: str, span: Span) -> Message | None:
        """A message of its own line; a result that has its own line says nothing twice."""
        role, result = str(record["role"]), int(record.get("result") or 0)
        if role == "tool" and ("content" not in record or result in self._known_results):
            return None
        content = record.get("text", record.get("content", ""))
        text = content if isinstance(content, str) else text_of_blocks(content)
        origin = str(record.get("origin", "question")) if role == "user" else ""
        return Message(
            self.turn, at, span, role, excerpt(text, _SAID_CHARS), origin, str(record.get("kind", "")), result
        )

    def thinking(self, record: Json, at: str, span: Span) -> Response | None:
        """Text beside calls. Where there are `model_turn` lines they say it; the original has only this."""
        text = str(record["content"])
        if self.header.schema is not None or self._asked:
            return None
        self.turn += 1
        return Response(self.turn, at, span, excerpt(text, _SAID_CHARS))

    def model_call(self, record: Json, at: str, span: Span) -> Request:
        """A request."""
        self.turn, self._asked, self._waiting = turn_of(record), True, True
        self._requests += 1
        return Request(
            self.turn,
            at,
            span,
            self._requests,
            str(record["view_hash"]),
            int(record.get("tokens_estimated") or 0),
            int(record.get("max_tokens") or 0),
            str(record.get("tool_choice", "")),
        )

    def model_turn(self, record: Json, at: str, span: Span) -> Response:
        """An answer of the model."""
        self.turn, self._asked, self._waiting = turn_of(record), True, False
        message = object_of(record["message"])
        calls = tuple(call_of(call) for call in message.get("tool_calls", ()))
        self._calls = {call.id: call for call in calls}
        usage = record.get("usage")
        return Response(
            self.turn,
            at,
            span,
            excerpt(str(message.get("text", "")), _SAID_CHARS),
            calls,
            sum(len(str(block["text"])) for block in message.get("thinking", ())),
            str(record.get("stop_reason", "")),
            None if usage is None else Usage.from_json(usage),
            cost_of(record),
            str(record.get("model", "")),
            seconds_of(record.get("duration_s")),
        )

    def tool_result(self, record: Json, at: str, span: Span) -> Result:
        """A result; the original's count from 1 and belong to the text before them."""
        self._newest_result = result_id(record, self._newest_result + 1)
        self._known_results.add(self._newest_result)
        self.turn = max(self.turn, 1)
        text = beginning(record.get("result", ""), int(record.get("chars") or 0))
        duration = record.get("duration_s")
        return Result(
            self.turn,
            at,
            span,
            self._newest_result,
            self._call_of(record),
            str(record.get("status") or ("error" if text.text.startswith("Error:") else "ok")),
            text,
            None if duration is None else seconds_of(duration),
            tuple(object_of(source) for source in record.get("sources") or ()),
            len(record.get("cells") or ()),
            record.get("recalls"),
        )

    def view_edit(self, record: Json, at: str, span: Span) -> Stage:
        """What a stage did. Those that prepare a request belong to its turn, whose line has not come yet."""
        name, report = str(record["stage"]), object_of(record["report"])
        known_cost(report.get("cost_usd"))
        turn = self.turn + 1 if name in self._preparing and not self._waiting else self.turn
        tokens = int(record.get("tokens_before") or 0), int(record.get("tokens_after") or 0)
        return Stage(turn, at, span, name, shortened(report), *tokens, len(record["ops"]))

    def notice(self, record: Json, at: str, span: Span) -> Notice:
        """What a person was told."""
        return Notice(self.turn, at, span, str(record["kind"]), str(record["text"]))

    def retry(self, record: Json, at: str, span: Span) -> Retry:
        """A call made again."""
        wait = seconds_of(record.get("wait_s"))
        message = str(record.get("message", ""))
        return Retry(self.turn, at, span, str(record["kind"]), int(record["attempt"]), wait, message)

    def queue(self, record: Json, at: str, span: Span) -> Queued:
        """The user has typed."""
        return Queued(self.turn, at, span, str(record["action"]), str(record["line"]))

    def approval(self, record: Json, at: str, span: Span) -> Approval:
        """What was decided about a call."""
        more = (str(record.get(name) or "") for name in ("tool", "target", "reason"))
        return Approval(self.turn, at, span, str(record["call"]), str(record["decision"]), *more)

    def subagent(self, record: Json, at: str, span: Span) -> Subagent:
        """A sub-agent's run."""
        call = str(record.get("call", ""))
        return Subagent(self.turn, at, span, str(record["run"]), str(record["status"]), call)

    def answer(self, record: Json, at: str, span: Span) -> Answer:
        """What the user was given."""
        sources, figures = record.get("sources") or (), record.get("figures") or ()
        text, complete = str(record["text"]), bool(record.get("complete"))
        return Answer(
            self.turn, at, span, text, complete, tuple(map(object_of, sources)), tuple(map(object_of, figures))
        )

    def resume(self, record: Json, at: str, span: Span) -> Resumed:
        """The run is taken up again."""
        self.turn = max(self.turn, turn_of(record) if record.get("turn") else 0)
        return Resumed(self.turn, at, span)

    def end(self, record: Json, at: str, span: Span) -> Ended:
        """An attempt is over."""
        return Ended(
            self.turn,
            at,
            span,
            str(record["status"]),
            int(record.get("exit_status") or 0),
            Usage.from_json(record.get("usage") or {}),
            cost_of(record),
            str(record.get("error") or ""),
        )

    def _call_of(self, record: Json) -> Call:
        """The call as the model made it, else as its result's line repeats it."""
        made = self._calls.get(str(record.get("call", "")))
        if made is not None:
            return made
        args = record.get("args")
        arguments = shortened(args) if isinstance(args, Mapping) else {}
        return Call(str(record.get("call", "")), str(record.get("toolName", "")), arguments)


_TAKERS: Mapping[str, Callable[[TimelineFold, Json, str, Span], Entry | None]] = {
    "init": TimelineFold.init,
    "run": TimelineFold.run,
    "message": TimelineFold.message,
    "thinking": TimelineFold.thinking,
    "model_call": TimelineFold.model_call,
    "model_turn": TimelineFold.model_turn,
    "tool_result": TimelineFold.tool_result,
    "view_edit": TimelineFold.view_edit,
    "notice": TimelineFold.notice,
    "retry": TimelineFold.retry,
    "queue": TimelineFold.queue,
    "approval": TimelineFold.approval,
    "subagent": TimelineFold.subagent,
    "answer": TimelineFold.answer,
    "resume": TimelineFold.resume,
    "end": TimelineFold.end,
}


def _stages_before_a_request(policy: str) -> frozenset[str]:
    from dexter.context.policies import POLICIES, policy_named

    if policy not in POLICIES:
        return frozenset()
    stages = policy_named(policy)
    return frozenset(stage.name for stage in stages.before_model)
