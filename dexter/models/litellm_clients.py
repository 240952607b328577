"""The HTTP clients that LiteLLM is handed: its own lose what the bytes say, and know no address but OpenAI's."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from dexter.models.errors import classify, model_error
from dexter.models.stream_guard import guarded_client

# Names under which LiteLLM reaches a provider's chat protocol with tools.
ROUTES = {"ollama": "ollama_chat", "lm_studio": "openai", "llamafile": "openai"}
_OPENAI = "https://api.openai.com/v1"
# Providers that LiteLLM asks over a client of ours, their dialects of OpenAI's protocol understood. For the others it
# keeps the reason a stream ended with.
_CHAT = frozenset(
    {"deepseek", "openrouter", "xai", "groq", "hosted_vllm", "minimax", "fireworks_ai", "together_ai", "huggingface"}
)
_OWN_PROTOCOL = frozenset({"gemini", "mistral"})
# LiteLLM knows no address of these, and would send the question to OpenAI.
_HOMELESS = frozenset(
    {
        *("ai21", "aiohttp_openai", "custom_openai", "litellm_proxy", "text-completion-openai", "xinference"),
        *("hosted_vllm", "lm_studio", "llamafile"),
    }
)


@dataclass(frozen=True)
class Connection:
    """What LiteLLM is handed as `client`, and what has to be closed afterwards."""

    client: Any
    _handler: Any

    async def aclose(self) -> None:
        """Close the connections."""
        await self._handler.close()


def open_connection(provider: str, api_key: str, base_url: str, timeout_s: float) -> Connection | None:
    """A client for the provider; None where LiteLLM takes none of ours."""
    if ROUTES.get(provider, provider) == "openai":
        from openai import AsyncOpenAI

        handler = guarded_client(timeout_s, rewrites=True)
        client = AsyncOpenAI(
            api_key=api_key, base_url=base_url or _OPENAI, http_client=handler.client, timeout=timeout_s, max_retries=0
        )
        return Connection(client, handler)
    if provider in _CHAT | _OWN_PROTOCOL:
        handler = guarded_client(timeout_s, rewrites=provider in _CHAT)
        return Connection(handler, handler)
    return None


def check_address(provider: str, base_url: str) -> None:
    """Accept that a question goes where it belongs.

    Raises:
        ModelError: no address is known, and LiteLLM would ask OpenAI instead.
    """
    if provider in _HOMELESS and not base_url:
        remedy = "Name the model openai/NAME, and the server's address in OPENAI_BASE_URL."
        info = replace(classify("", status=400), remedy=remedy)
        raise model_error(info, f"No address is known of {provider}; nothing was sent.")
