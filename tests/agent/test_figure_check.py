"""The check after an answer: over everything the conversation found, told and recorded, and never at its cost."""

from __future__ import annotations

import asyncio
import json
import threading
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from dexter.agent.figure_check import checked_figures
from dexter.agent.loop import run_loop
from dexter.agent.outcome import Answer
from dexter.context.stage import ResultStore
from dexter.errors import ExitStatus, ScratchpadError
from dexter.events import Answered
from dexter.models.scripted import ScriptedModel, calls, says
from dexter.results import Cell, Source, StoredResult, ToolResult
from tests.support.runs import Bench, make_run, tool
from tests.support.stage_views import Results

CELLS = (Cell("NVDA", "Revenues", "215938000000", "USD", 2026, "FY", "2025-01-27", "2026-01-25", label="Revenue"),)
RIGHT = "NVDA's revenue was $215.9 billion in FY2026."
WRONG = "NVDA's revenue was $251.9 billion in FY2026."


def stored(result: int, text: str = "", cells: tuple[Cell, ...] = CELLS) -> StoredResult:
    """A result as the record has it."""
    return StoredResult(result, "get_financials", {}, "ok", text, cells, (Source("filing", "NVDA 10-K"),))


class Unreadable(Results):
    """A store one of whose results is damaged."""

    def read(self, result: int) -> StoredResult:
        if result == 2:
            raise ScratchpadError("Result #2 is on record but damaged.")
        return super().read(result)


class Broken(Results):
    """A store that is no store at all."""

    def newest_first(self) -> list[int]:
        raise RuntimeError("a fault of ours")


def answered(folder: Path, text: str, *, strict: bool = False) -> tuple[Bench, Answer]:
    """A run whose model looks NVDA's revenue up and then says `text`."""
    look_up = tool("get_financials", lambda _arguments, _context: ToolResult("a table", cells=CELLS))
    model = ScriptedModel([calls(("get_financials", "{}")), says(text)])
    bench = make_run(folder, model, tools=[look_up], strict=strict)
    return bench, asyncio.run(run_loop(bench.run))


def test_event_and_record_hold_what_became_of_each_figure(tmp_path: Path) -> None:
    """Found in the result that the run has, with its number."""
    bench, answer = answered(tmp_path, RIGHT)
    (event,) = bench.of(Answered)
    assert [(figure["text"], figure["status"], figure["result"]) for figure in event.figures] == [
        ("$215.9 billion", "found", 1)
    ]
    (line,) = (json.loads(line) for line in bench.path.read_text().splitlines() if '"type":"answer"' in line)
    assert line["figures"] == list(event.figures) == answer.figures.to_json()


@pytest.mark.parametrize(
    ("text", "strict", "status"),
    [
        (WRONG, True, ExitStatus.FIGURE_NOT_FOUND),
        (WRONG, False, ExitStatus.ANSWERED),
        (RIGHT, True, ExitStatus.ANSWERED),
    ],
)
def test_strict_makes_a_figure_that_is_not_found_a_failure(
    tmp_path: Path, text: str, strict: bool, status: ExitStatus
) -> None:
    """Status 4 with it, and only with it."""
    assert answered(tmp_path, text, strict=strict)[1].exit_status is status


def told(store: Results, text: str = RIGHT) -> tuple[Any, list[str]]:
    """The check, and the notices beside it."""
    check, notices = checked_figures(text, store)
    return check, [notice.text for notice in notices]


def test_earlier_runs_of_the_conversation_count() -> None:
    """A follow-up may say what an earlier run of the conversation found."""
    check, notices = told(Results(parents={1: stored(1)}))
    assert [figure.status for figure in check.figures] == ["found"]
    assert notices == []


def test_a_damaged_result_is_told_and_the_others_are_compared_with() -> None:
    """One unreadable result takes nothing from the rest."""
    check, notices = told(Unreadable(stored={1: stored(1), 2: stored(2)}))
    assert [figure.status for figure in check.figures] == ["found"]
    assert len(notices) == 1
    assert "#2" in notices[0]


def test_a_fault_in_the_check_does_not_cost_the_answer() -> None:
    """It is a notice; with `strict` nobody may take the answer for checked."""
    check, notices = told(Broken())
    assert check.failed
    assert check.figures == ()
    assert "could not be checked" in notices[0]


def test_of_very_much_text_the_newest_is_compared_with() -> None:
    """What is left out is told."""
    long = {number: stored(number, "x" * 11_000_000, ()) for number in range(2, 6)}
    check, notices = told(Results(stored={1: stored(1), **long}))
    assert [figure.status for figure in check.figures] != ["found"]
    assert "up to #2 were left out" in notices[0]


@dataclass
class Waiting:
    """A store that gives nothing until the loop has run on."""

    store: ResultStore
    loop: asyncio.AbstractEventLoop

    def newest_first(self) -> list[int]:
        ran_on = threading.Event()
        self.loop.call_soon_threadsafe(ran_on.set)
        assert ran_on.wait(20), "the loop stood still while the figures were checked"
        return self.store.newest_first()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.store, name)


def test_the_loop_runs_on_while_figures_are_checked(tmp_path: Path) -> None:
    """A key that is pressed during the check is heeded: the check waits here for something that the loop does."""
    look_up = tool("get_financials", lambda _arguments, _context: ToolResult("a table", cells=CELLS))
    bench = make_run(tmp_path, ScriptedModel([calls(("get_financials", "{}")), says(RIGHT)]), tools=[look_up])

    async def answered_beside_the_loop() -> Answer:
        store = Waiting(bench.run.ctx.results, asyncio.get_running_loop())
        bench.run.ctx = replace(bench.run.ctx, results=store)
        return await run_loop(bench.run)

    answer = asyncio.run(answered_beside_the_loop())
    assert not answer.figures.failed
    assert [figure.status for figure in answer.figures.figures] == ["found"]
