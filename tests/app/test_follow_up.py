from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from dexter.app.ask import Conversation, ask
from dexter.app.build import Parts
from dexter.app.follow_up import conversation_of
from dexter.app.models import ModelChoice
from dexter.errors import UsageError
from dexter.messages import ToolMessage, UserMessage, is_well_paired
from dexter.models.scripted import ScriptedModel, Turn, calls, says
from dexter.scratchpad.rebuild import SentView, sent_views
from dexter.scratchpad.run_state import read_state
from dexter.tools.registry import Registry
from tests.support.runs import echo
from tests.support.setups import make_setup


def _ask(folder: Path, question: str, turns: list[Turn], before: Conversation | None = None) -> Path:
    model = ScriptedModel(turns)
    parts = Parts(models=ModelChoice.of(model), tools=Registry([echo()]))
    answer = asyncio.run(ask(question, make_setup(folder), parts=parts, conversation=before))
    return Path(answer.path)


def test_a_follow_up_knows_what_was_said(tmp_path: Path):
    """The view of the second run holds the first question, its results and its answer, then the new question."""
    first = _ask(tmp_path, "one?", [calls(("echo", '{"query": "x"}')), says("One.")])
    second = _ask(tmp_path, "two?", [calls(("echo", '{"query": "y"}')), says("Two.")], conversation_of(first))
    state = read_state(second)
    assert [m.text for m in state.messages if isinstance(m, UserMessage)] == ["one?", "two?"]
    assert is_well_paired(state.messages)
    assert state.header["conversation"] == first.stem
    assert state.header["parent"] == first.stem


def test_the_views_of_a_follow_up_are_rebuilt_from_its_file(tmp_path: Path):
    """Every view that was sent is in the second run's own file: the recorded hashes agree."""
    first = _ask(tmp_path, "one?", [calls(("echo", '{"query": "x"}'), text="Look."), says("One.")])
    second = _ask(tmp_path, "two?", [calls(("echo", '{"query": "y"}')), says("Two.")], conversation_of(first))
    views = list(sent_views(second))
    assert len(views) == 2
    assert all(isinstance(view, SentView) and view.agrees for view in views)


def test_result_ids_count_on_through_the_conversation(tmp_path: Path):
    """Even when a run between had no result of its own, no id is used twice."""
    one_call = [calls(("echo", '{"query": "x"}')), says("Done.")]
    first = _ask(tmp_path, "one?", list(one_call))
    second = _ask(tmp_path, "two?", [says("Nothing to look up.")], conversation_of(first))
    third = _ask(tmp_path, "three?", list(one_call), conversation_of(second))
    messages = read_state(third).messages
    results = [m.result for m in messages if isinstance(m, ToolMessage)]
    assert results == [1, 2]
    assert len({m.id for m in messages}) == len(messages)
    assert len({call.id for m in messages for call in getattr(m, "tool_calls", ())}) == 2


def test_a_run_without_an_answer_is_resumed_first(tmp_path: Path):
    """What was cut off can't be followed up; the remedy names the command."""
    with pytest.raises(Exception, match="no more"):
        _ask(tmp_path, "one?", [calls(("echo", "{}")), RuntimeError("no more")])
    [path] = (tmp_path / "data" / "scratchpads").glob("*.jsonl")
    with pytest.raises(UsageError, match="no answer yet") as caught:
        conversation_of(path)
    assert f"dexter resume {path.stem}" in caught.value.remedy


def test_a_file_of_the_original_is_no_conversation(tmp_path: Path):
    """The original's scratchpads can be read, not followed up."""
    path = tmp_path / "2026-11-30-170945_903448abce74.jsonl"
    path.write_text('{"type":"init","content":"q","timestamp":"2026-11-30T17:09:45.562Z"}\n')
    with pytest.raises(UsageError, match="not written by Dexter"):
        conversation_of(path)
