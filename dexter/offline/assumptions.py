"""Rates that a question gives for a valuation, in words such as "9% discount rate" or "terminal growth of 3 %"."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal

from dexter.figures.lexicon import Mention, blanked

_NAMES = {
    "discount_rate": r"discount(?:\s+rate|ed|ing)?|wacc|cost\s+of\s+capital|required\s+return|折现率|贴现率",
    "terminal_growth": (
        r"(?:terminal|perpetual|perpetuity|long-term|long-run)(?:\s+growth)?(?:\s+rate)?|永续增长率?|终值增长率"
    ),
    "growth_cap": r"(?:cap\s+on\s+growth|growth\s+cap|first-year\s+growth|initial\s+growth)(?:\s+rate)?|增长率?上限",
}
_RATE = r"(?P<rate>\d{1,2}(?:\.\d{1,4})?)\s*(?:%|per\s?cent\b)"
_LINK = r"\s*(?:rate\s*)?(?:of|at|is|=|:|为|是|用|按)?\s*"
_BEFORE = {name: re.compile(rf"{_RATE}\s*(?:{words})") for name, words in _NAMES.items()}
_AFTER = {name: re.compile(rf"(?:{words}){_LINK}{_RATE}") for name, words in _NAMES.items()}


def read_assumptions(text: str) -> tuple[Mapping[str, Decimal], str]:
    """The rates by name, as fractions of one, and the text without them. `text` is in lower case."""
    found: dict[str, Decimal] = {}
    for name in _NAMES:
        match = _AFTER[name].search(text) or _BEFORE[name].search(text)
        if match:
            found[name] = Decimal(match["rate"]) / 100
            text = blanked(text, (Mention("", match.start(), match.end()),))
    return found, text
