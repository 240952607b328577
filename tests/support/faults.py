"""What providers do wrong, said in each one's own way, and what a run makes of it.

The table in docs/model-faults.md is written from these runs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path

from dexter.agent.loop import run_loop
from dexter.context.policies import policy_named
from dexter.errors import DexterError
from dexter.events import Retry, TextDelta
from dexter.results import ToolResult
from dexter.tools.tool import Tool
from tests.support.protocols import EVENT_STREAM, Protocol
from tests.support.runs import AnyArguments, Bench, make_run, tool
from tests.support.wire_server import Reply, Request, WireServer

ANSWER = "Revenue was 130.5 billion dollars."
HALF = "Revenue was "
SILENCE_S = 0.3

OVERFLOW = "This model's maximum context length is 100000 tokens. However, you requested 250000 tokens"
OUTPUT_ONLY = "input length and max_tokens exceed context limit: 5000 + 16000 > 18000"
OVERSIZED = "Request too large on tokens per min (TPM): Limit 30000, Requested 342389."
FILTERED = "Output blocked by content filtering policy"
PAGE_502 = b"<html><title>502 Bad Gateway</title></html>"
QUOTA = "insufficient credits: your balance is too low"


@dataclass(frozen=True)
class Fault:
    """A fault, what is expected of a run, and the `replies` before the good answer.

    `lasting`: the last reply again and again. `rounds`: tool turns that went well before it. `applies_to`: whether a
    provider can fail in this way.
    """

    name: str
    expected: str
    replies: Callable[[Protocol], Sequence[Reply]]
    lasting: bool = False
    rounds: int = 0
    applies_to: Callable[[Protocol], bool] = lambda _protocol: True


def _refused(status: int, message: str, code: str = "", **headers: str) -> Callable[[Protocol], list[Reply]]:
    return lambda p: [p.refused(status, message, code, **headers)]


def _alive(protocol: Protocol) -> Reply:
    """Half an answer, then for long only what says that the server is alive."""
    sign = b": alive\n\n" if protocol.headers == EVENT_STREAM else b"\n"
    return Reply(200, protocol.headers, (*protocol.half(HALF), *[sign] * 200), pause_s=0.05)


AGAIN, SHRUNK, LOWERED = "asked again, answered", "context shrunk, answered", "output room lowered, answered"

FAULTS = (
    Fault("429, wait 7 s", AGAIN, _refused(429, "Rate limit reached", "rate_limit_error", retry_after="7")),
    Fault("429 that lasts", "rate_limit after 5 attempts", _refused(429, "Rate limit reached"), lasting=True),
    Fault(
        "429, wait an hour", "rate_limit at once", _refused(429, "Rate limit reached", retry_after="3600"), lasting=True
    ),
    Fault("429, no money left", "billing at once", _refused(429, QUOTA), lasting=True),
    Fault("429, request over the rate", SHRUNK, _refused(429, OVERSIZED, "rate_limit_error"), rounds=6),
    Fault("500", AGAIN, _refused(500, "Internal server error", "api_error")),
    Fault("529 overloaded", AGAIN, _refused(529, "Overloaded", "overloaded_error")),
    Fault("502, an HTML page", AGAIN, lambda _p: [Reply(502, {"content-type": "text/html"}, (PAGE_502,))]),
    Fault("401", "auth at once", _refused(401, "invalid x-api-key", "authentication_error"), lasting=True),
    Fault("400, request refused", "bad_request at once", _refused(400, "roles must alternate"), lasting=True),
    Fault("400, content filter", "content_filter at once", _refused(400, FILTERED), lasting=True),
    Fault("400, prompt too long", SHRUNK, _refused(400, OVERFLOW, "invalid_request_error"), rounds=6),
    Fault("400, only `max_tokens` too large", LOWERED, _refused(400, OUTPUT_ONLY, "invalid_request_error")),
    Fault(
        "413, body too large", SHRUNK, _refused(413, "Request exceeds the maximum size", "request_too_large"), rounds=6
    ),
    Fault(
        "error event after 200",
        AGAIN,
        lambda p: [p.broken(HALF, "whole", p.error_event("overloaded_error", "Overloaded"))],
    ),
    Fault("cut in the answer", AGAIN, lambda p: [p.broken(HALF, "cut")]),
    Fault("clean end, no stop reason", AGAIN, lambda p: [p.broken(HALF, "whole")]),
    Fault("stall in the answer", AGAIN, lambda p: [p.broken(HALF, "stall")]),
    Fault("stall behind signs of life", AGAIN, lambda p: [_alive(p)]),
    Fault(
        "`[DONE]`, no stop reason",
        AGAIN,
        lambda p: [p.broken(HALF, "whole", b"data: [DONE]\n\n")],
        applies_to=lambda p: p.says_done,
    ),
    Fault("no answer at all", AGAIN, lambda _p: [Reply(hang=True)]),
    Fault(
        "cut inside a call", AGAIN, lambda p: [p.broken("Noting. ", "cut", *p.call('{"query": "half"}', "call_9")[:-1])]
    ),
    Fault(
        "cut after a whole call",
        AGAIN,
        lambda p: [p.broken("Noting. ", "cut", *p.call('{"query": "whole"}', "call_9"))],
    ),
    Fault(
        "refusal",
        "incomplete, said why",
        lambda p: [p.answer("", "refusal")],
        lasting=True,
        applies_to=lambda p: p.can_refuse,
    ),
    Fault(
        "refusal beside a call",
        "incomplete, said why",
        lambda p: [p.calling('{"query": "refused"}', stop="refusal")],
        lasting=True,
        applies_to=lambda p: p.can_refuse,
    ),
)


@dataclass(frozen=True)
class Observed:
    """What a run did: requests made, waits, text shown, executions of the side-effect tool, and how it ended.

    `last` is its last request.
    """

    requests: int
    retries: tuple[Retry, ...]
    shown: str
    executed: tuple[str, ...]
    answer: str | None
    complete: bool
    error: DexterError | None
    last: Request

    def in_words(self) -> str:
        """A cell of the table."""
        if self.error is not None:
            kind = getattr(self.error, "kind", "failed")
            return f"{kind} after {self.requests} attempts" if self.requests > 1 else f"{kind} at once"
        if not self.complete:
            return "incomplete, said why"
        kinds = {retry.kind for retry in self.retries}
        if kinds & {"context_overflow"}:
            return SHRUNK
        if kinds & {"max_tokens"}:
            return LOWERED
        return AGAIN if self.retries else "answered"


def note_tool(file: Path) -> Tool[AnyArguments]:
    """A tool whose executions are counted on disk."""

    def note(arguments: AnyArguments, _context: object) -> ToolResult:
        with file.open("a", encoding="utf-8") as lines:
            lines.write(f"{arguments.query}\n")
        return ToolResult("noted")

    return tool("note", note)


async def observe(
    protocol: Protocol, replies: Sequence[Reply], folder: Path, *, silence_s: float = SILENCE_S
) -> Observed:
    """Run one question against these replies, the last one again."""
    notes = folder / "notes.txt"
    async with WireServer(list(replies)) as server:
        async with aclosing(protocol.connect(server.url, silence_s)) as model:
            bench = make_run(folder, model, tools=[note_tool(notes)], policy=policy_named("dexter"))
            try:
                answer, error = await run_loop(bench.run), None
            except DexterError as caught:
                answer, error = None, caught
        return Observed(
            len(server.requests),
            tuple(bench.of(Retry)),
            shown(bench),
            tuple(notes.read_text(encoding="utf-8").splitlines()) if notes.exists() else (),
            answer.text if answer else None,
            bool(answer and answer.complete),
            error,
            server.requests[-1],
        )


def shown(bench: Bench) -> str:
    """All text a person saw as it streamed."""
    return "".join(delta.text for delta in bench.of(TextDelta) if not delta.thinking)


async def observe_fault(protocol: Protocol, fault: Fault, folder: Path) -> Observed:
    """The fault, then the good answer unless it lasts."""
    rounds = [protocol.calling(f'{{"query": "round {n}"}}', id=f"call_{n}") for n in range(fault.rounds)]
    replies = [*rounds, *fault.replies(protocol)]
    return await observe(protocol, replies if fault.lasting else [*replies, protocol.answer(ANSWER)], folder)
