"""A stream that ends early, or says that it broke off, is no answer.

LiteLLM turns every reason it does not know into `stop`, gives every piece of a Gemini answer that reason, and makes one
up where nothing came at all, so that a half answer looks whole. The bytes tell.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from dexter.models.errors import classify, model_error
from dexter.models.failures import broken_stream

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    import httpx

# Inside a text these words stand with escaped quotes, so that no answer can pretend to have ended.
_ENDING = re.compile(rb'"(?:finish_reason|finishReason|blockReason)"\s*:\s*"([^"]*)"|"(error)"\s*:')
_LONGEST = 200  # bytes of an ending, which may come in two pieces
_OK = 200
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


def guarded_client(timeout_s: float) -> Any:
    """An HTTP client for LiteLLM that fails where the bytes do not say that the answer is whole."""
    from litellm.llms.custom_httpx.http_handler import AsyncHTTPHandler

    return AsyncHTTPHandler(timeout=timeout_s, event_hooks={"response": [_guard]})


async def _guard(response: httpx.Response) -> None:
    import httpx

    class Guarded(httpx.AsyncByteStream):
        """The same bytes, watched for the words that end an answer."""

        def __init__(self, inner: Any) -> None:
            self._inner = inner

        async def __aiter__(self) -> AsyncIterator[bytes]:
            ended, tail = False, b""
            async for piece in self._inner:
                window = tail + piece
                for reason, _error in _ENDING.findall(window):
                    ended, said = True, reason.decode("latin-1").lower()
                    if _WINDOW_FULL.search(said):
                        raise httpx.RemoteProtocolError(f"Stream ended early: {_FULL}")
                    if _BROKE_OFF.search(said):  # now: what comes after the last word is not read any more
                        raise httpx.RemoteProtocolError(f"Stream ended early ({said})")
                tail = window[-_LONGEST:]
                yield piece
            if not ended:
                raise httpx.RemoteProtocolError("Stream ended before the answer was complete")

        async def aclose(self) -> None:
            await self._inner.aclose()

    if response.status_code == _OK:
        response.stream = Guarded(response.stream)
