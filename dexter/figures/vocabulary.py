"""What figures and companies are called, from the data in `words/`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from dexter.figures.lexicon import Lexicon, lexicon_of, tokens


@dataclass(frozen=True)
class FigureWords:
    """What the words say of a figure: its name in Chinese, and what to give where it cannot be had."""

    name: str
    zh_label: str
    instead: str = ""


@cache
def words_in(package: str, name: str) -> dict[str, Any]:
    """A file of words (`<name>.toml` in that package), read once."""
    return tomllib.loads(files(package).joinpath(f"{name}.toml").read_text(encoding="utf-8"))


def figure_entries() -> Mapping[str, Mapping[str, Any]]:
    """Every figure by name, with its phrases in English (`en`) and Chinese (`zh`)."""
    return words_in("dexter.figures.words", "metrics")


@cache
def figure_words() -> Mapping[str, FigureWords]:
    """Labels and substitutes by figure."""
    return {
        name: FigureWords(name, entry["zh_label"], entry.get("instead", "")) for name, entry in figure_entries().items()
    }


@cache
def figure_lexicon() -> Lexicon:
    """Figures by what they are called."""
    return lexicon_of(figure_entries())


@cache
def chinese_names() -> Lexicon:
    """Companies by their Chinese names."""
    names = words_in("dexter.figures.words", "companies")
    return Lexicon({tokens(name): ticker for ticker, said in names.items() for name in said})
