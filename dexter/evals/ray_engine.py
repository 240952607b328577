"""Answering on a Ray cluster (an extra: `pip install 'dexter[ray]'`).

Each question is a Ray task. The scratchpads lie in a folder that every node must see under the same path; a task whose
worker or node is lost runs again elsewhere and goes on from the scratchpad it finds there.
"""

from __future__ import annotations

import asyncio
import importlib
import logging
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from dexter.errors import DexterError, ExitStatus, UsageError
from dexter.evals.tasks import Answerer, Outcome, Task, WorkerFailure

Work = Callable[[Task], Outcome | WorkerFailure]
# A run waits for a model most of the time: several share a processor.
_PROCESSORS_EACH = 0.25
_TIMES_LOST = 5


class RemoteError(DexterError):
    """A worker ended with this; `exit_status` is that of its error."""

    def __init__(self, failure: WorkerFailure) -> None:
        super().__init__(failure.message, remedy=failure.remedy)
        self.exit_status = ExitStatus(failure.exit_status)


@asynccontextmanager
async def on_ray(work: Work, address: str) -> AsyncIterator[Answerer]:
    """A function that has `work` done by the cluster at `address`; '' takes RAY_ADDRESS, else starts a local one.

    Raises:
        UsageError: Ray is not installed, or the cluster can't be reached.
    """
    ray = _ray()
    is_ours = not ray.is_initialized()
    if is_ours:
        await asyncio.to_thread(_connect, ray, address)

    def do(task: Task) -> Outcome | WorkerFailure:
        return work(task)

    remote = ray.remote(
        num_cpus=_PROCESSORS_EACH, max_retries=_TIMES_LOST, retry_exceptions=False, scheduling_strategy="SPREAD"
    )(do)

    async def answer(task: Task) -> Outcome:
        reference = remote.remote(task)
        try:
            found: Outcome | WorkerFailure = await reference
        except asyncio.CancelledError:
            ray.cancel(reference)
            raise
        except ray.exceptions.RayError as error:
            raise DexterError(
                f"The Ray cluster lost a question {_TIMES_LOST} times ({type(error).__name__}).",
                remedy="Look after its nodes (`ray status`); the same command goes on from here.",
            ) from error
        if isinstance(found, WorkerFailure):
            raise RemoteError(found)
        return found

    try:
        yield answer
    finally:
        if is_ours:
            ray.shutdown()


def _ray() -> Any:
    try:
        return importlib.import_module("ray")
    except ImportError:
        raise UsageError("Ray is not installed.", remedy="Install it: pip install 'dexter[ray]'.") from None


def _connect(ray: Any, address: str) -> None:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # else a cluster that is started here reports its use
    try:
        ray.init(address=address or None, log_to_driver=False, logging_level=logging.ERROR, include_dashboard=False)
    except (ConnectionError, RuntimeError, ValueError, OSError) as error:
        raise UsageError(
            f"The Ray cluster can't be reached: {error}.", remedy="Name it with --ray-address, or start one: ray start."
        ) from error
