"""The options of the commands that work off a list: where results go, how many at a time, on what."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from dexter.cli.options import AsJson
from dexter.cli.run_options import ModelOptions

if TYPE_CHECKING:
    from dexter.app.list_work import Work

_WORK = "The work"


def work(*names: str, metavar: str | None = None, **rules: Any) -> Any:
    """An option of the panel of that name."""
    return typer.Option(*names, metavar=metavar, rich_help_panel=_WORK, **rules)


@dataclass(frozen=True)
class WorkOptions(ModelOptions):
    """What `eval` and `batch` have in common. `--budget-usd` is for everything together."""

    results: Annotated[
        Path | None, work("--results", "-r", metavar="FILE", help="Record results there, and go on from what is there.")
    ] = None
    concurrency: Annotated[int, work("--concurrency", "-j", metavar="N", min=1, help="Questions at a time.")] = 4
    retry_failed: Annotated[bool, work("--retry-failed", metavar="", help="Ask again what failed.")] = False
    engine: Annotated[Literal["local", "ray"], work("--engine", help="Run here, or on a Ray cluster.")] = "local"
    ray_address: Annotated[str, work("--ray-address", metavar="ADDRESS", help="Also RAY_ADDRESS.")] = ""
    quiet: Annotated[bool, work("--quiet", "-q", metavar="", help="No progress.")] = False
    json: AsJson = False

    def work(self, default: str) -> Work:
        """The work as the app takes it; `default` names the results file where none was given."""
        from dexter.app.list_work import Work

        results = self.results or Path(f"{default}.results.jsonl")
        return Work(results, self.concurrency, self.engine, self.ray_address, retry=self.retry_failed)
