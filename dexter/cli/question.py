"""The question: what is piped in first, then the arguments."""

from __future__ import annotations

import os
import select
import stat
from collections.abc import Sequence
from typing import TextIO

from dexter.errors import UsageError

# More than any window holds; reading stops here so that an endless pipe ends in a sentence.
MOST_BYTES = 8_000_000
# Beside arguments an open pipe that stays silent this long is taken for one nobody writes to.
PATIENCE_S = 2.0
STDIN_MARK = "-"


def read_question(arguments: Sequence[str], stdin: TextIO) -> str:
    """The question of `dexter ask`.

    Raises:
        UsageError: what is piped in is no text or has no end; nothing was asked.
    """
    words = [argument for argument in arguments if argument != STDIN_MARK]
    asked_for_stdin = len(words) < len(arguments)
    parts = [_piped(stdin)] if asked_for_stdin or _has_input(stdin, alone=not words) else []
    question = "\n\n".join(part for part in (*parts, " ".join(words)) if part.strip())
    try:
        question.encode()
    except UnicodeEncodeError:
        raise UsageError("The question is not valid UTF-8.", remedy="Give it as UTF-8 text.") from None
    return question


def _has_input(stdin: TextIO, *, alone: bool) -> bool:
    """Whether to read standard input unasked: with nothing else to go by always, else if something comes."""
    if stdin.isatty():
        return False
    mode = os.fstat(stdin.fileno()).st_mode
    if alone or stat.S_ISREG(mode):
        return True
    if not (stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)):
        return False
    ready, _, _ = select.select([stdin], [], [], PATIENCE_S)
    return bool(ready)


def _piped(stdin: TextIO) -> str:
    data = stdin.buffer.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise UsageError(
            f"Standard input holds more than {MOST_BYTES:,} bytes.",
            remedy="Put it into a file below an allowed folder and ask about that.",
        )
    try:
        return data.decode().strip("\n")
    except UnicodeDecodeError:
        raise UsageError("Standard input is not UTF-8 text.", remedy="Pipe in text, not binary data.") from None
