"""`dexter runs`: the scratchpads, newest first; one as an archive; away with one, or with old ones."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from dexter.cli.options import AsJson, ConfigFile, Debug
from dexter.errors import UsageError

if TYPE_CHECKING:
    from rich.table import Table

    from dexter.scratchpad.runs import RunSummary, Unreadable

_SHOWN = 20
_UNREADABLE_SHOWN = 3
_RUN = "A path, an id, a unique beginning of one, or `last`."
Yes = Annotated[bool, typer.Option("--yes", "-y", metavar="", help="Do not ask.")]
_TABLE_CELLS = 130
_QUESTION_CELLS = 34
_UNLIMITED = 10_000
_COLUMNS: tuple[tuple[str, Literal["left", "right"]], ...] = (
    ("run", "left"),
    ("question", "left"),
    ("model", "left"),
    ("turns", "right"),
    ("tokens", "right"),
    ("cost", "right"),
    ("size", "right"),
    ("ended", "left"),
)


app = typer.Typer(help="List, export and remove runs.", invoke_without_command=True)


@app.callback()
def runs(
    ctx: typer.Context,
    *,
    grep: Annotated[str, typer.Option("--grep", metavar="TEXT", help="Only with this in question or answer.")] = "",
    ticker: Annotated[str, typer.Option("--ticker", metavar="TICKER", help="Only about this company.")] = "",
    model: Annotated[str, typer.Option("--model", metavar="NAME", help="Only of models with this in their name.")] = "",
    status: Annotated[str, typer.Option("--status", metavar="STATUS", help="Only those that ended so.")] = "",
    since: Annotated[str, typer.Option("--since", metavar="DATE", help="Begun on this day or later.")] = "",
    until: Annotated[str, typer.Option("--until", metavar="DATE", help="Begun on this day or before.")] = "",
    limit: Annotated[int, typer.Option("--limit", "-n", metavar="N", min=1, help="List so many.")] = _SHOWN,
    as_json: AsJson = False,
    config_file: ConfigFile = None,
    debug: Debug = False,
) -> None:
    """List runs: when, question, model, turns, tokens, cost, how it ended."""
    del debug  # the edge reads it
    if ctx.invoked_subcommand is not None:
        return
    from dexter.cli.configured import configured
    from dexter.replay.wanted import Wanted, tickers_in
    from dexter.scratchpad.runs import read_runs

    folder = configured(config_file=config_file).scratchpads
    wanted = Wanted(since, until, model, status, ticker)
    everything, unreadable = read_runs(folder)
    found = _with_text([run for run in everything if wanted.takes(run, tickers_in)], grep)
    none = f"No run in {folder} is like that." if everything else f"There is no run in {folder} yet."
    print_runs(found[:limit], as_json=as_json, none=none)
    if found and not as_json:
        more = f" {len(found) - limit} older ones: --limit {len(found)} lists all." if len(found) > limit else ""
        typer.echo(f"{_taken(found)}.{more}", err=True)
    _tell_unreadable(unreadable)


@app.command("export")
def export(
    run: Annotated[str, typer.Argument(metavar="RUN", help=_RUN)],
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Ends in .zip or .tar.gz.")],
    config_file: ConfigFile = None,
    debug: Debug = False,
) -> None:
    """Put a run with all its files into one archive."""
    del debug  # the edge reads it
    from dexter.cli.configured import configured
    from dexter.scratchpad.runs import find_run
    from dexter.scratchpad.storage import export_run
    from dexter.ui.words import counted

    path = find_run(configured(config_file=config_file).scratchpads, run)
    typer.echo(f"{counted(export_run(path, file), 'file')} in {file}.", err=True)


@app.command("remove")
def remove(
    run: Annotated[str, typer.Argument(metavar="RUN", help=_RUN)],
    *,
    yes: Yes = False,
    config_file: ConfigFile = None,
    debug: Debug = False,
) -> None:
    """Remove a run with all its files."""
    del debug  # the edge reads it
    from dexter.cli.configured import configured
    from dexter.scratchpad.runs import find_run, list_runs, summarize
    from dexter.scratchpad.storage import check_is_run
    from dexter.ui.words import counted

    folder = configured(config_file=config_file).scratchpads
    path = find_run(folder, run)
    check_is_run(path)
    found = summarize(path)
    later = sum(other.parent == found.run for other in list_runs(folder))
    lost = f" {counted(later, 'later run')} of its conversation can’t recall its results then." if later else ""
    _remove([found], yes=yes, warning=lost)


@app.command("prune")
def prune(
    *,
    older_than: Annotated[str, typer.Option("--older-than", metavar="AGE", help="Like 30d, 12h or 8w.")],
    yes: Yes = False,
    config_file: ConfigFile = None,
    debug: Debug = False,
) -> None:
    """Remove the runs that nobody has worked on for so long."""
    del debug  # the edge reads it
    from datetime import UTC, datetime

    from dexter.cli.configured import configured
    from dexter.replay.wanted import before, is_older
    from dexter.scratchpad.runs import list_runs
    from dexter.scratchpad.storage import is_run

    moment = before(older_than, datetime.now(UTC))
    folder = configured(config_file=config_file).scratchpads
    found = [run for run in list_runs(folder) if is_older(run, moment) and is_run(run.path)]
    if not found:
        typer.echo(f"No run in {folder} is older than {older_than}.", err=True)
        return
    _remove(found, yes=yes)


def _remove(found: Sequence[RunSummary], *, yes: bool, warning: str = "") -> None:
    """Ask, then remove; a run that is being worked on is refused."""
    from dexter.cli.terminal import Terminal
    from dexter.scratchpad.storage import remove_run
    from dexter.ui.literal import literal_line

    running = next((run for run in found if run.status == "running"), None)
    if running is not None:
        raise UsageError(f"{literal_line(running.run)} is still going on.", remedy="Wait for its end, or end it.")
    for run in found:
        typer.echo(f"{literal_line(run.run)}  {literal_line(run.question)}", err=True)
    if not yes:
        terminal = Terminal.here()
        if not (terminal.stdin.isatty() and terminal.stderr.isatty()):
            raise UsageError("Removing has to be confirmed, and nobody can be asked.", remedy="Say --yes.")
        typer.confirm(f"{_taken(found)}.{warning} Remove for good?", abort=True, err=True)
    taken = _taken(found)
    for run in found:
        remove_run(run.path)
    typer.echo(f"Removed: {taken}.", err=True)


def _taken(found: Sequence[RunSummary]) -> str:
    """`12 runs, 34.5 MB`."""
    from dexter.ui.words import counted, size

    return f"{counted(len(found), 'run')}, {size(sum(run.bytes for run in found))}"


def _tell_unreadable(unreadable: Sequence[Unreadable]) -> None:
    """How many files were left out, and of the first why."""
    from dexter.ui.literal import literal_line
    from dexter.ui.words import counted

    if not unreadable:
        return
    shown = [f"{literal_line(file.path.name)}: {file.reason}" for file in unreadable[:_UNREADABLE_SHOWN]]
    more = ["…"] if len(unreadable) > _UNREADABLE_SHOWN else []
    typer.echo(f"{counted(len(unreadable), 'file')} could not be read ({'; '.join(shown + more)}).", err=True)


def _with_text(found: list[RunSummary], text: str) -> list[RunSummary]:
    if not text:
        return found
    from dexter.session.search import search_runs

    holding = {hit.run for hit in search_runs(found, text)}
    return [run for run in found if run.run in holding]


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
        "bytes": run.bytes,
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
        table.add_row(literal_line(run.run), question, *_cells(run))
    return table


def _lines(run: RunSummary) -> tuple[str, str, str]:
    from dexter.ui.literal import literal_line

    model, turns, tokens, cost, taken, ended = _cells(run)
    sizes = " · ".join((model or "–", f"{turns or '?'} turns", f"{tokens} tokens", cost, taken))
    return f"{literal_line(run.run)}  {ended}", literal_line(run.question), sizes


def _cells(run: RunSummary) -> tuple[str, str, str, str, str, str]:
    from dexter.ui.literal import literal_line
    from dexter.ui.words import money, short, size

    cost = "n/a" if run.cost_usd is None else money(str(run.cost_usd))
    turns = "" if run.turns is None else str(run.turns)
    tokens = short(run.usage.input + run.usage.output)
    return literal_line(run.model), turns, tokens, cost, size(run.bytes), literal_line(run.status) or "–"
