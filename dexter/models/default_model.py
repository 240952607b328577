"""Which model answers when nobody chose one, and why."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from dexter.config.keys import Keys
from dexter.models.catalogue import FAMILIES, PROVIDER_NAMES, display_name, newest, split_name
from dexter.models.model_table import ModelTable, bundled_table

OFFLINE = "offline"


@dataclass(frozen=True)
class Choice:
    """A model's name and the sentence that says why it was chosen."""

    model: str
    reason: str


def default_model(keys: Keys, today: date, *, table: ModelTable | None = None) -> Choice:
    """Choose by the keys that are set.

    The newest Claude Sonnet where there is an Anthropic key, else the newest main model of the first other provider
    with a key, else the offline analyst.
    """
    known = bundled_table() if table is None else table
    for provider, family in FAMILIES.items():
        name = newest(family.main, known, today) if keys.get(provider) else None
        if name is not None:
            which = "Claude Sonnet" if provider == "anthropic" else "model"
            return Choice(
                display_name(*split_name(name)),
                f"A key for {PROVIDER_NAMES[provider]} is set; this is its newest {which}.",
            )
    others = [provider for provider in keys.providers if provider in _MODEL_PROVIDERS]
    if others:
        reason = f"A key for {others[0]} is set, but no default model is known for it: choose one with --model."
        return Choice(OFFLINE, reason)
    reason = "No model provider's API key is set, so the built-in offline analyst answers."
    return Choice(OFFLINE, f"{reason} `dexter config set-key anthropic` stores one.")


# Those without a family above whose keys are for models, not for data or search.
_MODEL_PROVIDERS = frozenset({"openrouter", "moonshot", "mistral", "groq"})
