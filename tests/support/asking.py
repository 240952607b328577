"""One question to a loopback server that answers with given bytes."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import Any

from dexter.messages import Messages, SystemMessage, UserMessage
from dexter.models.protocol import ModelResponse
from tests.support.protocols import Protocol
from tests.support.wire_server import Reply, WireServer

VIEW = (SystemMessage("m1", "You research."), UserMessage("m2", "Go."))


async def ask(model: Any, view: Messages = VIEW) -> ModelResponse:
    """The last item of the stream."""
    items = [item async for item in model.stream(view, tools=(), tool_choice="auto", max_tokens=100)]
    assert isinstance(items[-1], ModelResponse)
    return items[-1]


def reply_to(protocol: Protocol, reply: Reply, *, idle_s: float = 2.0) -> ModelResponse:
    """What the adapter makes of a reply."""

    async def go() -> ModelResponse:
        async with WireServer([reply]) as server, aclosing(protocol.connect(server.url, idle_s)) as model:
            return await ask(model)

    return asyncio.run(go())


def answer_to(protocol: Protocol, *chunks: bytes, idle_s: float = 2.0) -> ModelResponse:
    """What the adapter makes of these bytes."""
    return reply_to(protocol, Reply(200, protocol.headers, chunks), idle_s=idle_s)
