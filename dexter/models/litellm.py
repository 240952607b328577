"""Every other provider through LiteLLM. One attempt per call: retries and their countdown live elsewhere."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass, field, replace
from types import ModuleType
from typing import Any

from dexter.errors import ModelError
from dexter.messages import Messages, ToolSpec
from dexter.models.catalogue import wire_name
from dexter.models.chat_stream import ChatState
from dexter.models.chat_wire import as_text, wire_messages, wire_tools
from dexter.models.errors import classify, model_error
from dexter.models.failures import (
    broken_stream,
    chain,
    mark_begun,
    read_headers,
    said_by,
    transport_failure,
    unsendable,
)
from dexter.models.litellm_clients import ROUTES, Connection, check_address, open_connection
from dexter.models.litellm_setup import load_litellm
from dexter.models.pricing import cost_of
from dexter.models.protocol import ModelInfo, ModelResponse, StreamItem, ToolChoice
from dexter.models.proxies import check_proxies, named_proxies
from dexter.models.stream_guard import check_ending, check_window
from dexter.models.streams import PATIENCE, with_idle_limit, within

# Providers that go on calling tools whatever `tool_choice` says.
_NO_TOOL_CHOICE = frozenset({"ollama", "ollama_chat"})
_LOCAL_CONTEXT = frozenset({"ollama", "ollama_chat"})


@dataclass
class LiteLLMModel:
    """One model of one provider.

    `base_url`: '' for the provider's own address. `idle_s`: seconds of silence in an answer before a call is given up;
    its beginning may take five times as long. `context`: tokens a local server is told to provide for.
    """

    info: ModelInfo
    api_key: str
    base_url: str = ""
    idle_s: float = 60.0
    context: int | None = None
    _connection: Connection | None = field(default=None, repr=False)

    async def stream(
        self, messages: Messages, *, tools: Sequence[ToolSpec], tool_choice: ToolChoice, max_tokens: int
    ) -> AsyncIterator[StreamItem]:
        """One attempt."""
        check_address(self.info.provider, self.base_url)
        check_proxies(named_proxies())
        litellm = await asyncio.to_thread(load_litellm)  # the import takes seconds: nothing else should stand still
        if self.info.provider in _LOCAL_CONTEXT:
            _make_known(litellm, self.info)
        state = ChatState(self.info)
        try:
            async with aclosing(
                self._chunks(litellm, self._request(messages, tools, tool_choice, max_tokens))
            ) as chunks:
                async for chunk in chunks:
                    for piece in state.take(chunk):
                        yield piece
        except ModelError as error:
            raise mark_begun(error, state.has_begun) from error.__cause__
        except _failures(litellm) as error:
            raise mark_begun(_as_model_error(error, self.info, self.idle_s), state.has_begun) from error
        for piece in state.rest():
            yield piece
        if state.finish_reason is None:
            raise mark_begun(broken_stream("ended before the answer was complete"), state.has_begun)
        yield self._priced(state.response())

    async def count(self, messages: Messages, *, tools: Sequence[ToolSpec]) -> int | None:
        """None: these providers have no count that could be asked for."""
        del messages, tools
        return None

    async def aclose(self) -> None:
        """Close our own connections. LiteLLM's are shared by all runs of the process and closed by it."""
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.aclose()

    async def _chunks(self, litellm: ModuleType, request: dict[str, Any]) -> AsyncGenerator[Any, None]:
        """The chunks, each within its limit of silence; the connection is closed however this ends."""
        begun = False

        def limit() -> float:
            return self.idle_s if begun else self.idle_s * PATIENCE

        stream = await within(litellm.acompletion(**request), limit())
        try:
            async for chunk in with_idle_limit(stream, limit, _is_progress):
                begun = begun or _says_something(chunk)
                if getattr(chunk, "usage", None) is not None and not _was_told_usage(stream):
                    chunk.usage = None
                yield chunk
            reason = _native_reason(stream)
            check_ending(reason)
            check_window(reason)
        finally:
            with suppress(Exception):  # the stream may be broken; there is nothing to save
                await stream.aclose()

    def _request(
        self, messages: Messages, tools: Sequence[ToolSpec], tool_choice: ToolChoice, max_tokens: int
    ) -> dict[str, Any]:
        provider = self.info.provider
        wire = wire_messages(messages, tools, self.info)
        untold = tool_choice == "none" and provider in _NO_TOOL_CHOICE
        request: dict[str, Any] = {
            "model": f"{ROUTES.get(provider, provider)}/{wire_name(self.info)}",
            "messages": as_text(wire) if untold else wire,
            "max_tokens": max_tokens,
            "stream": True,
            "stream_options": {"include_usage": True},
            "api_key": self.api_key or "none",
            "timeout": self.idle_s * PATIENCE,
            "num_retries": 0,
            "max_retries": 0,
        }
        if self.base_url:
            request["api_base"] = self.base_url
        if tools and not untold:
            request |= {"tools": wire_tools(tools), "tool_choice": tool_choice}
        if self._connection is None:
            self._connection = open_connection(provider, request["api_key"], self.base_url, request["timeout"])
        if self._connection is not None:
            request["client"] = self._connection.client
        if provider in _LOCAL_CONTEXT:
            request["num_ctx"] = self.context or self.info.window
        return request

    def _priced(self, response: ModelResponse) -> ModelResponse:
        usage = response.usage
        return response if usage is None else replace(response, cost_usd=cost_of(usage, self.info.prices))


def _make_known(litellm: ModuleType, info: ModelInfo) -> None:
    """Enter a local model into LiteLLM's table: it would ask the server about it, and stop the event loop meanwhile."""
    entry = {"litellm_provider": "ollama", "mode": "chat", "supports_function_calling": True}
    free = {"input_cost_per_token": 0.0, "output_cost_per_token": 0.0, "max_input_tokens": info.window}
    litellm.model_cost.setdefault(f"ollama/{wire_name(info)}", {**entry, **free})


def _native_reason(stream: Any) -> str | None:
    """The reason with which the provider's own stream ended, None where LiteLLM only made one up."""
    kept = [getattr(stream, name, None) for name in ("received_finish_reason", "intermittent_finish_reason")]
    return next((reason for reason in kept if isinstance(reason, str) and reason), None)


def _was_told_usage(stream: Any) -> bool:
    """Whether the provider counted: LiteLLM puts a guess of its own, without the tools, where no count came."""
    return any(getattr(chunk, "usage", None) is not None for chunk in getattr(stream, "chunks", ()))


def _is_progress(chunk: Any) -> bool:
    """Whether the answer has come further: empty pieces only say that the server is alive."""
    return _says_something(chunk) or any(choice.finish_reason for choice in getattr(chunk, "choices", None) or ())


def _says_something(chunk: Any) -> bool:
    deltas = [choice.delta for choice in getattr(chunk, "choices", None) or () if choice.delta is not None]
    return any(
        getattr(delta, "content", None)
        or getattr(delta, "reasoning_content", None)
        or getattr(delta, "tool_calls", None)
        for delta in deltas
    )


# ── failures ──

_WRAPPERS = re.compile(
    r"^(?:(?:litellm\.)?[A-Za-z]+(?:Error|Timeout|Exception): *)*(?:[A-Za-z_]+Exception(?: [A-Za-z]+)? - )?"
)
_NO_REASON = "Connection error."
_NOISE = re.compile(r" ssl:<[^>]*>| ssl:default")
_ORIGINAL = re.compile(r"\s*Original exception: .*\Z", re.DOTALL)


def _failures(litellm: ModuleType) -> tuple[type[Exception], ...]:
    """What LiteLLM raises, and what it lets through of the libraries below and of its own slips on odd answers."""
    import httpx
    import openai

    del litellm
    below = (OSError, ValueError, KeyError, TypeError, AttributeError, IndexError)
    return (openai.OpenAIError, httpx.HTTPError, *below)


def _as_model_error(error: Exception, info: ModelInfo, idle_s: float) -> ModelError:
    status = getattr(error, "status_code", None)
    if not isinstance(status, int):
        return transport_failure(error, info.provider, idle_s)
    if type(error).__name__ == "APIConnectionError":
        status = None  # LiteLLM says 500 where there was no response at all
    said = _said(error)
    refused = unsendable(said, info.provider) if getattr(error, "body", None) is None else None
    if refused is not None:
        return refused
    found = classify(said, status=status, provider=info.provider, code=_code(error))
    return model_error(read_headers(found, _headers(error)), said_by(info.provider, _inner_message(said) or said))


def _said(error: Exception) -> str:
    """The provider's own words, out of the names LiteLLM wraps around them."""
    text = _WRAPPERS.sub("", _ORIGINAL.sub("", str(getattr(error, "message", None) or error))).strip()
    body = text.removeprefix("b'").removesuffix("'") if text.startswith("b'") else text
    return _NOISE.sub("", _cause(error) if body == _NO_REASON else body) or type(error).__name__


def _cause(error: Exception) -> str:
    """What the SDK says nothing of: why there was no connection."""
    import httpx

    causes = (str(one).strip() for one in chain(error) if isinstance(one, httpx.HTTPError))
    return next(filter(None, causes), _NO_REASON)


def _inner_message(text: str) -> str:
    """The message inside a JSON body, '' where there is none. OpenRouter puts the real one into `metadata.raw`."""
    try:
        value = json.loads(text)
    except ValueError:
        return ""
    while isinstance(value, dict):
        metadata = value.get("metadata")
        raw = metadata.get("raw") if isinstance(metadata, dict) else None
        if isinstance(raw, str) and raw:
            return _inner_message(raw) or raw
        value = next((value[key] for key in ("error", "message", "detail") if value.get(key)), "")
    return value if isinstance(value, str) else ""


def _code(error: Exception) -> str | None:
    body = getattr(error, "body", None)
    inner = body.get("error", body) if isinstance(body, dict) else None
    if not isinstance(inner, dict):
        return None
    code = inner.get("code") or inner.get("type")
    return str(code) if code else None


def _headers(error: Exception) -> dict[str, str]:
    headers = getattr(error, "litellm_response_headers", None) or getattr(
        getattr(error, "response", None), "headers", None
    )
    return {str(name): str(value) for name, value in (headers or {}).items()}
