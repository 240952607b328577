"""Which numbers can be of which figures."""

from __future__ import annotations

from dexter.figures.numbers import Number
from dexter.figures.vocabulary import kind_of


def fits(number: Number, concept: str) -> bool:
    """Whether a number's unit is one that the figure comes in."""
    kind = kind_of(concept)
    match number.unit:
        case "percent" | "points":
            return kind in ("rate", "ratio", "")
        case "times":
            return kind in ("ratio", "")
        case "shares":
            return kind in ("shares", "")
        case "per_share":
            return kind in ("per_share", "")
        case "money":
            return kind in ("money", "") or (kind == "per_share" and not number.scaled)
    return True
