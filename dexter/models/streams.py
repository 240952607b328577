"""Limits of silence around a stream."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from typing import TypeVar

from dexter.models.failures import stalled

Item = TypeVar("Item")

# A model that thinks in silence, or a local one that reads a long prompt, may take this many idle limits.
PATIENCE = 5


async def within(awaitable: Awaitable[Item], seconds: float) -> Item:
    """The result, or a `ModelError` of kind `timeout` after so many seconds."""
    try:
        async with asyncio.timeout(seconds):
            return await awaitable
    except TimeoutError as error:
        raise stalled(seconds) from error


async def with_idle_limit(
    items: AsyncIterator[Item], limit: Callable[[], float], is_progress: Callable[[Item], bool] = lambda _item: True
) -> AsyncGenerator[Item, None]:
    """The items; no progress for `limit()` seconds, asked anew after each progress, is a failure.

    An item that is none, such as a sign of life, lets the time run on.

    Raises:
        ModelError: kind `timeout`.
    """
    iterator, now = aiter(items), asyncio.get_running_loop().time
    allowed = limit()
    deadline = now() + allowed
    while True:
        try:
            async with asyncio.timeout_at(deadline):
                item = await anext(iterator)
        except StopAsyncIteration:
            return
        except TimeoutError as error:
            raise stalled(allowed) from error
        yield item
        if is_progress(item):
            allowed = limit()
            deadline = now() + allowed
