"""Claude through the `anthropic` SDK. One attempt per call: retries and their countdown live elsewhere."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from dexter.errors import ModelError
from dexter.messages import AssistantMessage, Messages, ToolSpec
from dexter.models.anthropic_stream import StreamState, is_progress
from dexter.models.anthropic_thinking import stale_ids
from dexter.models.anthropic_wire import WireView, has_thinking, tool_turn_lacks_thinking, wire_view
from dexter.models.catalogue import ThinkingMode
from dexter.models.errors import classify, model_error
from dexter.models.failures import broken_stream, mark_begun, read_headers, said_by, transport_failure
from dexter.models.pricing import cost_of
from dexter.models.protocol import ModelInfo, ModelResponse, StreamItem, ToolChoice
from dexter.models.proxies import check_proxies, named_proxies
from dexter.models.stream_guard import check_ending
from dexter.models.streams import PATIENCE, with_idle_limit, within

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic

_BINDING_BETA = "thinking-binding-controls-2026-08-01"
_BUDGET, _BUDGET_NEEDS = 4_096, 8_192  # tokens of thinking the older way, and the output room it needs
_CONNECT_S = 15.0
_COUNT_S = 10.0  # a count is worth no long wait


@dataclass
class AnthropicModel:
    """One Claude model.

    `idle_s`: seconds without a byte, or in a text without a word, before a call is given up; where the API only says
    that it is alive, as it does while it thinks, five times as long. `thinking`: how thinking is asked for. `base_url`
    with or without `/v1`.
    """

    info: ModelInfo
    api_key: str
    base_url: str = "https://api.anthropic.com"
    thinking: ThinkingMode = "none"
    idle_s: float = 60.0
    _client: AsyncAnthropic | None = field(default=None, repr=False)
    # Set when the endpoint refuses to drop stale thinking itself.
    _drops_stale: bool = True
    # The messages whose thinking was refused: sent again, it would be refused again in every turn.
    _refused: frozenset[str] = frozenset()

    async def stream(
        self, messages: Messages, *, tools: Sequence[ToolSpec], tool_choice: ToolChoice, max_tokens: int
    ) -> AsyncIterator[StreamItem]:
        """One attempt, and exactly one more without any thinking where the provider refuses what was sent back."""
        request = self._request(messages, tools, tool_choice, max_tokens)
        try:
            async with aclosing(self._attempt(request)) as attempt:
                async for item in attempt:
                    yield item
        except ModelError as error:
            if not (_is_about_thinking(error) and (has_thinking(request["messages"]) or _binds(request))):
                raise
            self._drops_stale = False
            if not _is_about_binding(error):
                self._refused |= {message.id for message in messages if isinstance(message, AssistantMessage)}
        else:
            return
        bare = self._bare_request(messages, tools, tool_choice, max_tokens)
        async with aclosing(self._attempt(bare)) as attempt:
            async for item in attempt:
                yield item

    async def count(self, messages: Messages, *, tools: Sequence[ToolSpec]) -> int | None:
        """The API's own count of the input; None where the endpoint has none or fails."""
        request = self._request(messages, tools, "auto", 0)
        asked = {key: request[key] for key in ("model", "messages", "system", "tools") if key in request}
        counted = None
        with suppress(*_sdk_errors(), ModelError, ValueError):  # a page that is no JSON
            client = await self._connected()
            counted = await within(client.messages.count_tokens(**asked), min(self.idle_s, _COUNT_S))
        tokens = getattr(counted, "input_tokens", None)
        return tokens if isinstance(tokens, int) and tokens > 0 else None

    async def aclose(self) -> None:
        """Close the connections. The next call opens new ones."""
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    async def _attempt(self, request: dict[str, Any]) -> AsyncGenerator[StreamItem, None]:
        state = StreamState(self.info.name)
        client = await self._connected()

        def limit() -> float:
            return self.idle_s if state.is_writing else self.idle_s * PATIENCE

        try:
            async with (
                await client.messages.create(**request, stream=True) as events,
                aclosing(with_idle_limit(aiter(events), limit, is_progress)) as steps,
            ):
                async for event in steps:
                    piece = state.take(event)
                    if piece is not None:
                        yield piece
            response = state.response()
            check_ending(state.stop_reason)
        except _sdk_errors() as error:
            raise mark_begun(_as_model_error(error, self.idle_s), state.has_begun) from error
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            raise mark_begun(broken_stream("sent something that is not its protocol"), state.has_begun) from error
        except ModelError as error:
            raise mark_begun(error, state.has_begun) from error.__cause__
        yield self._priced(response)

    def _priced(self, response: ModelResponse) -> ModelResponse:
        usage = response.usage
        return response if usage is None else replace(response, cost_usd=cost_of(usage, self.info.prices))

    # ── the request ──

    def _request(
        self, messages: Messages, tools: Sequence[ToolSpec], tool_choice: ToolChoice, max_tokens: int
    ) -> dict[str, Any]:
        binding = self.thinking == "adaptive" and self._drops_stale
        stale = self._refused | (frozenset() if binding else stale_ids(messages, tools))
        view = self._wire(messages, tools, lambda message: message.id in stale)
        request = self._base(view, tool_choice, max_tokens)
        if self.thinking == "adaptive":
            request["thinking"] = {"type": "adaptive", "display": "summarized"}
        elif self.thinking == "budget" and max_tokens >= _BUDGET_NEEDS and not tool_turn_lacks_thinking(view.messages):
            request["thinking"] = {"type": "enabled", "budget_tokens": _BUDGET}
        if binding:
            request["thinking"]["block_binding"] = {"prefix_mismatch_behavior": "drop_block"}
            request["extra_headers"] = {"anthropic-beta": _BINDING_BETA}
        return request

    def _bare_request(
        self, messages: Messages, tools: Sequence[ToolSpec], tool_choice: ToolChoice, max_tokens: int
    ) -> dict[str, Any]:
        """The same without any thinking, sent or asked for."""
        return self._base(self._wire(messages, tools, lambda _message: True), tool_choice, max_tokens)

    def _wire(
        self, messages: Messages, tools: Sequence[ToolSpec], without_thinking: Callable[[AssistantMessage], bool]
    ) -> WireView:
        return wire_view(messages, tools, model=self.info.name, without_thinking=without_thinking)

    def _base(self, view: WireView, tool_choice: ToolChoice, max_tokens: int) -> dict[str, Any]:
        request: dict[str, Any] = {"model": self.info.name, "max_tokens": max_tokens, "messages": view.messages}
        if view.system:
            request["system"] = view.system
        if view.tools:
            request["tools"] = view.tools
            request["tool_choice"] = {"type": tool_choice}
        return request

    async def _connected(self) -> AsyncAnthropic:
        if self._client is None:
            check_proxies(named_proxies())
            # The import takes a second and more: nothing else should stand still meanwhile.
            self._client = await asyncio.to_thread(self._connect)
        return self._client

    def _connect(self) -> AsyncAnthropic:
        import httpx2
        from anthropic import AsyncAnthropic

        # Retries are ours: the SDK's are silent and obey any Retry-After.
        return AsyncAnthropic(
            api_key=self.api_key or "none",
            base_url=self.base_url.rstrip("/").removesuffix("/v1"),  # the SDK adds it
            max_retries=0,
            timeout=httpx2.Timeout(self.idle_s, connect=min(_CONNECT_S, self.idle_s)),
        )


def _binds(request: dict[str, Any]) -> bool:
    return "block_binding" in request.get("thinking", {})


_THINKING, _BINDING = ("thinking", "signature"), ("block_binding", "prefix_mismatch", "anthropic-beta")


def _is_about_thinking(error: ModelError) -> bool:
    """Whether the provider refused the thinking that was sent back, or the wish to drop what is stale."""
    return error.kind == "bad_request" and any(word in error.message.lower() for word in _THINKING + _BINDING)


def _is_about_binding(error: ModelError) -> bool:
    """Whether it was only that wish."""
    return any(word in error.message.lower() for word in _BINDING)


# ── failures ──


def _sdk_errors() -> tuple[type[Exception], ...]:
    import anthropic
    import httpx2

    return (anthropic.AnthropicError, httpx2.HTTPError, httpx2.StreamError)


def _as_model_error(error: Exception, idle_s: float) -> ModelError:
    import anthropic

    if isinstance(error, anthropic.APIStatusError):
        message = error.api_message or error.message
        info = classify(message, status=error.status_code, provider="anthropic", code=error.error_code or error.type)
        return model_error(read_headers(info, error.response.headers), said_by("anthropic", message))
    return transport_failure(error, "anthropic", idle_s)
