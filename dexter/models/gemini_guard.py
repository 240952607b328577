"""A Gemini stream that ends early is a broken one.

LiteLLM gives every piece of a Gemini answer the reason `stop`, so that a half answer looks whole. The bytes tell: a
whole one names its `finishReason`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    import httpx

_ENDINGS = (b'"finishReason"', b'"blockReason"', b'"error"')
_LONGEST = max(len(ending) for ending in _ENDINGS)
_OK = 200


def guarded_client(timeout_s: float) -> Any:
    """An HTTP client for LiteLLM that fails where a Gemini stream stops without saying why."""
    from litellm.llms.custom_httpx.http_handler import AsyncHTTPHandler

    return AsyncHTTPHandler(timeout=timeout_s, event_hooks={"response": [_guard]})


async def _guard(response: httpx.Response) -> None:
    import httpx

    class Guarded(httpx.AsyncByteStream):
        """The same bytes, watched for the word that ends an answer."""

        def __init__(self, inner: Any) -> None:
            self._inner = inner

        async def __aiter__(self) -> AsyncIterator[bytes]:
            seen, tail = False, b""
            async for piece in self._inner:
                window = tail + piece
                seen = seen or any(ending in window for ending in _ENDINGS)
                tail = window[-_LONGEST:]
                yield piece
            if not seen:
                raise httpx.RemoteProtocolError("Stream ended before the answer was complete")

        async def aclose(self) -> None:
            await self._inner.aclose()

    if response.status_code == _OK:
        response.stream = Guarded(response.stream)
