"""What answers say, by key and language; the texts are data (`words/phrases.toml`)."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from dexter.data.concepts import find_concept
from dexter.data.metrics import name_for_people
from dexter.figures.vocabulary import figure_words
from dexter.offline.evidence import CLOSE, Span
from dexter.offline.intent import Language
from dexter.offline.items import Item
from dexter.offline.when import FULL_YEAR, Label


@cache
def _tables() -> Mapping[Language, Mapping[str, str]]:
    text = files("dexter.offline.words").joinpath("phrases.toml").read_text(encoding="utf-8")
    tables: Mapping[Language, Mapping[str, str]] = tomllib.loads(text)  # type: ignore[assignment]
    return tables


@cache
def _rules(language: Language) -> tuple[tuple[str, str], ...]:
    rules = tomllib.loads(files("dexter.offline.words").joinpath("translations.toml").read_text(encoding="utf-8"))
    return tuple((pattern, replacement) for pattern, replacement in rules.get(language, ()))


@dataclass(frozen=True)
class Phrases:
    """The phrases of one language, and how it calls figures and periods."""

    language: Language

    def say(self, key: str, **values: object) -> str:
        """A phrase filled in."""
        return _tables()[self.language][key].format(**values)

    def listed(self, words: Iterable[str]) -> str:
        """Several things in a row."""
        return self.say("joined").join(words)

    def translated(self, text: str) -> str:
        """A text of the data layer in this language, as far as there are rules for it."""
        for pattern, replacement in _rules(self.language):
            text = re.sub(pattern, replacement, text)
        return text

    def company(self, ticker: str, name: str) -> str:
        """A company with its ticker."""
        return self.say("company", name=name, ticker=ticker) if name else ticker

    def metric(self, name: str) -> str:
        """What a line or metric is called."""
        words = figure_words().get("Price" if name == CLOSE else name)
        return words.zh_label if self.language == "zh" and words else name_for_people(name)

    def labelled(self, label: str) -> str:
        """What the line of that label is called."""
        concept = find_concept(label)
        return self.metric(concept.name) if concept else label

    def item(self, item: Item) -> str:
        """What a line of an answer is called."""
        if item.kind == "relation":
            return self.say("relation", left=self.metric(item.name), right=self.metric(item.other))
        if item.kind == "figure":
            return self.metric(item.name)
        return self.say(item.kind, label=self.metric(item.name))

    def span(self, span: Span) -> str:
        """A period: FY2025, Q3 FY2026, twelve months."""
        if span.basis == "ttm":
            return self.say("ttm_label")
        return self.label(Label(span.year, span.name))

    def dated(self, span: Span) -> str:
        """A period with the day it ends."""
        return self.say("to_day", label=self.span(span), end=span.end)

    def label(self, label: Label) -> str:
        """A period by its name alone."""
        if label.period == FULL_YEAR:
            return self.say("year_label", year=label.year)
        return self.say("quarter_label", quarter=label.period, year=label.year) if label.year else label.period
