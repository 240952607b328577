"""A long text on a terminal goes through a pager, as it is made; a short one is simply printed."""

from __future__ import annotations

import io
import os
import shlex
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import TextIO

# Quit where it fits one screen, keep colours, leave the text on the screen.
_LESS_OPTIONS = "FRX"


def pager_command(environ: Mapping[str, str]) -> list[str] | None:
    """The user's pager, else `less` where there is one; None: print. `PAGER=cat` or an empty one turn it off."""
    named = environ.get("PAGER")
    try:
        command = shlex.split(named) if named is not None else ["less"]
    except ValueError:
        return None
    if not command or command[0] == "cat" or shutil.which(command[0], path=environ.get("PATH")) is None:
        return None
    return command


def takes_colours(command: list[str]) -> bool:
    """Whether a pager shows colours instead of their codes."""
    return os.path.basename(command[0]) == "less"  # noqa: PTH119 - a command's name, not a path


@contextmanager
def paging(command: list[str], environ: Mapping[str, str]) -> Iterator[TextIO]:
    """A stream that a pager reads. The user may leave it at any time; then nothing more is written.

    Ctrl-C is the pager's business meanwhile: it stops a search, not the program.
    """
    import signal

    env = {"LESS": _LESS_OPTIONS, "LESSCHARSET": "utf-8", **environ}
    process = subprocess.Popen(command, stdin=subprocess.PIPE, env=env)  # noqa: S603 - the user's own pager
    assert process.stdin is not None  # noqa: S101 - it was asked for
    stream = io.TextIOWrapper(process.stdin, encoding="utf-8", errors="replace", write_through=True)
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with suppress(BrokenPipeError):
            yield stream
        with suppress(BrokenPipeError, ValueError):
            stream.close()
        process.wait()
    finally:
        signal.signal(signal.SIGINT, before)
