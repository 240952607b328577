"""How long a person waits for a replay of a very long run: 100 MB, 5,000 turns, beside the JSON library alone.

    python -m benchmarks.replay [MEGABYTES]

First screen: from the start of the program until its first 40 lines are written. Memory is the largest the program had.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from dexter.app.under_policy import UnsyncedFiles
from dexter.ids import IdSource
from dexter.messages import AssistantMessage, Messages, SystemMessage, ToolCall, ToolMessage, UserMessage
from dexter.results import Source, ToolResult
from dexter.scratchpad.scratchpad import Scratchpad
from dexter.scratchpad.view import diff_view, view_hash
from dexter.usage import Usage

AT = "2026-03-20T12:00:00.000Z"
TURNS = 5_000
SCREEN_LINES = 40
ROW = {"ticker": "NVDA", "concept": "Revenues", "value": "130497000000", "period_end": "2025-01-26", "unit": "USD"}
KEPT, EVERY = 20, 25  # messages that stay, and turns between two compactions
VIEWED = 4_000
TIMES = 3


def write_run(folder: Path, megabytes: int) -> Path:
    """A run with one result a turn, half of them objects, whose view is compacted every few turns."""
    scratchpad = Scratchpad.create(
        folder, "A question.", started=datetime.now(UTC), clock=lambda: AT, port=UnsyncedFiles()
    )
    record, ids = scratchpad.record, IdSource()
    record.init("A question.")
    settings = {"model": "m", "policy": "dexter", "window": 200_000, "threshold": 167_000}
    record.run(run="r", conversation="r", parent=None, system="Be exact.", tools=[], settings=settings)
    view: Messages = (SystemMessage("m0", "Be exact."), UserMessage(ids.next_message(), "A question."))
    record.message(view[1])
    text = "x" * 200 + json.dumps({"rows": [ROW] * (megabytes * 1_000_000 // TURNS // 125)}, separators=(",", ":"))
    for turn in range(1, TURNS + 1):
        view = _turn(scratchpad, ids, view, turn, text if turn % 2 else text[200:])
    usage = Usage(TURNS * 50_000, output=TURNS * 100)
    record.answer(text="Done.", complete=True, sources=())
    record.end(status="answered", exit_status=0, usage=usage, cost_usd="1.5")
    scratchpad.close()
    return scratchpad.paths.scratchpad


def _turn(scratchpad: Scratchpad, ids: IdSource, view: Messages, turn: int, text: str) -> Messages:
    record = scratchpad.record
    tokens = 2_000 + 6_000 * (turn % EVERY)
    record.model_call(
        turn=turn, view_hash=view_hash(view, ()), tokens_estimated=tokens, max_tokens=9, tool_choice="auto"
    )
    call = ToolCall(ids.next_call(), "get_financials", {"tickers": ["NVDA"], "period": "annual"}, f"call_{turn}")
    said = AssistantMessage(ids.next_message(), "Next I look at the following quarter. " * 5, (), (call,))
    usage = Usage(tokens, output=100)
    record.model_turn(said, turn=turn, stop_reason="tool_use", usage=usage, cost_usd="", model="m", duration_s=1.0)
    result = ToolMessage(ids.next_message(), ids.next_result(), call.id, call.name, "ok", text, chars=len(text))
    record.tool_result(call, result, ToolResult(text, sources=(Source("filing", "NVDA 10-K"),)), duration_s=0.2)
    record.message(result)
    view = (*view, said, result)
    if turn % EVERY:
        return view
    summary = UserMessage(ids.next_message(), "A summary. " * 400, "harness", "summary")
    after = (*view[:2], summary, *view[-KEPT:])
    report = {"success": True, "counts_as_failure": True, "tokens_before": tokens, "tokens_after": 2_000}
    record.view_edit("compact", report=report, ops=diff_view(view, after), tokens=(tokens, 2_000))
    return after


def json_alone(path: Path) -> float:
    begun = time.perf_counter()
    code = "import json, sys\nfor line in open(sys.argv[1], 'rb'): json.loads(line)"
    subprocess.run([sys.executable, "-c", code, str(path)], check=True)
    return time.perf_counter() - begun


def first_screen(path: Path) -> float:
    begun = time.perf_counter()
    process = subprocess.Popen(command(path), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert process.stdout is not None
    for _ in range(SCREEN_LINES):
        process.stdout.readline()
    waited = time.perf_counter() - begun
    process.kill()
    process.wait()
    process.stdout.close()
    return waited


def whole(path: Path, *options: str) -> tuple[float, float]:
    """Seconds to the end, and the largest memory in MB."""
    begun = time.perf_counter()
    process = subprocess.Popen(command(path, *options), stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return time.perf_counter() - begun, used.ru_maxrss / 1024


def command(path: Path, *options: str) -> list[str]:
    return [sys.executable, "-m", "dexter", "replay", str(path), *options]


def best(measure: Callable[[], float]) -> float:
    return min(measure() for _ in range(TIMES))


def main() -> None:
    megabytes = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    with tempfile.TemporaryDirectory() as name:
        path = write_run(Path(name), megabytes)
        print(f"{path.stat().st_size / 1e6:.0f} MB, {TURNS:,} turns          seconds   × json")
        alone = best(lambda: json_alone(path))
        view = ("--turn", str(VIEWED), "--view")
        rows = {
            "json.loads alone": alone,
            "first screen": best(lambda: first_screen(path)),
            f"--turn {VIEWED} --view": best(lambda: whole(path, *view)[0]),
            "all of it": best(lambda: whole(path)[0]),
        }
        for what, seconds in rows.items():
            print(f"  {what:<28} {seconds:7.2f}   {seconds / alone:6.2f}")
        print(f"memory: all of it {whole(path)[1]:.0f} MB, the view {whole(path, *view)[1]:.0f} MB")


if __name__ == "__main__":
    main()
