"""A small HTTP server of our own on loopback: exact bytes in and out, and the faults no mock has.

async with WireServer([Reply(chunks=[b"..."], ending="cut")]) as server: ...
"""

from __future__ import annotations

import asyncio
import json
import ssl
from dataclasses import dataclass, field
from typing import Any, Literal, Self

# How an answer ends: properly, in the middle of the transfer, with the body's proper end although the content is not
# complete, or never.
Ending = Literal["whole", "cut", "stall"]


@dataclass(frozen=True)
class Reply:
    """One answer. `pause_s` between chunks; `hang` keeps even the status line back."""

    status: int = 200
    headers: dict[str, str] = field(default_factory=lambda: {"content-type": "text/event-stream"})
    chunks: tuple[bytes, ...] = ()
    ending: Ending = "whole"
    pause_s: float = 0.0
    hang: bool = False


@dataclass(frozen=True)
class Request:
    """One request as it came."""

    method: str
    target: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


def error_reply(status: int, body: Any, **headers: str) -> Reply:
    """A refusal with a JSON body; header names with underscores for hyphens."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply(status, {"content-type": "application/json", **named}, (json.dumps(body).encode(),))


class WireServer:
    """Answers with `replies` in order, the last one again; `requests` keeps what came.

    `asked` is set once a request is there, `idle` while no connection is open.
    """

    def __init__(self, replies: list[Reply], *, tls: ssl.SSLContext | None = None) -> None:
        self.replies = replies
        self.requests: list[Request] = []
        self.asked = asyncio.Event()
        self.idle = asyncio.Event()
        self.url = ""
        self._tls = tls
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", 0, ssl=self._tls)
        self.url = f"{'https' if self._tls else 'http'}://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        self.idle.clear()
        try:
            await self._serve(reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            self._tasks.discard(task)
            writer.close()
            if not self._tasks:
                self.idle.set()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            request = await _read_request(reader)
            if request is None:
                return
            self.requests.append(request)
            self.asked.set()
            reply = self.replies[min(len(self.requests), len(self.replies)) - 1]
            if reply.hang:
                await _until_gone(reader)
                return
            await _send(writer, reply)
            if reply.ending == "cut":
                writer.transport.abort()
                return
            if reply.ending == "stall":
                await _until_gone(reader)
                return


async def _read_request(reader: asyncio.StreamReader) -> Request | None:
    head = await reader.readuntil(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").strip().split("\r\n")
    method, target, _ = first.split(" ", 2)
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    return Request(method, target, headers, body)


async def _send(writer: asyncio.StreamWriter, reply: Reply) -> None:
    headers = {**reply.headers, "transfer-encoding": "chunked"}
    head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    writer.write(f"HTTP/1.1 {reply.status} Status\r\n{head}\r\n".encode("latin-1"))
    for chunk in reply.chunks:
        writer.write(f"{len(chunk):x}\r\n".encode() + chunk + b"\r\n")
        await writer.drain()
        if reply.pause_s:
            await asyncio.sleep(reply.pause_s)
    if reply.ending == "whole":
        writer.write(b"0\r\n\r\n")
    await writer.drain()
    if reply.ending == "cut":
        await asyncio.sleep(0.02)  # let what was sent arrive before the connection is reset


async def _until_gone(reader: asyncio.StreamReader) -> None:
    while await reader.read(1_024):
        pass
