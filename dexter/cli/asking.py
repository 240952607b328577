"""Asking at a terminal while a run goes on, for approval or what the model wants to know: then one line typed."""

from __future__ import annotations

import asyncio
import os
import termios
from collections.abc import Callable, Iterable, Sequence
from typing import TextIO

from dexter.approval import ApprovalRequest, Approver, Decision
from dexter.cli.terminal import Terminal
from dexter.tools.ask_user_question import AskUser, Reply, UserQuestion
from dexter.ui.approval import choices_line, decision_of, request_lines
from dexter.ui.cards import Line
from dexter.ui.questions import how_to_answer, question_lines, reply_of
from dexter.ui.render import plain_lines, renderable

_MOST_BYTES = 4096


def terminal_approver(
    terminal: Terminal,
    *,
    plain: bool = False,
    pause: Callable[[], None] = lambda: None,
    go_on: Callable[[], None] = lambda: None,
) -> Approver | None:
    """Who asks at this terminal; None where nobody would see the question or could answer it.

    `pause` takes what moves off the screen while the user reads, `go_on` brings it back.
    """
    if not (terminal.stdin.isatty() and terminal.stderr.isatty()):
        return None

    async def ask(request: ApprovalRequest) -> Decision:
        pause()
        try:
            _show(
                [*request_lines(request), choices_line(request)], terminal, plain=plain or not terminal.shows_progress
            )
            answer = await _typed_line(terminal.stdin)
        finally:
            go_on()
        return Decision("deny") if answer is None else decision_of(answer, request)

    return ask


def terminal_asker(
    terminal: Terminal,
    *,
    plain: bool = False,
    pause: Callable[[], None] = lambda: None,
    go_on: Callable[[], None] = lambda: None,
) -> AskUser | None:
    """Who puts the model's own questions at this terminal, one after the other; None as for `terminal_approver`."""
    if not (terminal.stdin.isatty() and terminal.stderr.isatty()):
        return None

    async def ask(questions: Sequence[UserQuestion]) -> Sequence[Reply]:
        pause()
        try:
            replies = []
            for question in questions:
                _show(
                    [*question_lines(question), how_to_answer(question)],
                    terminal,
                    plain=plain or not terminal.shows_progress,
                )
                replies.append(reply_of(await _typed_line(terminal.stdin) or "", question))
        finally:
            go_on()
        return replies

    return ask


def _show(lines: Iterable[Line], terminal: Terminal, *, plain: bool) -> None:
    stream = terminal.stderr
    if plain:
        stream.writelines(f"{text}\n" for line in lines for text in plain_lines(line))
    else:
        from dexter.ui.console import make_console

        console = make_console(stream, terminal.environ)
        for line in lines:
            console.print(renderable(line, console.width))
    stream.write("> ")
    stream.flush()


async def _typed_line(stdin: TextIO) -> str | None:
    """The next whole line, None at the end of input: what Ctrl-D cuts off is no answer.

    What was typed before the question was there does not answer it.
    """
    loop, descriptor = asyncio.get_running_loop(), stdin.fileno()
    termios.tcflush(descriptor, termios.TCIFLUSH)
    ready = asyncio.Event()
    loop.add_reader(descriptor, ready.set)
    try:
        await ready.wait()
        typed = os.read(descriptor, _MOST_BYTES)
    except OSError:
        return None
    finally:
        loop.remove_reader(descriptor)
    line, end, _ = typed.decode("utf-8", "replace").partition("\n")
    return line if end else None
