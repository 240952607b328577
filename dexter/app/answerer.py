"""Who answers the questions of a list: this process, or the workers of a Ray cluster. Both give the same results."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Literal

from dexter.app.answer_task import answer_task
from dexter.app.outside import Setup
from dexter.config.load import Surroundings, load
from dexter.config.paths import Places
from dexter.config.settings import Settings
from dexter.errors import DexterError
from dexter.evals.tasks import Answerer, Outcome, Task, WorkerFailure
from dexter.models.pacing import Gate

Engine = Literal["local", "ray"]
_GATE = ".rate-limit"


@asynccontextmanager
async def open_answerer(setup: Setup, engine: Engine, ray_address: str = "") -> AsyncIterator[Answerer]:
    """The function that answers a task.

    Raises:
        UsageError: Ray is not installed, or its cluster can't be reached.
    """
    if engine == "local":
        gate = Gate(clock=setup.outside.monotonic)
        yield lambda task: answer_task(task, setup, gate)
        return
    from dexter.evals.ray_engine import on_ray

    async with on_ray(Worker(setup.settings, setup.config.places), ray_address) as answer:
        yield answer


@dataclass(frozen=True)
class Worker:
    """Answers tasks in a process of its own. It is sent there, so it holds no key: those are the worker's own."""

    settings: Settings
    places: Places

    def __call__(self, task: Task) -> Outcome | WorkerFailure:
        """Answer one task; what would fail for all of them comes back as a value, since errors don't travel well."""
        try:
            # The folder of all runs is the one place that every worker sees.
            gate = Gate.in_file(task.folder.parent / _GATE)
            return asyncio.run(answer_task(task, self._setup(task), gate))
        except DexterError as error:
            return WorkerFailure(error.message, error.remedy, int(error.exit_status))

    def _setup(self, task: Task) -> Setup:
        # The folder of the runs stands for the current folder: no config.toml lies there.
        found = load(Surroundings(os.environ, task.folder.parent, self.places))
        return Setup(replace(found, settings=self.settings, places=self.places))
