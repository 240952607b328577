"""What a session feels like: the prompt, Esc in each phase of a run, and what is written while it streams and at idle.

    python -m benchmarks.session [ROUNDS]

A real pseudo-terminal and the scripted model of the tests. Goals on a quiet machine: the prompt in less than a second,
Esc within 0.3 s, 4 KB a second while text streams at 80 columns, nothing at idle.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.support.program import Home, dexter_command, make_home
from tests.support.terminal import Terminal, python

ROUNDS = 5
PHASES = {"wait": "waiting for the model", "tool": "slow · ", "retry": "trying again in", "stream": r"Word\s5\s"}
IDLE = "Ask about"
LOOK_S = 3.0


def help_s(home: Home) -> float:
    """The yardstick: `dexter --help`."""
    started = time.perf_counter()
    subprocess.run(dexter_command("--help"), env=home.environ(), cwd=home.work, capture_output=True, check=True)
    return time.perf_counter() - started


def prompt_s(home: Home) -> float:
    """From the start of the process to a prompt one can type at."""
    started = time.perf_counter()
    with Terminal(dexter_command("--offline"), 80, home.environ(), str(home.work)) as terminal:
        terminal.wait_for(IDLE)
        elapsed = time.perf_counter() - started
        terminal.send("\x04")
        terminal.finish()
    return elapsed


def look(home: Home) -> dict[str, float]:
    """Seconds from Esc to the end of a run in each phase; bytes a second while text streams, and at idle."""
    found: dict[str, float] = {}
    command = python("-m", "tests.support.scripted_session")
    with Terminal(command, 80, home.environ(), str(home.work)) as terminal:
        terminal.wait_for(IDLE)
        terminal.drain()
        found["idle, bytes/s"] = rate(terminal)
        for phase, seen in PHASES.items():
            terminal.send(f"{phase} here\r")
            terminal.wait_for(rf"❯ {phase} here[\s\S]*{seen}")
            if phase == "stream":
                found["streaming, bytes/s"] = rate(terminal)
            started = time.perf_counter()
            terminal.send("\x1b")
            terminal.wait_for(rf"❯ {phase} here[\s\S]*interrupted ·")
            found[f"Esc, phase {phase}, s"] = time.perf_counter() - started
            terminal.wait_for(IDLE)
        terminal.send("\x04")
        terminal.finish()
    return found


def rate(terminal: Terminal) -> float:
    """Bytes a second over a while."""
    before, started = len(terminal.raw.encode()), time.perf_counter()
    while time.perf_counter() - started < LOOK_S:
        terminal.drain(quiet=0.02)
    return (len(terminal.raw.encode()) - before) / (time.perf_counter() - started)


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    with tempfile.TemporaryDirectory() as folder:
        home = make_home(Path(folder))
        prompt_s(home)  # byte code is written once
        helps = [help_s(home) for _ in range(rounds)]
        prompts = [prompt_s(home) for _ in range(rounds)]
        looks = [look(home) for _ in range(max(rounds // 2, 1))]
    help_median, prompt_median = statistics.median(helps), statistics.median(prompts)
    print(f"A session, median of {rounds}, Python {sys.version.split()[0]}\n\n| what | measured |\n|---|---|")
    print(f"| prompt, s | {prompt_median:.2f} (least {min(prompts):.2f}; {prompt_median / help_median:.1f}× --help) |")
    for name in looks[0]:
        values = [found[name] for found in looks]
        print(f"| {name} | {statistics.median(values):.2f} (most {max(values):.2f}) |")


if __name__ == "__main__":
    main()
