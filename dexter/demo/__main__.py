"""`make demo`: one run that shows every panel, with a scripted model, the real loop, the real tools and real figures.

python -m dexter.demo                 in this terminal, paced for reading
python -m dexter.demo --svg FILE      the same at once, as a picture
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from dexter.agent.queue import Inbox
from dexter.app.ask import ask
from dexter.app.build import Parts
from dexter.app.models import ModelChoice
from dexter.app.outside import Outside, Setup
from dexter.app.run_tool import run_tool
from dexter.app.toolbox import build_tools
from dexter.cli.ending import Ender, run_to_end
from dexter.config.load import Surroundings, load
from dexter.config.paths import Places
from dexter.demo.script import FINAL_CALL, QUESTION, TYPED, fast_turn, final_answer, turns
from dexter.errors import Interrupted
from dexter.events import Emitted, ToolFinished
from dexter.messages import Messages, ToolSpec
from dexter.models.protocol import ModelInfo, StreamItem, ToolChoice
from dexter.models.scripted import ScriptedModel
from dexter.results import ToolResult
from dexter.tools.registry import Registry
from dexter.tools.tool import Tool, ToolContext
from dexter.ui.console import make_console
from dexter.ui.live import LiveSink

WINDOW = 32_000
COLUMNS = 100
INFO = ModelInfo("scripted", "demo", window=WINDOW)


@dataclass(frozen=True)
class Pace:
    """Seconds a piece of text and a tool take; zero shows the run at once."""

    piece_s: float = 0.05
    tool_s: float = 1.6


@dataclass
class PacedModel:
    """The scripted model, writing no faster than one can read."""

    script: ScriptedModel
    pace: Pace
    info: ModelInfo = field(default=INFO)

    async def stream(
        self, messages: Messages, *, tools: Sequence[ToolSpec], tool_choice: ToolChoice, max_tokens: int
    ) -> AsyncIterator[StreamItem]:
        """Stream the next turn, a piece at a time."""
        async for item in self.script.stream(messages, tools=tools, tool_choice=tool_choice, max_tokens=max_tokens):
            await asyncio.sleep(self.pace.piece_s)
            yield item

    async def count(self, messages: Messages, *, tools: Sequence[ToolSpec]) -> int | None:
        """The estimate."""
        return await self.script.count(messages, tools=tools)


def paced(tool: Tool[Any], pace: Pace) -> Tool[Any]:
    """The same tool, taking its time and telling how far it is."""

    async def run(arguments: Any, context: ToolContext) -> ToolResult:
        for step in ("asking", "reading"):
            context.progress(step)
            await asyncio.sleep(pace.tool_s / 2)
        return await tool.run(arguments, context)

    return replace(tool, run=run)


class Clock:
    """A clock that moves only when it is looked at, so that a picture does not tell how slow the machine was."""

    def __init__(self, step_s: float) -> None:
        self._now = 0.0
        self._step_s = step_s

    def monotonic(self) -> float:
        """Seconds since the beginning."""
        self._now += self._step_s
        return self._now

    def now(self) -> datetime:
        """A day on which the sample is up to date."""
        return datetime(2026, 6, 1, 12, tzinfo=UTC) + timedelta(seconds=self._now)


def make_setup(folder: Path, outside: Outside) -> Setup:
    """Settings of a new user who works offline in a small window."""
    places = Places(folder / "config", folder / "data", folder / "cache")
    return Setup(load(Surroundings({}, folder, places), {"offline": True, "window": WINDOW}), outside)


async def show(folder: Path, live: LiveSink, outside: Outside, pace: Pace) -> None:
    """Run the script; what is typed meanwhile arrives after the third result."""
    setup, inbox = make_setup(folder, outside), Inbox()

    def type_along(emitted: Emitted) -> None:
        if isinstance(emitted.event, ToolFinished) and emitted.event.result == TYPED.after_result:
            inbox.put(TYPED.line)

    async with AsyncExitStack() as stack:
        tools = build_tools(setup, WINDOW, folder, stack)
        figures = await run_tool(tools, *FINAL_CALL, setup)
        model = PacedModel(ScriptedModel(turns(final_answer(figures)), piece=12), pace)
        fast = PacedModel(ScriptedModel([fast_turn]), Pace(pace.piece_s * 4, 0), replace(INFO, name="scripted-fast"))
        parts = Parts(
            models=ModelChoice.of(model, fast, reason="A script plays the models; loop, tools and figures are real."),
            tools=Registry(paced(tool, pace) for tool in tools),
        )
        await ask(QUESTION, setup, sinks=(live, type_along), inbox=inbox, parts=parts)


def on_this_terminal() -> None:
    """The demo as a person sees it."""
    console = make_console(sys.stderr, os.environ)
    live = LiveSink(console, hyperlinks=False)
    with tempfile.TemporaryDirectory() as folder:
        try:
            run_to_end(
                show(Path(folder), live, Outside(), Pace()),
                Ender(),
                tick=live.refresh,
                stopping=live.stopping,
                give_up=live.close,
            )
        except Interrupted as ending:  # the last line says so, and the record goes with the folder
            raise SystemExit(ending.exit_status) from None


def as_picture(path: Path) -> None:
    """The demo as an SVG, without a font from anywhere."""
    clock = Clock(0.005)
    with Path(os.devnull).open("w", encoding="utf-8") as nowhere, tempfile.TemporaryDirectory() as folder:
        console = make_console(nowhere, {"TERM": "xterm-256color"}, width=COLUMNS, record=True)
        live = LiveSink(console, hyperlinks=False, monotonic=clock.monotonic)
        outside = Outside(now=clock.now, monotonic=clock.monotonic, random=lambda: 0.5)
        asyncio.run(show(Path(folder), live, outside, Pace(0, 0)))
        picture = console.export_svg(title='dexter ask "…"', unique_id="dexter")
    path.write_text(without_remote_fonts(picture).replace(str(folder), "~"), encoding="utf-8")


def without_remote_fonts(svg: str) -> str:
    """The picture with the reader's own monospaced font."""
    while (start := svg.find("@font-face")) >= 0:
        svg = svg[:start] + svg[svg.index("}", start) + 1 :].lstrip()
    return svg.replace("Fira Code", "ui-monospace, Menlo, Consolas")


def main(arguments: Sequence[str] | None = None) -> None:
    """Show the demo."""
    parser = argparse.ArgumentParser(description="One run that shows every panel.")
    parser.add_argument("--svg", type=Path, metavar="FILE", help="write a picture instead")
    chosen = parser.parse_args(arguments)
    start: Callable[[], None] = (lambda: as_picture(chosen.svg)) if chosen.svg else on_this_terminal
    start()


if __name__ == "__main__":
    main()
