"""What figures and companies are called and what figures mean, from the data in `words/`."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from importlib.resources import files
from typing import Any, Literal, get_args

from dexter.figures.lexicon import Lexicon, Phrase, lexicon_of, tokens

# An amount of money, an amount a share, a count of shares, a share of one (percent), a multiple; '' is not known.
Kind = Literal["money", "per_share", "shares", "rate", "ratio", ""]
_PACKAGE = "dexter.figures.words"
_SEQUENTIAL = "QoQ"


@dataclass(frozen=True)
class FigureWords:
    """What the words say of a figure: its name in Chinese, and what to give where it cannot be had."""

    name: str
    zh_label: str
    instead: str = ""


@dataclass(frozen=True)
class Formula:
    """Two figures and what is done with them: + - * /."""

    left: str
    sign: str
    right: str

    @property
    def text(self) -> str:
        """As it is written: `GrossProfit / Revenues`."""
        return f"{self.left} {self.sign} {self.right}"

    def of(self, left: Decimal, right: Decimal) -> Decimal | None:
        """The value; None where it has none."""
        match self.sign:
            case "+":
                return left + right
            case "-":
                return left - right
            case "*":
                return left * right
        return left / right if right else None


@cache
def words_in(package: str, name: str) -> dict[str, Any]:
    """A file of words (`<name>.toml` in that package), read once."""
    return tomllib.loads(files(package).joinpath(f"{name}.toml").read_text(encoding="utf-8"))


def figure_entries() -> Mapping[str, Mapping[str, Any]]:
    """Every figure by name, with its phrases in English (`en`) and Chinese (`zh`)."""
    return words_in(_PACKAGE, "metrics")


@cache
def figure_words() -> Mapping[str, FigureWords]:
    """Labels and substitutes by figure."""
    return {
        name: FigureWords(name, entry["zh_label"], entry.get("instead", "")) for name, entry in figure_entries().items()
    }


@cache
def chinese_names() -> Lexicon:
    """Companies by their Chinese names."""
    names = words_in(_PACKAGE, "companies")
    return Lexicon({tokens(name): ticker for ticker, said in names.items() for name in said})


def labels_lexicon(labels: Iterable[tuple[str, str]]) -> Lexicon:
    """Figures by what they are called; `labels` are those that results use, as (label, concept)."""
    own: dict[Phrase, str] = {tokens(label.lower()): concept for label, concept in labels if label}
    return Lexicon({**_figure_phrases(), **own})


@cache
def _figure_phrases() -> Mapping[Phrase, str]:
    asking = {tokens(phrase) for phrase in _meanings("asking")["phrases"]}
    phrases = {**lexicon_of(_meanings("also")).names, **lexicon_of(figure_entries()).names}
    return {phrase: name for phrase, name in phrases.items() if phrase not in asking}


def kind_of(concept: str) -> Kind:
    """What a figure of the vocabulary counts; '' for a name that it doesn't have."""
    if concept in _kinds():
        return _kinds()[concept]
    return "money" if concept in figure_entries() or concept in _meanings("also") else ""


@cache
def _kinds() -> Mapping[str, Kind]:
    named = _meanings("kinds")
    return {name: kind for kind in get_args(Kind) for name in named.get(kind, ())}


def alike(concept: str) -> tuple[str, ...]:
    """A figure and those that its words may mean as well."""
    return (concept, *_meanings("alike").get(concept, ()))


def _meanings(part: str) -> Mapping[str, Any]:
    table: Mapping[str, Any] = words_in(_PACKAGE, "meanings")[part]
    return table


def formulas_of(concept: str) -> tuple[Formula, ...]:
    """How a figure may have been computed from others."""
    return tuple(Formula(*text.split(" ")) for text in _meanings("formulas").get(concept, ()))


def is_outflow(concept: str) -> bool:
    """Whether accounts put the figure in parentheses though it is counted as more than zero."""
    return concept in _meanings("outflows")["names"]


def growth_of(concept: str) -> str:
    """What a growth figure is the growth of, or ''."""
    grown: str = _meanings("growth").get(concept.removesuffix(_SEQUENTIAL), "")
    return grown


def is_sequential(concept: str) -> bool:
    """Whether a growth figure is on the quarter before."""
    return concept.endswith(_SEQUENTIAL)


def margin_of(concept: str) -> str:
    """What "margin" alone means where that figure was named before, or ''."""
    margin: str = _meanings("margin_of").get(concept, "")
    return margin


def yield_of(concept: str) -> str:
    """What "yield" alone means where that figure was named before, or ''."""
    named: str = _meanings("yield_of").get(concept, "")
    return named


@cache
def growths_of(concept: str) -> tuple[str, ...]:
    """The growth figures of a figure: on the year and on the quarter before."""
    names = [name for name, grown in _meanings("growth").items() if grown == concept]
    return tuple(f"{name}{suffix}" for name in names for suffix in ("", _SEQUENTIAL))


@cache
def share_names(part: str, whole: str) -> tuple[str, ...]:
    """The figures that are one figure's share of another."""
    return tuple(name for name, ways in _meanings("formulas").items() if f"{part} / {whole}" in ways)


def per_share_of(concept: str) -> tuple[str, ...]:
    """The figures that are one figure a share."""
    names: list[str] = _meanings("per_share_of").get(concept, [])
    return tuple(names)


def multiple_of(concept: str) -> str:
    """The multiple that "so many times" a figure is, or ''."""
    multiple: str = _meanings("multiple_of").get(concept, "")
    return multiple


@cache
def is_weak(phrase: str) -> bool:
    """Whether a word for a figure may mean another one that was spoken of."""
    return phrase.lower() in _meanings("weak")["phrases"]
