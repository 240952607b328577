"""Where the results of a list go, how many questions are asked at a time, and by whom."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from dexter.app.answerer import Engine, open_answerer
from dexter.app.outside import Setup
from dexter.evals.purse import Purse
from dexter.evals.recording import Execution, OnProgress, runs_folder
from dexter.evals.result_lines import has_failed, usable
from dexter.evals.results_file import ResultsWriter
from dexter.scratchpad.lines import timestamp


@dataclass(frozen=True)
class Work:
    """What the command line says of it. `retry`: ask again what failed."""

    results: Path
    concurrency: int = 4
    engine: Engine = "local"
    ray_address: str = ""
    retry: bool = False

    @asynccontextmanager
    async def begin(
        self, setup: Setup, heading: Mapping[str, Any], on_progress: OnProgress
    ) -> AsyncIterator[Execution]:
        """Open the results file and whoever answers; both are closed at the end.

        Raises:
            UsageError: the file is of something else, or the engine is not there.
            ScratchpadError: the file can't be used.
        """
        outside = setup.outside
        writer, found = ResultsWriter.open(
            self.results, heading, port=outside.files, clock=lambda: timestamp(outside.now())
        )
        lines = usable(found).lines
        known = {key: line for key, line in lines.items() if not (self.retry and has_failed(line))}
        with writer:
            async with open_answerer(setup, self.engine, self.ray_address) as answer:
                yield Execution(
                    answer,
                    writer,
                    known,
                    runs_folder(self.results.absolute()),
                    Purse(setup.settings.budget_usd, self.concurrency, _spent(lines, known)),
                    self.concurrency,
                    on_progress,
                )


def _spent(lines: Mapping[str, Mapping[str, Any]], known: Mapping[str, Mapping[str, Any]]) -> Decimal:
    """What the results on disk have cost; a run that is gone on with brings its cost along, a judge's is spent."""
    runs = (line["cost_usd"] for line in known.values())
    judges = (line.get("judge_cost_usd") for line in lines.values())
    return sum((Decimal(cost) for cost in (*runs, *judges) if cost), Decimal(0))
