"""The streams of a session; for one of plain lines: lines that hold nothing up, output that may be gone."""

from __future__ import annotations

import asyncio
import contextlib
import io
import os
import termios
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TextIO

_READ = 65_536


@dataclass(frozen=True)
class Streams:
    """The streams of a session, and what the environment says of the terminal."""

    stdin: TextIO
    stdout: TextIO
    stderr: TextIO
    environ: Mapping[str, str]


class LineReader:
    """Reads lines from a terminal, a pipe or a file. One reader at a time; a read can be cancelled or broken off."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._descriptor = stream.fileno()
        self._typed = b""
        self._ready: asyncio.Event | None = None
        self._ended = False

    def isatty(self) -> bool:
        """Whether a person may type there."""
        return self._stream.isatty()

    async def line(self) -> str | None:
        """The next line without its end; None where there is none, or `end` was called."""
        while b"\n" not in self._typed and not self._ended:
            if not (data := await self._read()):
                break
            self._typed += data
        if self._ended or not self._typed:
            return None
        line, _, self._typed = self._typed.partition(b"\n")
        return line.removesuffix(b"\r").decode(self._stream.encoding or "utf-8", "replace")

    def forget(self) -> None:
        """Drop what was typed already: it was not typed for the question that comes now."""
        self._typed = b""
        with contextlib.suppress(termios.error):
            termios.tcflush(self._descriptor, termios.TCIFLUSH)

    def end(self) -> None:
        """No more lines, for whoever waits for one neither."""
        self._ended = True
        if self._ready is not None:
            self._ready.set()

    async def _read(self) -> bytes:
        loop, ready = asyncio.get_running_loop(), asyncio.Event()
        try:
            loop.add_reader(self._descriptor, ready.set)
        except PermissionError:  # a regular file, which is always ready
            return os.read(self._descriptor, _READ)
        self._ready = ready
        try:
            await ready.wait()
        finally:
            self._ready = None
            loop.remove_reader(self._descriptor)
        try:
            return b"" if self._ended else os.read(self._descriptor, _READ)
        except OSError:  # the terminal is gone
            return b""


class Output(io.StringIO):
    """Where lines are written. The first failure is kept and told to `on_failure`; what comes after it is dropped."""

    def __init__(self, stream: TextIO, on_failure: Callable[[OSError], None]) -> None:
        super().__init__()
        self._stream = stream
        self._on_failure = on_failure
        self._failed = False

    @property
    def encoding(self) -> str:  # type: ignore[override]
        """The stream's."""
        return self._stream.encoding or "utf-8"

    def isatty(self) -> bool:
        """Whether somebody looks at it."""
        return self._stream.isatty()

    def write(self, text: str) -> int:
        """All of it, or nothing more."""
        self._do(lambda: self._stream.write(text))
        return len(text)

    def flush(self) -> None:
        """Out with it."""
        self._do(self._stream.flush)

    def _do(self, act: Callable[[], object]) -> None:
        if self._failed:
            return
        try:
            act()
        except OSError as failure:
            self._failed = True
            self._on_failure(failure)
