"""Models and tools for sessions: they take their time, so that lines can be typed and runs be stopped meanwhile."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field

from dexter.app.build import Parts
from dexter.app.models import ModelChoice
from dexter.messages import Messages, ToolSpec
from dexter.models.protocol import ModelInfo, StreamItem, TextPiece, ToolChoice
from dexter.models.scripted import ScriptedModel, calls, says
from dexter.tools.registry import Registry
from tests.support.runs import tool

INFO = ModelInfo("scripted", "scripted", window=64_000)


@dataclass
class UnevenModel:
    """Calls tools a random number of times, then answers; between any two pieces the loop may run on for a while."""

    dice: random.Random
    info: ModelInfo = field(default=INFO)

    async def stream(
        self, messages: Messages, *, tools: Sequence[ToolSpec], tool_choice: ToolChoice, max_tokens: int
    ) -> AsyncIterator[StreamItem]:
        calling = tool_choice == "auto" and self.dice.random() < 0.6
        response = (
            calls(("wait", "{}"), ("wait", "{}"), text="Let me see.") if calling else says("That is all there is.")
        )
        for word in response.text.split():
            await turns_of_the_loop(self.dice)
            yield TextPiece(f"{word} ")
        await turns_of_the_loop(self.dice)
        yield response

    async def count(self, messages: Messages, *, tools: Sequence[ToolSpec]) -> int | None:
        return None

    async def aclose(self) -> None:
        """The run has its answer, but its end takes a while: what is typed now is too late for it."""
        for _ in range(3):
            await turns_of_the_loop(self.dice)


async def turns_of_the_loop(dice: random.Random) -> None:
    """Let others run, a random number of times."""
    for _ in range(dice.randrange(4)):
        await asyncio.sleep(0)


def uneven_parts(dice: random.Random) -> Parts:
    """The uneven model, and a tool that takes as long as it likes."""

    async def wait(_arguments: object, _context: object) -> str:
        await turns_of_the_loop(dice)
        return "waited"

    return Parts(ModelChoice.of(UnevenModel(dice)), Registry([tool("wait", wait, concurrent=True)]))


def scripted_parts(*turns: object) -> Parts:
    """A scripted model and one quick tool."""
    model = ScriptedModel(list(turns), info=INFO)  # type: ignore[arg-type]
    return Parts(ModelChoice.of(model), Registry([tool("look", lambda a, _c: f"found 42 for {a.query}")]))
