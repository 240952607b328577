"""The scratchpad's costs: reading a large one against the JSON library alone, and appending early and late in a run.

    python -m benchmarks.scratchpad [MEGABYTES]

Times are of this machine; the ratios are what counts. The disk's own time (fsync) is counted apart.
"""

from __future__ import annotations

import json
import multiprocessing
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.timed_files import TimedFiles
from dexter.ids import IdSource
from dexter.messages import AssistantMessage, ToolCall, ToolMessage
from dexter.results import ToolResult
from dexter.scratchpad.lines import encode_line
from dexter.scratchpad.reader import Line, read_lines
from dexter.scratchpad.run_state import read_state
from dexter.scratchpad.scratchpad import Scratchpad
from dexter.usage import Usage

AT = "2026-03-20T12:00:00.000Z"
ROW = {"ticker": "NVDA", "concept": "Revenues", "value": "130497000000", "period_end": "2025-01-26", "unit": "USD"}
WINDOW = 40  # turns whose mean is taken


def write_large(path: Path, megabytes: int) -> None:
    """A scratchpad of 20 KB results, half of them objects, with small lines between."""
    rows = json.dumps({"rows": [ROW] * 160}, separators=(",", ":"))
    with path.open("wb") as file:
        number = 0
        while file.tell() < megabytes * 1_000_000:
            number += 1
            call = {"view_hash": "0" * 64, "turn": number, "tokens_estimated": 9}
            file.write(encode_line("model_call", AT, call))
            result = json.loads(rows) if number % 2 else rows
            file.write(encode_line("tool_result", AT, {"toolName": "t", "args": {}, "result": result, "id": number}))


def json_alone(path: Path) -> int:
    with path.open("rb") as file:
        return sum(1 for line in file if json.loads(line))


def tolerant(path: Path) -> int:
    return sum(1 for line in read_lines(path) if isinstance(line, Line))


def whole_state(path: Path) -> int:
    return len(read_state(path).results)


def measured(work: Callable[[Path], int], path: Path) -> tuple[float, float]:
    """Best of three in seconds, and the growth of the process's peak memory in MB."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    times = []
    for _ in range(3):
        begun = time.perf_counter()
        work(path)
        times.append(time.perf_counter() - begun)
    return min(times), (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024


def in_a_fresh_process(work: Callable[[Path], int], path: Path) -> tuple[float, float]:
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        return pool.submit(measured, work, path).result()


def report_reading(folder: Path, megabytes: int) -> None:
    path = folder / "large.jsonl"
    write_large(path, megabytes)
    alone, memory = in_a_fresh_process(json_alone, path)
    print(f"reading {megabytes} MB            seconds   MB/s   of json   peak MB")
    print(f"  json.loads alone         {alone:7.2f} {megabytes / alone:6.0f}      1.00   {memory:7.1f}")
    for name, work in (("tolerant reader", tolerant), ("state of the run", whole_state)):
        seconds, memory = in_a_fresh_process(work, path)
        speed = megabytes / seconds
        print(f"  {name:<24} {seconds:7.2f} {speed:6.0f}   {alone / seconds:7.2f}   {memory:7.1f}")


def record_turn(scratchpad: Scratchpad, ids: IdSource, turn: int) -> None:
    """What the agent records in one turn with one 1 KB result."""
    record = scratchpad.record
    record.model_call(turn=turn, view_hash="0" * 64, tokens_estimated=9, max_tokens=9, tool_choice="auto")
    call = ToolCall(ids.next_call(), "get_financials", {"tickers": ["NVDA"]}, f"call_{turn}")
    answer = AssistantMessage(ids.next_message(), "", (), (call,))
    record.model_turn(
        answer, turn=turn, stop_reason="tool_use", usage=Usage(), cost_usd="", model="instant", duration_s=0.0
    )
    message = ToolMessage(ids.next_message(), ids.next_result(), call.id, call.name, "ok", "x" * 1024, chars=1024)
    record.tool_result(call, message, ToolResult("x" * 1024), duration_s=0.0)
    record.message(message)


def report_appending(folder: Path) -> None:
    port, ids = TimedFiles(), IdSource()
    scratchpad = Scratchpad.create(folder, "question", started=datetime.now(UTC), clock=lambda: AT, port=port)
    own: list[float] = []
    disk: list[float] = []
    for turn in range(1, 1001):
        waited, begun = port.synced_s, time.perf_counter()
        record_turn(scratchpad, ids, turn)
        disk.append(port.synced_s - waited)
        own.append(time.perf_counter() - begun - disk[-1])
    scratchpad.close()
    print("\na turn's four lines        own ms   fsync ms")
    means = {}
    for turn in (300, 1000):
        means[turn] = sum(own[turn - WINDOW : turn]) / WINDOW
        waited = sum(disk[turn - WINDOW : turn]) / WINDOW
        print(f"  at turn {turn:<16} {means[turn] * 1000:7.3f}   {waited * 1000:8.3f}")
    print(f"  1,000 against 300        {means[1000] / means[300]:7.2f}")


def main() -> None:
    megabytes = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    with tempfile.TemporaryDirectory() as name:
        report_reading(Path(name), megabytes)
        report_appending(Path(name))


if __name__ == "__main__":
    main()
