"""One question to each road, with the proxy and certificates the environment names. Run as a process of its own.

python -m tests.support.behind_proxy plain|tls [CERT KEY]: prints one line a road, "road ok" or "road kind: message".
"""

from __future__ import annotations

import asyncio
import os
import ssl
import sys
from contextlib import aclosing

from dexter.errors import ModelError
from dexter.messages import UserMessage
from tests.support.protocols import ANTHROPIC, DEEPSEEK, GEMINI, OLLAMA, OPENAI, Protocol
from tests.support.wire_server import WireServer

ROADS = (ANTHROPIC, OPENAI, DEEPSEEK, GEMINI, OLLAMA)


async def ask(protocol: Protocol, url: str) -> str:
    """What became of the question."""
    try:
        async with aclosing(protocol.connect(url, 5.0)) as model:
            view = (UserMessage("m1", "Hello?"),)
            items = [item async for item in model.stream(view, tools=(), tool_choice="auto", max_tokens=50)]
    except ModelError as error:
        return f"{error.kind}: {error.message}"
    return "ok" if items else "nothing"


async def through_a_proxy() -> None:
    """The address does not exist: only the proxy can answer."""
    for protocol in ROADS:
        async with WireServer([protocol.answer("Hi")]) as proxy:
            os.environ["HTTP_PROXY"] = os.environ["http_proxy"] = proxy.url
            said = await ask(protocol, "http://model.invalid")
            sys.stdout.write(f"{protocol.name} {said} {proxy.requests[0].target.startswith('http://model.invalid/')}\n")


async def with_an_own_authority(cert: str, key: str) -> None:
    """The server's certificate is signed by nobody the system knows."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(cert, key)
    for protocol in ROADS:
        async with WireServer([protocol.answer("Hi")], tls=context) as server:
            sys.stdout.write(f"{protocol.name} {await ask(protocol, server.url)}\n")


if __name__ == "__main__":
    asyncio.run(through_a_proxy() if sys.argv[1] == "plain" else with_an_own_authority(*sys.argv[2:4]))
