"""How each kind of provider says the same things on the wire: answers, calls, refusals, halves."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from dexter.models.anthropic import AnthropicModel
from dexter.models.litellm import LiteLLMModel
from dexter.models.protocol import ModelInfo
from tests.support import anthropic_sse, openai_sse
from tests.support.wire_server import Ending, Reply, error_reply

Adapter: TypeAlias = AnthropicModel | LiteLLMModel
EVENT_STREAM = {"content-type": "text/event-stream"}


@dataclass(frozen=True)
class Protocol:
    """One provider's way. `half` is the beginning of a text; `call` a call of `note` with raw arguments.

    `says_done`: its streams end with `[DONE]`.
    """

    name: str
    connect: Callable[[str, float], Adapter]
    half: Callable[[str], list[bytes]]
    call: Callable[[str, str], list[bytes]]
    stop: Callable[[str], list[bytes]]
    error_event: Callable[[str, str], bytes]
    refusal: Callable[[int, str, str], Any]
    stops: Mapping[str, str]
    headers: dict[str, str] = field(default_factory=lambda: EVENT_STREAM)
    can_refuse: bool = True
    says_done: bool = False

    def answer(self, text: str, stop: str = "end") -> Reply:
        """A whole answer."""
        return Reply(200, self.headers, (*self.half(text), *self.stop(self.stops[stop])))

    def calling(self, raw: str, *, id: str = "call_1", stop: str = "calls", text: str = "") -> Reply:  # noqa: A002 - the wire's own word
        """A turn that calls `note`."""
        head = self.half(text) if text else self.half("")[:1]
        return Reply(200, self.headers, (*head, *self.call(raw, id), *self.stop(self.stops[stop])))

    def refused(self, status: int, message: str, code: str = "", **headers: str) -> Reply:
        """An HTTP error with the provider's body."""
        return error_reply(status, self.refusal(status, message, code), **headers)

    def broken(self, text: str, ending: Ending, *more: bytes) -> Reply:
        """The beginning of an answer, then `more`, then a bad end."""
        return Reply(200, self.headers, (*self.half(text), *more), ending)


def _anthropic_half(text: str) -> list[bytes]:
    start = {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}
    delta = {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}}
    said = [anthropic_sse.event(start), anthropic_sse.event(delta)] if text else []
    return [anthropic_sse.start(), *said]


def _ollama_call(raw: str, _id: str) -> list[bytes]:
    return [openai_sse.ollama(tool_calls=[{"function": {"name": "note", "arguments": json.loads(raw)}}])]


def _gemini_call(raw: str, _id: str) -> list[bytes]:
    return [openai_sse.gemini({"functionCall": {"name": "note", "args": json.loads(raw)}})]


def _litellm(name: str, path: str = "/v1") -> Callable[[str, float], Adapter]:
    provider = name.split("/", maxsplit=1)[0] if "/" in name else "openai"
    return lambda url, idle_s: LiteLLMModel(ModelInfo(name, provider), "test-key", url + path, idle_s)


def _openai_refusal(_status: int, message: str, code: str) -> Any:
    return {"error": {"message": message, **({"type": code, "code": code} if code else {})}}


_CHAT: dict[str, Any] = {
    "says_done": True,
    "half": lambda text: [openai_sse.chunk(role="assistant", content=""), *openai_sse.text(text)],
    "call": lambda raw, id: openai_sse.tool(0, "note", raw[:4], raw[4:], id=id),  # noqa: A006 - the wire's own word
    "stop": openai_sse.stop,
    "error_event": lambda code, message: openai_sse.error(message, type=code, code=code),
    "refusal": _openai_refusal,
    "stops": {"end": "stop", "calls": "tool_calls", "limit": "length", "refusal": "content_filter"},
}

ANTHROPIC = Protocol(
    "Anthropic",
    lambda url, idle_s: AnthropicModel(ModelInfo("claude-test", "anthropic"), "test-key", url, idle_s=idle_s),
    half=_anthropic_half,
    call=lambda raw, id: anthropic_sse.tool(1, "note", raw[:4], raw[4:], id=id),  # noqa: A006 - the wire's own word
    stop=anthropic_sse.stop,
    error_event=anthropic_sse.error,
    refusal=lambda _status, message, code: {"type": "error", "error": {"type": code or "error", "message": message}},
    stops={"end": "end_turn", "calls": "tool_use", "limit": "max_tokens", "refusal": "refusal"},
)
OPENAI = Protocol("OpenAI", _litellm("gpt-test"), **_CHAT)
DEEPSEEK = Protocol("DeepSeek", _litellm("deepseek/test"), **_CHAT)
XAI = Protocol("xAI", _litellm("xai/test"), **_CHAT)
MISTRAL = Protocol("Mistral", _litellm("mistral/test"), **_CHAT)
OPENROUTER = Protocol("OpenRouter", _litellm("openrouter/a/test"), **_CHAT)
GEMINI = Protocol(
    "Gemini",
    _litellm("gemini/test"),
    half=lambda text: [openai_sse.gemini({"text": text})] if text else [],
    call=_gemini_call,
    stop=lambda reason: [
        openai_sse.gemini(
            finish=reason, usage={"promptTokenCount": 9, "candidatesTokenCount": 7, "totalTokenCount": 16}
        )
    ],
    error_event=lambda code, message: openai_sse.data({"error": {"code": 503, "message": message, "status": code}}),
    refusal=lambda status, message, code: {"error": {"code": status, "message": message, "status": code}},
    stops={"end": "STOP", "calls": "STOP", "limit": "MAX_TOKENS", "refusal": "SAFETY"},
)
OLLAMA = Protocol(
    "Ollama",
    _litellm("ollama/test", ""),
    half=lambda text: [openai_sse.ollama(content=text)] if text else [],
    call=_ollama_call,
    stop=lambda reason: [openai_sse.ollama(done=True, reason=reason)],
    error_event=lambda _code, message: json.dumps({"error": message}).encode() + b"\n",
    refusal=lambda _status, message, _code: {"error": message},
    stops={"end": "stop", "calls": "stop", "limit": "length", "refusal": "stop"},
    headers={"content-type": "application/x-ndjson"},
    can_refuse=False,
)
PROTOCOLS = (ANTHROPIC, OPENAI, GEMINI, XAI, DEEPSEEK, OPENROUTER, OLLAMA)
