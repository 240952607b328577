"""The typed writer of a run's record: one method a line type, each on disk before it returns.

What a method gets is final: the agent calls it first and only then lets the fact into the view or tells a sink.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from dexter.message_json import message_from_json
from dexter.messages import AssistantMessage, Message, ToolCall, ToolMessage
from dexter.results import ToolResult
from dexter.scratchpad.lines import pack_result, sha256_of, unpack_result
from dexter.usage import Usage


class LineAppender(Protocol):
    """Appends one JSON object as one line; with `sync` it is flushed to disk before returning.

    Raises:
        ScratchpadError: the line is not (wholly) on disk.
    """

    def append(self, kind: str, fields: Mapping[str, Any], *, sync: bool = True) -> None:
        """Write `{"type": kind, "timestamp": …, **fields}`."""
        ...


class RunRecord:
    """Writes one run. `sync=False` lines ride on the next flushed one: they carry nothing that was not seen before."""

    def __init__(self, lines: LineAppender, *, recorded: Iterable[ToolMessage] = ()) -> None:
        """`recorded`: results that have their line already but have not entered the view (a resumed run)."""
        self._lines = lines
        self._recorded = {message.result: message for message in recorded}
        self._turns = 0

    def init(self, question: str) -> None:
        """The original's first line: the question."""
        self._lines.append("init", {"content": question}, sync=False)

    def run(
        self,
        *,
        run: str,
        conversation: str,
        parent: str | None,
        system: str,
        tools: Sequence[Mapping[str, Any]],
        settings: Mapping[str, Any],
        spawned_by: str = "",
        untrusted: Sequence[str] = (),
    ) -> None:
        """Schema version, names, system prompt and tool schemas as sent, settings that steer the run.

        `spawned_by` is the call of `parent` that started it as a sub-agent. `untrusted`: where text that others wrote
        came from in the conversation's earlier runs.
        """
        fields: dict[str, Any] = {"schema": 1, "run": run, "conversation": conversation, "parent": parent}
        fields |= {"spawned_by": spawned_by} if spawned_by else {}
        fields |= {"untrusted": list(untrusted)} if untrusted else {}
        self._lines.append("run", {**fields, "system": system, "tools": list(tools), "settings": dict(settings)})

    def message(self, message: Message) -> None:
        """A message enters the view. A result of this run is named by its id: its text stands in its own line."""
        if isinstance(message, ToolMessage) and self._recorded.pop(message.result, None) == message:
            fields = {"id": message.id, "role": "tool", "result": message.result}
            self._lines.append("message", fields, sync=False)
        else:
            self._lines.append("message", message.to_json())

    def thinking(self, text: str) -> None:
        """The original's line for text a model wrote beside its calls."""
        self._lines.append("thinking", {"content": text}, sync=False)

    def tool_result(self, call: ToolCall, message: ToolMessage, result: ToolResult, *, duration_s: float) -> None:
        """A tool's whole result, flushed before it may enter the messages."""
        fields = tool_result_fields(call, message, result, duration_s=duration_s)
        self._lines.append("tool_result", fields)
        if message.form == "whole" and (message.call, message.tool, message.path) == (call.id, call.name, ""):
            self._recorded[message.result] = message

    def model_call(
        self, *, turn: int, view_hash: str, tokens_estimated: int, max_tokens: int, tool_choice: str
    ) -> None:
        """A request goes out with exactly this view."""
        fields = {"turn": turn, "view_hash": view_hash, "tokens_estimated": tokens_estimated}
        self._lines.append("model_call", {**fields, "max_tokens": max_tokens, "tool_choice": tool_choice}, sync=False)

    def model_turn(
        self,
        message: AssistantMessage,
        *,
        turn: int,
        stop_reason: str,
        usage: Usage | None,
        cost_usd: str,
        model: str,
        duration_s: float,
    ) -> None:
        """A whole answer of the model; it enters the view with this line."""
        self._turns = max(self._turns, turn)
        self._lines.append(
            "model_turn",
            {
                "turn": turn,
                "message": message.to_json(),
                "digest": message.digest,
                "stop_reason": stop_reason,
                "usage": usage.to_json() if usage else None,
                "cost_usd": cost_usd,
                "model": model,
                "duration_s": round(duration_s, 6),
            },
        )

    def view_edit(
        self, stage: str, *, report: Mapping[str, Any], ops: Sequence[Mapping[str, Any]], tokens: tuple[int, int]
    ) -> None:
        """A stage's report and its edit of the view with the texts it put in place. `tokens`: before, after."""
        fields = {"stage": stage, "report": dict(report), "ops": list(ops)}
        self._lines.append("view_edit", {**fields, "tokens_before": tokens[0], "tokens_after": tokens[1]}, sync=False)

    def notice(self, *, kind: str, text: str) -> None:
        """What a person was told beside the steps themselves."""
        self._lines.append("notice", {"kind": kind, "text": text}, sync=False)

    def queue(self, *, action: str, line: str) -> None:
        """The user has `queued` a line for the next turn, or `taken_back` one; what is handed on is a message."""
        self._lines.append("queue", {"action": action, "line": line}, sync=False)

    def retry(self, *, kind: str, attempt: int, wait_s: float, message: str) -> None:
        """A failed model call is made again after `wait_s` seconds."""
        fields = {"kind": kind, "attempt": attempt, "wait_s": round(wait_s, 3), "message": message}
        self._lines.append("retry", fields, sync=False)

    def approval(self, *, call: str, decision: str, tool: str = "", target: str = "", reason: str = "") -> None:
        """What was decided about a call, and about what exactly; flushed before the call may run."""
        more = {"tool": tool, "target": target, "reason": reason}
        self._lines.append("approval", {"call": call, "decision": decision, **{k: v for k, v in more.items() if v}})

    def subagent(self, *, run: str, status: str, call: str) -> None:
        """A sub-agent was started by a call, or has ended; its own record is `<run>/subagents/<its run>.jsonl`."""
        self._lines.append("subagent", {"run": run, "status": status, "call": call})

    def answer(
        self,
        *,
        text: str,
        complete: bool,
        sources: Sequence[Mapping[str, Any]],
        figures: Sequence[Mapping[str, Any]] = (),
    ) -> None:
        """The answer as shown, with what became of its figures."""
        fields = {"text": text, "complete": complete, "figures": list(figures), "sources": list(sources)}
        self._lines.append("answer", fields)

    def resume(self, *, turn: int) -> None:
        """A process takes the run up again after `turn`."""
        self._turns = max(self._turns, turn)
        self._lines.append("resume", {"turn": turn})

    def end(self, *, status: str, exit_status: int, usage: Usage, cost_usd: str, error: str = "") -> None:
        """This attempt is over; the last `end` line of a file counts. Usage and cost are those of the whole run."""
        fields = {"status": status, "exit_status": exit_status, "turns": self._turns}
        fields |= {"usage": usage.to_json(), "cost_usd": cost_usd}
        self._lines.append("end", {**fields, **({"error": error} if error else {})})


def tool_result_fields(
    call: ToolCall, message: ToolMessage, result: ToolResult, *, duration_s: float
) -> dict[str, Any]:
    """The original's three keys, and what replay, recall and the figure check need beside them."""
    fields: dict[str, Any] = {
        "toolName": call.name,
        "args": call.raw if call.arguments is None else dict(call.arguments),
        "result": pack_result(message.text),
        "id": message.result,
        "message": message.id,
        "call": call.id,
        "status": message.status,
        "chars": message.chars,
        "sha256": sha256_of(message.text),
        "duration_s": round(duration_s, 6),
        "sources": [source.to_json() for source in result.sources],
        "cells": [cell.to_json() for cell in result.cells],
    }
    if not isinstance(message.content, str):
        fields["blocks"] = message.to_json()["content"]
    if result.untrusted:
        fields["untrusted"] = list(result.untrusted)
    if message.recalls is not None:
        fields["recalls"] = message.recalls
    return fields


def tool_message_of(record: Mapping[str, Any]) -> ToolMessage:
    """The message that carries a recorded result whole.

    Raises:
        KeyError, TypeError, ValueError: The line is not as `tool_result_fields` makes it.
    """
    message = message_from_json(
        {
            "role": "tool",
            "id": record["message"],
            "result": record["id"],
            "call": record["call"],
            "tool": record["toolName"],
            "status": record["status"],
            "content": record["blocks"] if "blocks" in record else unpack_result(record["result"]),
            "chars": record["chars"],
            "recalls": record.get("recalls"),
        }
    )
    assert isinstance(message, ToolMessage)  # noqa: S101 - by its role
    return message
