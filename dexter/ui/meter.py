"""The context meter: how full the window is, and where compaction starts."""

from __future__ import annotations

from dexter.events import ContextUsed
from dexter.ui.cards import Tone
from dexter.ui.words import percent, short

_WARN = 0.8


def meter_text(event: ContextUsed) -> str:
    """`31.2k of 95k tokens (33 %), window 128k`."""
    share = percent(event.used, event.threshold)
    return f"{short(event.used)} of {short(event.threshold)} tokens ({share}), window {short(event.window)}"


def meter_bar(event: ContextUsed, cells: int, *, ascii_only: bool = False) -> str:
    """The window as a bar with the threshold marked in it."""
    full, empty, mark = ("#", "-", "|") if ascii_only else ("█", "░", "┃")
    filled = min(cells, round(cells * event.used / event.window)) if event.window else 0
    at = min(cells - 1, int(cells * event.threshold / event.window)) if event.window else cells - 1
    bar = full * filled + empty * (cells - filled)
    return bar[:at] + mark + bar[at + 1 :]


def meter_tone(event: ContextUsed) -> Tone:
    """Calm, close to the threshold, or over it."""
    if event.used > event.threshold:
        return "bad"
    return "warn" if event.used > _WARN * event.threshold else "good"
