"""A run's file becomes its timeline, whatever became of the file."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dexter.messages import UserMessage
from dexter.replay.entries import Answer, Message, Request, Response, Result, Skipped, Stage, Unknown
from dexter.replay.excerpts import EXCERPT_CHARS
from dexter.replay.fold import TimelineFold
from dexter.replay.read import TimelineReader, read_timeline
from dexter.replay.timeline import Timeline
from dexter.replay.whole import whole_result, whole_results, whole_text
from dexter.scratchpad.reader import iterate_lines
from dexter.usage import Usage
from tests.support.conversations import QUESTION, RecordedRun, new_scratchpad, play
from tests.support.shared import shared

LONG = "26,044 million; " * 400


def a_run(folder: Path, *, answered: bool = True) -> RecordedRun:
    """Two turns with results, a stage after the tools and one before a request, a queued line, an answer."""
    run = RecordedRun(new_scratchpad(folder))
    run.begin()
    (call, other) = run.ask_model("I look it up.", 2)
    done = [run.finish(call, LONG), run.finish(other, '{"rows":[{"value":"1"}]}', status="partial")]
    for message in done:
        run.enter(message)
    run.edit(run.view, stage="persist_results", report={"persisted": [{"result": 1, "path": "results/1.txt"}]})
    run.enter(UserMessage(run.ids.next_message(), "and INTC?", "queued"))
    run.edit(run.view, stage="microcompact", report={"cleared": [1], "tokens_saved": 9, "trigger": "count"})
    run.ask_model("The answer.", 0)
    if answered:
        run.scratchpad.record.answer(text="The answer.", complete=True, sources=[])
        run.end()
    return run


def timeline_of(run: RecordedRun) -> Timeline:
    return read_timeline(run.scratchpad.paths.scratchpad)


def test_the_entries_stand_in_their_turns(tmp_path):
    """What a stage did before a request belongs to the request's turn, what it did to results to theirs."""
    turns = timeline_of(a_run(tmp_path)).turns
    kinds = [[type(entry).__name__ for entry in turn.entries] for turn in turns]
    assert kinds == [
        ["Message"],
        ["Request", "Response", "Result", "Result", "Stage", "Message"],
        ["Stage", "Request", "Response", "Answer", "Ended"],
    ]
    assert [turn.number for turn in turns] == [0, 1, 2]
    assert [stage.name for turn in turns for stage in turn.of(Stage)] == ["persist_results", "microcompact"]


def test_the_header_and_the_end_are_told(tmp_path):
    """Question, model, policy, tokens, cost and how it ended."""
    timeline = timeline_of(a_run(tmp_path))
    assert (timeline.header.question, timeline.header.model, timeline.header.policy) == (
        QUESTION,
        "scripted",
        "dexter",
    )
    assert (timeline.status, str(timeline.cost_usd), timeline.usage) == ("answered", "0.05", Usage(20, output=4))
    assert timeline.answer is not None
    assert timeline.answer.text == "The answer."
    assert timeline.result_files == {1: "results/1.txt"}


def test_large_results_are_excerpts_and_come_back_whole(tmp_path):
    """The timeline holds the beginning; the place in the file gives the rest, byte for byte."""
    run = a_run(tmp_path)
    timeline = timeline_of(run)
    first, second = timeline.of(Result)
    assert first.text.is_cut
    assert (first.text.text, first.text.chars) == (LONG[:EXCERPT_CHARS], len(LONG))
    assert whole_text(timeline.path, first) == LONG
    assert [result.text for result in whole_results(timeline)] == [run.texts[1], run.texts[2]]
    assert (second.status, second.cells, len(second.sources)) == ("partial", 1, 1)
    assert whole_result(timeline.path, second).cells[0].value == "1"


@given(st.recursive(st.text() | st.integers() | st.booleans(), lambda s: st.lists(s) | st.dictionaries(st.text(), s)))
def test_the_excerpt_of_an_object_is_the_beginning_of_its_text(value):
    """An object is put back into text only as far as the excerpt needs it."""
    stored = {"a": value, "b": ["x" * 40] * 30}
    text = json.dumps(stored, ensure_ascii=False, separators=(",", ":"))
    record = {"type": "tool_result", "timestamp": "t", "toolName": "t", "args": {}, "chars": len(text)}
    raw = json.dumps({**record, "result": stored}, ensure_ascii=True).encode() + b"\n"
    (line,) = iterate_lines(io.BytesIO(raw))
    entry = TimelineFold().feed(line)
    assert isinstance(entry, Result)
    assert entry.text.text == text[:EXCERPT_CHARS]
    assert entry.text.chars == len(text)


def test_a_run_in_progress_and_one_cut_off_are_told_apart(tmp_path):
    """By the lock; what is half-written while the run goes on is no damage, afterwards it is."""
    run = a_run(tmp_path, answered=False)
    path = run.scratchpad.paths.scratchpad
    with path.open("ab") as file:
        file.write(b'{"type":"answer","timest')
    assert (timeline_of(run).status, timeline_of(run).skipped) == ("running", ())
    run.scratchpad.close()
    assert timeline_of(run).status == "cut off"
    assert [entry.reason for entry in timeline_of(run).skipped] == ["cut off"]


def test_a_reader_goes_on_where_it_stopped(tmp_path):
    """Reading as the file grows gives the same entries as reading it at once."""
    whole = timeline_of(a_run(tmp_path / "whole"))
    data = whole.path.read_bytes()
    path = tmp_path / "growing.jsonl"
    reader, entries = TimelineReader(path), []
    for end in range(0, len(data) + 1, 97):
        path.write_bytes(data[:end])
        entries += reader.read_on(growing=True)
    path.write_bytes(data)
    entries += reader.read_on(growing=False)
    assert reader.timeline(tuple(entries), running=False).entries == whole.entries


def test_a_file_of_the_original_has_turns(tmp_path):
    """Each text begins a turn, results count from 1, errors are known by their wording, nothing is skipped."""
    (path,) = shared("data/original_scratchpads").glob("*.jsonl")
    timeline = read_timeline(path)
    assert timeline.header.question == "Compare NVDA and AMD revenue in fiscal 2025 and 2026"
    assert timeline.header.schema is None
    assert [[entry.id for entry in turn.of(Result)] for turn in timeline.turns] == [[1], [2], [3, 4], [5, 6]]
    assert [entry.status for entry in timeline.of(Result)] == ["ok"] * 4 + ["error"] * 2
    assert (timeline.skipped, timeline.status, timeline.cost_usd) == ((), "", None)
    assert all(isinstance(turn.entries[0], Response) for turn in timeline.turns)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ({"type": "model_turn", "turn": "many", "message": {}}, "wrong fields"),
        ({"type": "model_turn", "turn": 1, "message": []}, "wrong fields"),
        ({"type": "tool_result", "result": "x", "sources": ["no object"]}, "wrong fields"),
        ({"type": "view_edit", "stage": "compact"}, "wrong fields"),
        ({"type": "end", "status": "answered", "usage": {"output": "x"}}, "wrong fields"),
    ],
)
def test_a_line_that_is_not_what_its_type_promises_is_skipped(tmp_path, line, reason):
    """It is told with its place and costs no other line."""
    run = a_run(tmp_path)
    path = run.scratchpad.paths.scratchpad
    before = timeline_of(run)
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps({**line, "timestamp": "t"}) + "\n")
    (skipped,) = timeline_of(run).skipped
    assert (skipped.reason, skipped.span.offset) == (reason, before.size)
    assert timeline_of(run).entries[:-1] == before.entries


def test_lines_of_a_later_version_are_named(tmp_path):
    """They are no damage."""
    run = a_run(tmp_path)
    with run.scratchpad.paths.scratchpad.open("a", encoding="utf-8") as file:
        file.write('{"type":"hologram","timestamp":"t"}\n')
    *_, last = timeline_of(run).entries
    assert isinstance(last, Unknown)
    assert last.type == "hologram"


@given(st.data())
def test_every_request_and_result_of_any_run_is_in_its_timeline(tmp_path_factory, data):
    """In the order of the file, each with its turn."""
    run = data.draw(play(RecordedRun(new_scratchpad(tmp_path_factory.mktemp("run")))))
    timeline = timeline_of(run)
    assert [request.turn for request in timeline.of(Request)] == list(range(1, run.turn + 1))
    assert [result.id for result in timeline.of(Result)] == list(run.texts)
    assert {result.id: whole_text(timeline.path, result) for result in timeline.of(Result)} == run.texts
    assert timeline.skipped == ()
    run.scratchpad.close()


def test_an_answer_and_a_question_are_whole(tmp_path):
    """What a person reads is never an excerpt."""
    run = RecordedRun(new_scratchpad(tmp_path))
    run.begin()
    run.scratchpad.record.answer(text=LONG, complete=False, sources=[{"kind": "web", "title": "t"}])
    timeline = timeline_of(run)
    (answer,) = timeline.of(Answer)
    assert (answer.text, answer.complete, answer.sources) == (LONG, False, ({"kind": "web", "title": "t"},))
    (question,) = timeline.of(Message)
    assert (question.text.text, question.origin, question.turn) == (QUESTION, "question", 0)
    run.scratchpad.close()


def test_skipped_lines_are_told_where_they_are(tmp_path):
    """A damaged line in the middle costs itself."""
    run = a_run(tmp_path)
    path = run.scratchpad.paths.scratchpad
    lines = path.read_bytes().split(b"\n")
    at = next(i for i, line in enumerate(lines) if b'"tool_result"' in line)
    lines[at] = b"\0" * len(lines[at])
    path.write_bytes(b"\n".join(lines))
    (skipped,) = [entry for entry in timeline_of(run).entries if isinstance(entry, Skipped)]
    assert skipped.reason == "NUL bytes"
    assert skipped.span == (sum(len(line) + 1 for line in lines[:at]), len(lines[at]) + 1)
    assert [result.id for result in timeline_of(run).of(Result)] == [2]
