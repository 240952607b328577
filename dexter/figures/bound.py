"""A number with what it is said of: company, figure, period. And what is known before a sentence or cell is read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from dexter.figures.companies import Companies, CompanyMention
from dexter.figures.lexicon import Lexicon, Mention
from dexter.figures.numbers import Number
from dexter.figures.period_words import PeriodMention, find_periods
from dexter.figures.periods import Period

# "close to", "cash flow statement": words that are part of something else.
_NOT_A_FIGURE = re.compile(r"\s+(?:to\b|sheet|statement)|\s*(?:财年|年度)", re.IGNORECASE)
_MAY_BE_OTHER = frozenset({"Price", "Close", "NetIncome", "Revenues", "LongTermDebt"})


@dataclass(frozen=True)
class Bound:
    """A number and what its sentence, or its row and column, say of it.

    `companies`, `concepts` and `periods` hold what it may belong to, the likeliest first; empty: nothing says so.
    `sure`: the period stands at the number itself. `before` and `after` are the words around it up to the next number;
    for a cell, the head of its row and column. `label` is how the text calls the figure. `start` to `end`: the
    sentence or row.
    """

    number: Number
    companies: tuple[str, ...] = ()
    concepts: tuple[str, ...] = ()
    periods: tuple[Period, ...] = ()
    label: str = ""
    before: str = ""
    after: str = ""
    start: int = 0
    end: int = 0
    in_table: bool = False


@dataclass(frozen=True)
class Reader:
    """What texts are read with: the companies there are, and what figures are called."""

    companies: Companies
    lexicon: Lexicon

    def concepts(self, text: str) -> tuple[Mention, ...]:
        """The figures named in a text."""
        lower = text.lower()
        if len(lower) != len(text):
            lower = "".join(character.lower()[:1] for character in text)
        _, mentions = self.lexicon.take(lower)
        return tuple(m for m in mentions if not (m.name in _MAY_BE_OTHER and _NOT_A_FIGURE.match(text, m.end)))

    def named(self, text: str) -> Named:
        """Everything that a text names."""
        return Named(self.companies.find(text), self.concepts(text), find_periods(text))


@dataclass(frozen=True)
class Named:
    """Companies, figures and periods that a text names, each in order."""

    companies: Sequence[CompanyMention] = ()
    concepts: Sequence[Mention] = ()
    periods: Sequence[PeriodMention] = ()

    @property
    def company(self) -> str:
        """The first company, or ''."""
        return self.companies[0].ticker if self.companies else ""

    @property
    def concept(self) -> str:
        """The first figure, or ''."""
        return self.concepts[0].name if self.concepts else ""

    @property
    def period(self) -> Period | None:
        """The first period that stands by itself."""
        return next((mention.period for mention in self.periods if not mention.period.relation), None)


NOTHING_NAMED = Named()


@dataclass(frozen=True)
class Context:
    """What the text so far is about: of headings, of the sentences before."""

    companies: tuple[str, ...] = ()
    concepts: tuple[str, ...] = ()
    periods: tuple[Period, ...] = ()
    unit_text: str = ""
