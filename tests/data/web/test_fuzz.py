"""The converters against pages nobody would write. DEXTER_FUZZ_SECONDS sets how long the long form takes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.support.fuzz_converters import check

ROOT = Path(__file__).parents[3]
FOUND = Path(__file__).parent / "found"
_LONG_SECONDS = float(os.environ.get("DEXTER_FUZZ_SECONDS", "600"))


def run_fuzz(last: Path, *options: str) -> str:
    """What the fuzzer said; fails with the input that ended it."""
    command = [
        sys.executable,
        "-X",
        "faulthandler",
        "-m",
        "tests.support.fuzz_converters",
        "--last",
        str(last),
        *options,
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        FOUND.mkdir(exist_ok=True)
        kept = Path(shutil.copy(last, FOUND / f"{time.time_ns()}.input"))
        pytest.fail(f"an input ended the fuzzer; it is kept as {kept}\n{done.stderr[-3000:]}")
    return done.stdout


def test_mutated_pages_are_read_or_refused(tmp_path: Path) -> None:
    """A few hundred inputs, the same each time."""
    assert run_fuzz(tmp_path / "last", "--seed", "9", "--count", "400") == "400 inputs read\n"


@pytest.mark.long
def test_mutated_pages_are_read_or_refused_for_minutes(tmp_path: Path) -> None:
    """Ten minutes of inputs that were never tried before."""
    said = run_fuzz(tmp_path / "last", "--seed", str(time.time_ns()), "--seconds", str(_LONG_SECONDS))
    assert int(said.split()[0]) > 0


@pytest.mark.parametrize(
    ("media_type", "body"),
    [
        pytest.param("text/html", b"<p>" + b" " * 150_000 + b"x", id="a run of spaces: squared time in markdownify"),
        pytest.param("text/html", b"<p>" + b"&#32;" * 40_000 + b"x", id="the same, spelled as entities"),
        pytest.param("text/html", b"<pre>" + b" " * 150_000 + b"x", id="the same, preformatted"),
        pytest.param("text/html", b"<table><tr><td>" + b"\t" * 150_000 + b"x<td>1<tr><td>a<td>2", id="in a table"),
        pytest.param("text/html", b"<ul><li>" * 20_000, id="nested absurdly deep: squared time, and too deep to walk"),
        pytest.param(
            "text/html", "<tr><td colspan=9³>x".encode(), id="a cell outside tables: a digit that is no number"
        ),
        pytest.param("text/html", "<ol start=½><li>x".encode(), id="the same for a list"),
        pytest.param("text/html", b"<?xml version='1.0'?><html>x</html>", id="XHTML: a warning of the parser"),
    ],
)
def test_inputs_that_broke_a_converter_stay_mended(media_type: str, body: bytes) -> None:
    """Each hung or failed once."""
    check(media_type, body)


def test_inputs_that_the_fuzzer_left_stay_mended() -> None:
    """As they were found; large ones are spelled out above instead."""
    for path in sorted(FOUND.glob("*.input")):
        media_type, charset, body = path.read_bytes().split(b"\n", 2)
        check(media_type.decode(), body, charset.decode())
