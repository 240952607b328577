"""`dexter ask`: one question, one answer."""

from __future__ import annotations

from collections.abc import Coroutine, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dexter.cli.run_options import RunOptions, with_run_options

if TYPE_CHECKING:
    from dexter.agent.outcome import Answer
    from dexter.app.build import Parts
    from dexter.app.outside import Setup
    from dexter.cli.terminal import Terminal
    from dexter.events import Sink


@with_run_options
def ask(
    question: Annotated[
        list[str] | None,
        typer.Argument(metavar="QUESTION", help="In words. `-` or a pipe: from standard input, before the words."),
    ] = None,
    *,
    follow_up: Annotated[
        bool,
        typer.Option(
            "--continue", "-c", metavar="", help="Follow up the last conversation.", rich_help_panel="The run"
        ),
    ] = False,
    options: RunOptions,
) -> None:
    """Answer one question. The answer goes to standard output, progress to standard error."""
    from dexter.cli.running import run_and_leave
    from dexter.cli.terminal import Terminal

    terminal = Terminal.here()
    words = question or []
    run_and_leave(options, terminal, lambda *run: _start(words, terminal, *run, follow_up=follow_up))


def _start(
    words: list[str], terminal: Terminal, setup: Setup, sinks: Sequence[Sink], parts: Parts, *, follow_up: bool
) -> Coroutine[Any, Any, Answer]:
    """The run as a coroutine; the question is read before it starts, so that Ctrl-C can end the reading."""
    from dexter.app.ask import ask as ask_in
    from dexter.cli.question import read_question

    text = read_question(words, terminal.stdin)
    if not follow_up:
        return ask_in(text, setup, sinks=sinks, parts=parts)
    from dexter.app.follow_up import conversation_of
    from dexter.scratchpad.runs import last_conversation

    before = conversation_of(last_conversation(setup.config.scratchpads))
    return ask_in(text, setup, sinks=sinks, conversation=before, parts=parts)
