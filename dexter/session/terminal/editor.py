"""The user's editor, on a text of its own."""

from __future__ import annotations

import asyncio
import os
import shlex
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from prompt_toolkit.application.run_in_terminal import in_terminal

from dexter.errors import UsageError

_FALLBACKS = ("/usr/bin/editor", "/usr/bin/nano", "/usr/bin/vi", "/usr/bin/emacs")


async def edited(text: str, environ: Mapping[str, str]) -> str:
    """What the user made of the text, in `$VISUAL` or `$EDITOR`; the prompt is off the screen meanwhile.

    Raises:
        UsageError: there is no editor, or it failed: the text is as it was.
    """
    with tempfile.TemporaryDirectory() as folder:  # private to the user
        path = Path(folder) / "line.md"
        path.write_text(text, "utf-8", "replace")
        async with in_terminal():
            status = await _run(_command(environ), path)
        if status:
            raise UsageError(f"The editor ended with status {status}; the line is as it was.")
        return path.read_text("utf-8", "replace").removesuffix("\n")


def _command(environ: Mapping[str, str]) -> Sequence[str]:
    for name in ("VISUAL", "EDITOR"):
        if environ.get(name, "").strip():
            try:
                return shlex.split(environ[name])
            except ValueError as error:
                raise UsageError(f"${name} can't be understood: {error}.", remedy="Set it to a command.") from error
    for fallback in _FALLBACKS:
        if os.access(fallback, os.X_OK):
            return [fallback]
    raise UsageError("There is no editor.", remedy="Set $EDITOR to the command of one.")


async def _run(command: Sequence[str], path: Path) -> int:
    try:
        process = await asyncio.create_subprocess_exec(*command, str(path))
    except OSError as error:
        raise UsageError(
            f"The editor {command[0]} can't be started: {error.strerror}.", remedy="Set $EDITOR to another."
        ) from error
    try:
        return await process.wait()
    except asyncio.CancelledError:
        process.terminate()
        raise
