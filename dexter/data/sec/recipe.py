"""How a line of the statements is found among tags: in order of preference, for each single period."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from dexter.data.sec.facts import Measure

Kind = Literal["flow", "average", "balance"]


@dataclass(frozen=True)
class Formula:
    """A line as the sum of others. A name that ends in `?` may be missing, but not all that are added may be.

    `unless`: not where one of these lines has a figure. `distinct`: figures of one size are one item under two tags and
    count once.
    """

    says: str
    plus: tuple[str, ...]
    minus: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()
    distinct: bool = False


Way = str | Formula


@dataclass(frozen=True)
class Recipe:
    """How a line is found.

    `kind`: a flow adds up over quarters, an average (earnings per share among them) does not, a balance is of a day.
    `one_meaning`: its tags are names of one thing, so that a later filing under another of them is a restatement.
    `against`: a line that the tags have to agree with, and that takes their place where they do not.
    """

    ways: tuple[Way, ...]
    kind: Kind = "flow"
    measure: Measure = "money"
    one_meaning: bool = False
    against: str = ""


def flow(*ways: Way, measure: Measure = "money", one_meaning: bool = False) -> Recipe:
    """A recipe for what adds up over quarters."""
    return Recipe(ways, "flow", measure, one_meaning)


def average(*ways: Way, measure: Measure) -> Recipe:
    """A recipe for what does not add up: averages, and values per share."""
    return Recipe(ways, "average", measure)


def balance(*ways: Way, measure: Measure = "money") -> Recipe:
    """A recipe for what stands at a day."""
    return Recipe(ways, "balance", measure)


def qualified(tag: str) -> str:
    """The tag with its taxonomy, which is `us-gaap` where none is named."""
    return tag if ":" in tag else f"us-gaap:{tag}"
