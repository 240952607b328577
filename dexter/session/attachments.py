"""What a question takes along: text files named with `@`, and the output of shell commands run before it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from dexter.attached import with_material
from dexter.config.paths import expanded, real_path
from dexter.errors import SettingsError, UsageError
from dexter.tools.folders import is_secret

MOST_BYTES = 200_000
_MENTION = re.compile(r"(?<!\S)@(\S+)")
_TRAILING = ".,;:!?)"


@dataclass(frozen=True)
class Attachment:
    """A named piece of text."""

    name: str
    text: str


def mentioned(line: str, folder: Path, forbidden: Sequence[Path] = ()) -> list[Attachment]:
    """The files that the line names with `@`; a word that names no file is only a word.

    Raises:
        UsageError: a file is too large, no text, or may not be read.
    """
    return [_read(path, forbidden) for path in dict.fromkeys(_files(line, folder))]


def with_attachments(line: str, attachments: Sequence[Attachment]) -> str:
    """The line, and behind it each piece under its name, marked as material."""
    return with_material(line, ((piece.name, piece.text) for piece in attachments))


def _files(line: str, folder: Path) -> Iterator[Path]:
    for match in _MENTION.finditer(line):
        for name in (match[1], match[1].rstrip(_TRAILING)):
            if (path := _file(name, folder)) is not None:
                yield path
                break


def _file(name: str, folder: Path) -> Path | None:
    """The file of that name; None where there is none, or the word can't be a path."""
    try:
        path = real_path(folder / expanded(Path(name)))
        return path if path.is_file() else None
    except (SettingsError, OSError, ValueError):
        return None


def _read(path: Path, forbidden: Sequence[Path]) -> Attachment:
    if is_secret(path) or any(path.is_relative_to(place.resolve()) for place in forbidden):
        raise UsageError(f"{path} may hold keys and is not sent to a model.")
    try:
        data = path.read_bytes() if path.stat().st_size <= MOST_BYTES else None
    except OSError as error:
        raise UsageError(f"{path} can't be read: {error.strerror}.") from error
    if data is None:
        raise UsageError(
            f"{path} is larger than {MOST_BYTES:,} bytes.",
            remedy="Allow its folder (`files.allowed`) and ask about it.",
        )
    try:
        return Attachment(str(path), data.decode())
    except UnicodeDecodeError:
        raise UsageError(f"{path} is not a text file.", remedy="Name a UTF-8 text.") from None
