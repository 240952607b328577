"""No key in use reaches a file or a screen, however it comes back: a scan of all that a long run leaves behind."""

from __future__ import annotations

import asyncio
import base64
import io
import json
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

from hypothesis import given
from hypothesis import strategies as st

from dexter.agent.queue import Inbox
from dexter.app.approving import approvals_for
from dexter.app.ask import ask
from dexter.app.build import Parts
from dexter.app.discretion import DiscreetModel, discreet
from dexter.app.models import ModelChoice
from dexter.approval import ApprovalRequest, Decision, Proposal
from dexter.config.keys import Keys, find_keys
from dexter.config.origins import Origin, Variable
from dexter.errors import ToolError
from dexter.events import Sink
from dexter.models.protocol import ModelResponse, TextPiece
from dexter.models.scripted import ScriptedModel, calls, says
from dexter.replay.page import run_page
from dexter.replay.read import read_timeline
from dexter.results import Attempt, Source, ToolResult
from dexter.session.history import HistoryFile
from dexter.tools.registry import Registry
from dexter.tools.tool import ToolContext
from dexter.ui.answer import AnswerSink, write_plain
from dexter.ui.console import make_console
from dexter.ui.json_object import JsonObjectSink
from dexter.ui.jsonl import JsonLinesSink
from dexter.ui.live import LiveSink
from dexter.ui.plain import PlainSink
from tests.support.runs import AnyArguments, tool
from tests.support.setups import make_setup

KEYS = {
    "ANTHROPIC_API_KEY": "sk-ant-api03-Zm9vYmFyLWJhei1xdXV4-0123456789",
    "TAVILY_API_KEY": "tvly-dev-abc/def+ghi=0123456789",
    "FINANCIAL_DATASETS_API_KEY": "7f9c0a1e-2b3d-4c5e-8f60-718293a4b5c6",
}


def spelled(key: str) -> list[str]:
    """The ways a key may come back."""
    data = key.encode()
    in_base64 = [base64.b64encode(before + data + b"!").decode() for before in (b"", b"u:", b"user:")]
    return [key, f"https://x.example/?api_key={quote(key, safe='')}&q=1", f"Basic {in_base64[0]}", *in_base64[1:]]


def fragments(key: str) -> list[str]:
    """What must be found nowhere: the key, and what base64 makes of its middle."""
    data = key.encode()
    middles = [base64.b64encode(b"\0" * shift + data)[4:-4].decode() for shift in range(3)]
    return [key, quote(key, safe=""), *middles]


ALL = [text for key in KEYS.values() for text in spelled(key)]


def leaky(_arguments: AnyArguments, context: ToolContext) -> ToolResult:
    """A tool into whose result every key has come."""
    for text in ALL:
        context.progress(text)
    return ToolResult(
        "\n".join(ALL) + "\nfigures " * 20_000,
        data={"echo": ALL, "deep": {"x": [{"y": ALL[0]}]}},
        sources=tuple(Source("web", text, url=text) for text in ALL),
        notes=tuple(ALL),
        tried=tuple(Attempt("x", 401, text) for text in ALL),
        untrusted=tuple(ALL),
    )


def failing(_arguments: AnyArguments, _context: ToolContext) -> str:
    raise ToolError(f"refused: {ALL}", remedy=f"not {ALL}")


def test_a_scan_of_all_that_a_long_run_leaves_finds_no_key(tmp_path: Path) -> None:
    """Question, queue, model text in pieces, arguments, results, errors, progress: no file and no sink has one."""
    setup = make_setup(tmp_path / "home", KEYS)
    keys = setup.config.keys
    saying = " ".join(ALL)
    arguments = json.dumps({"query": saying})
    turns = [calls(("leaky", arguments), ("failing", "{}"), text=saying) for _ in range(4)]
    model = ScriptedModel([*turns, says(saying)], piece=7)
    tools = [discreet(tool("leaky", leaky), keys), discreet(tool("failing", failing), keys)]
    streams = [io.StringIO() for _ in range(4)]
    whole = JsonObjectSink()
    console = make_console(streams[2], {"TERM": "dumb"}, width=90)
    sinks: list[Sink] = [
        JsonLinesSink(streams[0]),
        PlainSink(streams[1], verbose=True),
        LiveSink(console, verbose=True),
        AnswerSink(write_plain(streams[3])),
        whole,
    ]
    inbox = Inbox()
    inbox.put("before the run")
    parts = Parts(models=ModelChoice.of(DiscreetModel(model, keys)), tools=Registry(tools))

    async def run() -> str:
        return (await ask(f"what of {saying}?", setup, sinks=[*sinks, lambda _e: None], inbox=inbox, parts=parts)).path

    path = Path(asyncio.run(run()))
    shown = {f"stream {n}": stream.getvalue() for n, stream in enumerate(streams)}
    shown["--json"] = json.dumps(whole.result)
    shown["html"] = run_page(read_timeline(path))
    shown["sent"] = repr([request.messages for request in model.requests])
    files = {str(f): f.read_bytes().decode("utf-8", "replace") for f in tmp_path.rglob("*") if f.is_file()}
    assert any("leaky" in text for text in files.values())
    assert "[ANTHROPIC_API_KEY]" in shown["stream 0"]
    found = [
        (place, fragment)
        for place, text in {**shown, **files}.items()
        for key in KEYS.values()
        for fragment in fragments(key)
        if fragment in text
    ]
    assert found == []


def test_a_question_for_approval_shows_no_key_and_keeps_none(tmp_path: Path) -> None:
    """Neither the difference of a file that holds one, nor what the user answers."""
    [(name, key), *_] = KEYS.items()
    asked: list[ApprovalRequest] = []

    async def no(request: ApprovalRequest) -> Decision:
        asked.append(request)
        return Decision("deny", f"use {key}")

    proposal = Proposal("change the file", "/r/a.md", "/r", f"-{key}\n+x", "basis")
    approvals = approvals_for(make_setup(tmp_path, KEYS), no)
    decision = asyncio.run(approvals.decide(ApprovalRequest("c1", "edit_file", proposal, f"because of {key}")))
    assert decision == Decision("deny", f"use [{name}]")
    assert [(r.proposal.detail, r.proposal.basis, r.reason) for r in asked] == [
        (f"-[{name}]\n+x", "basis", f"because of [{name}]")
    ]


def test_a_key_that_was_typed_is_not_in_the_history(tmp_path: Path) -> None:
    """The history of the prompt is a file, too."""
    history = HistoryFile(tmp_path / "history.jsonl", clean=keys_of(**KEYS).redact)
    for key in KEYS.values():
        history.add(f"why is {key} refused?")
    assert history.load() == [f"why is [{name}] refused?" for name in KEYS]


def keys_of(**values: str) -> Keys:
    return find_keys({name: Variable(name, value, Origin()) for name, value in values.items()})


@given(
    st.lists(st.sampled_from([*KEYS.values(), "sk-ant-api", "tvly-", "-", "revenue ", "7f9c0a1e-2b3d"]), max_size=8),
    st.integers(1, 60),
)
def test_a_key_in_pieces_is_no_key_and_nothing_else_is_lost(words: list[str], size: int) -> None:
    """However the stream is cut, what is shown is the whole text without keys."""
    keys, text = keys_of(**KEYS), "".join(words)
    model = DiscreetModel(ScriptedModel([ModelResponse(text)], piece=size), keys)

    async def stream() -> tuple[list[str], str]:
        pieces, last = [], ""
        async for item in model.stream((), tools=(), tool_choice="auto", max_tokens=1):
            if isinstance(item, TextPiece):
                pieces.append(item.text)
            else:
                last = item.text
        return pieces, last

    pieces, last = asyncio.run(stream())
    assert "".join(pieces) == last == keys.redact(text)
    assert not [key for key in KEYS.values() if any(key in piece for piece in (*pieces, "".join(pieces)))]


def test_words_are_no_keys() -> None:
    """Short values and ordinary text stay as they are."""
    text = "dGVzdCBvZiBvcmRpbmFyeSB0ZXh0 revenue 12.4 abc abcd"
    assert keys_of(X_API_KEY="abcde").redact(text) == text
    assert keys_of(X_API_KEY="secret1").redact(text) == text
    assert replace(ToolResult("x")).text == "x"
