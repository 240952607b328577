"""API keys: which variable each provider reads, and what is no key although it stands where one should."""

from __future__ import annotations

import re
from collections.abc import Mapping

from dexter.errors import MissingKeyError

# In the order in which a default model is looked for.
KEY_VARIABLES: dict[str, tuple[str, ...]] = {
    "anthropic": ("ANTHROPIC_API_KEY",),
    "openai": ("OPENAI_API_KEY",),
    "gemini": ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
    "xai": ("XAI_API_KEY",),
    "deepseek": ("DEEPSEEK_API_KEY",),
    "openrouter": ("OPENROUTER_API_KEY",),
    "mistral": ("MISTRAL_API_KEY",),
    "groq": ("GROQ_API_KEY",),
    "moonshot": ("MOONSHOT_API_KEY",),
    "together_ai": ("TOGETHERAI_API_KEY", "TOGETHER_API_KEY"),
    "fireworks_ai": ("FIREWORKS_AI_API_KEY", "FIREWORKS_API_KEY"),
    "cerebras": ("CEREBRAS_API_KEY",),
    "dashscope": ("DASHSCOPE_API_KEY",),
}
# These run on the user's own machine or take any key.
KEYLESS = frozenset({"ollama", "ollama_chat", "lm_studio", "llamafile", "hosted_vllm", "lemonade", "offline"})

# What examples and templates hold: "your-api-key", "<key>", "sk-xxxx", "...", "changeme".
_PLACEHOLDER = re.compile(
    r"<.*>|\[.*\]|\{.*\}|[.\-_*x]*|your\b.*|.*\byour[-_ ].*|(?:sk|key|api)[-_].*x{3,}.*|.*(?:\.{3}|…|\*{3,}).*"
    r"|.*(?:change|replace)[-_ ]?(?:me|this).*|(?:insert|enter|paste|put|add)[-_ ].*"
    r"|(?:none|null|todo|secret|api[-_ ]?key)",
    re.IGNORECASE,
)


def is_key(value: str | None) -> bool:
    """Whether `value` can be a key at all: not empty, and not a placeholder from an example file."""
    text = (value or "").strip().strip("\"'")
    return bool(text) and not _PLACEHOLDER.fullmatch(text)


def find_key(provider: str, env: Mapping[str, str]) -> str | None:
    """The provider's key in the environment, or None."""
    names = KEY_VARIABLES.get(provider, (f"{provider.upper()}_API_KEY",))
    return next((env[name].strip() for name in names if is_key(env.get(name))), None)


def require_key(provider: str, env: Mapping[str, str]) -> str:
    """The provider's key; '' for those that need none.

    Raises:
        MissingKeyError: no key, or only a placeholder; the remedy names the variable.
    """
    key = find_key(provider, env)
    if key is not None or provider in KEYLESS:
        return key or ""
    name = KEY_VARIABLES.get(provider, (f"{provider.upper()}_API_KEY",))[0]
    state = "holds a placeholder, not a key" if env.get(name) else "is not set"
    raise MissingKeyError(
        f"{name} {state}, and models of {provider} need it.",
        remedy=f"`dexter config set-key {name}` stores one; `--offline` works without.",
    )
