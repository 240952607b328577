"""One rate limit for many runs: when a provider turns one of them away, all wait, not only that one."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence

from dexter.errors import ModelError
from dexter.messages import Messages, ToolSpec
from dexter.models.protocol import Model, ModelInfo, StreamItem, ToolChoice

_TURNED_AWAY = frozenset({"rate_limit", "overloaded"})
_FIRST_S = 1.0
_LONGEST_S = 60.0
# After a wait they set out one behind the other, or all would be turned away at once again.
_APART_S = 0.05


class Gate:
    """Shut for a while after a refusal; the wait doubles with each refusal until a call gets through."""

    def __init__(
        self,
        *,
        monotonic: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._monotonic = monotonic
        self._sleep = sleep
        self._opens_at = 0.0
        self._next_turn_at = 0.0
        self._wait_s = _FIRST_S

    async def enter(self) -> None:
        """Return once the gate is open; those who waited for it go in one behind the other."""
        while (now := self._monotonic()) < self._opens_at:
            turn = max(self._next_turn_at, self._opens_at)
            self._next_turn_at = turn + _APART_S
            await self._sleep(turn - now)

    def shut(self, retry_after_s: float | None) -> None:
        """A call was turned away; the provider may have said for how long."""
        now = self._monotonic()
        if retry_after_s is None and now < self._opens_at:
            return  # another call of the same moment was turned away already
        wait = self._wait_s if retry_after_s is None else min(retry_after_s, _LONGEST_S)
        self._wait_s = min(self._wait_s * 2, _LONGEST_S)
        self._opens_at = max(self._opens_at, now + wait)

    def passed(self) -> None:
        """A call got through."""
        self._wait_s = _FIRST_S


class PacedModel:
    """A model whose calls go through a gate that it shares with others."""

    def __init__(self, model: Model, gate: Gate) -> None:
        self._model = model
        self._gate = gate

    @property
    def info(self) -> ModelInfo:
        """What is known of the model."""
        return self._model.info

    async def stream(
        self, messages: Messages, *, tools: Sequence[ToolSpec], tool_choice: ToolChoice, max_tokens: int
    ) -> AsyncIterator[StreamItem]:
        """The model's stream, once the gate is open."""
        await self._gate.enter()
        try:
            async for item in self._model.stream(messages, tools=tools, tool_choice=tool_choice, max_tokens=max_tokens):
                yield item
        except ModelError as error:
            if error.kind in _TURNED_AWAY:
                self._gate.shut(error.retry_after)
            raise
        self._gate.passed()

    async def count(self, messages: Messages, *, tools: Sequence[ToolSpec]) -> int | None:
        """The model's own count."""
        return await self._model.count(messages, tools=tools)

    async def aclose(self) -> None:
        """Close the model's connections, if it holds any."""
        close = getattr(self._model, "aclose", None)
        if close is not None:
            await close()
