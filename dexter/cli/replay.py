"""`dexter replay`: what a run did, and what its model saw."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dexter.cli import completing
from dexter.cli.options import ConfigFile, Debug
from dexter.errors import ExitStatus, UsageError

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from dexter.replay.paper import Paper
    from dexter.replay.select import Selection

_WHAT = "What is shown"
_HOW = "How it is shown"
_TWO = 2


def replay(
    runs: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="RUN [RUN]",
            help="A path, an id, a unique beginning of one, or `last`. Two: compared.",
            autocompletion=completing.runs,
        ),
    ] = None,
    *,
    turn: Annotated[
        int | None, typer.Option("--turn", metavar="N", min=0, help="Only this turn.", rich_help_panel=_WHAT)
    ] = None,
    tool: Annotated[
        str | None, typer.Option("--tool", metavar="NAME", help="Only this tool's results.", rich_help_panel=_WHAT)
    ] = None,
    grep: Annotated[
        str | None,
        typer.Option("--grep", metavar="TEXT", help="Only what holds this text, in any case.", rich_help_panel=_WHAT),
    ] = None,
    results: Annotated[
        bool, typer.Option("--results", metavar="", help="Results whole.", rich_help_panel=_WHAT)
    ] = False,
    figures: Annotated[
        bool,
        typer.Option("--figures", metavar="", help="Each figure of the answer and its source.", rich_help_panel=_WHAT),
    ] = False,
    view: Annotated[
        bool,
        typer.Option(
            "--view", metavar="", help="With --turn: exactly what the model was sent, proved.", rich_help_panel=_WHAT
        ),
    ] = False,
    policy: Annotated[
        str | None,
        typer.Option(
            "--policy",
            metavar="NAME",
            help="Beside the same run under this policy.",
            rich_help_panel=_WHAT,
            autocompletion=completing.policies,
        ),
    ] = None,
    follow: Annotated[
        bool, typer.Option("--follow", "-f", metavar="", help="Go on while the run does.", rich_help_panel=_WHAT)
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", metavar="", help="Print one JSON object.", rich_help_panel=_HOW)
    ] = False,
    events: Annotated[
        bool, typer.Option("--events", metavar="", help="Print each event as a JSON line.", rich_help_panel=_HOW)
    ] = False,
    plain: Annotated[
        bool, typer.Option("--plain", metavar="", help="Plain lines: no colours.", rich_help_panel=_HOW)
    ] = False,
    html: Annotated[
        Path | None,
        typer.Option("--html", metavar="FILE", help="Write one HTML page; `-`: here.", rich_help_panel=_HOW),
    ] = None,
    no_pager: Annotated[
        bool, typer.Option("--no-pager", metavar="", help="Print at once, without a pager.", rich_help_panel=_HOW)
    ] = False,
    config_file: ConfigFile = None,
    debug: Debug = False,
) -> None:
    """Inspect a run, finished or going on: what it did turn by turn, and what its model saw."""
    del debug  # the edge reads it
    from dexter.cli.configured import configured
    from dexter.cli.replay_options import TWO_RUNS, check_options
    from dexter.replay.select import Selection
    from dexter.scratchpad.runs import find_run, names_file

    names = runs or ["last"]
    given = {
        TWO_RUNS: len(names) > 1,
        "--figures": figures,
        "--view": view,
        "--policy": policy is not None,
        "--follow": follow,
        "--html": html is not None,
        "--turn": turn is not None,
        "--tool": tool is not None,
        "--grep": grep is not None,
        "--results": results,
        "--json": as_json,
        "--events": events,
    }
    check_options([option for option, is_given in given.items() if is_given])
    by_path = config_file is None and all(map(names_file, names))
    folder = Path() if by_path else configured(config_file=config_file).scratchpads  # a tenth of a second, if needed
    paths = [find_run(folder, name) for name in names]
    path = paths[0]
    shown = _Shown(as_json=as_json, events=events, plain=plain, pager=not no_pager)
    if len(paths) > 1 or policy is not None:
        _compare(paths, policy, config_file, shown)
    elif html:
        _write_page(path, html)
    elif figures:
        _figures(path, shown)
    elif view:
        _view(path, turn, shown)
    elif follow:
        _follow(path, shown)
    else:
        _show(path, Selection(turn, tool, grep), shown, results=results)


@dataclass(frozen=True)
class _Shown:
    """How it is shown."""

    as_json: bool
    events: bool
    plain: bool
    pager: bool

    def paper(self, *, pager: bool = True) -> AbstractContextManager[Paper]:
        from dexter.cli.printed import printed
        from dexter.cli.terminal import Terminal

        return printed(Terminal.here(), plain=self.plain, pager=self.pager and pager)


def _show(path: Path, selection: Selection, shown: _Shown, *, results: bool) -> None:
    from dexter.replay.read import read_timeline
    from dexter.replay.show import replay_object, selected_events, show

    timeline = read_timeline(path)
    if shown.as_json:
        _print_json(replay_object(timeline, selection, results=results))
    elif shown.events:
        sink = _json_lines()
        for emitted in selected_events(timeline, selection):
            sink(emitted)
    else:
        selection.check(timeline)  # before a pager takes the screen
        with shown.paper() as paper:
            show(timeline, paper, selection, results=results)


def _write_page(path: Path, file: Path) -> None:
    from dexter.cli.output_file import check_writable, is_stdout, write_output
    from dexter.replay.page import run_page
    from dexter.replay.read import read_timeline

    check_writable(file)
    write_output(file, run_page(read_timeline(path)))
    if not is_stdout(file):
        typer.echo(f"Wrote {file}.", err=True)


def _view(path: Path, turn: int | None, shown: _Shown) -> None:
    """Leaves with status 1 where the view can't be proved."""
    from dexter.replay.view import print_view, rebuild_view

    if turn is None:
        raise UsageError("--view shows one model call.", remedy="Say which: --turn N --view.")
    view = rebuild_view(path, turn)
    if shown.as_json:
        _print_json(view.to_json())
    else:
        with shown.paper() as paper:
            print_view(view, paper)
    if not view.is_proved:
        raise typer.Exit(int(ExitStatus.FAILED))


def _figures(path: Path, shown: _Shown) -> None:
    from dexter.replay.figures import figures_of
    from dexter.replay.read import read_timeline
    from dexter.ui.figures import list_lines

    check = figures_of(read_timeline(path))
    if shown.as_json:
        _print_json(check.to_json())
    else:
        with shown.paper() as paper:
            paper.text("\n".join(list_lines(check)))


def _compare(paths: list[Path], policy: str | None, config_file: Path | None, shown: _Shown) -> None:
    import asyncio

    from dexter.replay.compare import compare_runs, print_comparison

    if policy is not None:
        from dexter.app.outside import Setup
        from dexter.app.under_policy import compare_under
        from dexter.cli.configured import configured

        setup = Setup(configured(config_file=config_file))
        comparison = asyncio.run(compare_under(paths[0], policy, setup))
    elif len(paths) == _TWO:
        from dexter.replay.read import read_timeline

        comparison = compare_runs(*map(read_timeline, paths))
    else:
        raise UsageError(f"{len(paths)} runs were named; two can be compared.", remedy="Leave the others out.")
    if shown.as_json:
        _print_json(comparison.to_json())
    else:
        with shown.paper() as paper:
            print_comparison(comparison, paper)


def _follow(path: Path, shown: _Shown) -> None:
    """Until the run ends; Ctrl-C leaves at once, the run goes on."""
    import time

    from dexter.replay.follow import follow, tell_as_it_goes
    from dexter.replay.read import TimelineReader

    reader = TimelineReader(path)
    entries = follow(reader, time.sleep)
    if shown.events:
        tell_as_it_goes(reader, entries, _json_lines())
        return
    from dexter.replay.head import cut_off_line
    from dexter.replay.sink import TimelineSink
    from dexter.ui.cards import Line

    with shown.paper(pager=False) as paper:
        sink = TimelineSink(paper, header=True)
        ended = tell_as_it_goes(reader, entries, sink)
        sink.close()
        header = reader.fold.header
        if not ended and header.schema is not None:
            paper.told(Line(cut_off_line(path, header), "warn", "!"))


def _print_json(value: Any) -> None:
    from dexter.ui.safe_json import safe_json

    typer.echo(safe_json(value))


def _json_lines() -> Any:
    import sys

    from dexter.ui.jsonl import JsonLinesSink

    return JsonLinesSink(sys.stdout)
