"""A stream that ends early, or says that it broke off, is no answer.

LiteLLM turns every reason it does not know into `stop`, gives every piece of a Gemini answer that reason, and makes one
up where nothing came at all, so that a half answer looks whole. The bytes tell.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from dexter.models.chat_dialects import LineRewriter
from dexter.models.errors import classify, model_error
from dexter.models.failures import broken_stream

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    import httpx

# Inside a text these words stand with escaped quotes, so that no answer can pretend to have ended.
_ENDING = re.compile(rb'"(?:finish_reason|finishReason|blockReason)"\s*:\s*"([^"]+)"|"(error)"\s*:\s*[{"]')
# LiteLLM reads no further than this line, and takes it for a whole answer.
_DONE = re.compile(rb"\ndata: ?\[DONE\]")
_LONGEST = 200  # bytes of an ending, which may come in two pieces
_OK = 200
_UNPACKED = frozenset({"gzip", "x-gzip", "deflate"})
_ANY_HEADER = 47  # zlib's word for: gzip or zlib, whichever the first bytes say
# Each provider has its own word: `error`, `abort`, `insufficient_system_resource`, `MALFORMED_FUNCTION_CALL`.
_BROKE_OFF = re.compile(
    r"error|abort|fail|cancel|interrupt|insufficient|unavailable|time_?d?_?out|malformed|unexpected|missing|too_many",
    re.IGNORECASE,
)
# The answer came up against the window: no whole answer, and the same request would end so again. LiteLLM says `stop`.
_WINDOW_FULL = re.compile(r"model_length|context_window_exceeded", re.IGNORECASE)
_FULL = "context window exceeded by the answer"


def check_ending(reason: str | None) -> None:
    """Accept the reason with which a stream ended.

    Raises:
        ModelError: there was none, or it says that the server broke off.
    """
    if not reason:
        raise broken_stream("ended before the answer was complete")
    if _BROKE_OFF.search(reason):
        raise broken_stream(f"broke off ({reason.lower()})")


def check_window(reason: str | None) -> None:
    """Accept the reason with which a stream ended if it is not that the window was full.

    Raises:
        ModelError: it is; an overflow, so that room is made.
    """
    if _WINDOW_FULL.search(reason or ""):
        raise model_error(classify(_FULL), "The answer filled the model's window before it was complete.")


def guarded_client(timeout_s: float, *, rewrites: bool = False) -> Any:
    """An HTTP client for LiteLLM that fails where the bytes do not say that the answer is whole.

    `rewrites`: dialects of OpenAI's protocol that LiteLLM drops are put into OpenAI's own words.
    """
    from litellm.llms.custom_httpx.http_handler import AsyncHTTPHandler

    async def guard(response: httpx.Response) -> None:
        if response.status_code == _OK:
            _guard(response, LineRewriter().take if rewrites else _as_it_is)

    return AsyncHTTPHandler(timeout=timeout_s, event_hooks={"request": [_ask_unpacked], "response": [guard]})


class EndingWatch:
    """Watches the bytes of an answer for the words that end it."""

    def __init__(self) -> None:
        self.ended = False
        self._tail = b"\n"

    def see(self, piece: bytes) -> None:
        """Take the next bytes.

        Raises:
            httpx.RemoteProtocolError: they say that the answer broke off, or end it without a reason. What comes after
                them may not be read any more, so that it has to be said now.
        """
        import httpx

        window = self._tail + piece
        for reason, _error in _ENDING.findall(window):
            self.ended, said = True, reason.decode("latin-1").lower()
            if _WINDOW_FULL.search(said):
                raise httpx.RemoteProtocolError(f"Stream ended early: {_FULL}")
            if _BROKE_OFF.search(said):
                raise httpx.RemoteProtocolError(f"Stream ended early ({said})")
        if _DONE.search(window):
            self.finish()
        self._tail = window[-_LONGEST:]

    def finish(self) -> None:
        """Nothing more comes.

        Raises:
            httpx.RemoteProtocolError: the answer was not complete.
        """
        import httpx

        if not self.ended:
            raise httpx.RemoteProtocolError("Stream ended before the answer was complete")


def _guard(response: httpx.Response, rewritten: Callable[[bytes], bytes]) -> None:
    import httpx

    packing = response.headers.get("content-encoding", "identity").strip().lower()
    if packing not in (*_UNPACKED, "identity", ""):
        return  # was not asked for, and can't be looked into
    unpacked = _unpacker(packing)
    response.headers.pop("content-encoding", None)

    class Guarded(httpx.AsyncByteStream):
        """The same answer, unpacked, watched and in OpenAI's own words."""

        def __init__(self, inner: Any) -> None:
            self._inner = inner

        async def __aiter__(self) -> AsyncIterator[bytes]:
            watch = EndingWatch()
            async for packed in self._inner:
                piece = rewritten(unpacked(packed))
                watch.see(piece)
                yield piece
            rest = rewritten(b"\n")  # a last line without its end
            watch.see(rest)
            watch.finish()
            yield rest

        async def aclose(self) -> None:
            await self._inner.aclose()

    response.stream = Guarded(response.stream)


async def _ask_unpacked(request: httpx.Request) -> None:
    """A packed stream comes in larger pieces, and may come late."""
    request.headers["accept-encoding"] = "identity"


def _unpacker(packing: str) -> Callable[[bytes], bytes]:
    import httpx

    if packing not in _UNPACKED:
        return _as_it_is
    inflate = zlib.decompressobj(_ANY_HEADER).decompress

    def unpacked(packed: bytes) -> bytes:
        try:
            return inflate(packed)
        except zlib.error as error:
            raise httpx.RemoteProtocolError(f"The answer could not be unpacked ({error})") from error

    return unpacked


def _as_it_is(piece: bytes) -> bytes:
    return piece
