"""What an event has to say, before any terminal is thought of: a title, a tone, some lines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Tone = Literal["info", "good", "warn", "bad", "quiet"]


@dataclass(frozen=True)
class Card:
    """Something that happened to the context, worth a panel of its own."""

    title: str
    lines: tuple[str, ...]
    tone: Tone = "info"


@dataclass(frozen=True)
class Line:
    """Something told in one line. `mark` stands before it."""

    text: str
    tone: Tone = "info"
    mark: str = ""


Told = Card | Line
