"""`--strict` from the command line to the exit status, with a model behind a real socket."""

from __future__ import annotations

import asyncio
import json
import subprocess
from pathlib import Path

import pytest

from tests.support import anthropic_sse as sse
from tests.support.program import Home, make_home
from tests.support.wire_server import Reply, WireServer

CALL = json.dumps({"tickers": ["NVDA"], "concepts": ["Revenues"], "period": "annual", "limit": 1})
LOOK_UP = Reply(chunks=(sse.start(), *sse.tool(0, "get_financials", CALL), *sse.stop("tool_use")))
RIGHT = "NVDA's revenue was $215.9 billion in FY2026."
WRONG = "NVDA's revenue was $251.9 billion in FY2026."


async def _ask(home: Home, text: str, *options: str) -> subprocess.CompletedProcess[str]:
    async with WireServer([LOOK_UP, Reply(chunks=sse.answer(text))]) as server:
        environ = {"ANTHROPIC_API_KEY": "sk-ant-test", "ANTHROPIC_BASE_URL": server.url}
        arguments = ("ask", "--model", "claude-opus-5-5", *options, "NVDA revenue?")
        return await asyncio.to_thread(home.dexter, *arguments, environ=environ)


@pytest.mark.parametrize(
    ("text", "options", "status", "told"),
    [
        (WRONG, ("--strict",), 4, "not found: $251.9 billion"),
        (WRONG, (), 0, "not found: $251.9 billion"),
        (RIGHT, ("--strict",), 0, "Figures: 1 found · 0 derived · 0 not found · 0 unchecked"),
        (WRONG, ("--strict", "--quiet"), 4, ""),
    ],
)
def test_the_answer_stands_and_the_status_tells(
    tmp_path: Path, text: str, options: tuple[str, ...], status: int, told: str
) -> None:
    """Standard output has the answer alone; the line about its figures is on standard error, and `--quiet` is."""
    done = asyncio.run(_ask(make_home(tmp_path), text, *options))
    assert done.returncode == status, done.stderr
    assert done.stdout.strip() == text
    assert told in done.stderr
    assert bool(told) == bool(done.stderr)


def test_the_json_object_has_the_figures_with_their_sources(tmp_path: Path) -> None:
    """And the status with which the process ends."""
    done = asyncio.run(_ask(make_home(tmp_path), RIGHT, "--json", "--strict"))
    result = json.loads(done.stdout)
    (figure,) = result["figures"]
    assert (figure["status"], figure["source"]["title"]) == ("found", "NVIDIA CORP 10-K")
    assert result["exit_status"] == done.returncode == 0
