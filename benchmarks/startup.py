"""What starting costs: `dexter --help` and `import dexter` beside the smallest Typer app and bare Python, turn by turn.

    python -m benchmarks.startup [ROUNDS]

Processes are timed one after the other in each round, so that a busy machine slows all of them alike. The ratio of the
medians is what counts: `dexter --help` at most 1.3× the trivial app, the first event of `dexter ask --offline` at most
3× `dexter --help`, and that command's peak memory at most 90 MB. The original starts in 0.71 s with 156 to 249 MB.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROUNDS = 15
GOAL = 1.3
EVENT_GOAL = 3.0
MEMORY_GOAL_MB = 90
ASK = [sys.executable, "-m", "dexter", "ask", "--offline", "--events", "compare NVDA vs AMD"]
FIRST_EVENT = "first event of dexter ask --offline"

TRIVIAL = '''
import typer

app = typer.Typer()


@app.command()
def hello(name: str = "world") -> None:
    """Say hello."""
    typer.echo(f"hello {name}")


if __name__ == "__main__":
    app()
'''


def commands(folder: Path) -> dict[str, list[str]]:
    """What is timed; every one is this Python in a process of its own."""
    trivial = folder / "trivial.py"
    trivial.write_text(TRIVIAL, encoding="utf-8")
    return {
        "bare Python": [sys.executable, "-c", "pass"],
        "import dexter": [sys.executable, "-c", "import dexter"],
        "trivial Typer app --help": [sys.executable, str(trivial), "--help"],
        "dexter --version": [sys.executable, "-m", "dexter", "--version"],
        "dexter --help": [sys.executable, "-m", "dexter", "--help"],
    }


def seconds(command: list[str], environ: dict[str, str]) -> float:
    started = time.perf_counter()
    subprocess.run(command, env=environ, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - started


def first_event(environ: dict[str, str]) -> tuple[float, float]:
    """Seconds until the first event, and the process's peak memory in MB."""
    started = time.perf_counter()
    process = subprocess.Popen(ASK, env=environ, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.readline()
    elapsed = time.perf_counter() - started
    process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.stdout.close()
    process.returncode = os.waitstatus_to_exitcode(status)
    return elapsed, usage.ru_maxrss / 1024


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    with tempfile.TemporaryDirectory() as folder:
        environ = {**os.environ, "HOME": folder, "PYTHONPATH": str(Path.cwd())}
        timed = commands(Path(folder))
        for command in timed.values():  # byte code is written once
            seconds(command, environ)
        first_event(environ)
        times: dict[str, list[float]] = {name: [] for name in (*timed, FIRST_EVENT)}
        memory: list[float] = []
        for _ in range(rounds):
            for name, command in timed.items():
                times[name].append(seconds(command, environ))
            elapsed, peak = first_event(environ)
            times[FIRST_EVENT].append(elapsed)
            memory.append(peak)
    base = statistics.median(times["trivial Typer app --help"])
    print(f"Start, median of {rounds}, Python {sys.version.split()[0]}, {os.cpu_count()} cores\n")
    print("| command | ms | least ms | × the trivial app |\n|---|---|---|---|")
    for name, values in times.items():
        median = statistics.median(values)
        print(f"| {name} | {median * 1e3:.0f} | {min(values) * 1e3:.0f} | {median / base:.2f} |")
    shown = statistics.median(times["dexter --help"])
    print(f"\ndexter --help: {shown / base:.2f}× the trivial app (goal: at most {GOAL})")
    event = statistics.median(times[FIRST_EVENT]) / shown
    print(f"{FIRST_EVENT}: {event:.2f}× dexter --help (goal: at most {EVENT_GOAL})")
    print(f"peak memory of that command: {max(memory):.0f} MB (goal: at most {MEMORY_GOAL_MB})")


if __name__ == "__main__":
    main()
