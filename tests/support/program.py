"""The program as a user starts it: a process of its own, an empty home, no keys, no network settings."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
TIMEOUT_S = 120


@dataclass(frozen=True)
class Home:
    """A user's folders below `root`; commands run in `work`."""

    root: Path

    @property
    def work(self) -> Path:
        """The current folder of the commands."""
        return self.root / "work"

    @property
    def runs(self) -> Path:
        """Where the runs of this user live."""
        return self.root / "data" / "dexter" / "scratchpads"

    def environ(self, **more: str) -> dict[str, str]:
        """What a login shell would have, and nothing of this machine's user."""
        return {
            "PATH": os.environ["PATH"],
            "HOME": str(self.root),
            "XDG_CONFIG_HOME": str(self.root / "config"),
            "XDG_DATA_HOME": str(self.root / "data"),
            "XDG_CACHE_HOME": str(self.root / "cache"),
            "PYTHONPATH": str(ROOT),
            "LANG": "C.UTF-8",
            "TERM": "xterm-256color",
            **more,
        }

    def scratchpads(self) -> list[Path]:
        """The records, oldest first."""
        return sorted(self.runs.glob("*.jsonl"))

    def dexter(
        self, *arguments: str, stdin: bytes | None = None, environ: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Run `dexter` to its end. Without `stdin` standard input is empty."""
        done = subprocess.run(
            dexter_command(*arguments),
            input=stdin if stdin is not None else b"",
            capture_output=True,
            cwd=self.work,
            env=self.environ(**(environ or {})),
            timeout=TIMEOUT_S,
            check=False,
        )
        return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())

    def start(self, command: Sequence[str], **streams: int | None) -> subprocess.Popen[bytes]:
        """Start a command and do not wait. Streams are pipes unless said otherwise."""
        pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **streams}
        return subprocess.Popen(command, cwd=self.work, env=self.environ(), **pipes)


def make_home(root: Path) -> Home:
    """A new user."""
    home = Home(root)
    home.work.mkdir(parents=True)
    return home


def dexter_command(*arguments: str) -> list[str]:
    """The command line that starts the program with this Python."""
    return [sys.executable, "-m", "dexter", *arguments]
