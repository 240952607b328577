"""`dexter ask`: one question, one answer."""

from __future__ import annotations

from typing import Annotated

import typer

from dexter.cli.run_options import RunOptions, with_run_options


@with_run_options
def ask(
    question: Annotated[
        list[str] | None,
        typer.Argument(metavar="QUESTION", help="In words. `-` or a pipe: from standard input, before the words."),
    ] = None,
    *,
    options: RunOptions,
) -> None:
    """Answer one question. The answer goes to standard output, progress to standard error."""
    from dexter.app.ask import ask as ask_in
    from dexter.cli.question import read_question
    from dexter.cli.running import run_and_leave
    from dexter.cli.terminal import Terminal

    terminal = Terminal.here()

    run_and_leave(
        options,
        terminal,
        lambda setup, sinks: ask_in(read_question(question or [], terminal.stdin), setup, sinks=sinks),
    )
