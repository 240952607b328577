"""`dexter resume`: go on with a run that was cut off."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from dexter.cli import completing
from dexter.cli.run_options import RunOptions, with_run_options

if TYPE_CHECKING:
    from dexter.cli.terminal import Terminal


@with_run_options
def resume(
    run: Annotated[
        str | None,
        typer.Argument(
            metavar="RUN", help="A path, an id, a unique beginning of one, or `last`.", autocompletion=completing.runs
        ),
    ] = None,
    *,
    options: RunOptions,
) -> None:
    """Go on with a run that was cut off. Without RUN: pick a conversation; in a pipe, list what can be resumed."""
    from dexter.cli.running import run_and_leave
    from dexter.cli.terminal import Terminal

    if run is None:
        _pick(options, Terminal.here())
        return
    from dexter.app.resume import resume as resume_in
    from dexter.scratchpad.runs import find_run

    name = run
    run_and_leave(
        options,
        Terminal.here(),
        lambda setup, sinks, parts: resume_in(
            find_run(setup.config.scratchpads, name), setup, sinks=sinks, parts=parts
        ),
    )


def _pick(options: RunOptions, terminal: Terminal) -> None:
    """At a terminal a session begins with the choice; elsewhere there is nobody to choose."""
    if options.json or not (terminal.is_one and terminal.stdin.isatty()):
        _list_resumable(options)
        return
    from dexter.cli.chat import start_session

    start_session(options, pick=True)


def _list_resumable(options: RunOptions) -> None:
    from dexter.cli.configured import configured
    from dexter.cli.runs import print_runs
    from dexter.scratchpad.runs import list_runs

    folder = configured(options.flags(), options.config_file).scratchpads
    runs = [run for run in list_runs(folder) if run.resumable]
    print_runs(runs, as_json=options.json, none=f"Nothing in {folder} can be resumed.")
