"""Which model answers when nobody chose one, and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from dexter.models.catalogue import FAMILIES, display_name, newest, split_name
from dexter.models.keys import KEY_VARIABLES, find_key
from dexter.models.model_table import ModelTable, bundled_table

OFFLINE = "offline"


@dataclass(frozen=True)
class Choice:
    """A model's name and the sentence that says why it was chosen."""

    model: str
    reason: str


def default_model(env: Mapping[str, str], today: date, *, table: ModelTable | None = None) -> Choice:
    """Choose by the keys that are set.

    The newest Claude Sonnet where there is an Anthropic key, else the newest main model of the first other provider
    with a key, else the offline analyst. Placeholder keys are none.
    """
    known = bundled_table() if table is None else table
    for provider, family in FAMILIES.items():
        if find_key(provider, env) is None:
            continue
        name = newest(family.main, known, today)
        if name is not None:
            return Choice(
                display_name(*split_name(name)), f"{_set_variable(provider, env)} is set; {_which(provider)}."
            )
    other = next((provider for provider in KEY_VARIABLES if find_key(provider, env) is not None), None)
    if other is not None:
        reason = (
            f"{_set_variable(other, env)} is set, but no default model is known for {other}: choose one with --model."
        )
        return Choice(OFFLINE, reason)
    return Choice(OFFLINE, "No provider's API key is set, so the built-in offline analyst answers.")


def _set_variable(provider: str, env: Mapping[str, str]) -> str:
    names = KEY_VARIABLES[provider]
    return next((name for name in names if find_key(provider, {name: env.get(name, "")})), names[0])


def _which(provider: str) -> str:
    return "this is the newest Claude Sonnet" if provider == "anthropic" else f"this is the newest of {provider}"
