"""What was typed, across sessions: a private file of JSON lines that several processes may write to.

A line that was typed again moves to the end: each stands in the history once. What begins with a blank is not kept.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from dexter.config.private_files import make_private_folder, write_private

_MOST = 5_000
_LONGEST = 20_000


class HistoryFile:
    """The history on disk. A disk that fails costs the history, never the session: `OSError`s end here.

    `clean` is applied to each line first: a key that was typed is not kept.
    """

    def __init__(self, path: Path, most: int = _MOST, clean: Callable[[str], str] = lambda line: line) -> None:
        self._path = path
        self._most = most
        self._clean = clean

    def load(self) -> list[str]:
        """Every line once, the newest last; a file that has grown is rewritten on the way."""
        try:
            with self._locked():
                lines = self._read()
                kept = unique(lines)[-self._most :]
                if len(lines) > self._most + len(kept):
                    write_private(self._path, "".join(map(_encoded, kept)))
        except OSError:
            return []
        return kept

    def add(self, line: str) -> bool:
        """Keep a line; whether it is one to be kept."""
        if not is_kept(line):
            return False
        try:
            with self._locked():
                _append(self._path, _encoded(self._clean(line)))
        except OSError:
            return True
        return True

    def _read(self) -> list[str]:
        try:
            text = self._path.read_text(encoding="utf-8", errors="replace")
        except FileNotFoundError:
            return []
        return list(_decoded(text.splitlines()))

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """One process at a time, so that a rewrite loses no line of another's."""
        make_private_folder(self._path.parent)
        descriptor = os.open(self._path.with_suffix(".lock"), os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)


def is_kept(line: str) -> bool:
    """Whether a line belongs into the history: not empty, not begun with a blank, not a book."""
    return bool(line.strip()) and not line.startswith(" ") and len(line) <= _LONGEST


def unique(lines: Sequence[str]) -> list[str]:
    """Each line once, where it stood last."""
    return list(dict.fromkeys(reversed(lines)))[::-1]


def _append(path: Path, text: str) -> None:
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
    try:
        size = os.fstat(descriptor).st_size
        torn = size and os.pread(descriptor, 1, size - 1) != b"\n"  # a crash left half a line
        os.write(descriptor, (b"\n" if torn else b"") + text.encode("utf-8", "replace"))
    finally:
        os.close(descriptor)


def _encoded(line: str) -> str:
    return json.dumps(line, ensure_ascii=True) + "\n"


def _decoded(lines: Sequence[str]) -> Iterator[str]:
    """The strings among the lines; what a crash left half-written is passed over."""
    read: Callable[[str], object] = json.loads
    for line in lines:
        try:
            value = read(line)
        except ValueError:
            continue
        if isinstance(value, str):
            yield value
