"""Values of a line, checked: what is not of its kind, or beyond all bounds, is damage and raises."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dexter.replay.entries import Call, Json
from dexter.replay.excerpts import shortened
from dexter.scratchpad.run_state import known_cost

_MOST_TURNS, _MOST_SECONDS = 10**9, 10**9


def call_of(data: Any) -> Call:
    """A call as a model made it."""
    arguments = data["arguments"]
    shown = shortened(arguments) if isinstance(arguments, Mapping) else {}
    return Call(str(data["id"]), str(data["name"]), shown, str(data.get("error") or ""))


def turn_of(record: Json) -> int:
    """A line's turn."""
    turn = int(record["turn"])
    if not 0 <= turn < _MOST_TURNS:
        raise ValueError(turn)
    return turn


def cost_of(record: Json) -> str:
    """A line's cost as it stands there, '' where it is unknown."""
    return str(record["cost_usd"]) if known_cost(record.get("cost_usd")) is not None else ""


def seconds_of(value: Any) -> float:
    """A duration; 0 where there is none."""
    seconds = float(value or 0.0)
    if not 0 <= seconds < _MOST_SECONDS:
        raise ValueError(value)
    return seconds


def object_of(value: Any) -> Json:
    """A JSON object."""
    if not isinstance(value, Mapping):
        raise TypeError(value)
    return value
