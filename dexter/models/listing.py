"""The models there are: each provider's newest main and fast one, or all that can use tools."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any

from dexter.config.keys import Keys
from dexter.models.catalogue import FAMILIES, LOCAL_PROVIDERS, display_name, is_usable, newest, resolve, split_name
from dexter.models.model_table import ModelTable, bundled_table
from dexter.models.protocol import ModelInfo

_MILLION = 1_000_000


@dataclass(frozen=True)
class ListedModel:
    """A model, what it is for (`main`, `fast` or ''), and whether its provider has a key or needs none."""

    info: ModelInfo
    role: str
    has_key: bool

    @property
    def prices_per_million(self) -> tuple[float, float] | None:
        """USD for a million tokens in and out; None where they are not known."""
        prices = self.info.prices
        return None if prices is None else (float(prices.input * _MILLION), float(prices.output * _MILLION))

    def to_json(self) -> dict[str, Any]:
        """A JSON object."""
        prices = self.prices_per_million
        return {
            "name": self.info.name,
            "provider": self.info.provider,
            "role": self.role,
            "key": self.has_key,
            "window": self.info.window if self.info.window_known else None,
            "output_limit": self.info.output_limit,
            "usd_per_million_input": prices[0] if prices else None,
            "usd_per_million_output": prices[1] if prices else None,
        }


def newest_models(keys: Keys, today: date, table: ModelTable | None = None) -> Iterator[ListedModel]:
    """The newest main and fast model of each provider that Dexter knows a family of."""
    known = bundled_table() if table is None else table
    for provider, family in FAMILIES.items():
        for role, pattern in (("main", family.main), ("fast", family.fast)):
            name = newest(pattern, known, today) if pattern else None
            if name is not None:
                yield ListedModel(resolve(_shown(name), table=known, today=today), role, _has_key(provider, keys))


def all_models(keys: Keys, today: date, table: ModelTable | None = None) -> Iterator[ListedModel]:
    """Every model of the table that can use tools and has not ended, by provider and name."""
    known = bundled_table() if table is None else table
    names = {
        _shown(name, str(entry.get("litellm_provider", ""))) for name, entry in known.items() if is_usable(entry, today)
    }
    for shown in sorted(names):
        yield ListedModel(resolve(shown, table=known, today=today), "", _has_key(split_name(shown)[0], keys))


def _shown(name: str, provider: str = "") -> str:
    """A model's one name; one that the table has without its provider's name may have it beside."""
    return display_name(*(split_name(name) if "/" in name or not provider else (provider, name)))


def _has_key(provider: str, keys: Keys) -> bool:
    return provider in LOCAL_PROVIDERS or keys.get(provider) is not None
