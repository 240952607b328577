"""The `compact` tool: siblings run first and are on record; the call leaves with its round, or stays paired."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from dexter.agent.loop import run_loop
from dexter.config.limits import Limits
from dexter.context.policies import policy_named
from dexter.context.reports import CompactReport
from dexter.messages import AssistantMessage, ToolMessage, UserMessage, is_well_paired
from dexter.models.protocol import ModelResponse
from dexter.models.scripted import ScriptedModel, calls, says
from dexter.scratchpad.rebuild import SentView, sent_views
from dexter.tools.compact import compact_tool
from tests.support.runs import Bench, echo, make_run

BIG = '{"query": "revenue 26044 ", "size": 900}'
SUMMARY = "<analysis>a</analysis><summary>All is known.</summary>"
FIND = calls(("echo", BIG), ("echo", BIG), ("echo", BIG))


def run_with(folder: Path, policy: str, *turns: ModelResponse, summary: str = SUMMARY) -> Bench:
    bench = make_run(
        folder,
        ScriptedModel(turns),
        fast_model=ScriptedModel([says(summary)]),
        tools=[echo(), compact_tool()],
        policy=policy_named(policy, Limits()),
    )
    asyncio.run(run_loop(bench.run))
    bench.scratchpad.close()
    views = list(sent_views(bench.path))
    assert all(isinstance(view, SentView) and view.agrees and is_well_paired(view.messages) for view in views)
    return bench


def compactions(bench: Bench) -> list[CompactReport]:
    return [report for report in bench.run.ctx.reports if isinstance(report, CompactReport)]


def test_under_four_level_siblings_are_logged_and_no_tool_blocks_remain(tmp_path: Path) -> None:
    """`A(compact, echo)`: echo runs and is on record, the view is question and summary, the own call left no result."""
    turn = calls(("compact", '{"focus": "revenue"}'), ("echo", BIG))
    bench = run_with(tmp_path, "four-level", FIND, turn, says("done"))
    (report,) = compactions(bench)
    assert (report.success, report.requested) == (True, True)
    last_request = bench.run.messages[:-1]
    assert not any(isinstance(m, AssistantMessage | ToolMessage) for m in last_request)
    assert [m.origin for m in last_request if isinstance(m, UserMessage)] == ["question", "harness"]
    assert bench.scratchpad.results.read(4).tool == "echo"
    with pytest.raises(KeyError):
        bench.scratchpad.results.read(5)


def test_under_dexter_the_newest_round_stays_and_the_call_has_its_result(tmp_path: Path) -> None:
    """What is kept verbatim is paired, and its result is on record."""
    bench = run_with(tmp_path, "dexter", FIND, FIND, calls(("compact", "{}")), says("done"))
    (report,) = compactions(bench)
    assert report.success
    kept = [m for m in bench.run.messages if isinstance(m, ToolMessage)]
    assert [m.tool for m in kept] == ["compact"]
    assert bench.scratchpad.results.read(kept[0].result).text.startswith("Compacted")


@pytest.mark.parametrize("policy", ["dexter", "four-level"])
def test_a_failed_compaction_is_an_error_result_and_nothing_else_changes(tmp_path: Path, policy: str) -> None:
    """The results found so far stay as they were."""
    bench = run_with(tmp_path, policy, FIND, calls(("compact", "{}")), says("done"), summary="")
    assert not any(report.success for report in compactions(bench))
    results = [m for m in bench.run.messages if isinstance(m, ToolMessage)]
    assert [m.status for m in results] == ["ok", "ok", "ok", "error"]
    assert "nothing else changed" in results[-1].text


def test_a_second_request_in_one_turn_is_refused(tmp_path: Path) -> None:
    """One compaction a turn; the other call gets an error it can act on."""
    turn = calls(("compact", "{}"), ("compact", "{}"))
    bench = run_with(tmp_path, "dexter", FIND, FIND, turn, says("done"))
    assert len(compactions(bench)) == 1
    kept = [m for m in bench.run.messages if isinstance(m, ToolMessage)]
    assert sorted(m.status for m in kept) == ["error", "ok"]


def test_a_policy_without_compaction_refuses_the_call(tmp_path: Path) -> None:
    """Under `none` the tool says that there is nothing to compact."""
    bench = run_with(tmp_path, "none", FIND, calls(("compact", "{}")), says("done"))
    assert [m.status for m in bench.run.messages if isinstance(m, ToolMessage)][-1] == "error"
