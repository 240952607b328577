"""What is known of a model by its name: provider, window, output limit, prices, fast sibling, what becomes of thinking.

Names are as people type them: `claude-sonnet-5-5`, `sonnet`, `openai/gpt-6.1-sol`, `gemini-3.8-flash`, `ollama/llama3`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Literal

from dexter.config.limits import Limits
from dexter.models.model_table import Entry, ModelTable, bundled_table
from dexter.models.protocol import ModelInfo, Prices

ThinkingMode = Literal["adaptive", "budget", "none"]
_DEFAULT_OUTPUT = ModelInfo.output_limit

# Bare names whose provider everybody knows.
_BARE = (
    (re.compile(r"claude"), "anthropic"),
    (re.compile(r"gpt|chatgpt|o\d"), "openai"),
    (re.compile(r"gemini|gemma"), "gemini"),
    (re.compile(r"grok"), "xai"),
    (re.compile(r"deepseek"), "deepseek"),
)
# Providers whose models are named without a prefix, here and in the table.
_UNPREFIXED = frozenset({"anthropic", "openai"})
# These run on the user's own machine: no key, no cost. Elsewhere a price of 0 means that nobody entered one.
LOCAL_PROVIDERS = frozenset({"ollama", "ollama_chat", "lemonade", "hosted_vllm", "lm_studio", "llamafile"})
# Where those that speak OpenAI's protocol listen unless told otherwise: without an address LiteLLM would ask OpenAI.
LOCAL_ADDRESSES = {
    "lm_studio": "http://localhost:1234/v1",
    "llamafile": "http://localhost:8080/v1",
    "hosted_vllm": "http://localhost:8000/v1",
}
# These refuse a tool turn whose reasoning is not sent back.
_DEMANDING = frozenset({"deepseek", "moonshot", "minimax"})


@dataclass(frozen=True)
class Family:
    """A provider's models for everyday work and for quick work; the groups of each pattern are the version."""

    main: re.Pattern[str]
    fast: re.Pattern[str] | None = None


def _family(main: str, fast: str | None = None) -> Family:
    return Family(re.compile(main), re.compile(fast) if fast else None)


FAMILIES: dict[str, Family] = {
    "anthropic": _family(r"claude-sonnet-(\d+)(?:-(\d{1,2}))?", r"claude-haiku-(\d+)(?:-(\d{1,2}))?"),
    "openai": _family(r"gpt-(\d+)(?:\.(\d+))?(?:-sol)?", r"gpt-(\d+)(?:\.(\d+))?-(?:luna|mini|nano)"),
    "gemini": _family(
        r"gemini/gemini-(\d+)(?:\.(\d+))?-(?:pro|flash|argon|hydrogen)", r"gemini/gemini-(\d+)(?:\.(\d+))?-flash-lite"
    ),
    "xai": _family(r"xai/grok-(\d+)(?:\.(\d))?"),  # 4.20 is 4.2, older than 4.3
    "deepseek": _family(r"deepseek/deepseek-v(\d+)(?:\.(\d+))?-pro", r"deepseek/deepseek-v(\d+)(?:\.(\d+))?-flash"),
}
_NICKNAMES = {name: re.compile(rf"claude-{name}-(\d+)(?:-(\d{{1,2}}))?") for name in ("sonnet", "opus", "haiku")}


PROVIDER_NAMES = {
    "anthropic": "Anthropic",
    "openai": "OpenAI",
    "gemini": "Google Gemini",
    "xai": "xAI",
    "deepseek": "DeepSeek",
    "openrouter": "OpenRouter",
    "ollama": "Ollama",
}


def resolve(
    name: str,
    *,
    table: ModelTable | None = None,
    default_window: int = Limits.default_window,
    today: date | None = None,
) -> ModelInfo:
    """Everything known of a model; an unknown one gets the default window and no prices.

    Args:
        name: as the user typed it.
        table: the model table; the bundled one by default.
        default_window: tokens assumed where the window is unknown.
        today: models that have ended by this day are no candidates for the fast sibling.
    """
    known = bundled_table() if table is None else table
    provider, rest = split_name(_nickname(name.strip(), known, today))
    entry = _entry(provider, rest, known)
    window = _count(entry, "max_input_tokens") or _count(entry, "max_tokens")
    return ModelInfo(
        name=display_name(provider, rest),
        provider=provider,
        window=window or default_window,
        output_limit=_count(entry, "max_output_tokens") or _DEFAULT_OUTPUT,
        fast=_fast_sibling(provider, rest, known, today) if entry else None,
        prices=_prices(entry, provider),
        thinking=_thinking(entry, provider),
        window_known=window is not None,
    )


def names_like(name: str, table: ModelTable | None = None) -> list[str]:
    """Names of models that one may have been meant to be, the likeliest first."""
    from difflib import get_close_matches

    known = bundled_table() if table is None else table
    wanted = name.rpartition("/")[2]
    return get_close_matches(wanted, [*_NICKNAMES, "offline", *known], n=3, cutoff=0.7)


def split_name(name: str) -> tuple[str, str]:
    """Provider and the provider's own name for the model: `openai/gpt-5` and `gpt-5` are both (openai, gpt-5).

    A name nobody knows goes to `openai`: that is what OpenAI-compatible servers speak.
    """
    provider, slash, rest = name.partition("/")
    if slash:
        return provider, rest
    return next((who for pattern, who in _BARE if pattern.match(name)), "openai"), name


def display_name(provider: str, rest: str) -> str:
    """The one name of a model, which `resolve` takes back."""
    bare = provider in _UNPREFIXED and "/" not in rest and split_name(rest)[0] == provider
    return rest if bare else f"{provider}/{rest}"


def wire_name(info: ModelInfo) -> str:
    """The provider's own name for the model."""
    return split_name(info.name)[1]


def newest(pattern: re.Pattern[str], table: ModelTable, today: date | None) -> str | None:
    """The newest model whose whole name fits; of equals the dearest. Ended and tool-less models do not count."""
    fitting = [
        (tuple(int(part or 0) for part in found.groups()), _dearness(entry), name)
        for name, entry in table.items()
        if (found := pattern.fullmatch(name)) and is_usable(entry, today)
    ]
    return max(fitting)[2] if fitting else None


def thinking_mode(name: str, *, table: ModelTable | None = None) -> ThinkingMode:
    """How a model's thinking is asked for: `adaptive` by the current way, `budget` by the older, `none` not at all."""
    provider, rest = split_name(name)
    entry = _entry(provider, rest, bundled_table() if table is None else table)
    if entry.get("supports_adaptive_thinking"):
        return "adaptive"
    return "budget" if entry.get("supports_reasoning") else "none"


def _nickname(name: str, table: ModelTable, today: date | None) -> str:
    pattern = _NICKNAMES.get(name.lower())
    return (newest(pattern, table, today) if pattern else None) or name


def _entry(provider: str, rest: str, table: ModelTable) -> Entry:
    prefixed = table.get(f"{provider}/{rest}")
    if prefixed is not None:
        return prefixed
    bare = table.get(rest, {})
    return bare if provider in _UNPREFIXED and bare.get("litellm_provider", provider) == provider else {}


def is_usable(entry: Entry, today: date | None) -> bool:
    """Whether a model chats, uses tools and has not ended by that day."""
    ends = str(entry.get("deprecation_date") or "")
    ended = today is not None and bool(re.fullmatch(r"\d{4}-\d\d-\d\d", ends)) and ends <= today.isoformat()
    return entry.get("mode") == "chat" and bool(entry.get("supports_function_calling")) and not ended


def _dearness(entry: Entry) -> float:
    return float(entry.get("input_cost_per_token") or 0)


def _fast_sibling(provider: str, rest: str, table: ModelTable, today: date | None) -> str | None:
    family = FAMILIES.get(provider)
    found = newest(family.fast, table, today) if family and family.fast else None
    if found is None:
        return None
    name = display_name(*split_name(found))
    return None if name == display_name(provider, rest) else name


def _count(entry: Entry, key: str) -> int | None:
    value = entry.get(key)
    return int(value) if isinstance(value, int | float) and value > 0 else None


def _thinking(entry: Entry, provider: str) -> Literal["none", "plain", "signed", "demanded"]:
    if not entry.get("supports_reasoning"):
        return "none"
    if provider == "anthropic":
        return "signed"
    return "demanded" if provider in _DEMANDING else "plain"


# ── prices ──


def _prices(entry: Entry, provider: str) -> Prices | None:
    base = _price_set(entry, "", provider)
    over = _long_context(entry)
    if base is None or over is None:
        return base
    size, suffix = over
    return Prices(base.input, base.output, base.cache_read, base.cache_write, size, _price_set(entry, suffix, provider))


def _price_set(entry: Entry, suffix: str, provider: str) -> Prices | None:
    costs = [entry.get(f"{key}{suffix}") for key in ("input_cost_per_token", "output_cost_per_token")]
    if any(not isinstance(cost, int | float) for cost in costs) or (not any(costs) and provider not in LOCAL_PROVIDERS):
        return None
    given, made = (_decimal(cost) for cost in costs)
    read = _decimal(entry.get(f"cache_read_input_token_cost{suffix}"))
    write = _decimal(entry.get(f"cache_creation_input_token_cost{suffix}"))
    return Prices(given, made, read or given, write or given)


def _long_context(entry: Entry) -> tuple[int, str] | None:
    """From how many input tokens on a request costs more, and the suffix of those prices."""
    for key in entry:
        found = re.fullmatch(r"input_cost_per_token(_above_(\d+)k_tokens)", key)
        if found:
            return int(found.group(2)) * 1_000, found.group(1)
    return None


def _decimal(cost: object) -> Decimal:
    return Decimal(str(cost)) if isinstance(cost, int | float) else Decimal(0)
