from __future__ import annotations

import pytest

from dexter.context.stage import ResultStore
from dexter.errors import ScratchpadError
from dexter.scratchpad.file import RealFiles
from dexter.scratchpad.lock import RunLock, is_locked
from dexter.scratchpad.run_state import read_state
from dexter.scratchpad.scratchpad import Scratchpad
from tests.support.conversations import RecordedRun, new_scratchpad, ticking_clock


def test_an_open_run_is_locked_until_it_is_closed(tmp_path):
    """Nobody else can take it up meanwhile."""
    scratchpad = new_scratchpad(tmp_path)
    with pytest.raises(ScratchpadError, match="being worked on"):
        RunLock.acquire(scratchpad.paths.lock)
    scratchpad.close()
    assert not is_locked(scratchpad.paths.lock)


def test_a_run_that_cannot_be_locked_is_not_begun(tmp_path):
    """Where the lock's name is taken by a folder, the error names it."""
    first = new_scratchpad(tmp_path)
    (tmp_path / f"{first.paths.run}-2.lock").mkdir()
    with pytest.raises(ScratchpadError, match=r"-2\.lock could not be written"):
        new_scratchpad(tmp_path)


def test_the_results_serve_the_pipeline(tmp_path):
    """They are the store that stages and tools are given."""
    store: ResultStore = new_scratchpad(tmp_path).results
    assert store.persist(1, "text").read_text() == "text"


def test_a_reopened_run_knows_its_results_and_those_before_it(tmp_path):
    """Own results from the state, earlier ones through the named parent."""
    first = RecordedRun(new_scratchpad(tmp_path))
    first.begin()
    (call,) = first.ask_model("x", 1)
    first.finish(call, "one")
    first.end()
    second = RecordedRun(new_scratchpad(tmp_path), ids=first.ids)
    second.begin(parent=first.scratchpad.paths.run)
    (call,) = second.ask_model("x", 1)
    second.finish(call, "two")
    second.end()
    paths = second.scratchpad.paths
    with RunLock.acquire(paths.lock) as lock:
        opened = Scratchpad.reopen(read_state(paths.scratchpad), lock, clock=ticking_clock(), port=RealFiles())
        assert [opened.results.read(number).text for number in (2, 1)] == ["two", "one"]
        assert [result.text for result in opened.results.read_after(0)] == ["two"]
