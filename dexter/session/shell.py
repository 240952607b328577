"""`!command`: a command of the user's own, run by the user's shell."""

from __future__ import annotations

import asyncio
import os
import signal
from dataclasses import dataclass

MOST_CHARS = 30_000
_READ = 8_192


@dataclass(frozen=True)
class Outcome:
    """What a command wrote, its middle left out where that is long, and its exit status."""

    command: str
    output: str
    status: int


async def run_shell(command: str) -> Outcome:
    """Run a command without input. Cancelled, it and its children are killed."""
    process = await asyncio.create_subprocess_shell(
        command,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        start_new_session=True,
    )
    try:
        output = await _read_all(process)
        return Outcome(command, output, await process.wait())
    except asyncio.CancelledError:
        _kill(process.pid)
        await process.wait()
        raise


async def _read_all(process: asyncio.subprocess.Process) -> str:
    """Everything that is written; of endless output the beginning and the end are kept."""
    head, tail, left_out = "", "", 0
    while process.stdout is not None and (data := await process.stdout.read(_READ)):
        text = data.decode(errors="replace")
        room = max(MOST_CHARS // 2 - len(head), 0)
        head, tail = head + text[:room], tail + text[room:]
        cut = max(len(tail) - MOST_CHARS // 2, 0)
        left_out, tail = left_out + cut, tail[cut:]
    middle = f"\n[… {left_out:,} characters are left out here …]\n" if left_out else ""
    return f"{head}{middle}{tail}"


def _kill(group: int) -> None:
    try:
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        return
