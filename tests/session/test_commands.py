from __future__ import annotations

import asyncio
import csv
import io
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from dexter.app.build import Parts
from dexter.errors import UsageError
from dexter.events import StageRan
from dexter.models.scripted import calls, says
from dexter.scratchpad.run_state import read_state
from dexter.session.commands.table import COMMANDS, as_text, find, parse
from dexter.session.lines import handle
from dexter.session.session import Session
from dexter.usage import Usage
from tests.support.scripted_session import parts as phases
from tests.support.session_front import RecordingFront
from tests.support.session_models import scripted_parts
from tests.support.setups import make_setup

SUMMARY = "<analysis>-</analysis><summary>1. Query and intent\nWhat it is.\n3. All numbers\n42</summary>"


def _lines(
    folder: Path, *lines: str, parts: Parts | None = None, front: RecordingFront | None = None
) -> tuple[Session, RecordingFront]:
    """Type lines one after the other, each when the one before is done."""

    async def run() -> tuple[Session, RecordingFront]:
        (folder / "scratchpads").mkdir(exist_ok=True)
        shown = front or RecordingFront()
        session = Session(make_setup(folder), shown, parts=parts)
        for line in lines:
            await handle(session, line)
            await session.settle()
        return session, shown

    return asyncio.run(run())


def test_what_is_a_command():
    """A slash and a name; a path and a doubled slash are text."""
    assert parse("/compact margins of NVDA") == ("compact", "margins of NVDA")
    assert parse("/Help") == ("help", "")
    assert parse("/etc/hosts") is None
    assert parse("//help") is None
    assert as_text("//help") == "/help"
    assert as_text("1/2") == "1/2"


@pytest.mark.parametrize(("typed", "meant"), [("comp", "compact"), ("q", "quit"), ("export", "export")])
def test_a_beginning_is_enough(typed: str, meant: str):
    """What only one command begins with means that command."""
    assert find(typed).name == meant


def test_an_unknown_command_names_the_nearest():
    """A slip and an ambiguous beginning are answered with what may be meant."""
    with pytest.raises(UsageError) as slip:
        find("modle")
    assert slip.value.remedy == "Did you mean /model?"
    with pytest.raises(UsageError) as ambiguous:
        find("co")
    meant = ambiguous.value.remedy.removeprefix("Did you mean ").removesuffix("?").split(" or ")
    assert len(meant) > 1
    assert set(meant) <= {"/context", "/compact", "/cost", "/copy"}


def test_help_names_every_command_and_the_keys(tmp_path: Path):
    """/help is the table itself."""
    _, front = _lines(tmp_path, "/help")
    for command in COMMANDS:
        assert f"/{command.name}" in front.text
    assert "Ctrl-R" in front.text


def test_context_tells_where_the_tokens_are(tmp_path: Path):
    """System prompt, tools, conversation and results by tool, together what the view has."""
    parts = scripted_parts(calls(("look", '{"query": "NVDA"}')), says("It is 42."))
    session, front = _lines(tmp_path, "/context", "what is it?", "/context", parts=parts)
    assert front.said[1].startswith("The conversation is empty")
    for name in ("system prompt", "tool definitions", "conversation", "results of look", "together"):
        assert name in front.text
    assert session.path is not None
    state = read_state(session.path)
    whole = sum(m.tokens for m in state.messages) + sum(tool.tokens for tool in state.view.tools)
    assert f"about {whole:,} tokens" in front.text


def test_compact_summarises_between_two_questions(tmp_path: Path):
    """/compact edits the view on record; the next question begins with the summary."""
    query = json.dumps({"query": "NVDA " * 3_000})
    parts = scripted_parts(calls(("look", query)), says("It is 42."), says(SUMMARY), says("Go on."))
    session, front = _lines(tmp_path, "what is it?", "/compact the figures", "and now?", parts=parts)
    stage = next(event for event in front.events if isinstance(event, StageRan))
    assert stage.report["success"] is True
    assert stage.tokens_after < stage.tokens_before
    first = min((tmp_path / "scratchpads").glob("*.jsonl"), key=lambda path: path.stat().st_mtime_ns)
    ended = read_state(first).end
    assert ended is not None
    assert ended["status"] == "answered"
    assert session.path is not None
    view = read_state(session.path).messages
    assert not any("NVDA NVDA" in m.text for m in view)
    assert any("What it is." in m.text for m in view)
    exchanged = ["what is it?", "It is 42.", "and now?", "Go on."]
    assert [m.text for m in view if m.text in exchanged] == exchanged


def test_without_a_compaction_in_the_policy_it_says_so(tmp_path: Path):
    """The policy `none` has none; the conversation stays as it is."""
    lines = ("what is it?", "/policy none", "/compact")
    _, front = _lines(tmp_path, *lines, parts=scripted_parts(says("It is 42.")))
    assert "has no compaction" in front.text


def test_model_and_policy_change_from_the_next_question_on(tmp_path: Path):
    """What names nothing is refused and changes nothing; the offline analyst needs no key, others do."""
    session, front = _lines(tmp_path, "/policy lean", "/policy nosuch", "/model claude-sonnet-5-5", "/model offline")
    assert session.plan.policy.name == "lean"
    assert "There is no policy 'nosuch'" in front.text
    assert "ANTHROPIC_API_KEY is not set" in front.text
    assert session.plan.models.info.name == "offline"


def test_cost_counts_every_run(tmp_path: Path):
    """Tokens of the newest answer and of the session."""
    lines = ("/cost", "one", "two", "/cost")
    _, front = _lines(tmp_path, *lines, parts=scripted_parts(says("Here.", output_tokens=30)))
    assert front.said[1].startswith("Nothing was asked")
    assert "30 out" in front.text
    assert "60 out" in front.text
    assert "2 runs" in front.text


def test_what_a_cache_saved_is_told_and_unknown_prices_are_no_money(tmp_path: Path):
    """Tokens read from the cache and written to it stand beside those sent; without a price there is no sum."""
    usage = Usage(input_uncached=1_000, cache_read=20_000, cache_write=3_000, output=500)
    answer = replace(says("Here."), usage=usage, cost_usd=None)
    session, front = _lines(tmp_path, "one", "/cost", parts=scripted_parts(answer))
    told = " ".join(front.said[-1].split())
    assert "24k tokens in, of these 20k read from cache, 3k written to it · 500 out · price unknown" in told
    assert session.tracker.total.cost_usd is None


def test_runs_and_search(tmp_path: Path):
    """Runs are listed newest first; questions and answers are searched in any case, with the words around."""
    parts = scripted_parts(says("The margin of Nvidia is 71 %."), says("Nothing of interest."))
    lines = ("/runs", "the first question", "the second question", "/runs", "/search NVIDIA", "/search no such thing")
    _, front = _lines(tmp_path, *lines, parts=parts)
    assert front.said[1] == "There is no run yet."
    assert "the second question" in front.text
    hits = next(said for said in front.said if "margin of Nvidia" in said and "answered" not in said)
    assert "the first question" in hits
    assert "holds 'no such thing'" in front.text


def test_resume_picks_a_conversation(tmp_path: Path):
    """One entry a conversation; the chosen one's last exchange is shown and follow-ups belong to it."""
    parts = scripted_parts(says("One."), says("Two."), says("Three."))
    lines = ("first talk", "/clear", "second talk", "/resume", "/context", "more of the first")
    session, front = _lines(tmp_path, *lines, parts=parts, front=RecordingFront(1))
    assert session.path is not None
    said = [m.text for m in read_state(session.path).messages[1:]]
    assert said[0] == "first talk"
    assert said[-2:] == ["more of the first", "Three."]
    assert "> first talk" in front.said


def test_replay_shows_the_newest_run_or_another(tmp_path: Path):
    """The timeline of a run, whole or one turn of it."""
    parts = scripted_parts(calls(("look", '{"query": "NVDA"}')), says("It is 42."))
    _, front = _lines(tmp_path, "/replay", "what is it?", "/replay", "/replay last turn 2", parts=parts)
    assert "no run in this conversation yet" in front.said[1]
    assert "look query=NVDA" in front.text


@pytest.mark.parametrize("kind", ["md", "json", "csv", "html"])
def test_export(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str):
    """The conversation as a file: never over another, with answers, sources and exact figures."""
    monkeypatch.chdir(tmp_path)
    session, front = _lines(tmp_path, "/export", "NVDA revenue", "and AMD?", f"/export {kind}", f"/export {kind}")
    assert session.path is not None
    path = tmp_path / f"{session.path.stem}.{kind}"
    text = path.read_text(encoding="utf-8")
    assert "There is nothing to export yet." in front.said[1]
    assert "exists already" in front.said[-1]
    assert path.stat().st_mode & 0o777 == 0o600
    if kind == "csv":
        rows = list(csv.DictReader(io.StringIO(text)))
        assert {row["ticker"] for row in rows} == {"NVDA", "AMD"}
        assert len({tuple(row.items()) for row in rows}) == len(rows)
    elif kind == "json":
        first, second = json.loads(text)
        assert first["asked"] == ["NVDA revenue"]
        assert {cell["ticker"] for cell in second["cells"]} == {"AMD"}
    else:
        assert "34,639" in text
        assert "215,938" in text
        assert "sec.gov" in text


def test_the_page_of_a_conversation_has_every_question(tmp_path: Path):
    """In their order, each with its answer; every link on it leads to one place; a result is there once."""
    lines = ("NVDA revenue", "and AMD?", "compare NVDA and AMD margins", f"/export html {tmp_path}/it.html")
    session, _ = _lines(tmp_path, *lines)
    page = (tmp_path / "it.html").read_text(encoding="utf-8")
    assert re.findall(r'<h2 class="question">([^<]+)</h2>', page) == list(lines[:-1])
    assert page.count('<div class="answer">') == 3
    places = re.findall(r' id="([^"]+)"', page)
    assert len(set(places)) == len(places)
    assert set(re.findall(r'href="#([^"]+)"', page)) <= set(places)
    assert session.path is not None
    results = read_state(session.path).results
    assert {f"r{result}" for result, _ in results} <= set(places)
    assert "r1" in places


def test_a_file_can_be_named(tmp_path: Path):
    """`/export FILE.csv` takes the format from the name; an unknown one is refused."""
    target = tmp_path / "out" / "figures.csv"
    _, front = _lines(tmp_path, "NVDA revenue", f"/export {target}", "/export pdf")
    assert target.read_text().startswith("ticker,")
    assert "no format 'pdf'" in front.text


def test_copy_takes_the_markdown(tmp_path: Path):
    """The answer as the model wrote it."""
    _, front = _lines(tmp_path, "/copy", "what is it?", "/copy", parts=scripted_parts(says("It is **42**.")))
    assert "no answer to copy yet" in front.said[1]
    assert front.copied == "It is **42**."


def test_memory_rules_and_skills(tmp_path: Path):
    """Notes are added, listed, found and forgotten; rules and skills are shown."""
    rules = tmp_path / "config" / "RULES.md"
    rules.parent.mkdir()
    rules.write_text("Always give both years.")
    lines = (
        "/memory",
        "/memory add Prefers fiscal years",
        "/memory search fiscal",
        "/memory wipe",
        "/rules",
        "/skills",
    )
    session, front = _lines(tmp_path, *lines)
    assert front.said[1] == "Nothing is remembered yet."
    assert "Prefers fiscal years" in front.text
    assert "is not understood" in front.text
    assert "Always give both years." in front.text or not (session.setup.config.places.config / "RULES.md").exists()
    assert "dcf" in front.text.lower()


def test_what_needs_an_idle_session_waits(tmp_path: Path):
    """/clear while a run goes on is refused with the key that stops it."""

    async def run() -> RecordingFront:
        (tmp_path / "scratchpads").mkdir()
        front = RecordingFront()
        session = Session(make_setup(tmp_path), front, parts=phases())
        await handle(session, "wait here")
        await handle(session, "/clear")
        session.interrupt()
        await session.settle()
        return front

    front = asyncio.run(run())
    assert "/clear has to wait: a run goes on. Esc stops it." in front.said


def test_quit_leaves(tmp_path: Path):
    """The front is told to."""
    assert _lines(tmp_path, "/quit")[1].left


def test_before_the_first_question_the_tools_are_those_of_a_run(tmp_path: Path):
    """Those the first run will have, sub-agents among them; none is left out, none is more."""
    session, before = _lines(tmp_path, "/tools")
    assert session.path is None
    _, after = _lines(tmp_path, "NVDA revenue", "/tools")
    assert "spawn_subagent" in before.said[1]
    assert before.said[1] == after.said[-1]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("/clear everything", "/clear takes nothing behind it."),
        ("/runs many", "'many' is no number of runs."),
        ("/runs -1", "'-1' is no number of runs."),
        ("/", "/ is the beginning of a command."),
        ("!", "! is the beginning of a command."),
        ("/resume nosuch", "/runs lists what there is."),
        ("/replay nosuch", "no run called 'nosuch'"),
        ("/skills nosuch", "no skill 'nosuch'"),
    ],
)
def test_what_a_command_does_not_take_is_refused(tmp_path: Path, line: str, said: str):
    """It is said, nothing is done and nothing is sent to a model; the line comes back to be mended."""
    session, front = _lines(tmp_path, "hello", line, parts=scripted_parts(says("Hello.")))
    assert said in front.text
    assert front.given_back == [line]
    assert len(list((tmp_path / "scratchpads").glob("*.jsonl"))) == 1
    assert session.path is not None


def test_the_cost_of_a_compaction_counts(tmp_path: Path):
    """What /compact asked the model for is part of /cost and of the status line, also of a conversation taken up."""
    query = json.dumps({"query": "NVDA " * 3_000})
    answers = (calls(("look", query)), says("It is 42.", output_tokens=10), says(SUMMARY, output_tokens=7_000))
    session, front = _lines(tmp_path, "what is it?", "/compact", "/cost", parts=scripted_parts(*answers))
    assert session.tracker.total.usage.output >= 7_010
    assert "7k out" in front.said[-1]
    assert "1 run" in front.said[-1]


def test_what_a_question_took_along_is_not_its_title(tmp_path: Path):
    """Lists, the picker, exports and what is taken back show the line as it was typed, in a later session too."""
    (tmp_path / "note.txt").write_text("a long note\n")
    lines = (f"look at @{tmp_path}/note.txt", f"/export {tmp_path}/it.md", f"/export {tmp_path}/it.json")
    _lines(tmp_path, *lines, parts=scripted_parts(says("It is 42.")))
    first, *_ = (tmp_path / "it.md").read_text().split("\n")
    assert first == f"# {lines[0]}"
    assert json.loads((tmp_path / "it.json").read_text())[0]["asked"] == [lines[0]]
    front = RecordingFront(0)
    session, _ = _lines(tmp_path, "/runs", "/search look at", "/resume", front=front, parts=scripted_parts(says("-")))
    assert f"> {lines[0]}" in front.said
    assert "material" not in front.text
    assert session.rewind() == lines[0]


def test_the_offline_analyst_reads_the_question_alone(tmp_path: Path):
    """Days and names in what was taken along are not asked for."""
    session, _ = _lines(tmp_path, "!echo Dec 1 2019 TSLA", "NVDA revenue")
    assert session.path is not None
    assert "TSLA" in read_state(session.path).question
    assert "215,938" in session.tracker.answer
    assert "not understood" not in session.tracker.answer.lower()
    assert "TSLA" not in session.tracker.answer
