"""Real proxies on loopback: one that tunnels by CONNECT or passes plain requests on, and one that speaks SOCKS 5.

Whatever name is asked for, they connect to the one server they were given: no name is looked up.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Literal, Self

Kind = Literal["http", "socks5"]


class Proxy:
    """Listens on loopback; `asked` keeps the hosts that were asked for. `port` is that of the server behind it."""

    def __init__(self, kind: Kind, port: int) -> None:
        self.asked: list[str] = []
        self.url = ""
        self._kind, self._port = kind, port
        self._server: asyncio.Server | None = None

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        self.url = f"{self._kind}://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            await (self._tunnel(reader, writer) if self._kind == "http" else self._socks(reader, writer))
        writer.close()

    async def _tunnel(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        method, target, _ = head.decode("latin-1").split(" ", 2)
        assert method == "CONNECT"
        self.asked.append(target.rsplit(":", 1)[0])
        writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        await self._pass_on(reader, writer)

    async def _socks(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        _version, methods = await reader.readexactly(2)
        await reader.readexactly(methods)
        writer.write(b"\x05\x00")
        _version, _command, _reserved, form = await reader.readexactly(4)
        size = (await reader.readexactly(1))[0] if form == 3 else 4  # a name, or an address
        self.asked.append((await reader.readexactly(size)).decode("latin-1"))
        await reader.readexactly(2)
        writer.write(b"\x05\x00\x00\x01" + bytes(6))
        await self._pass_on(reader, writer)

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        up, down = await asyncio.open_connection("127.0.0.1", self._port)
        await asyncio.gather(_copy(reader, down), _copy(up, writer))


async def _copy(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    with suppress(ConnectionError):
        while data := await source.read(65_536):
            target.write(data)
            await target.drain()
        target.close()
