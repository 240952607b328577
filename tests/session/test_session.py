from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from pathlib import Path

from dexter.app.build import Parts
from dexter.app.follow_up import conversation_after
from dexter.errors import ExitStatus, ModelError
from dexter.events import Answered, TextDelta, ToolStarted
from dexter.messages import UserMessage, is_well_paired
from dexter.models.scripted import calls, says
from dexter.scratchpad.run_state import read_state
from dexter.session.lines import handle
from dexter.session.session import Session
from tests.support.scripted_session import parts as phases
from tests.support.session_front import RecordingFront
from tests.support.session_models import scripted_parts
from tests.support.setups import make_setup

Talk = Callable[[Session, RecordingFront], Awaitable[None]]


def _talk(
    folder: Path, parts: Parts, talk: Talk, front: RecordingFront | None = None
) -> tuple[Session, RecordingFront]:
    """Run a conversation to its end."""

    async def run() -> tuple[Session, RecordingFront]:
        (folder / "scratchpads").mkdir(exist_ok=True)
        shown = front or RecordingFront()
        session = Session(make_setup(folder), shown, parts=parts)
        await talk(session, shown)
        await session.settle()
        return session, shown

    return asyncio.run(run())


async def _say(session: Session, line: str) -> None:
    await handle(session, line)
    await session.settle()


def _records(folder: Path) -> list[Path]:
    return sorted((folder / "scratchpads").glob("*.jsonl"), key=lambda path: path.stat().st_mtime_ns)


def test_what_is_taken_up_is_weighed(tmp_path: Path):
    """Before anything is asked, the status line has the context of the conversation that was taken up."""
    session, _ = _talk(tmp_path, scripted_parts(says("word " * 4_000)), lambda session, _: _say(session, "what is it?"))
    assert session.path is not None
    later = Session(make_setup(tmp_path), RecordingFront(), parts=scripted_parts(says("-")))
    assert later.tracker.meter is None
    later.open(session.path)
    assert later.tracker.meter is not None
    assert later.tracker.meter.used > 4_000
    assert later.tracker.meter.window == 64_000


def test_a_follow_up_knows_what_was_said_and_found(tmp_path: Path):
    """The second run's view begins with question, calls, results and answer of the first; it is of one conversation."""
    parts = scripted_parts(calls(("look", '{"query": "NVDA"}')), says("It is 42."), says("Still 42."))

    async def talk(session: Session, _front: RecordingFront) -> None:
        await _say(session, "what is it?")
        await _say(session, "and now?")

    session, _ = _talk(tmp_path, parts, talk)
    texts = [m.text for m in parts.models.make(None).main.requests[-1].messages[1:]]  # type: ignore[union-attr,arg-type]
    assert texts == ["what is it?", "", "found 42 for NVDA", "It is 42.", "and now?"]
    first, second = map(read_state, _records(tmp_path))
    assert first.header["conversation"] == second.header["conversation"]
    assert session.path == second.scratchpad


def test_a_run_that_was_interrupted_stays_part_of_the_conversation(tmp_path: Path):
    """Stopped while it streams: the half answer is on record, the next question goes on from it."""

    async def talk(session: Session, front: RecordingFront) -> None:
        await handle(session, "stream something")
        await front.heard(TextDelta)
        assert session.interrupt()
        assert not session.interrupt()
        await session.settle()
        await _say(session, "hello")

    session, front = _talk(tmp_path, phases(), talk)
    assert isinstance(front.events[-2], Answered)
    assert front.events[-2].text == "You said: stream something | hello."
    assert session.path is not None
    view = read_state(session.path).messages
    assert any(m.text.startswith("Word 0") for m in view)
    assert any(isinstance(m, UserMessage) and m.origin == "harness" and "interrupted" in m.text for m in view)


def test_a_tool_that_was_stopped_has_its_result(tmp_path: Path):
    """Stopped while a tool runs: its call has an interrupted result, so the conversation can go on."""

    async def talk(session: Session, front: RecordingFront) -> None:
        await handle(session, "tool please")
        await front.heard(ToolStarted)
        session.interrupt()
        await session.settle()
        await _say(session, "hello")

    session, _ = _talk(tmp_path, phases(), talk)
    assert session.path is not None
    assert is_well_paired(read_state(session.path).messages)
    assert [state.end["status"] for state in map(read_state, _records(tmp_path)) if state.end] == [
        "interrupted",
        "answered",
    ]


def test_a_killed_run_can_be_followed_up(tmp_path: Path):
    """Cut off between a call and its result, as by SIGKILL: the call gets a result that says so, and ids go on."""
    _talk(tmp_path, scripted_parts(calls(("look", "{}")), says("Done.")), lambda s, _f: _say(s, "look"))
    record = _records(tmp_path)[0]
    lines = record.read_bytes().splitlines(keepends=True)
    upto = next(n for n, line in enumerate(lines) if b'"type":"tool_result"' in line)
    record.write_bytes(b"".join(lines[:upto]))
    before = conversation_after(record)
    assert is_well_paired(before.messages)
    assert before.messages[2].text.startswith("The run was cut off")  # type: ignore[union-attr]
    assert before.ids.next_result() == 2


def test_a_line_typed_meanwhile_enters_at_the_next_drain(tmp_path: Path):
    """A line queued while a tool runs is in the same run, behind the results; one typed too late starts the next."""

    async def talk(session: Session, front: RecordingFront) -> None:
        await handle(session, "tool first")
        await front.heard(ToolStarted)
        await handle(session, "queued")
        assert session.waiting == ("queued",)
        session.interrupt()
        await session.settle()

    _, front = _talk(tmp_path, phases(), talk)
    assert front.given_back == ["queued"]


def test_the_queue_is_drained_into_the_run(tmp_path: Path):
    """Lines that wait when the model has answered are answered in the same run, in their order."""
    parts = scripted_parts(says("One."), says("Two."))

    async def talk(session: Session, _front: RecordingFront) -> None:
        await handle(session, "first")
        await handle(session, "second")
        await handle(session, "third")

    _talk(tmp_path, parts, talk)
    (record,) = _records(tmp_path)
    said = [(m.text, m.origin) for m in read_state(record).messages if isinstance(m, UserMessage)]
    assert said == [("first", "question"), ("second", "queued"), ("third", "queued")]


def test_a_failure_is_told_and_the_session_goes_on(tmp_path: Path):
    """An error of the model ends the run, not the session; lines that waited come back."""
    parts = scripted_parts(ModelError("Gone.", kind="other", remedy="Choose another."), says("Here."))

    async def talk(session: Session, _front: RecordingFront) -> None:
        await handle(session, "first")
        await handle(session, "second")
        await session.settle()
        await _say(session, "third")

    _, front = _talk(tmp_path, parts, talk)
    assert front.given_back == ["second"]
    assert [e.text for e in front.events if isinstance(e, Answered)] == ["Here."]


def test_a_fault_of_the_program_does_not_end_the_session(tmp_path: Path):
    """Whatever is raised is told as a fault, in a sentence."""
    parts = scripted_parts(RuntimeError("no such thing"), says("Here."))

    async def talk(session: Session, _front: RecordingFront) -> None:
        await _say(session, "first")
        await _say(session, "second")

    _, front = _talk(tmp_path, parts, talk)
    assert "RuntimeError: no such thing. This is a fault of Dexter itself; the session goes on." in front.said
    assert "Here." in [e.text for e in front.events if isinstance(e, Answered)]


def test_a_question_that_can_not_be_sent_comes_back(tmp_path: Path):
    """Too long for the window: nothing is recorded, the reason is told, the line is in the input again."""
    line = ("word " * 60_000).strip()
    _, front = _talk(tmp_path, scripted_parts(says("Never.")), lambda s, _f: _say(s, line))
    assert front.given_back == [line]
    assert "tokens long" in front.text
    assert _records(tmp_path) == []


def test_the_last_question_can_be_taken_back(tmp_path: Path):
    """Rewound, the conversation goes on from before the question; its record stays."""
    parts = scripted_parts(says("One."), says("Two."), says("Three."))

    async def talk(session: Session, _front: RecordingFront) -> None:
        await _say(session, "first")
        await _say(session, "second")
        assert session.rewind() == "second"
        await _say(session, "another second")

    session, _ = _talk(tmp_path, parts, talk)
    assert session.path is not None
    said = [m.text for m in read_state(session.path).messages if isinstance(m, UserMessage)]
    assert said == ["first", "another second"]
    assert len(_records(tmp_path)) == 3


def test_leaving_interrupts_with_the_status_of_the_signal(tmp_path: Path):
    """A hang-up is on record as one."""

    async def talk(session: Session, front: RecordingFront) -> None:
        await handle(session, "stream something")
        await front.heard(TextDelta)
        session.interrupt(ExitStatus.HUNG_UP)

    _talk(tmp_path, phases(), talk)
    assert [(read_state(path).end or {})["status"] for path in _records(tmp_path)] == ["hung_up"]


def test_a_shell_command_is_taken_along(tmp_path: Path):
    """`!command` shows what it writes; the next question carries it, the one after does not."""
    parts = scripted_parts(says("Seen."))

    async def talk(session: Session, _front: RecordingFront) -> None:
        await _say(session, "!echo forty-two; exit 3")
        await _say(session, "what was that?")
        await _say(session, "and now?")

    _, front = _talk(tmp_path, parts, talk)
    assert "forty-two" in front.said
    assert "ended with status 3" in front.said
    questions = [read_state(path).question for path in _records(tmp_path)]
    assert "forty-two" in questions[0].split("\n", 1)[1]
    assert questions[1] == "and now?"
    assert "> what was that?" in front.said


def test_a_shell_command_and_its_children_are_killed(tmp_path: Path):
    """Interrupted, nothing of it runs on: the pipe that it and its child hold open is closed."""
    begun, pipe = tmp_path / "begun", tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)

    async def talk(session: Session, _front: RecordingFront) -> None:
        await handle(session, f"!exec 9>{pipe}; (sleep 60) & touch {begun}; wait")
        while not begun.exists():  # noqa: ASYNC110 - another process makes it
            await asyncio.sleep(0.01)
        session.interrupt()

    _talk(tmp_path, scripted_parts(says("-")), talk)
    os.set_blocking(reader, True)
    assert os.read(reader, 1) == b""
    os.close(reader)
