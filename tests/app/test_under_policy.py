"""A recorded run played under another policy, and two runs side by side."""

from __future__ import annotations

import asyncio
import io
import json
from pathlib import Path

import pytest

from dexter.app.under_policy import LABEL, Play, compare_under
from dexter.config.limits import Limits
from dexter.context.policies import POLICIES
from dexter.errors import UsageError
from dexter.messages import ToolMessage, UserMessage
from dexter.replay.compare import Comparison, compare_runs, print_comparison
from dexter.replay.entries import Message, Response, Result
from dexter.replay.paper import PlainPaper
from dexter.replay.read import read_timeline
from dexter.replay.recorded import read_recording
from dexter.replay.rows import reckoner_for
from dexter.scratchpad.rebuild import SentView, sent_views
from tests.support.recorded import record_run
from tests.support.setups import make_setup
from tests.support.shared import shared


def compared(folder: Path, recorded: str, policy: str) -> Comparison:
    bench = record_run(folder / "run", recorded)
    return asyncio.run(compare_under(bench.path, policy, make_setup(folder)))


def played(path: Path, policy: str, folder: Path) -> Path:
    timeline = read_timeline(path)
    play = Play(read_recording(path), timeline.header, make_setup(folder), reckoner_for(timeline, None))
    found, _notes = asyncio.run(play.under(policy, folder / "played"))
    return found


@pytest.mark.parametrize("policy", sorted(POLICIES))
def test_the_recorded_turns_and_results_are_played_to_the_end(tmp_path, policy):
    """Whatever the policy: the same texts, calls, results and queued lines, each under its recorded name."""
    path = record_run(tmp_path / "run", "none").path
    before, after = read_timeline(path), read_timeline(played(path, policy, tmp_path))
    said = [(entry.text, [call.id for call in entry.calls]) for entry in before.of(Response)]
    assert [(entry.text, [call.id for call in entry.calls]) for entry in after.of(Response)] == said
    results = [(entry.id, entry.call.id, entry.status, entry.text) for entry in before.of(Result)]
    assert [(entry.id, entry.call.id, entry.status, entry.text) for entry in after.of(Result)] == results
    queued = [entry.text for entry in before.of(Message) if entry.origin == "queued"]
    assert [entry.text for entry in after.of(Message) if entry.origin == "queued"] == queued
    assert all(view.agrees for view in sent_views(after.path) if isinstance(view, SentView))


def test_under_its_own_policy_a_run_is_what_it_was(tmp_path):
    """Without a model's summary in it, every request has the same messages again: the play is true."""
    path = record_run(tmp_path / "run", "none", overloaded=False).path
    again = played(path, "none", tmp_path)
    views = [[view.messages for view in sent_views(each) if isinstance(view, SentView)] for each in (path, again)]
    facts = [[[m.content_json() for m in view] for view in side] for side in views]
    assert facts[0] == facts[1]


def test_the_limits_are_those_of_the_run(tmp_path):
    """As it recorded them, whatever the settings are now; where it did not, that is said."""
    path = record_run(tmp_path / "run", "none").path
    assert any("limits are not on record" in note for note in compare(path, tmp_path).right.notes)
    lines = path.read_text().splitlines(keepends=True)
    at = next(number for number, line in enumerate(lines) if '"type":"run"' in line)
    sizes = []
    for over in (1, 1_000):
        record = json.loads(lines[at])
        record["settings"]["context"] = {**Limits(clear_over=over, clear_over_tokens=10**9).to_json(), "later": 1}
        path.write_text("".join([*lines[:at], json.dumps(record) + "\n", *lines[at + 1 :]]))
        comparison = compare(path, tmp_path)
        assert not any("limits" in note for note in comparison.right.notes)
        sizes.append(sum("microcompact" in row.events for row in comparison.right.rows))
    assert sizes[0] > sizes[1]


def compare(path: Path, folder: Path) -> Comparison:
    return asyncio.run(compare_under(path, "dexter", make_setup(folder)))


def test_a_comparison_has_every_turn_and_a_summary(tmp_path):
    """Tokens, events and figures of both sides; the summary is labelled as one by extraction."""
    comparison = compared(tmp_path, "none", "four-level")
    left, right = comparison.left, comparison.right
    assert [row.turn for row in left.rows] == [row.turn for row in right.rows] == list(range(1, 8))
    assert left.tokens > right.tokens
    assert (left.events, left.in_view) == (2, 1.0)  # a retry and a queued line
    assert any("microcompact" in row.events or "compact" in row.events for row in right.rows)
    assert right.in_view is not None
    assert right.in_view < 1
    assert LABEL in right.notes
    assert "four-level against none: tokens in" in comparison.summary()
    told = json.loads(json.dumps(comparison.to_json()))
    assert told["right"]["turns"][6]["figures_known"] == left.rows[6].known


@pytest.mark.parametrize("width", [60, 100])
def test_a_comparison_is_printed(tmp_path, width):
    """A line a turn with both sides, within the width where the names allow it."""
    stream = io.StringIO()
    print_comparison(compared(tmp_path, "dexter", "none"), PlainPaper(stream, width))
    lines = stream.getvalue().splitlines()
    table = [line for line in lines if "│" in line]
    assert len(table) == 1 + 1 + 7
    assert max(map(len, table)) <= 100
    assert any(line.startswith("= none against dexter: tokens in") for line in lines)


def test_a_policy_under_which_a_request_would_not_fit_says_so(tmp_path):
    """What a user wrote survives every stage; the run is compared up to the turn in which it would have failed."""
    bench = record_run(tmp_path / "run", "none", turns=4, queued=(2,), line="please " * 20_000)
    comparison = asyncio.run(compare_under(bench.path, "dexter", make_setup(tmp_path)))
    assert "would have failed in turn 3" in comparison.right.notes[-1]
    assert [row.turn for row in comparison.right.rows] == [1, 2, 3]


def test_two_runs_are_compared_as_recorded(tmp_path):
    """Tokens as the providers counted them; runs of different lengths stand beside each other all the same."""
    left = read_timeline(record_run(tmp_path / "a", "none", turns=2).path)
    right = read_timeline(record_run(tmp_path / "b", "dexter", turns=4).path)
    comparison = compare_runs(left, right)
    assert [row.tokens for row in comparison.left.rows] == [r.usage.input for r in left.of(Response) if r.usage]
    assert [(a is None, b is None) for a, b in comparison.pairs] == [(False, False)] * 3 + [(True, False)] * 2
    stream = io.StringIO()
    print_comparison(comparison, PlainPaper(stream, 100))
    assert left.run[:20] in stream.getvalue()


def test_a_follow_up_is_played_from_its_conversation(tmp_path):
    """What went before stands in the first request again."""
    from tests.support.conversations import RecordedRun, new_scratchpad

    run = RecordedRun(new_scratchpad(tmp_path))
    history = (UserMessage("m1", "earlier?"), ToolMessage("m2", 4, "c9", "calculate", content="7"))
    run.ids.message, run.ids.result = 2, 4
    run.begin(parent="earlier", history=history)
    (call,) = run.ask_model("x", 1)
    run.enter(run.finish(call, "26,044 million"))
    run.ask_model("done", 0)
    run.end()
    path = run.scratchpad.paths.scratchpad
    again = [view for view in sent_views(played(path, "none", tmp_path)) if isinstance(view, SentView)]
    assert [m.content_json() for m in again[0].messages[1:3]] == [m.content_json() for m in history]
    assert [message.id for message in again[-1].messages] == [message.id for message in run.sent[-1]]


def test_what_cannot_be_played_is_told(tmp_path):
    """A file of the original has no turns; a policy that does not exist is named with those that do."""
    (original,) = shared("data/original_scratchpads").glob("*.jsonl")
    with pytest.raises(UsageError, match="no turns that could be played"):
        asyncio.run(compare_under(original, "dexter", make_setup(tmp_path)))
    with pytest.raises(UsageError, match="no policy 'x'"):
        asyncio.run(compare_under(original, "x", make_setup(tmp_path)))
