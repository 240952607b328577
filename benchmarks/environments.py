"""Environments of their own for peers: made once under a cache folder from a list of pinned versions."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

INSTALL_TIMEOUT_S = 600
_STAMP = ".installed"
_PIP_INSTALL = ("-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement")


class UnavailableError(Exception):
    """A peer can't be measured on this machine; the message says why."""


def default_cache(environ: Mapping[str, str] = os.environ) -> Path:
    """`dexter/benchmarks` below the user's cache folder."""
    return Path(environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "dexter" / "benchmarks"


@dataclass(frozen=True)
class Environment:
    """A virtual environment for one list of pins; another list, or another Python, is another folder."""

    pins: Path
    cache: Path

    @property
    def folder(self) -> Path:
        """Where it is or will be."""
        digest = hashlib.sha256(self.pins.read_bytes() + sys.version.encode()).hexdigest()[:12]
        return self.cache / f"{self.pins.stem}-{digest}"

    @property
    def python(self) -> Path:
        """Its interpreter."""
        return self.folder / "bin" / "python"

    def ensure(self) -> Path:
        """Its interpreter, installed first where that has not been done yet.

        Raises:
            UnavailableError: it can't be made here.
        """
        stamp = self.folder / _STAMP
        if stamp.exists():
            return self.python
        print(f"Installing {self.pins.stem} into {self.folder} (once)", file=sys.stderr)
        try:
            run_quietly([sys.executable, "-m", "venv", "--clear", str(self.folder)])
            run_quietly([str(self.python), *_PIP_INSTALL, str(self.pins)])
        except UnavailableError:
            shutil.rmtree(self.folder, ignore_errors=True)  # half an environment must not pass for a whole one
            raise
        stamp.touch()
        return self.python


def run_quietly(command: list[str], *, given: str | None = None, env: dict[str, str] | None = None) -> str:
    """What a command prints.

    Raises:
        UnavailableError: it could not be started, failed, or took too long.
    """
    try:
        done = subprocess.run(
            command, input=given, env=env, capture_output=True, text=True, timeout=INSTALL_TIMEOUT_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UnavailableError(str(error)) from error
    if done.returncode:
        lines = [line for line in (done.stderr or done.stdout).splitlines() if line.strip()]
        raise UnavailableError(lines[-1].strip() if lines else f"status {done.returncode}")
    return done.stdout
