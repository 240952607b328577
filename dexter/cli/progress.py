"""How far a list is worked off: a bar that moves at a terminal, a line now and then elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dexter.cli.terminal import Terminal

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

    from dexter.evals.work import Progress

_LINES = 10


class ProgressShown:
    """Shows progress on standard error. `quiet`: not at all."""

    def __init__(self, terminal: Terminal, *, quiet: bool) -> None:
        self._terminal = terminal
        self._quiet = quiet
        self._bar = None if quiet or not terminal.shows_progress else _bar(terminal)
        self._told = -1

    def __call__(self, progress: Progress) -> None:
        """Show where it stands."""
        if self._bar is not None:
            failed = f"{progress.failed} failed" if progress.failed else ""
            self._bar.update(self._bar.task_ids[0], completed=progress.done, total=progress.total, failed=failed)
        elif not self._quiet:
            self._tell(progress)

    def _tell(self, progress: Progress) -> None:
        step = progress.done * _LINES // progress.total if progress.total else _LINES
        if step != self._told:
            self._told = step
            failed = f", {progress.failed} failed" if progress.failed else ""
            self._terminal.stderr.write(f"{progress.done} of {progress.total} done{failed}\n")
            self._terminal.stderr.flush()

    def refresh(self) -> None:
        """Redraw what moves."""
        if self._bar is not None:
            self._bar.refresh()

    def close(self) -> None:
        """Leave the terminal usable."""
        if self._bar is not None:
            self._bar.stop()


def _bar(terminal: Terminal) -> Bar:
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from dexter.ui.console import make_console

    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), TextColumn("{task.fields[failed]}"))
    bar = Progress(*columns, console=make_console(terminal.stderr, terminal.environ), auto_refresh=False)
    bar.add_task("questions", total=None, failed="")
    bar.start()
    return bar
