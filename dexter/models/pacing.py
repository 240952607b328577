"""One rate limit for many runs: when a provider turns one of them away, all wait, not only that one."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Protocol, Self

from dexter.errors import ModelError
from dexter.messages import Messages, ToolSpec
from dexter.models.protocol import Model, ModelInfo, StreamItem, ToolChoice

_TURNED_AWAY = frozenset({"rate_limit", "overloaded"})
_FIRST_S = 1.0
_LONGEST_S = 60.0
# After a wait they set out one behind the other, or all would be turned away at once again.
_APART_S = 0.05


@dataclass(frozen=True)
class Shut:
    """Until when a gate is shut, when the next of those who wait may go in, and how long it would be shut next."""

    opens_at: float = 0.0
    next_turn_at: float = 0.0
    wait_s: float = _FIRST_S


class Board(Protocol):
    """Where it is written that a gate is shut, for all who go through it."""

    def read(self) -> Shut:
        """What is written there."""
        ...

    def write(self, shut: Shut) -> None:
        """Write it there."""
        ...


class BoardInMemory:
    """For the runs of one process."""

    def __init__(self) -> None:
        self._shut = Shut()

    def read(self) -> Shut:
        """What is written there."""
        return self._shut

    def write(self, shut: Shut) -> None:
        """Write it there."""
        self._shut = shut


class BoardInFile:
    """For processes, on whatever machines, that see the same file; its times are of the clock on the wall.

    Where the file can't be used the gate is that of this process alone. Of two who write at once the later is heard:
    they were turned away in the same moment.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._own = Shut()

    def read(self) -> Shut:
        """What is written there; nothing where it can't be read."""
        try:
            given = json.loads(self._path.read_bytes())
            return Shut(float(given["opens_at"]), float(given["next_turn_at"]), float(given["wait_s"]))
        except (OSError, ValueError, TypeError, KeyError):
            return self._own

    def write(self, shut: Shut) -> None:
        """Write it there, whole."""
        self._own = shut
        beside = self._path.with_name(f"{self._path.name}.{os.getpid()}")
        with contextlib.suppress(OSError):
            beside.write_text(json.dumps(asdict(shut)), encoding="utf-8")
            beside.replace(self._path)


class Gate:
    """Shut for a while after a refusal; the wait doubles with each refusal until a call gets through.

    Args:
        clock: seconds; with a board that other machines see, those of the clock on the wall.
        sleep: waits so many seconds.
        board: where it is written that the gate is shut; this process's memory by default.
    """

    def __init__(
        self,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        board: Board | None = None,
    ) -> None:
        self._clock = clock
        self._sleep = sleep
        self._board = board or BoardInMemory()

    @classmethod
    def in_file(cls, path: Path) -> Self:
        """A gate shared by all processes that see the file."""
        return cls(clock=time.time, board=BoardInFile(path))

    async def enter(self) -> None:
        """Return once the gate is open; those who waited for it go in one behind the other."""
        while self._is_shut(shut := self._board.read(), now := self._clock()):
            turn = max(shut.next_turn_at, shut.opens_at)
            self._board.write(replace(shut, next_turn_at=turn + _APART_S))
            await self._sleep(turn - now)

    def shut(self, retry_after_s: float | None) -> None:
        """A call was turned away; the provider may have said for how long."""
        now, before = self._clock(), self._board.read()
        if retry_after_s is None and self._is_shut(before, now):
            return  # another call of the same moment was turned away already
        wait = before.wait_s if retry_after_s is None else min(retry_after_s, _LONGEST_S)
        opens_at = max(before.opens_at if self._is_shut(before, now) else 0.0, now + wait)
        self._board.write(replace(before, opens_at=opens_at, wait_s=min(before.wait_s * 2, _LONGEST_S)))

    def passed(self) -> None:
        """A call got through."""
        before = self._board.read()
        if before.wait_s != _FIRST_S:
            self._board.write(replace(before, wait_s=_FIRST_S))

    def _is_shut(self, shut: Shut, now: float) -> bool:
        """What is said to open later than any wait lasts was written by a clock that is wrong."""
        return now < shut.opens_at <= now + _LONGEST_S


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
