"""One question of a list, as its folder has it: anew, resumed, or read."""

from __future__ import annotations

import asyncio
from decimal import Decimal
from pathlib import Path

import pytest

from dexter.agent.budget import BudgetReachedError
from dexter.app.answer_task import answer_task
from dexter.app.build import Parts
from dexter.app.models import ModelChoice
from dexter.errors import DexterError, ModelError
from dexter.evals.tasks import Outcome, Task
from dexter.messages import Messages, ToolMessage
from dexter.models.pacing import Gate
from dexter.models.protocol import ModelResponse
from dexter.models.scripted import ScriptedModel, Turn, calls, says
from dexter.tools.registry import Registry
from tests.support.runs import echo
from tests.support.setups import make_setup


def answer(folder: Path, *turns: Turn, question: str = "What is it?") -> tuple[Outcome, ScriptedModel]:
    model = ScriptedModel(turns)
    task = Task("k", question, folder / "runs" / "k")
    parts = Parts(ModelChoice.of(model), Registry([echo()]))
    return asyncio.run(answer_task(task, make_setup(folder), Gate(), parts)), model


def scratchpads(folder: Path) -> list[Path]:
    return list((folder / "runs" / "k").glob("*.jsonl"))


def test_an_answer_comes_with_what_an_evaluation_reports(tmp_path: Path):
    """Text, tokens, time, the run and its record."""
    found, _ = answer(tmp_path, calls(("echo", '{"query": "x"}')), says("It is x."))
    assert (found.status, found.text, found.error) == ("answered", "It is x.", "")
    assert found.usage.output == 40
    assert [Path(found.path)] == scratchpads(tmp_path)


def test_an_answer_on_record_is_read_not_asked_for_again(tmp_path: Path):
    """The process was killed after the answer and before its result: no model is asked."""
    first, _ = answer(tmp_path, says("It is x."))
    (path,) = scratchpads(tmp_path)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(line for line in lines if b'"type":"end"' not in line))
    again, model = answer(tmp_path, says("Something else."))
    assert (again.text, model.requests) == (first.text, [])
    assert again.usage == first.usage


def test_a_run_that_was_begun_is_gone_on_with(tmp_path: Path):
    """Its tool result is on record, so the tool is not called again."""
    answer(tmp_path, calls(("echo", '{"query": "x"}')), ModelError("gone", kind="bad_request"))

    def second(messages: Messages) -> ModelResponse:
        return says("seen" if any(isinstance(message, ToolMessage) for message in messages) else "lost")

    found, _ = answer(tmp_path, second)
    assert (found.status, found.text, len(scratchpads(tmp_path))) == ("answered", "seen", 1)


def test_a_record_in_which_nothing_was_asked_yet_is_begun_anew(tmp_path: Path):
    """Killed before the question was on record: that file goes, and there is one scratchpad in the end."""
    answer(tmp_path, says("It is x."))
    (path,) = scratchpads(tmp_path)
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:2]))
    found, _ = answer(tmp_path, says("It is y."))
    assert (found.text, len(scratchpads(tmp_path))) == ("It is y.", 1)


def test_one_questions_failure_is_its_own(tmp_path: Path):
    """A refused request, a question that is empty, a fault of ours: all are outcomes, not ends."""
    found, _ = answer(tmp_path / "a", ModelError("No.", kind="content_filter"))
    assert (found.status, "No." in found.error) == ("failed", True)
    found, _ = answer(tmp_path / "b", says("x"), question=" ")
    assert (found.status, "empty" in found.error) == ("failed", True)
    found, _ = answer(tmp_path / "c", ZeroDivisionError("oops"))
    assert (found.status, found.error) == ("failed", "ZeroDivisionError: oops")


@pytest.mark.parametrize("kind", ["auth", "billing"])
def test_what_fails_for_every_question_ends_the_work(tmp_path: Path, kind: str):
    """A refused key or an empty account."""
    with pytest.raises(DexterError, match=r"No\."):
        answer(tmp_path, ModelError("No.", kind=kind))


def test_out_of_budget_can_be_gone_on_with(tmp_path: Path):
    """The run says so, and with more money the same folder gives the answer."""
    found, _ = answer(tmp_path, calls(("echo", '{"query": "x"}')), BudgetReachedError("The budget is used up."))
    assert (found.status, found.out_of_budget) == ("incomplete", True)
    found, _ = answer(tmp_path, says("It is x."))
    assert (found.status, found.out_of_budget, found.cost_usd or Decimal(0)) == ("answered", False, Decimal(0))


def test_no_question_leaves_a_note_for_the_next(tmp_path: Path):
    """Long-term memory is off, whatever the settings say: answers must not depend on their order."""
    setup, model = make_setup(tmp_path, {"DEXTER_OFFLINE": "true"}), ScriptedModel([says("It is x.")])
    assert setup.settings.memory.enabled
    task = Task("k", "What is it?", tmp_path / "runs" / "k")
    asyncio.run(answer_task(task, setup, Gate(), Parts(ModelChoice.of(model))))
    names = {tool.name for tool in model.requests[0].tools}
    assert "get_financials" in names
    assert not any(name.startswith("memory") for name in names)
