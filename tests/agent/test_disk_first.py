"""Nothing unrecorded enters the view: whole line written, fsync returned, only then message and event."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from dexter.agent.loop import run_loop
from dexter.errors import ScratchpadError
from dexter.events import Event, ToolFinished
from dexter.messages import ToolMessage
from dexter.models.scripted import ScriptedModel, calls, says
from tests.support.files import WatchedFiles
from tests.support.runs import make_run

TURNS = [
    calls(("echo", '{"query":"one"}'), ("echo", '{"query":"two"}')),
    calls(("echo", '{"query":"three"}')),
    says("ok"),
]


def result_lines_on_disk(files: WatchedFiles) -> list[int]:
    """The result ids whose whole line was written *and* synced, in this order, as the log tells it."""
    written, synced = b"", 0
    for operation, data in files.log:
        if operation == "write":
            assert isinstance(data, bytes)
            written += data
        else:
            synced = len(written)
    lines = written[:synced].split(b"\n")[:-1]
    return [line["id"] for line in map(json.loads, lines) if line["type"] == "tool_result"]


@pytest.mark.parametrize("at_most", [None, 1_000, 7], ids=["whole writes", "short writes", "tiny writes"])
def test_each_result_is_on_disk_before_its_event_and_message(tmp_path: Path, at_most: int | None) -> None:
    """Also where the system takes a line in many small pieces."""
    files = WatchedFiles(at_most=at_most)
    finished: list[int] = []

    def check(event: Event) -> None:
        on_disk = result_lines_on_disk(files)
        if isinstance(event, ToolFinished):
            assert event.result in on_disk
            finished.append(event.result)
        in_view = {m.result for m in bench.run.messages if isinstance(m, ToolMessage)}
        assert in_view <= set(on_disk)

    bench = make_run(tmp_path, ScriptedModel(TURNS), port=files, on_event=check)
    asyncio.run(run_loop(bench.run))
    assert finished == [1, 2, 3]


@pytest.mark.parametrize("room", range(1_500, 4_500, 250))
def test_on_a_full_disk_nothing_unrecorded_enters_the_view(tmp_path: Path, room: int) -> None:
    """Wherever the disk fills up, the run stops with an error that names the remedy, and the file stays readable."""
    files = WatchedFiles(room=room)
    told: list[int] = []

    def note(event: Event) -> None:
        if isinstance(event, ToolFinished):
            told.append(event.result)

    bench = make_run(tmp_path, ScriptedModel([*TURNS[:-1], says("a long answer " * 400)]), port=files, on_event=note)
    with pytest.raises(ScratchpadError, match="full") as caught:
        asyncio.run(run_loop(bench.run))
    assert "space" in caught.value.remedy
    on_disk = result_lines_on_disk(files)
    assert set(told) <= set(on_disk)
    assert {m.result for m in bench.run.messages if isinstance(m, ToolMessage)} <= set(on_disk)


def test_a_disk_that_cannot_sync_stops_the_run(tmp_path: Path) -> None:
    """A line that may not survive a power cut does not count as written."""
    files = WatchedFiles()

    def break_sync(_event: Event) -> None:
        files.broken_sync = True

    bench = make_run(tmp_path, ScriptedModel(TURNS), port=files, on_event=break_sync)
    with pytest.raises(ScratchpadError):
        asyncio.run(run_loop(bench.run))
    assert not any(isinstance(m, ToolMessage) for m in bench.run.messages)
