"""A run that was cut off goes on from what is on record, and ends as if nothing had happened."""

from __future__ import annotations

import asyncio
import json
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from dexter.agent.queue import Inbox
from dexter.app.ask import ask
from dexter.app.build import Parts
from dexter.app.models import ModelChoice
from dexter.app.resume import as_recorded, resume
from dexter.config.limits import Limits
from dexter.context.policies import POLICIES, policy_named
from dexter.errors import ScratchpadError, UsageError
from dexter.events import Emitted, RunStarted, ToolStarted
from dexter.messages import UserMessage, is_well_paired
from dexter.models.protocol import ModelInfo, ModelResponse, Prices
from dexter.models.scripted import ScriptedModel, calls, says
from dexter.replay.entries import Request
from dexter.replay.read import read_timeline
from dexter.replay.view import rebuild_view
from dexter.scratchpad.lock import RunLock
from dexter.scratchpad.naming import RunPaths
from dexter.scratchpad.rebuild import SentView, sent_views
from dexter.scratchpad.run_state import read_state
from dexter.tools.compact import compact_tool
from dexter.tools.registry import Registry
from tests.support.killable_run import CALLS, TURNS, parts, work
from tests.support.runs import echo
from tests.support.setups import make_setup


def size_of(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def run_until_killed(folder: Path, policy: str, after_s: float) -> bool:
    """Work in a child process and kill it some time after its first result; whether it was killed before its end."""
    child = subprocess.Popen([sys.executable, "-m", "tests.support.killable_run", str(folder), policy])
    before, deadline = size_of(folder / "reported"), time.monotonic() + 30
    while size_of(folder / "reported") == before and child.poll() is None and time.monotonic() < deadline:
        time.sleep(0.001)
    try:
        child.wait(timeout=after_s)
    except subprocess.TimeoutExpired:
        child.send_signal(signal.SIGKILL)
        child.wait()
        return True
    return False


def recorded(folder: Path) -> Counter[str]:
    """The queries whose result is on record."""
    found = Counter[str]()
    for path in (folder / "scratchpads").glob("*.jsonl"):
        for line in path.read_bytes().split(b"\n"):
            if line.startswith(b'{"type":"tool_result"') and line.endswith(b"}"):
                found[json.loads(line)["args"]["query"]] += 1
    return found


def executions(folder: Path) -> Counter[str]:
    path = folder / "executions"
    return Counter(path.read_text(encoding="utf-8").split()) if path.exists() else Counter()


def check_killed_and_resumed(folder: Path, policy: str, seed: int, kills: int) -> None:
    """Kill the child again and again at random moments, until it ends by itself."""
    chance = random.Random(seed)  # noqa: S311 - for variety, not for secrets
    uninterrupted = asyncio.run(work(folder / "whole", policy)).text
    done = folder / "killed"
    done.mkdir()
    for _ in range(kills):
        before, counted = recorded(done), executions(done)
        if not run_until_killed(done, policy, chance.uniform(0.0, 0.008)):
            break
        after = executions(done)
        assert all(after[query] == counted[query] for query in before), "a recorded call ran again"
    else:
        assert not run_until_killed(done, policy, 60)
    assert set((done / "answer").read_text(encoding="utf-8").splitlines()) == {uninterrupted}
    assert recorded(done) == Counter({f"{turn}-{call}": 1 for turn in range(TURNS) for call in range(CALLS)})
    reported = (done / "reported").read_text(encoding="utf-8").split()
    assert set(map(int, reported)) <= set(range(1, TURNS * CALLS + 1))
    views = [view for path in (done / "scratchpads").glob("*.jsonl") for view in sent_views(path)]
    assert all(view.agrees for view in views if isinstance(view, SentView))


@pytest.mark.parametrize("policy", sorted(POLICIES))
def test_killed_at_random_moments_the_run_ends_as_if_uninterrupted(tmp_path: Path, policy: str) -> None:
    """Each recorded call ran once, and the answer equals the uninterrupted run's, under every policy."""
    check_killed_and_resumed(tmp_path, policy, seed=1, kills=10)


@pytest.mark.long
@pytest.mark.parametrize("policy", sorted(POLICIES))
@pytest.mark.parametrize("seed", range(100, 105))
def test_killed_two_hundred_times(tmp_path: Path, policy: str, seed: int) -> None:
    """The long form of the same."""
    check_killed_and_resumed(tmp_path, policy, seed, kills=10)


def finished_run(folder: Path, policy: str = "none") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return Path(asyncio.run(work(folder, policy)).path)


def cut(path: Path, at: int) -> None:
    path.write_bytes(path.read_bytes()[:at])


@pytest.mark.parametrize("policy", sorted(POLICIES))
@pytest.mark.parametrize("share", [i / 16 for i in range(2, 16)])
def test_cut_at_any_byte_the_run_ends_as_if_uninterrupted(tmp_path: Path, policy: str, share: float) -> None:
    """A file that ends in the middle of any line is taken up and finished; no recorded call runs again."""
    check_cut_and_resumed(tmp_path, policy, share)


@pytest.mark.long
@pytest.mark.parametrize("policy", sorted(POLICIES))
@pytest.mark.parametrize("seed", range(50))
def test_cut_at_two_hundred_random_bytes(tmp_path: Path, policy: str, seed: int) -> None:
    """The long form of the same, with every view proved by a replay afterwards."""
    path = check_cut_and_resumed(tmp_path, policy, random.Random(seed).uniform(0.1, 0.97))  # noqa: S311 - no secret
    timeline = read_timeline(path)
    assert len(timeline.skipped) <= 1
    assert {entry.reason for entry in timeline.skipped} <= {"cut off", "not JSON"}
    assert all(rebuild_view(path, turn).is_proved for turn in {entry.turn for entry in timeline.of(Request)})


def check_cut_and_resumed(tmp_path: Path, policy: str, share: float) -> Path:
    """Cut a finished run's file at a share of its bytes and take it up; gives its path."""
    path = finished_run(tmp_path, policy)
    whole = path.read_bytes()
    cut(path, int(len(whole) * share))
    known = recorded(tmp_path)
    (tmp_path / "executions").unlink()
    answer = asyncio.run(resume(path, make_setup(tmp_path), parts=parts(tmp_path, policy)))
    assert answer.text.startswith("The sum is")
    assert answer.text.encode() in whole
    assert not executions(tmp_path) & known
    assert recorded(tmp_path) == Counter({f"{turn}-{call}": 1 for turn in range(TURNS) for call in range(CALLS)})
    assert all(view.agrees for view in sent_views(path) if isinstance(view, SentView))
    return path


def test_an_answered_run_is_not_taken_up_again(tmp_path: Path) -> None:
    """The error names what would show it."""
    path = finished_run(tmp_path)
    before = path.read_bytes()
    with pytest.raises(UsageError, match="answered already") as caught:
        asyncio.run(resume(path, make_setup(tmp_path), parts=parts(tmp_path, "none")))
    assert "replay" in caught.value.remedy
    assert path.read_bytes() == before


def test_an_answer_on_record_is_given_without_asking_again(tmp_path: Path) -> None:
    """Killed between the answer and the end of the run: no model is asked, the answer is the one that was given."""
    path = finished_run(tmp_path)
    *lines, end = path.read_bytes().splitlines(keepends=True)
    assert b'"end"' in end
    path.write_bytes(b"".join(lines))
    given = read_state(path).answer
    silent = Parts(ModelChoice.of(ScriptedModel([])), Registry([echo()]), policy_named("none"))
    again = asyncio.run(resume(path, make_setup(tmp_path), parts=silent))
    assert given is not None
    assert (again.text, again.complete) == (given["text"], True)


def test_window_and_day_are_those_of_the_run(tmp_path: Path) -> None:
    """A run in a small window, answered as of a day, goes on so; what this call names itself counts more."""
    begun = {"DEXTER_WINDOW": "20000", "DEXTER_AS_OF": "2025-06-30"}
    path = Path(asyncio.run(ask("what is the sum?", make_setup(tmp_path, begun), parts=parts(tmp_path, "none"))).path)
    whole = path.read_bytes()
    seen: list[Emitted] = []
    for environ, window, day in (
        ({}, 20_000, date(2025, 6, 30)),
        ({"DEXTER_WINDOW": "30000", "DEXTER_AS_OF": "2026-01-31"}, 30_000, date(2026, 1, 31)),
    ):
        path.write_bytes(whole[: len(whole) // 2])
        setup = make_setup(tmp_path, environ)
        asyncio.run(resume(path, setup, sinks=[seen.append], parts=parts(tmp_path, "none")))
        started = [emitted.event for emitted in seen if isinstance(emitted.event, RunStarted)][-1]
        assert started.window == window
        assert as_recorded(setup, read_state(path)).settings.as_of == day


def test_a_second_process_is_refused_while_one_works_on_the_run(tmp_path: Path) -> None:
    """The lock is held for as long as the run goes on, and given back afterwards."""
    path = finished_run(tmp_path)
    cut(path, len(path.read_bytes()) // 2)
    with RunLock.acquire(RunPaths.of(path).lock), pytest.raises(ScratchpadError, match="another process"):
        asyncio.run(resume(path, make_setup(tmp_path), parts=parts(tmp_path, "none")))
    assert asyncio.run(resume(path, make_setup(tmp_path), parts=parts(tmp_path, "none"))).complete


def test_a_run_cut_off_before_its_question_was_put_is_said_to_be_asked_again(tmp_path: Path) -> None:
    """Killed right after its first two lines there is nothing to go on with."""
    path = finished_run(tmp_path)
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:2]))
    with pytest.raises(UsageError, match="before its question") as caught:
        asyncio.run(resume(path, make_setup(tmp_path), parts=parts(tmp_path, "none")))
    assert "Ask it again" in caught.value.remedy


def test_a_file_that_holds_no_run_is_said_to_hold_none(tmp_path: Path) -> None:
    """A scratchpad of another program is not written to."""
    path = tmp_path / "other.jsonl"
    path.write_text('{"type":"init","content":"q","timestamp":"t"}\n', encoding="utf-8")
    with pytest.raises(UsageError, match="no run"):
        asyncio.run(resume(path, make_setup(tmp_path), parts=parts(tmp_path, "none")))
    assert path.read_text(encoding="utf-8").count("\n") == 1


@pytest.mark.parametrize("seed", range(12))
def test_a_run_with_damaged_lines_is_mended_and_finished(tmp_path: Path, seed: int) -> None:
    """Whatever lines in the middle were lost, the view is one that a provider takes, and its hash agrees."""
    path = finished_run(tmp_path)
    chance = random.Random(seed)  # noqa: S311 - for variety, not for secrets
    lines = path.read_bytes().splitlines(keepends=True)
    kept = lines[:3] + [b"\0" * 9 + b"\n" if chance.random() < 0.2 else line for line in lines[3:-4]]
    path.write_bytes(b"".join(kept))
    answer = asyncio.run(resume(path, make_setup(tmp_path), parts=parts(tmp_path, "none")))
    assert answer.text.startswith("The sum is")
    newest = [view for view in sent_views(path) if isinstance(view, SentView)][-1]
    assert newest.agrees
    assert is_well_paired(newest.messages)


@pytest.mark.parametrize("policy", ["dexter", "four-level"])
def test_a_compaction_that_was_asked_for_is_done_after_a_resume(tmp_path: Path, policy: str) -> None:
    """Killed before the `compact` tool had done its work: resumed, the view is compacted; the call is not refused."""
    big = ("echo", '{"query": "revenue 26044 ", "size": 900}')
    registry = Registry([echo(), compact_tool()])

    def made(*turns: ModelResponse) -> Parts:
        summary = says("<analysis>-</analysis><summary>All is known.</summary>")
        return Parts(
            ModelChoice.of(ScriptedModel(turns), ScriptedModel([summary])), registry, policy_named(policy, Limits())
        )

    setup = make_setup(tmp_path)
    turns = calls(big, big, big), calls(("compact", "{}"), big)
    path = Path(asyncio.run(ask("what is the sum?", setup, parts=made(*turns, says("done")))).path)
    lines = path.read_bytes().split(b"\n")
    asked = next(i for i, line in enumerate(lines) if line.startswith(b'{"type":"model_turn"') and b'"compact"' in line)
    cut(path, sum(len(line) + 1 for line in lines[: asked + 1]))
    assert asyncio.run(resume(path, setup, parts=made(says("done")))).text == "done"
    compactions = [json.loads(line) for line in path.read_bytes().split(b"\n") if b'"stage":"compact"' in line]
    assert [line["report"]["success"] for line in compactions] == [True]
    views = [view for view in sent_views(path) if isinstance(view, SentView)]
    assert all(view.agrees and is_well_paired(view.messages) for view in views)


def test_lines_typed_before_a_kill_are_handed_on_after_the_resume(tmp_path: Path) -> None:
    """What was queued and not taken back waits again; what the model had seen is not handed on twice."""
    setup, inbox = make_setup(tmp_path), Inbox()

    def type_lines(emitted: Emitted) -> None:
        if isinstance(emitted.event, ToolStarted) and not inbox.pending:
            for line in ("and AMD?", "no", "and INTC?"):
                inbox.put(line)
                if line == "no":
                    inbox.take_back()

    def made(*turns: ModelResponse) -> Parts:
        return Parts(ModelChoice.of(ScriptedModel(turns)), Registry([echo()]), policy_named("none"))

    script = calls(("echo", '{"query": "26044"}')), says("NVDA done"), says("all done")
    path = Path(asyncio.run(ask("NVDA?", setup, sinks=[type_lines], inbox=inbox, parts=made(*script))).path)
    lines = path.read_bytes().split(b"\n")
    handed_on = next(i for i, line in enumerate(lines) if b'"origin":"queued"' in line)
    for kept in (handed_on, handed_on + 1):  # killed before either line was handed on, or between them
        path.write_bytes(b"\n".join(lines[:kept]) + b"\n")
        waiting = ["and AMD?", "and INTC?"][kept - handed_on :]
        assert read_state(path).queued == waiting
        assert asyncio.run(resume(path, setup, parts=made(*script[1:]))).text == "all done"
        queued = [m.text for m in read_state(path).messages if isinstance(m, UserMessage) and m.origin == "queued"]
        assert queued == ["and AMD?", "and INTC?"]
        assert read_state(path).queued == []


def test_a_budget_holds_for_the_run_as_a_whole(tmp_path: Path) -> None:
    """What was spent before counts: the same limit ends a resumed run at once, a larger one lets it go on."""
    prices = Prices(Decimal("1e-6"), Decimal("5e-6"), Decimal("1e-7"), Decimal("1.25e-6"))
    info = ModelInfo("priced", "scripted", prices=prices)

    def model(*turns: ModelResponse) -> Parts:
        priced = [replace(turn, cost_usd=Decimal("0.499")) for turn in turns]
        return Parts(models=ModelChoice.of(ScriptedModel(priced, info=info)), tools=Registry([echo()]))

    setup = make_setup(tmp_path, {"DEXTER_BUDGET_USD": "0.5"})
    asked = asyncio.run(ask("compare them", setup, parts=model(calls(("echo", '{"query": "5"}')), says("never"))))
    assert (asked.complete, asked.cost_usd) == (False, Decimal("0.499"))
    path, without = Path(asked.path), make_setup(tmp_path)
    again = asyncio.run(resume(path, without, parts=model(says("never"))))
    assert (again.complete, again.cost_usd) == (False, Decimal("0.499"))
    larger = make_setup(tmp_path, {"DEXTER_BUDGET_USD": "1"})
    done = asyncio.run(resume(path, larger, parts=model(says("done"))))
    assert (done.text, done.complete, done.cost_usd) == ("done", True, Decimal("0.998"))
