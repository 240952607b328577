"""A program in a real pseudo-terminal, and what a person would see on it."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Self

import pexpect
import pyte

ROWS = 100


class Terminal:
    """Runs a command at a given width; `screen()` is the text on it, scrolled-off lines first."""

    def __init__(
        self, command: Sequence[str], columns: int, environ: Mapping[str, str], cwd: str | None = None
    ) -> None:
        self._emulator = pyte.HistoryScreen(columns, ROWS, history=10_000)
        self._stream = pyte.Stream(self._emulator)
        self.raw = ""
        self.process = pexpect.spawn(
            command[0],
            list(command[1:]),
            dimensions=(ROWS, columns),
            env=dict(environ),
            cwd=cwd,
            encoding="utf-8",
            echo=False,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.process.close(force=True)

    def drain(self, quiet: float = 0.15) -> None:
        """Take what was written until nothing comes for a moment."""
        while True:
            try:
                self._take(self.process.read_nonblocking(65_536, timeout=quiet))
            except (pexpect.TIMEOUT, pexpect.EOF):
                return

    def wait_for(self, pattern: str, timeout: float = 60.0) -> None:
        """Take what is written until the screen shows the pattern."""
        deadline = time.monotonic() + timeout
        while not re.search(pattern, self.screen()):
            if time.monotonic() > deadline:
                raise AssertionError(f"{pattern!r} did not appear on:\n{self.screen()}")
            try:
                self._take(self.process.read_nonblocking(65_536, timeout=0.1))
            except pexpect.TIMEOUT:
                continue
            except pexpect.EOF:
                assert re.search(pattern, self.screen()), f"{pattern!r} never appeared on:\n{self.screen()}"

    def send(self, text: str) -> None:
        """Type."""
        self.process.send(text)

    def resize(self, columns: int, rows: int = ROWS) -> None:
        """Change the size, as a person dragging the window does."""
        self.process.setwinsize(rows, columns)
        self._emulator.resize(rows, columns)

    def hang_up(self) -> None:
        """Close the window: the terminal is gone for the program in it."""
        self.process.ptyproc.fileobj.close()

    def finish(self, timeout: float = 60.0) -> int:
        """Wait for the end; gives the exit status, as a shell tells it."""
        deadline = time.monotonic() + timeout
        while self.process.isalive():
            self.drain()
            assert time.monotonic() < deadline, f"still running:\n{self.screen()}"
        self.drain()
        self.process.close()
        return self.process.exitstatus if self.process.exitstatus is not None else 128 + self.process.signalstatus

    def screen(self) -> str:
        """What a person sees, scrolled-off lines first, without trailing blanks."""
        gone = ["".join(line[x].data for x in range(self._emulator.columns)) for line in self._emulator.history.top]
        lines = [line.rstrip() for line in (*gone, *self._emulator.display)]
        return "\n".join(lines).rstrip() + "\n"

    def _take(self, text: str) -> None:
        self.raw += text
        self._stream.feed(text)


def python(*arguments: str) -> list[str]:
    """This very Python with arguments."""
    return [sys.executable, *arguments]
