"""What `eval` and `batch` have in common: the work with its progress, ended cleanly by Ctrl-C."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any, TypeVar

from dexter.cli.terminal import Terminal

if TYPE_CHECKING:
    from dexter.evals.work import Progress

T = TypeVar("T")


def work_to_end(start: Callable[[Callable[[Progress], None]], Coroutine[Any, Any, T]], *, quiet: bool) -> T:
    """Run what `start` starts, which is handed the function that shows progress.

    Raises:
        DexterError: it failed, after the terminal was given back.
    """
    from dexter.cli.ending import Ender, run_to_end
    from dexter.cli.progress import ProgressShown

    shown = ProgressShown(Terminal.here(), quiet=quiet)
    try:
        return run_to_end(start(shown), Ender(), tick=shown.refresh, stopping=shown.close, give_up=shown.close)
    finally:
        shown.close()


def print_report(text: str) -> None:
    """Markdown on standard output: at a terminal as it shows tables, elsewhere as it is."""
    from dexter.ui.answer import write_plain, write_rendered

    terminal = Terminal.here()
    if terminal.shows_answers:
        from dexter.ui.console import make_console

        write_rendered(make_console(terminal.stdout, terminal.environ), hyperlinks=False)(text)
    else:
        write_plain(terminal.stdout)(text)
