"""All benchmarks, one after the other, as one report in Markdown.

    python -m benchmarks [--data FOLDER] [--peers PYTHON] [--only NAME …] [FILE]

FOLDER holds `companyfacts/`, `filings/` and `xml/` of the SEC; without it, what needs them is left out, and said so.
PYTHON is an interpreter with edgartools; without it one is installed, once. The report goes to FILE, or to standard
output. Times are of the machine named at its head; the ratios are what counts.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import platform
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

ROOT = Path(__file__).parents[1]
_BESIDE_THE_CHECKOUT = ROOT.parent / "shared" / "data" / "sec"
_PACKAGES = ("anthropic", "httpx", "litellm", "lxml", "pydantic", "rich", "tiktoken", "typer")
_LIMIT_S = 600
_BESIDE = "benchmarks.{}_beside_edgartools"


@dataclass(frozen=True)
class Benchmark:
    """A heading and the module with its arguments; `missing` says why it can't be run here."""

    name: str
    title: str
    arguments: tuple[str, ...]
    missing: str = ""


def benchmarks(data: Path | None, peers: str) -> Iterator[Benchmark]:
    """What there is to run, in order."""
    no_files = "" if data else "no SEC files: --data FOLDER"
    facts = sorted(map(str, data.glob("companyfacts/*.json.gz"))) if data else []
    yield Benchmark("startup", "Start", ("benchmarks.startup",))
    yield Benchmark("loop", "The loop", ("benchmarks.loop",))
    yield Benchmark("scratchpad", "The scratchpad", ("benchmarks.scratchpad",))
    yield Benchmark("context", "Context policies, beside the original's and libraries'", ("benchmarks.context",))
    yield Benchmark("pipeline", "The pipeline's time", ("benchmarks.context.pipeline",))
    yield Benchmark("soak", "A soak of 2,000 turns", ("benchmarks.context.soak",))
    yield Benchmark("facts", "Financial facts", ("benchmarks.facts", *facts[-1:]), no_files)
    peer = ("--python", peers) if peers else ()
    yield Benchmark("facts-beside", "Facts beside edgartools", (_BESIDE.format("facts"), *peer, *facts), no_files)
    yield Benchmark("filings", "Filings", ("benchmarks.filings", str(data)), no_files)
    reports = [str(file) for form in ("k", "q") for file in sorted(data.glob(f"filings/*-10-{form}-*"))] if data else []
    beside = (_BESIDE.format("filings"), *peer, *reports)
    yield Benchmark("filings-beside", "Filings beside edgartools", beside, no_files)
    yield Benchmark("replay", "Replay of 100 MB", ("benchmarks.replay",))
    yield Benchmark("session", "A session", ("benchmarks.session",))
    yield Benchmark("figures", "The figure check", ("benchmarks.figures",))


def head() -> Iterator[str]:
    """The machine and the versions."""
    yield "# Benchmarks\n"
    yield f"- {_processor()}, {os.cpu_count()} cores, {platform.system()} {platform.release()}"
    yield f"- Python {platform.python_version()}; {', '.join(_versions())}"
    yield f"- load when it began: {', '.join(f'{value:.1f}' for value in os.getloadavg())}\n"


def run(benchmark: Benchmark) -> Iterator[str]:
    """Its section: what it printed, or why it printed nothing."""
    yield f"## {benchmark.title}\n"
    if benchmark.missing:
        yield f"Not run: {benchmark.missing}.\n"
        return
    started = time.monotonic()
    try:
        done = subprocess.run(
            [sys.executable, "-m", *benchmark.arguments],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=_LIMIT_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        yield f"Ended after {_LIMIT_S} s without a result.\n"
        return
    output = done.stdout.strip()
    yield output if "\n|" in output or output.startswith("|") else f"```text\n{output}\n```"
    if done.returncode:
        yield f"\nStatus {done.returncode}: {done.stderr.strip().splitlines()[-1:]}"
    yield f"\n`python -m {benchmark.arguments[0]}`, {time.monotonic() - started:.0f} s\n"


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), platform.machine())


def _versions() -> Iterator[str]:
    for name in _PACKAGES:
        try:
            yield f"{name} {version(name)}"
        except PackageNotFoundError:
            yield f"{name} absent"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks")
    default = _BESIDE_THE_CHECKOUT if _BESIDE_THE_CHECKOUT.is_dir() else None
    parser.add_argument("--data", type=Path, default=default, metavar="FOLDER")
    parser.add_argument(
        "--peers",
        default="",
        metavar="PYTHON",
        help="an interpreter with edgartools; without it one is installed, once",
    )
    parser.add_argument("--only", nargs="*", metavar="NAME", help="only these benchmarks")
    parser.add_argument("file", type=Path, nargs="?", metavar="FILE")
    wanted = parser.parse_args()
    there = list(benchmarks(wanted.data, wanted.peers))
    unknown = set(wanted.only or ()) - {benchmark.name for benchmark in there}
    if unknown:
        parser.error(f"no benchmark {', '.join(sorted(unknown))}; there are {', '.join(b.name for b in there)}")
    write([benchmark for benchmark in there if not wanted.only or benchmark.name in wanted.only], wanted.file)


def write(chosen: Sequence[Benchmark], file: Path | None) -> None:
    """Run them and write their report, each section once it is there: what ends early has what was measured by then."""
    if file:
        file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("w", encoding="utf-8") if file else contextlib.nullcontext(sys.stdout) as out:
        print("\n".join(head()), file=out, flush=True)
        for benchmark in chosen:
            print(f"{benchmark.title} …", file=sys.stderr, flush=True)
            print("\n".join(run(benchmark)), file=out, flush=True)


if __name__ == "__main__":
    main()
