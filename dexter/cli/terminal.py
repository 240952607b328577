"""The streams a process was given, and what stands at their other ends."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TextIO


@dataclass(frozen=True)
class Terminal:
    """Standard input, output, error, and the environment."""

    stdin: TextIO
    stdout: TextIO
    stderr: TextIO
    environ: Mapping[str, str]

    @classmethod
    def here(cls) -> Terminal:
        """Those of this process."""
        return cls(sys.stdin, sys.stdout, sys.stderr, os.environ)

    def without_colours(self) -> Terminal:
        """The same, as if the environment asked for no colours."""
        return replace(self, environ={**self.environ, "NO_COLOR": "1"})

    @property
    def shows_answers(self) -> bool:
        """Whether standard output is a terminal that can do more than plain lines."""
        return self.stdout.isatty() and not self._is_dumb

    @property
    def shows_progress(self) -> bool:
        """Whether standard error is a terminal that can move its cursor."""
        return self.stderr.isatty() and not self._is_dumb

    @property
    def is_one(self) -> bool:
        """Whether output and error are the same terminal."""
        return self.shows_answers and self.shows_progress and _device(self.stdout) == _device(self.stderr)

    @property
    def wants_colour_anyway(self) -> bool:
        """Whether colours are forced where no terminal is."""
        return bool(self.environ.get("FORCE_COLOR")) and not self.environ.get("NO_COLOR")

    @property
    def _is_dumb(self) -> bool:
        return self.environ.get("TERM", "").lower() in {"dumb", "unknown"}


def _device(stream: TextIO) -> tuple[int, int]:
    status = os.fstat(stream.fileno())
    return status.st_dev, status.st_ino
