"""docs/scratchpad.md as a contract: a reader written from that page alone, with nothing of Dexter in it."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dexter.scratchpad.lines import unpack_result
from dexter.usage import Usage
from tests.support.conversations import RecordedRun, new_scratchpad, play

PAGE = Path(__file__).parents[2] / "docs" / "scratchpad.md"
BOOK_KEEPING = {"type", "timestamp", "halves", "id", "kind", "covers", "entries", "form", "chars", "path", "recalls"}


def digest(value):
    text = json.dumps(value, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def content(message):
    return {key: value for key, value in message.items() if key not in BOOK_KEEPING}


def result_content(record):
    result = record["result"]
    text = result if isinstance(result, str) else json.dumps(result, ensure_ascii=False, separators=(",", ":"))
    return {
        "role": "tool",
        "id": record["message"],
        "result": record["id"],
        "call": record["call"],
        "tool": record["toolName"],
        "status": record["status"],
        "content": record.get("blocks", text),
    }


def edit(view, ops):
    for op in ops:
        if op["op"] == "drop":
            view = [message for message in view if message["id"] not in op["ids"]]
        elif op["op"] == "replace":
            view = [op["message"] if message["id"] == op["id"] else message for message in view]
        else:
            at = 1 + [message["id"] for message in view].index(op["after"]) if op["after"] else 1
            view = view[:at] + op["messages"] + view[at:]
    return view


def proved_views(path):
    """For each model call, whether the view rebuilt by the page's rules has the recorded hash."""
    view, tools, results = [], [], {}
    for raw in path.read_bytes().split(b"\n")[:-1]:
        record = json.loads(raw)
        if record["type"] == "run":
            view = [{"id": "system", "role": "system", "text": record["system"]}]
            tools = record["tools"]
        elif record["type"] == "tool_result":
            results[record["id"]] = result_content(record)
        elif record["type"] == "message":
            named = record["role"] == "tool" and "content" not in record
            view = [*view, results[record["result"]] if named else record]
        elif record["type"] == "model_turn":
            view = [*view, record["message"]]
        elif record["type"] == "view_edit":
            view = edit(view, record["ops"])
        elif record["type"] == "model_call":
            digests = [digest(content(view[0])), *map(digest, tools), *(digest(content(m)) for m in view[1:])]
            yield hashlib.sha256("".join(digests).encode()).hexdigest() == record["view_hash"]


@given(st.data())
@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
def test_a_reader_written_from_the_page_proves_every_view(tmp_path_factory, data):
    """Two independent readers agree with what was sent, so the page says all there is to know."""
    run = data.draw(play(RecordedRun(new_scratchpad(tmp_path_factory.mktemp("run")))))
    run.end()
    assert list(proved_views(run.scratchpad.paths.scratchpad)) == [True] * len(run.sent)


def test_the_page_names_every_type_and_key_that_is_written(tmp_path):
    """A line type or key that is not on the page would be news to others."""
    page = PAGE.read_text(encoding="utf-8")
    rows = {
        match[1]: set(re.findall(r"`(\w+)", match[2]))
        for match in re.finditer(r"^\| `(\w+)` \| (.+?) \|", page, re.MULTILINE)
    }
    run = RecordedRun(new_scratchpad(tmp_path))
    run.begin()
    record = run.scratchpad.record
    record.thinking("text")
    record.approval(call="c1", decision="yes", tool="write_file", target="report.md", reason="why")
    record.subagent(run="r", status="started", call="c1")
    record.notice(kind="soft_limit", text="text")
    record.queue(action="queued", line="and AMD?")
    record.retry(kind="overloaded", attempt=1, wait_s=0.5, message="text")
    (call,) = run.ask_model("x", 1)
    run.enter(run.finish(call, "text", blocks=True))
    run.edit(run.view[:1])
    record.answer(text="a", complete=True, sources=())
    record.resume(turn=1)
    record.end(status="failed", exit_status=1, usage=Usage(), cost_usd="", error="why")
    lines = map(json.loads, run.scratchpad.paths.scratchpad.read_bytes().splitlines())
    written = {line["type"]: line.keys() - {"type", "timestamp"} for line in lines if line["type"] != "message"}
    assert written.keys() | {"message"} == rows.keys()
    assert {kind: keys - rows[kind] for kind, keys in written.items() if keys - rows[kind]} == {}


def test_what_an_object_stands_for_is_what_the_page_says():
    """Compact, in its own order, without needless escapes."""
    assert unpack_result({"b": [1.5, None], "a": "é\n"}) == '{"b":[1.5,null],"a":"é\\n"}'
