"""`dexter runs`: the scratchpads, newest first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from dexter.cli.options import AsJson, ConfigFile, Debug

if TYPE_CHECKING:
    from rich.table import Table

    from dexter.scratchpad.runs import RunSummary

_SHOWN = 20
_TABLE_CELLS = 120
_QUESTION_CELLS = 34
_UNLIMITED = 10_000
_COLUMNS: tuple[tuple[str, Literal["left", "right"]], ...] = (
    ("run", "left"),
    ("question", "left"),
    ("model", "left"),
    ("turns", "right"),
    ("tokens", "right"),
    ("cost", "right"),
    ("ended", "left"),
)


def runs(
    limit: Annotated[int, typer.Option("--limit", "-n", metavar="N", min=1, help="List so many.")] = _SHOWN,
    as_json: AsJson = False,
    config_file: ConfigFile = None,
    debug: Debug = False,
) -> None:
    """List runs: when, question, model, turns, tokens, cost, how it ended."""
    del debug  # the edge reads it
    from dexter.cli.configured import configured
    from dexter.scratchpad.runs import list_runs

    folder = configured(config_file=config_file).scratchpads
    found = list_runs(folder)
    print_runs(found[:limit], as_json=as_json, none=f"There is no run in {folder} yet.")
    if len(found) > limit and not as_json:
        typer.echo(f"{len(found) - limit} older ones: --limit {len(found)} lists all.", err=True)


def print_runs(found: Sequence[RunSummary], *, as_json: bool, none: str) -> None:
    """A table for people, or a JSON list. `none` is said where there is nothing."""
    from dexter.ui.safe_json import safe_json

    if as_json:
        typer.echo(safe_json([_object(run) for run in found]))
    elif not found:
        typer.echo(none, err=True)
    else:
        _print_table(found)


def _object(run: RunSummary) -> dict[str, Any]:
    return {
        "run": run.run,
        "path": str(run.path),
        "question": run.question,
        "started": run.started,
        "conversation": run.conversation,
        "parent": run.parent,
        "model": run.model,
        "policy": run.policy,
        "turns": run.turns,
        "usage": run.usage.to_json(),
        "cost_usd": None if run.cost_usd is None else str(run.cost_usd),
        "status": run.status,
        "exit_status": run.exit_status,
        "resumable": run.resumable,
    }


def _print_table(found: Sequence[RunSummary]) -> None:
    """A table where there is room, three lines a run where there is not; nothing is cut in a pipe."""
    from dexter.cli.terminal import Terminal
    from dexter.ui.console import make_console

    terminal = Terminal.here()
    width = None if terminal.stdout.isatty() else _UNLIMITED
    console = make_console(terminal.stdout, terminal.environ, width=width)
    if console.width < _TABLE_CELLS:
        for run in found:
            console.print("\n  ".join(_lines(run)), overflow="fold")
    else:
        console.print(_table(found, console.width))


def _table(found: Sequence[RunSummary], width: int) -> Table:
    from rich.table import Table

    from dexter.ui.literal import literal_line
    from dexter.ui.words import cut

    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading, justify in _COLUMNS:
        table.add_column(heading, justify=justify, no_wrap=True)
    for run in found:
        question = cut(literal_line(run.question), width - _TABLE_CELLS + _QUESTION_CELLS)
        table.add_row(run.run, question, *_cells(run))
    return table


def _lines(run: RunSummary) -> tuple[str, str, str]:
    from dexter.ui.literal import literal_line

    model, turns, tokens, cost, ended = _cells(run)
    sizes = " · ".join((model or "–", f"{turns or '?'} turns", f"{tokens} tokens", cost))
    return f"{run.run}  {ended}", literal_line(run.question), sizes


def _cells(run: RunSummary) -> tuple[str, str, str, str, str]:
    from dexter.ui.literal import literal_line
    from dexter.ui.words import money, short

    cost = "n/a" if run.cost_usd is None else money(str(run.cost_usd))
    turns = "" if run.turns is None else str(run.turns)
    tokens = short(run.usage.input + run.usage.output)
    return literal_line(run.model), turns, tokens, cost, literal_line(run.status) or "–"
