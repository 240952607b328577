"""Bodies of HTTP responses: unpacked within a limit, and read as JSON without losing a digit."""

from __future__ import annotations

import json
import zlib
from collections.abc import AsyncIterator
from decimal import Decimal
from typing import Any, NoReturn

_PACKED = {"gzip", "x-gzip", "deflate"}
_EITHER_HEADER = 32 + zlib.MAX_WBITS  # zlib recognises gzip and zlib headers by itself
_OPENINGS = {b"{": b"}", b"[": b"]"}


class BodyError(ValueError):
    """The body is not what it should be. `transient`: asking again may help."""

    def __init__(self, message: str, *, transient: bool = False) -> None:
        super().__init__(message)
        self.transient = transient


class TooLargeError(BodyError):
    """The unpacked body has more bytes than allowed."""


async def read_body(chunks: AsyncIterator[bytes], encoding: str, max_bytes: int) -> bytes:
    """The unpacked body, of at most `max_bytes`.

    Unpacking is done here and in steps because an HTTP library unpacks a whole chunk at once: a few kilobytes of a
    zip bomb, or two encodings on top of each other, would fill the memory before any length could be looked at.

    Raises:
        BodyError: too large, packed in an unknown way, cut off or broken.
    """
    unpacker = _unpacker(encoding, max_bytes)
    async for chunk in chunks:
        unpacker.feed(chunk)
    return unpacker.finish()


async def read_start(chunks: AsyncIterator[bytes], encoding: str, max_bytes: int) -> tuple[bytes, bool]:
    """As `read_body`, but of a body that is too large the first `max_bytes`; and whether it was.

    Raises:
        BodyError: packed in an unknown way, cut off or broken.
    """
    unpacker = _unpacker(encoding, max_bytes)
    try:
        async for chunk in chunks:
            unpacker.feed(chunk)
    except TooLargeError:
        return unpacker.start(), True
    return unpacker.finish(), False


def _unpacker(encoding: str, max_bytes: int) -> _Plain:
    encoding = encoding.strip().lower()
    if encoding not in {"", "identity", *_PACKED}:
        raise BodyError(f"packed its answer as {encoding!r}, which was not asked for")
    return _Unpacker(max_bytes) if encoding in _PACKED else _Plain(max_bytes)


class _Plain:
    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._out = bytearray()

    def feed(self, chunk: bytes) -> None:
        self._add(chunk)

    def finish(self) -> bytes:
        return bytes(self._out)

    def start(self) -> bytes:
        """What there is so far, within the limit."""
        return bytes(self._out[: self._max_bytes])

    def _add(self, data: bytes) -> None:
        self._out += data
        if len(self._out) > self._max_bytes:
            raise TooLargeError(f"sent more than {self._max_bytes:,} bytes")


class _Unpacker(_Plain):
    def __init__(self, max_bytes: int) -> None:
        super().__init__(max_bytes)
        self._zlib = zlib.decompressobj(_EITHER_HEADER)
        self._fed = False

    def feed(self, chunk: bytes) -> None:
        self._fed = self._fed or bool(chunk)
        while chunk and not self._zlib.eof:
            room = self._max_bytes + 1 - len(self._out)
            try:
                self._add(self._zlib.decompress(chunk, room))
            except zlib.error as error:
                raise BodyError("sent an answer that does not unpack", transient=True) from error
            chunk = self._zlib.unconsumed_tail

    def finish(self) -> bytes:
        if self._fed and not self._zlib.eof:
            raise BodyError("sent an answer that is cut off", transient=True)
        return super().finish()


def check_not_empty(body: bytes) -> None:
    """Refuse a body without content.

    Raises:
        BodyError: nothing, or only white space.
    """
    if not body.strip():
        raise BodyError("sent an empty answer", transient=True)


def check_json_shape(body: bytes) -> None:
    """Refuse at a glance what can't be JSON; cheap enough for megabytes.

    Raises:
        BodyError: empty, HTML, or cut off.
    """
    check_not_empty(body)
    text = body.strip()
    if text[:1] == b"<":
        raise BodyError("sent a web page instead of data")
    closing = _OPENINGS.get(text[:1])
    if closing is None:
        raise BodyError("sent something that is not JSON")
    if text[-1:] != closing:
        raise BodyError("sent an answer that is cut off", transient=True)


def parse_json(body: bytes) -> Any:
    """JSON with exact numbers: integers as `int`, all others as `Decimal` with the digits as sent.

    Raises:
        BodyError: not JSON, not UTF-8, nested absurdly deep, or with a number no one can mean (NaN, 5,000 digits).
    """
    check_json_shape(body)
    try:
        return json.loads(body, parse_float=Decimal, parse_constant=_refuse_constant)
    except (ValueError, RecursionError, ArithmeticError) as error:
        raise BodyError("sent an answer that is not valid JSON") from error


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number")
