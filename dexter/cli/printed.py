"""Where a long text is printed: on the terminal through a pager, on the terminal, or as plain lines."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from dexter.cli.pager import pager_command, paging, takes_colours
from dexter.cli.terminal import Terminal

if TYPE_CHECKING:
    from dexter.replay.paper import Paper

_WIDTH_ELSEWHERE = 100


@contextmanager
def printed(terminal: Terminal, *, plain: bool, pager: bool) -> Iterator[Paper]:
    """Paper on standard output, as what stands at its other end can show it."""
    from dexter.replay.paper import PlainPaper, RichPaper
    from dexter.ui.console import make_console
    from dexter.ui.links import use_links

    stdout, environ = terminal.stdout, terminal.environ
    if plain or not (terminal.shows_answers or terminal.wants_colour_anyway):
        columns = environ.get("COLUMNS", "")
        yield PlainPaper(stdout, int(columns) if columns.isdecimal() else _WIDTH_ELSEWHERE)
        return
    hyperlinks = use_links("auto", environ)
    command = pager_command(environ) if pager and stdout.isatty() and terminal.stdin.isatty() else None
    if command is None:
        yield RichPaper(make_console(stdout, environ), hyperlinks=hyperlinks)
        return
    colours = {"FORCE_COLOR": "1"} if takes_colours(command) else {"NO_COLOR": "1"}
    width = shutil.get_terminal_size().columns
    with paging(command, environ) as stream:
        console = make_console(stream, {**environ, **colours}, width=width)
        yield RichPaper(console, hyperlinks=hyperlinks and takes_colours(command))
