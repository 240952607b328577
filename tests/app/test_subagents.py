"""Sub-agents: runs of their own that share money, models and rules with the run that started them."""

from __future__ import annotations

import asyncio
import json
import random
import re
import shutil
import zipfile
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from dexter.agent.queue import Inbox
from dexter.app.ask import Conversation, ask, open_scratchpad, record_start
from dexter.app.build import Parts, build_run, plan_run
from dexter.app.models import ModelChoice
from dexter.app.outside import Setup
from dexter.app.resume import resume
from dexter.app.session import run_to_its_end
from dexter.errors import Interrupted, ModelError, UsageError
from dexter.events import Emitted, Subagent, ToolFinished, ToolProgress
from dexter.messages import Messages, SystemMessage, ToolMessage, ToolSpec, UserMessage
from dexter.models.protocol import (
    ModelInfo,
    ModelResponse,
    Prices,
    RequestedCall,
    StreamItem,
    TextPiece,
    ToolChoice,
)
from dexter.replay import entries as replayed
from dexter.replay.head import head
from dexter.replay.page import run_page
from dexter.replay.read import read_timeline
from dexter.replay.view import rebuild_view
from dexter.scratchpad.naming import RunPaths
from dexter.scratchpad.run_state import read_state
from dexter.scratchpad.runs import find_run
from dexter.scratchpad.storage import export_run
from dexter.tools.registry import Registry
from dexter.usage import Usage
from tests.support.setups import make_setup

PRICES = Prices(Decimal("0.000001"), Decimal("0.000002"), Decimal(0), Decimal(0))
INFO = ModelInfo("team", "scripted", prices=PRICES)


@dataclass
class Team:
    """A model for a run and its sub-agents: the run spawns one for each task, each of these computes a little.

    `fault` is raised in the first task's turn of that number; `seen` keeps the views.
    """

    tasks: Sequence[str] = ("first task", "second task", "third task")
    fault: BaseException | None = None
    fault_turn: int = 2
    turns: int = 3
    pauses: random.Random = field(default_factory=lambda: random.Random(0))  # noqa: S311 - chance of a test
    info: ModelInfo = INFO
    seen: list[tuple[Messages, tuple[ToolSpec, ...]]] = field(default_factory=list)

    async def stream(
        self, messages: Messages, *, tools: Sequence[ToolSpec], tool_choice: ToolChoice, max_tokens: int
    ) -> AsyncIterator[StreamItem]:
        self.seen.append((messages, tuple(tools)))
        question = next(m.text for m in messages if isinstance(m, UserMessage))
        done = sum(isinstance(m, ToolMessage) for m in messages)
        for _ in range(self.pauses.randrange(6)):
            await asyncio.sleep(0)
        if question == self.tasks[0] and done == self.fault_turn and self.fault is not None:
            raise self.fault
        response = self._child(question, done) if question in self.tasks else self._parent(messages)
        yield TextPiece(response.text)
        yield response

    async def count(self, messages: Messages, *, tools: Sequence[ToolSpec]) -> int | None:
        return None

    def _parent(self, messages: Messages) -> ModelResponse:
        results = [m for m in messages if isinstance(m, ToolMessage)]
        if results:
            return self._said("all: " + " | ".join(m.status for m in results))
        return self._called(*({"title": task, "task": task} for task in self.tasks), tool="spawn_subagent")

    def _child(self, task: str, done: int) -> ModelResponse:
        if done >= self.turns:
            return self._said(f"answer to {task}")
        step = {"expressions": [{"name": f"step_{done}", "expression": f"{len(task)} * {done}"}]}
        return self._called(step, tool="calculate")

    def _said(self, text: str) -> ModelResponse:
        return ModelResponse(text, usage=self._usage(), cost_usd=self._cost())

    def _called(self, *arguments: dict[str, Any], tool: str) -> ModelResponse:
        calls = tuple(RequestedCall(f"p{n}", tool, json.dumps(given)) for n, given in enumerate(arguments))
        return ModelResponse("", (), calls, "tool_use", self._usage(), self._cost())

    def _usage(self) -> Usage:
        return Usage(input_uncached=6_000, output=10)

    def _cost(self) -> Decimal:
        return Decimal(self.pauses.randrange(1, 99_999)) / 1_000_000


def parts(team: Team) -> Parts:
    return Parts(models=ModelChoice.of(team))


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def children(path: Path) -> list[Path]:
    """The records of the sub-agents that the record names as started."""
    folder = RunPaths.of(path).subagents
    started = [line["run"] for line in lines(path) if line["type"] == "subagent" and line["status"] == "started"]
    return [folder / f"{name}.jsonl" for name in started]


def turns_cost(path: Path) -> Decimal:
    return sum((Decimal(line["cost_usd"]) for line in lines(path) if line["type"] == "model_turn"), Decimal(0))


def cost_at_end(path: Path) -> Decimal:
    return Decimal([line for line in lines(path) if line["type"] == "end"][-1]["cost_usd"])


def check_sum(path: Path) -> None:
    """What the run says it cost is what all its scratchpads together cost, each by its own model turns."""
    assert cost_at_end(path) == turns_cost(path) + sum(map(turns_cost, children(path)), Decimal(0))
    for child in children(path):
        assert cost_at_end(child) == turns_cost(child)


def run(setup: Setup, team: Team, sinks: Sequence[Any] = ()) -> Path:
    return Path(asyncio.run(ask("compare them", setup, parts=parts(team), sinks=sinks)).path)


def test_several_run_at_once_each_in_a_record_of_its_own(tmp_path: Path) -> None:
    """Three tasks, three records below the run's folder, linked both ways; answers come back in the order asked."""
    path = run(make_setup(tmp_path), Team())
    state = read_state(path)
    assert state.answer is not None
    assert state.answer["text"] == "all: ok | ok | ok"
    texts = [m.text for m in state.messages if isinstance(m, ToolMessage)]
    assert ["answer to first task" in texts[0], "answer to third task" in texts[2]] == [True, True]
    assert len(children(path)) == 3
    for child in children(path):
        header = read_state(child).header
        assert header["parent"] == RunPaths.of(path).run
        assert header["spawned_by"].startswith("c")
        assert header["conversation"] == RunPaths.of(child).run
    check_sum(path)


def test_progress_is_told_as_lines_of_the_call(tmp_path: Path) -> None:
    """What a sub-agent does shows as progress of its call, and its start and end as events."""
    seen: list[Emitted] = []
    run(make_setup(tmp_path), Team(), [seen.append])
    progress = [e.event for e in seen if isinstance(e.event, ToolProgress)]
    assert {event.call for event in progress} == {"c1", "c2", "c3"}
    assert all(": calculate(" in event.text for event in progress)
    states = [e.event.status for e in seen if isinstance(e.event, Subagent)]
    assert sorted(states) == ["answered"] * 3 + ["started"] * 3
    assert len({e.run for e in seen}) == 1


def test_they_know_the_day_and_the_rules_and_nothing_of_the_conversation(tmp_path: Path) -> None:
    """Date and rules stand in their system prompt; the question of the run does not reach them."""
    setup = make_setup(tmp_path)
    setup.config.places.config.mkdir(parents=True)
    (setup.config.places.config / "RULES.md").write_text("Amounts in euros.", encoding="utf-8")
    team = Team()
    run(setup, team)
    views = [messages for messages, _ in team.seen if any(m.text in team.tasks for m in messages)]
    today = setup.outside.now().astimezone().date().isoformat()
    for messages in views:
        system = messages[0]
        assert isinstance(system, SystemMessage)
        assert today in system.text
        assert "Amounts in euros." in system.text
        assert not any("compare them" in m.text for m in messages)


def test_they_have_only_tools_that_need_nobody(tmp_path: Path) -> None:
    """No tool that asks for approval or a user, none that starts further sub-agents or writes notes about the user."""

    async def never(_questions: object) -> Any:
        raise AssertionError

    team = Team()
    handed = Parts(models=ModelChoice.of(team), ask_user=never)
    asyncio.run(ask("compare them", make_setup(tmp_path), parts=handed))
    of_run, *_ = [{tool.name for tool in tools} for messages, tools in team.seen if messages[1].text == "compare them"]
    of_part, *_ = [{tool.name for tool in tools} for messages, tools in team.seen if messages[1].text in team.tasks]
    assert {"spawn_subagent", "ask_user_question", "memory_update"} <= of_run
    assert not {"spawn_subagent", "ask_user_question", "memory_update", "write_file", "edit_file"} & of_part
    assert {"calculate", "get_financials", "memory_search", "skill"} <= of_part


@pytest.mark.parametrize(
    ("fault", "status"),
    [
        (ModelError("It broke.", kind="other"), "error"),
        (asyncio.CancelledError(), "interrupted"),
        (RuntimeError("a bug"), "error"),
    ],
)
def test_one_that_fails_does_not_fail_the_rest(tmp_path: Path, fault: BaseException, status: str) -> None:
    """A failure or a kill is that call's result; the others answer, and what the lost one cost is counted."""
    path = run(make_setup(tmp_path), Team(fault=fault))
    state = read_state(path)
    assert state.answer is not None
    assert state.answer["text"] == f"all: {status} | ok | ok"
    check_sum(path)


def test_twenty_of_the_same_task_run_and_none_starts_another(tmp_path: Path) -> None:
    """Each has a record of its own; a call of the tool they do not have is an error that names those they have."""

    class Nesting(Team):
        def _child(self, task: str, done: int) -> ModelResponse:
            nested = {"title": "more", "task": "a part of the part"}
            return super()._child(task, done) if done else self._called(nested, tool="spawn_subagent")

    path = run(make_setup(tmp_path), Nesting(("same task",) * 20))
    state = read_state(path)
    assert state.answer is not None
    assert state.answer["text"] == "all: " + " | ".join(["ok"] * 20)
    assert len(set(children(path))) == 20
    for child in children(path):
        refused = next(line for line in lines(child) if line["type"] == "tool_result")
        assert (refused["toolName"], refused["status"]) == ("spawn_subagent", "error")
        assert not RunPaths.of(child).subagents.exists()
    check_sum(path)


def test_a_sub_agents_run_is_not_resumed_by_itself(tmp_path: Path) -> None:
    """It belongs to the run that started it, and the sentence names that one; `last` is never a sub-agent's."""
    setup = make_setup(tmp_path)
    path = run(setup, Team(fault=ModelError("It broke.", kind="other")))
    with pytest.raises(UsageError) as caught:
        asyncio.run(resume(children(path)[0], setup, parts=parts(Team())))
    assert RunPaths.of(path).run in caught.value.remedy
    assert find_run(setup.config.scratchpads, "last") == path


def test_a_sub_agents_run_is_found_by_its_name(tmp_path: Path) -> None:
    """`dexter replay` takes the id that the run's timeline shows."""
    setup = make_setup(tmp_path)
    for child in children(run(setup, Team())):
        assert find_run(setup.config.scratchpads, RunPaths.of(child).run) == child


def test_a_replay_proves_what_they_saw(tmp_path: Path) -> None:
    """The run's timeline names them by the calls that started them; every view of theirs and of the run is rebuilt."""
    path = run(make_setup(tmp_path), Team())
    timeline = read_timeline(path)
    told = [(entry.run, entry.status) for entry in timeline.of(replayed.Subagent)]
    assert sorted(name for name, status in told if status == "started") == sorted(c.stem for c in children(path))
    assert {entry.call for entry in timeline.of(replayed.Subagent)} <= {
        entry.call.id for entry in timeline.of(replayed.Result)
    }
    for record in (path, *children(path)):
        turns = {request.turn for request in read_timeline(record).of(replayed.Request)}
        assert turns
        assert all(rebuild_view(record, turn).is_proved for turn in turns)
    child = read_timeline(children(path)[0])
    assert (child.header.parent, child.header.spawned_by[:1]) == (RunPaths.of(path).run, "c")
    assert any("sub-agent of" in line.text for line in head(child))


def test_an_exported_run_is_proved_elsewhere(tmp_path: Path) -> None:
    """The archive holds the sub-agents' records, too; whoever unpacks it can prove every view."""
    path = run(make_setup(tmp_path / "here"), Team())
    assert export_run(path, tmp_path / "run.zip") == 4
    shutil.rmtree(tmp_path / "here")
    zipfile.ZipFile(tmp_path / "run.zip").extractall(tmp_path / "there")
    unpacked = tmp_path / "there" / path.name
    assert rebuild_view(unpacked, 2).is_proved
    assert all(rebuild_view(child, 2).is_proved for child in children(unpacked))
    assert "Its record is not there." not in run_page(read_timeline(unpacked))


def test_a_page_has_their_runs_folded_in(tmp_path: Path) -> None:
    """Task, calls and answer of each, without anchors that the run's own results have; a lost record is said to be."""
    path = run(make_setup(tmp_path), Team())
    page = run_page(read_timeline(path))
    assert page.count("<summary>Sub-agent <code>") == 3
    assert all(f'<p class="task">{task}</p>' in page and f"<p>answer to {task}</p>" in page for task in Team().tasks)
    assert page.count("<code>calculate</code>") == 3 * 3
    assert len(re.findall(r'id="r\d+"', page)) == len(set(re.findall(r'id="r\d+"', page))) == 3
    children(path)[0].unlink()
    assert run_page(read_timeline(path)).count("Its record is not there.") == 1


@pytest.mark.parametrize("name", ["../../elsewhere", "x" * 300, ""])
def test_a_name_that_is_a_path_leads_nowhere(tmp_path: Path, name: str) -> None:
    """What a file calls a sub-agent is no way to any other file."""
    path = run(make_setup(tmp_path), Team(tasks=("only task",)))
    (path.parent / "elsewhere.jsonl").write_bytes(children(path)[0].read_bytes())
    named = path.read_text(encoding="utf-8").replace(f'"run":"{children(path)[0].stem}"', f'"run":"{name}"')
    path.write_text(named, encoding="utf-8")
    page = run_page(read_timeline(path))
    assert "Its record is not there." in page
    assert '<p class="task">' not in page


def test_an_interrupt_ends_them_with_the_run(tmp_path: Path) -> None:
    """Each record has its end line, each call its result, and no task goes on."""
    setup, team = make_setup(tmp_path), Team(turns=1_000)

    async def interrupted() -> None:
        task = asyncio.create_task(ask("compare them", setup, parts=parts(team)))
        while len(team.seen) < 20:  # noqa: ASYNC110 - nothing tells
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(Interrupted):
            await task
        assert len(asyncio.all_tasks()) == 1

    asyncio.run(interrupted())
    (path,) = setup.config.scratchpads.glob("*.jsonl")
    assert [lines(child)[-1]["status"] for child in children(path)] == ["interrupted"] * 3
    assert [line["status"] for line in lines(path) if line["type"] == "tool_result"] == ["interrupted"] * 3
    check_sum(path)


def test_a_budget_is_shared(tmp_path: Path) -> None:
    """All together spend no more than the run may, however many there are at once."""
    setup = make_setup(tmp_path, {"DEXTER_BUDGET_USD": "0.4"})
    tasks = tuple(f"task number {n}" for n in range(9))
    path = run(setup, Team(tasks, turns=50))
    assert Decimal(0) < cost_at_end(path)
    budgets = [turns_cost(child) for child in children(path)]
    assert len(budgets) == 9
    assert sum(budgets, Decimal(0)) < Decimal("0.4") + 9 * Decimal("0.1")  # one call each may end above its share
    check_sum(path)


def _kill_one(folder: Path, seed: int) -> None:
    """One sub-agent dies at a random moment; then the run's own process, after a random line, and it is resumed."""
    chance = random.Random(seed)  # noqa: S311 - chance of a test
    setup = make_setup(folder)
    team = Team(fault=asyncio.CancelledError(), fault_turn=chance.randrange(4), pauses=chance)
    path = run(setup, team)
    check_sum(path)
    written = path.read_bytes().splitlines(keepends=True)
    first = next(n for n, line in enumerate(written) if b'"type":"model_turn"' in line)
    path.write_bytes(b"".join(written[: chance.randrange(first + 1, len(written))]))
    if read_state(path).end is not None:
        return
    for child in children(path):
        held = child.read_bytes().splitlines(keepends=True)
        child.write_bytes(b"".join(held[: chance.randrange(3, len(held) + 1)]))
    asyncio.run(resume(path, setup, parts=parts(Team(pauses=chance))))
    assert cost_at_end(path) == turns_cost(path) + sum(map(turns_cost, children(path)), Decimal(0))


@pytest.mark.parametrize("seed", range(5))
def test_killed_at_random_the_cost_is_right_to_the_cent(tmp_path: Path, seed: int) -> None:
    """Whatever is lost, no call is counted twice and none is forgotten."""
    _kill_one(tmp_path, seed)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(5, 105))
def test_killed_at_random_long(tmp_path: Path, seed: int) -> None:
    """The long form."""
    _kill_one(tmp_path, seed)


def test_a_task_that_takes_too_long_is_ended(tmp_path: Path) -> None:
    """A timeout is the call's result; the record of the sub-agent says that it was interrupted."""
    setup = make_setup(tmp_path, {"DEXTER_MAX_TURNS": "100000"})
    team = Team(("only task",), turns=10**9)
    handed, seen = parts(team), []

    async def main() -> None:
        plan = plan_run(setup, handed)
        pad = open_scratchpad("compare them", setup, ())
        async with AsyncExitStack() as stack:
            made = build_run(
                plan, setup, pad, ids=Conversation().ids, inbox=Inbox(), sinks=[seen.append], parts=handed, stack=stack
            )
            hasty = [replace(t, timeout_s=0.3) if t.name == "spawn_subagent" else t for t in made.ports.tools]
            made.ports = replace(made.ports, tools=Registry(hasty))
            record_start(made, plan, "compare them", pad, Conversation())
            await run_to_its_end(made, pad)

    asyncio.run(main())
    assert [e.event.status for e in seen if isinstance(e.event, ToolFinished)] == ["timeout"]
    assert [e.event.status for e in seen if isinstance(e.event, Subagent)] == ["started", "interrupted"]


@dataclass
class Uncounted(Team):
    """Gives no usage for what its sub-agents say."""

    def _child(self, task: str, done: int) -> ModelResponse:
        return replace(super()._child(task, done), usage=None, cost_usd=None)


def test_what_sub_agents_cost_that_nobody_told_counts_for_the_run(tmp_path: Path) -> None:
    """Estimates of their answers without usage are charged to the budget of the run that started them."""
    seen: list[Decimal | None] = []
    setup, team = make_setup(tmp_path, {"DEXTER_BUDGET_USD": "1"}), Uncounted()
    handed = parts(team)

    async def main() -> None:
        plan = plan_run(setup, handed)
        pad = open_scratchpad("compare them", setup, ())
        async with AsyncExitStack() as stack:
            made = build_run(
                plan, setup, pad, ids=Conversation().ids, inbox=Inbox(), sinks=[], parts=handed, stack=stack
            )
            record_start(made, plan, "compare them", pad, Conversation())
            await run_to_its_end(made, pad)
            seen.extend([made.left_usd(), turns_cost(pad.paths.scratchpad)])

    asyncio.run(main())
    left, known = seen
    # Three sub-agents with four turns each, every turn at least its system prompt and tools.
    assert left is not None
    assert known is not None
    assert Decimal(1) - known - left > 12 * 2_000 * PRICES.input
