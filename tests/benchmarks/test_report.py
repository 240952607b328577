"""The report of `make bench`: that it is written at all, whatever is in its way."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from benchmarks.__main__ import Benchmark, benchmarks, write
from tests.support.program import ROOT


def test_the_report_is_written_into_a_folder_that_is_not_there_yet(tmp_path: Path) -> None:
    """`make bench REPORT=build/benchmarks.md` in a fresh clone; what can't be run is shown with its reason."""
    file = tmp_path / "build" / "benchmarks.md"
    write(
        [Benchmark("a", "What is missing", ("nothing",), missing="no files"), Benchmark("b", "Broken", ("no.such",))],
        file,
    )
    text = file.read_text(encoding="utf-8")
    assert text.startswith("# Benchmarks")
    assert "## What is missing\n\nNot run: no files." in text
    assert "## Broken" in text
    assert "Status 1" in text


def test_a_benchmark_that_is_not_there_is_named() -> None:
    """With those there are; nothing is run."""
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks", "--only", "lop"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert "no benchmark lop; there are startup, loop" in done.stderr


def test_every_benchmark_has_its_module_and_a_name_of_its_own() -> None:
    """And without the SEC's files those that need them say so."""
    found = list(benchmarks(None, ""))
    assert len({benchmark.name for benchmark in found}) == len(found)
    for benchmark in found:
        path = ROOT / Path(*benchmark.arguments[0].split("."))
        assert path.with_suffix(".py").is_file() or (path / "__main__.py").is_file()
    assert {benchmark.name for benchmark in found if benchmark.missing} == {
        "facts",
        "facts-beside",
        "filings",
        "filings-beside",
    }
