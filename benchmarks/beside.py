"""What running beside a peer has in common: its interpreter, its driver, its answer."""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from pathlib import Path
from typing import Any

from benchmarks.environments import Environment, UnavailableError, default_cache, run_quietly

EDGARTOOLS = Path(__file__).parent / "peers" / "edgartools.txt"


def options(description: str) -> argparse.Namespace:
    """Files, and the interpreter with edgartools: an environment made once where none is named.

    Ends the program with a sentence where none can be had.
    """
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--python", type=Path, help="an interpreter that has edgartools; without it one is installed")
    parser.add_argument("files", type=Path, nargs="+")
    given = parser.parse_args()
    try:
        given.python = given.python or Environment(EDGARTOOLS, default_cache()).ensure()
    except UnavailableError as error:
        sys.exit(f"edgartools can't be measured here: {error}")
    return given


def plain(path: Path) -> str:
    """A file's text, unpacked."""
    body = path.read_bytes()
    return (gzip.decompress(body) if body[:2] == b"\x1f\x8b" else body).decode()


def asked(python: Path, driver: str, given: str) -> Any:
    """The JSON that a driver prints last, given a text on its standard input."""
    return json.loads(run_quietly([str(python), "-c", driver], given=given).splitlines()[-1])
