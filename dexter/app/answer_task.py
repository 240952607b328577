"""Answer one question of a list in a folder of its own, going on with what is on record there.

The folder holds the question's one scratchpad. A process that was killed leaves it behind: answered, then its answer
is the answer; begun, then the run is resumed; without a question yet, then nothing was asked and it begins anew.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import date
from pathlib import Path

from dexter.app.ask import ask
from dexter.app.build import Parts
from dexter.app.models import ModelChoice, Models, choose_models
from dexter.app.outside import Setup
from dexter.app.resume import resume
from dexter.context.stage import ResultStore
from dexter.errors import (
    KINDS_FOR_ALL,
    DexterError,
    Interrupted,
    MissingKeyError,
    ModelError,
    ScratchpadError,
    SettingsError,
)
from dexter.evals.tasks import Outcome, OutcomeStatus, Task
from dexter.events import Emitted, Notice
from dexter.messages import question_index
from dexter.models.pacing import Gate, PacedModel
from dexter.scratchpad.naming import RunPaths
from dexter.scratchpad.run_state import RunState, read_state
from dexter.scratchpad.runs import scratchpads

# What fails for one question with these fails for all of them.
_FOR_ALL = (Interrupted, ScratchpadError, SettingsError, MissingKeyError)


async def answer_task(task: Task, setup: Setup, gate: Gate, parts: Parts | None = None) -> Outcome:
    """Ask, resume or read, as the task's folder has it. `gate` is shared by all that ask the same provider.

    Raises:
        DexterError: something failed that would fail for every question.
        Interrupted: it was cancelled; the run is whole on disk.
    """
    here = _setup_of(task, setup)
    notices: set[str] = set()

    def sink(emitted: Emitted) -> None:
        if isinstance(emitted.event, Notice):
            notices.add(emitted.event.kind)

    started = setup.outside.monotonic()
    error = ""
    try:
        recorded = _recorded(task.folder)
        if recorded is None or not _is_answered(recorded):
            parts = parts or Parts(models=_paced(choose_models(here), gate))
            if recorded is None:
                await ask(task.question, here, sinks=[sink], parts=parts)
            else:
                await resume(recorded.scratchpad, _going_on(here, recorded), sinks=[sink], parts=parts)
    except DexterError as failure:
        if _is_for_all(failure):
            raise
        error = f"{failure.message} {failure.remedy}".rstrip()
    except Exception as fault:  # noqa: BLE001 - a fault of ours with one question must not cost the other thousands
        error = f"{type(fault).__name__}: {fault}"
    duration = setup.outside.monotonic() - started
    return replace(_outcome(task, error), duration_s=duration, out_of_budget="budget" in notices)


def _is_for_all(error: DexterError) -> bool:
    """Whether the next question would fail with the same."""
    return isinstance(error, _FOR_ALL) or (isinstance(error, ModelError) and error.kind in KINDS_FOR_ALL)


def _setup_of(task: Task, setup: Setup) -> Setup:
    # Notes would carry what one question brought into the next, and into the user's own memory.
    memory = setup.settings.memory.model_copy(update={"enabled": False})
    changes: dict[str, object] = {"budget_usd": task.budget_usd, "memory": memory}
    if task.as_of:
        changes["as_of"] = date.fromisoformat(task.as_of)
    settings = setup.settings.model_copy(update=changes)
    return replace(setup, config=replace(setup.config, settings=settings, scratchpads=task.folder))


def _going_on(setup: Setup, recorded: RunState) -> Setup:
    """With a budget for the run as a whole: what was granted now is for what is still to come."""
    budget = setup.settings.budget_usd
    if budget is None:
        return setup
    settings = setup.settings.model_copy(update={"budget_usd": budget + recorded.spent_usd})
    return replace(setup, config=replace(setup.config, settings=settings))


def _paced(choice: ModelChoice, gate: Gate) -> ModelChoice:
    def make(results: ResultStore) -> Models:
        models = choice.make(results)
        fast = None if models.fast is None else PacedModel(models.fast, gate)
        return Models(PacedModel(models.main, gate), fast)

    return replace(choice, make=make)


def _recorded(folder: Path) -> RunState | None:
    """The run that was begun in the folder; a record in which nothing was asked yet is removed."""
    for path in scratchpads(folder) if folder.is_dir() else ():
        state = read_state(path)
        if state.header and question_index(state.messages) >= 0:
            return state
        path.unlink()
        RunPaths.of(path).lock.unlink(missing_ok=True)
    return None


def _is_answered(state: RunState) -> bool:
    return state.answer is not None and bool(state.answer.get("complete"))


def _outcome(task: Task, error: str) -> Outcome:
    """How the question's run ended, as its record says; over all attempts at it."""
    state = _recorded(task.folder)
    if state is None:
        return Outcome("failed", error=error)
    answer = state.answer or {}
    incomplete: OutcomeStatus = "incomplete" if state.answer is not None else "failed"
    return Outcome(
        "failed" if error else "answered" if _is_answered(state) else incomplete,
        str(answer.get("text", "")),
        state.usage,
        state.cost_usd,
        stages=Counter(record.stage for record in state.reports),
        figures=Counter(str(figure["status"]) for figure in answer.get("figures", ())),
        accessions=tuple(dict.fromkeys(filter(None, (str(s.get("accession") or "") for s in state.sources)))),
        run=RunPaths.of(state.scratchpad).run,
        path=str(state.scratchpad),
        error=error or str((state.end or {}).get("error", "")),
    )
