"""A batch on a Ray cluster of two nodes, one of which is killed half-way: `python -m tests.support.ray_batch FOLDER`.

Prints one JSON object: the answers by question, and the nodes on which each was begun.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dexter.app.answerer import Worker
from dexter.evals.batch import answer_all
from dexter.evals.purse import Purse
from dexter.evals.ray_engine import on_ray
from dexter.evals.recording import Execution, runs_folder
from dexter.evals.results_file import ResultsWriter
from dexter.evals.tasks import Outcome, Task, WorkerFailure
from dexter.scratchpad.file import RealFiles
from dexter.scratchpad.lines import timestamp
from tests.support.setups import make_setup

CONCURRENCY = 4
QUESTIONS = {
    f"{ticker}-{year}": f"{ticker} revenue in fiscal {year}"
    for ticker in ("NVDA", "AMD", "AAPL", "MSFT", "INTC")
    for year in range(2022, 2026)
}
_QUICK = 4
# What is begun later on the node that will be lost is still at work when it goes, however slow the machine.
_LOST_TAKES_S = 120.0
_LOOK_EVERY_S = 0.05


@dataclass(frozen=True)
class SlowWorker:
    """Notes the node on which a task is begun, then answers as the product's worker does; `doomed` is slow."""

    worker: Worker
    notes: Path
    doomed: str

    def __call__(self, task: Task) -> Outcome | WorkerFailure:
        import ray

        node = ray.get_runtime_context().get_node_id()
        with (self.notes / task.key).open("a") as file:
            file.write(f"{node}\n")
        if node == self.doomed and sum(1 for _ in self.notes.iterdir()) > _QUICK:
            at_work(self.notes).touch()
            time.sleep(_LOST_TAKES_S)
        return self.worker(task)


def at_work(notes: Path) -> Path:
    """The file that says that the node to be lost works on something."""
    return notes.with_name("at-work")


def main() -> None:
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    from ray.cluster_utils import Cluster

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    lost = cluster.add_node(num_cpus=1)
    cluster.wait_for_nodes()
    try:
        found = asyncio.run(work(Path(sys.argv[1]), cluster, lost))
    finally:
        cluster.shutdown()
    sys.stdout.write(json.dumps(found))


async def work(folder: Path, cluster: Any, lost: Any) -> dict[str, Any]:
    """Answer everything; kill the node once some are done."""
    setup = make_setup(folder, {"DEXTER_OFFLINE": "true"})
    path = folder / "r.jsonl"
    notes = folder / "notes"
    notes.mkdir()

    async def kill() -> None:
        """Kill the node while it works on something."""
        while not at_work(notes).exists():  # noqa: ASYNC110 - another process writes that file
            await asyncio.sleep(_LOOK_EVERY_S)
        lost.kill_raylet(check_alive=False)

    heading = {"type": "batch", "model": "offline", "policy": "dexter"}
    writer, found = ResultsWriter.open(path, heading, port=RealFiles(), clock=lambda: timestamp(setup.outside.now()))
    with writer:
        worker = SlowWorker(Worker(setup.settings, setup.config.places), notes, lost.node_id)
        async with on_ray(worker, cluster.address) as answer:
            purse = Purse(None, CONCURRENCY)
            execution = Execution(
                answer, writer, found.lines, runs_folder(path), purse, CONCURRENCY, lambda _progress: None
            )
            killing = asyncio.create_task(kill())
            results, _ = await answer_all(QUESTIONS, execution)
            killing.cancel()
    begun = {note.name: note.read_text().split() for note in notes.iterdir()}
    return {"answers": {key: line["text"] for key, line in results.items()}, "begun": begun}


if __name__ == "__main__":
    main()
