from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dexter.errors import ScratchpadError
from dexter.results import Cell
from dexter.scratchpad.recall import ResultIndex, result_from_record, result_spans
from dexter.scratchpad.run_state import conversation_ids
from tests.support.conversations import RecordedRun, new_scratchpad, play, texts
from tests.support.shared import shared


def recorded(folder, *results, ids=None, parents=(), parent=None):
    """A run with these results."""
    run = RecordedRun(new_scratchpad(folder, parents=parents))
    run.ids = ids or run.ids
    run.begin(parent=parent)
    for text in results:
        (call,) = run.ask_model("NVDA", 1)
        run.enter(run.finish(call, text))
    return run


@given(st.data())
@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
def test_every_result_is_recalled_whole_whatever_became_of_it_in_the_view(tmp_path_factory, data):
    """After any edits of the view each result comes back to the last code point."""
    run = data.draw(play(RecordedRun(new_scratchpad(tmp_path_factory.mktemp("run")))))
    results = run.scratchpad.results
    assert {number: results.read(number).text for number in run.texts} == run.texts
    index = ResultIndex(run.scratchpad.paths.scratchpad)
    for number, span in result_spans(run.scratchpad.paths.scratchpad):
        index.add(number, span)
    assert [result.text for result in index.read_after(0)] == [run.texts[number] for number in sorted(run.texts)]


@given(texts)
@settings(max_examples=30)
def test_a_result_carries_its_call_status_and_cells(tmp_path_factory, text):
    """What the summariser and the figure check need comes with the text."""
    run = RecordedRun(new_scratchpad(tmp_path_factory.mktemp("run")))
    run.begin()
    (call,) = run.ask_model("NVDA", 1)
    run.finish(call, text, status="timeout")
    result = run.scratchpad.results.read(1)
    assert (result.id, result.tool, result.arguments) == (1, "get_financials", {"ticker": "NVDA"})
    assert (result.status, result.cells) == ("timeout", (Cell("NVDA", "Revenues", "1", "USD"),))


def test_results_of_earlier_runs_of_the_conversation_are_recalled(tmp_path):
    """`#1` is one result for all runs, two files back as well."""
    first = recorded(tmp_path, "one", "two").scratchpad.paths
    ids = conversation_ids([first.scratchpad])
    second = recorded(tmp_path, "three", ids=ids, parents=(first.scratchpad,), parent=first.run).scratchpad.paths
    files = (second.scratchpad, first.scratchpad)
    third = recorded(tmp_path, "four", ids=conversation_ids(files), parents=files, parent=second.run)
    read = third.scratchpad.results.read
    assert [read(number).text for number in (4, 3, 2, 1)] == ["four", "three", "two", "one"]
    assert len(third.scratchpad.results.index) == 1
    assert third.scratchpad.results.index.ids_after(0) == [4]


def test_a_result_that_never_was_is_a_key_error(tmp_path):
    """The tool turns it into words for the model."""
    first = recorded(tmp_path, "one").scratchpad.paths.scratchpad
    with pytest.raises(KeyError):
        recorded(tmp_path, "two", parents=(first,)).scratchpad.results.read(99)


def test_a_result_that_is_no_longer_what_was_recorded_is_refused(tmp_path):
    """A changed digit is noticed by the checksum; figures never come from a damaged line."""
    run = recorded(tmp_path, "revenue 130,497")
    path = run.scratchpad.paths.scratchpad
    path.write_bytes(path.read_bytes().replace(b"130,497", b"130,947"))
    with pytest.raises(ScratchpadError, match="checksum"):
        run.scratchpad.results.read(1)


@pytest.mark.parametrize("broken", [b"\0" * 15, b'"},{"a": [[[[['])
def test_a_result_whose_line_is_broken_is_refused(tmp_path, broken):
    """The sentence says what is wrong with it."""
    run = recorded(tmp_path, "revenue 130,497")
    path = run.scratchpad.paths.scratchpad
    path.write_bytes(path.read_bytes().replace(b"revenue 130,497", broken))
    with pytest.raises(ScratchpadError, match="Result #1 is on record but damaged: its line"):
        run.scratchpad.results.read(1)


@pytest.mark.parametrize(
    "name", ["/etc/hostname", "{run}/results/../../secret.txt", "secret.txt", "{run}/results/1.txt"]
)
def test_a_record_reads_no_files_but_its_own(tmp_path, name):
    """Whoever sends somebody a record must not have other files read with it; a link in its folder is one, too."""
    run = recorded(tmp_path, "one")
    paths = run.scratchpad.paths
    (tmp_path / "secret.txt").write_text("a secret")
    paths.results.mkdir(parents=True)
    (paths.results / "1.txt").symlink_to(tmp_path / "secret.txt")
    line = {"type": "tool_result", "timestamp": "t", "id": 1, "path": name.format(run=paths.run)}
    with pytest.raises(ScratchpadError, match="not the run's"):
        result_from_record(line, 1, paths.scratchpad)


def test_a_result_whose_file_is_gone_is_refused(tmp_path):
    """The scratchpad was moved away while the run went on."""
    run = recorded(tmp_path, "one")
    run.scratchpad.paths.scratchpad.unlink()
    with pytest.raises(ScratchpadError, match="could not be read"):
        run.scratchpad.results.read(1)


def test_a_large_result_survives_the_loss_of_its_line(tmp_path):
    """What was also written to a file of its own is found there."""
    run = recorded(tmp_path, "large \ud83d\ude00 result")
    run.scratchpad.results.persist(1, run.texts[1])
    assert ResultIndex(run.scratchpad.paths.scratchpad).read(1).text == run.texts[1]


def test_a_result_kept_in_a_file_only_is_read_from_there(tmp_path):
    """Another writer may leave the text out of the line and name the file beside it."""
    run = recorded(tmp_path, "one")
    path = run.scratchpad.results.persist(1, "from the file")
    line = b'{"type":"tool_result","timestamp":"t","id":1,"path":"%s"}\n' % str(path.relative_to(tmp_path)).encode()
    run.scratchpad.paths.scratchpad.write_bytes(line)
    index = ResultIndex(run.scratchpad.paths.scratchpad)
    for number, span in result_spans(run.scratchpad.paths.scratchpad):
        index.add(number, span)
    assert index.read(1).text == "from the file"
    path.unlink()
    with pytest.raises(ScratchpadError, match="could not be read"):
        index.read(1)


def test_the_originals_results_are_numbered_in_order():
    """Its lines have no ids; they count from 1."""
    (path,) = shared("data/original_scratchpads").glob("*.jsonl")
    index = ResultIndex(path)
    for number, span in result_spans(path):
        index.add(number, span)
    assert [(result.id, result.tool) for result in index.read_after(3)] == [
        (4, "read_file"),
        (5, "read_file"),
        (6, "no_such_tool"),
    ]


def test_looking_up_reads_one_line_and_nothing_of_the_rest(tmp_path):
    """Recalling and counting cost the same at turn 1,000: the other lines may be gone and nobody notices."""
    run = recorded(tmp_path, *(f"result {number}" for number in range(30)))
    path, index = run.scratchpad.paths.scratchpad, run.scratchpad.results.index
    spans = dict(result_spans(path))
    data = path.read_bytes()
    path.write_bytes(b"\0" * spans[20].offset + data[spans[20].offset :][: spans[20].length])
    assert index.read(20).text == "result 19"
    assert len(index) == 30
    assert index.ids_after(27) == [28, 29, 30]


def test_a_damaged_result_does_not_hold_the_others_up(tmp_path):
    """Whoever reads them all in order, as a compaction does, is told of the damage where the result would stand."""
    scratchpad = recorded(tmp_path, "one", "two", "three").scratchpad
    path = scratchpad.paths.scratchpad
    path.write_bytes(path.read_bytes().replace(b'"two"', b'"twx"'))
    one, two, three = scratchpad.results.read_after(0)
    assert (one.text, three.text) == ("one", "three")
    assert (two.id, two.status) == (2, "error")
    assert "damaged" in two.text
