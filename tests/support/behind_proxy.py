"""One question to each road, with the proxy and certificates the environment names. Run as a process of its own.

python -m tests.support.behind_proxy plain|past|tls|tunnel|socks [CERT KEY]: prints one line a road, "road ok" or
"road kind: message".
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
from tests.support.proxies import Kind, Proxy
from tests.support.wire_server import WireServer

ROADS = (ANTHROPIC, OPENAI, DEEPSEEK, GEMINI, OLLAMA)
_NOWHERE = "model.invalid"


async def ask(protocol: Protocol, url: str) -> str:
    """What became of the question."""
    try:
        async with aclosing(protocol.connect(url, 5.0)) as model:
            view = (UserMessage("m1", "Hello?"),)
            items = [item async for item in model.stream(view, tools=(), tool_choice="auto", max_tokens=50)]
    except ModelError as error:
        return f"{error.kind}: {error.message}"
    return "ok" if items else "nothing"


def name_proxy(name: str, url: str) -> None:
    """Set the variable in both ways it is written."""
    os.environ[f"{name}_PROXY"] = os.environ[f"{name.lower()}_proxy"] = url


async def through_a_proxy() -> None:
    """The address does not exist: only the proxy can answer."""
    for protocol in ROADS:
        async with WireServer([protocol.answer("Hi")]) as proxy:
            name_proxy("HTTP", proxy.url)
            said = await ask(protocol, f"http://{_NOWHERE}")
            asked = [request.target.startswith(f"http://{_NOWHERE}/") for request in proxy.requests]
            sys.stdout.write(f"{protocol.name} {said} {asked == [True]}\n")


async def past_a_proxy() -> None:
    """Nobody listens at the proxy, and NO_PROXY names the server."""
    name_proxy("HTTP", "http://127.0.0.1:9")
    name_proxy("ALL", "http://127.0.0.1:9")
    name_proxy("NO", "other.invalid,127.0.0.1")
    for protocol in ROADS:
        async with WireServer([protocol.answer("Hi")]) as server:
            sys.stdout.write(f"{protocol.name} {await ask(protocol, server.url)}\n")


async def with_an_own_authority(cert: str, key: str) -> None:
    """The server's certificate is signed by nobody the system knows."""
    for protocol in ROADS:
        async with WireServer([protocol.answer("Hi")], tls=_context(cert, key)) as server:
            sys.stdout.write(f"{protocol.name} {await ask(protocol, server.url)}\n")


async def through_a_tunnel(kind: Kind, cert: str, key: str) -> None:
    """An https address that does not exist, reached through a proxy that only passes bytes on."""
    for protocol in ROADS:
        async with (
            WireServer([protocol.answer("Hi")], tls=_context(cert, key)) as server,
            Proxy(kind, int(server.url.rsplit(":", 1)[1])) as proxy,
        ):
            name_proxy("ALL" if kind == "socks5" else "HTTPS", proxy.url)
            said = await ask(protocol, f"https://{_NOWHERE}")
            sys.stdout.write(f"{protocol.name} {said} {proxy.asked == [_NOWHERE]}\n")


def _context(cert: str, key: str) -> ssl.SSLContext:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(cert, key)
    return context


_WAYS = {
    "plain": through_a_proxy,
    "past": past_a_proxy,
    "tls": with_an_own_authority,
    "tunnel": lambda *pair: through_a_tunnel("http", *pair),
    "socks": lambda *pair: through_a_tunnel("socks5", *pair),
}

if __name__ == "__main__":
    asyncio.run(_WAYS[sys.argv[1]](*sys.argv[2:]))
