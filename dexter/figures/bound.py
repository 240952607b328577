"""A number with what it is said of: company, figure, period. And what is known before a sentence or cell is read."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Literal

from dexter.figures.companies import Companies, CompanyMention
from dexter.figures.lexicon import Lexicon, Mention
from dexter.figures.numbers import Number
from dexter.figures.period_words import PeriodMention, find_periods
from dexter.figures.periods import Period
from dexter.figures.vocabulary import share_names, words_in

# "close to", "cash flow statement": words that are part of something else.
_NOT_A_FIGURE = re.compile(
    r"\s+(?:to\b(?!\s*(?:[a-z]+\s+){0,2}[-~$€£¥(\d])|sheet|statement)|\s*(?:财年|年度)", re.IGNORECASE
)
_NAME = re.compile(r"[A-Z][a-z][\w-]*")
_NAMES_BEFORE = re.compile(r"(?:[A-Z][a-z][\w-]*(?:\s+(?:&|and|of)\s+)?\s+)+$")
_MAY_BE_OTHER = frozenset({"Price", "Close", "NetIncome", "Revenues", "LongTermDebt"})


# Whether it is clear which figure is meant: the sentence names it, the text before spoke of no other, or of several.
Doubt = Literal["", "some", "much"]


@dataclass(frozen=True)
class Others:
    """What else a number may be of, where its sentence leaves room for it; all empty: it is clear."""

    companies: tuple[str, ...] = ()
    concepts: tuple[str, ...] = ()
    periods: tuple[Period, ...] = ()


NO_OTHERS = Others()


@dataclass(frozen=True)
class Bound:
    """A number and what its sentence, or its row and column, say of it.

    `companies`, `concepts` and `periods` hold what it may belong to, the likeliest first; empty: nothing says so.
    Of two companies that it compares the subject comes first. `label` is how the text calls the figure, `own` the
    words that make it another one than its name says (`data center` of `Data Center revenue`), `whole` what a
    percentage is a share of, `beside` every figure that its sentence names. `is_dated`: its sentence, row or column
    names the period, else it is that of the text so far; `spoken`: every period that they name. `is_loose`: nothing
    tells its period but its place in a row. `others`: what it may be of as well. `continues`: it goes on with what
    the number before it said. `before` and `after` are the words up to the next number; for a cell, the heads of
    its row and column. `said` is the whole sentence, or those heads; `start` to `end` the sentence or row.
    """

    number: Number
    companies: tuple[str, ...] = ()
    concepts: tuple[str, ...] = ()
    periods: tuple[Period, ...] = ()
    label: str = ""
    own: frozenset[str] = frozenset()
    whole: str = ""
    beside: tuple[str, ...] = ()
    spoken: tuple[Period, ...] = ()
    others: Others = NO_OTHERS
    is_dated: bool = True
    is_loose: bool = False
    continues: bool = False
    doubt: Doubt = ""
    before: str = ""
    after: str = ""
    said: str = ""
    start: int = 0
    end: int = 0
    in_table: bool = False


def _with_ratios(mentions: Sequence[Mention], text: str) -> tuple[Mention, ...]:
    """The mentions; two of them around a stroke that make a ratio known by name are that one: `EV/operating income`."""
    found: list[Mention] = []
    for mention in mentions:
        last = found[-1] if found else None
        names = share_names(last.name, mention.name) if last and text[last.end : mention.start].strip() == "/" else ()
        if last and names:
            found[-1] = Mention(names[0], last.start, mention.end)
        else:
            found.append(mention)
    return tuple(found)


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
        mentions = _with_ratios(mentions, lower)
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


def own_words(text: str, named: Named, concept: str, place: tuple[int, int]) -> frozenset[str]:
    """The words that make a figure another one than its name says: names with a capital right before it.

    Where the text does not name the figure before the number at `place[1]`, these are all such words since the number
    before, which ends at `place[0]`. The first word of a text is no name.
    """
    mentions = [mention for mention in named.concepts if mention.name == concept and mention.start < place[1]]
    before = text[: mentions[-1].start] if mentions else text[: place[1]]
    words = _NAMES_BEFORE.search(before) if mentions else None
    found = _NAME.finditer(before, words.start() if words else place[0]) if words or not mentions else ()
    spans = [(m.start, m.end) for names in (named.companies, named.periods, named.concepts) for m in names]
    return frozenset(
        match.group().lower()
        for match in found
        if match.start() > _first_letter(text)
        and match.group().lower() not in _neutral()
        and not any(start < match.end() and match.start() < end for start, end in spans)
    )


def _first_letter(text: str) -> int:
    return next((at for at, character in enumerate(text) if character.isalpha()), len(text))


@cache
def _neutral() -> frozenset[str]:
    return frozenset(words_in("dexter.figures.words", "claims")["neutral"]["words"])


@dataclass(frozen=True)
class Context:
    """What the text so far is about: of headings, of the sentences before.

    `concepts`: what it spoke of last, `is_titled`: as a title; `all_concepts`: all figures of the last sentence,
    `all_companies`: the companies so far, the latest first. `spoken`: the periods of the last sentence with several of
    them, `span` the first and the last; `of_company`: the period in which each company was last spoken of.
    """

    companies: tuple[str, ...] = ()
    concepts: tuple[str, ...] = ()
    all_concepts: tuple[str, ...] = ()
    all_companies: tuple[str, ...] = ()
    is_titled: bool = False
    periods: tuple[Period, ...] = ()
    span: tuple[Period, ...] = ()
    spoken: tuple[Period, ...] = ()
    of_company: Mapping[str, Period] = field(default_factory=dict)
    unit_text: str = ""

    def periods_of(self, companies: Sequence[str]) -> tuple[Period, ...]:
        """The periods that a figure of these companies is of where nothing else is said."""
        own = [self.of_company[company] for company in companies[:1] if company in self.of_company]
        return tuple(dict.fromkeys((*own, *self.periods)))
