"""Limits of silence around a stream."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from typing import TypeVar

from dexter.models.failures import stalled

Item = TypeVar("Item")


async def within(awaitable: Awaitable[Item], seconds: float) -> Item:
    """The result, or a `ModelError` of kind `timeout` after so many seconds."""
    try:
        async with asyncio.timeout(seconds):
            return await awaitable
    except TimeoutError as error:
        raise stalled(seconds) from error


async def with_idle_limit(items: AsyncIterator[Item], limit: Callable[[], float]) -> AsyncGenerator[Item, None]:
    """The items; none for `limit()` seconds, asked anew before each, is a failure.

    Raises:
        ModelError: kind `timeout`.
    """
    iterator = aiter(items)
    while True:
        try:
            item = await within(anext(iterator), limit())
        except StopAsyncIteration:
            return
        yield item
