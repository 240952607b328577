"""What `calculate` worked out in a run, and of which figures."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any

from dexter.figures.bound import Bound, Reader
from dexter.figures.facts import Facts
from dexter.figures.vocabulary import alike, growth_of
from dexter.results import StoredResult

_TOOL = "calculate"
_LINE = re.compile(r"^(?P<name>\w+) = (?P<steps>.+) = (?P<value>-?[\d.]+)$", re.MULTILINE)
_NAME = re.compile(r"[A-Za-z_]\w*")


@dataclass(frozen=True)
class Outcome:
    """A calculated value with the companies and figures it was calculated of; empty: nothing tells."""

    value: Decimal
    result: int
    name: str
    steps: str
    companies: frozenset[str]
    concepts: frozenset[str]

    def may_be(self, bound: Bound) -> bool:
        """Whether a number may state it: it is of the same company and figure, as far as either tells."""
        if self.companies and bound.companies and not self.companies & set(bound.companies):
            return False
        said = {name for concept in bound.concepts for name in (*alike(concept), growth_of(concept)) if name}
        return not (self.concepts and said and not self.concepts & said)


def outcomes_of(results: Iterable[StoredResult], reader: Reader, facts: Facts) -> tuple[Outcome, ...]:
    """Every outcome of every calculation."""
    found: list[Outcome] = []
    for result in results:
        if result.tool == _TOOL and result.status == "ok":
            inputs = _inputs(result.arguments)
            known: dict[str, tuple[frozenset[str], frozenset[str]]] = {}
            for name, (value, source) in inputs.items():
                named = facts.named(value)
                read = _read(f"{name} {source}", reader)
                known[name] = (frozenset(named[:1]), frozenset(named[1:])) if named else read
            found += _outcomes(result, known, reader)
    return tuple(found)


def _outcomes(
    result: StoredResult, known: dict[str, tuple[frozenset[str], frozenset[str]]], reader: Reader
) -> Iterator[Outcome]:
    for match in _LINE.finditer(result.text):
        parts = [known[name] for name in _NAME.findall(match["steps"]) if name in known]
        companies, concepts = _read(match["name"], reader)
        companies = companies.union(*(part[0] for part in parts))
        concepts = concepts.union(*(part[1] for part in parts))
        known[match["name"]] = (companies, concepts)
        yield Outcome(Decimal(match["value"]), result.id, match["name"], match["steps"], companies, concepts)


def _inputs(arguments: Mapping[str, Any]) -> dict[str, tuple[Decimal, str]]:
    found: dict[str, tuple[Decimal, str]] = {}
    for given in arguments.get("values") or ():
        try:
            value = Decimal(str(given["value"]).replace(",", "").replace("_", "").strip())
        except (InvalidOperation, KeyError, TypeError):
            continue
        found[str(given.get("name", ""))] = (value, str(given.get("source", "")))
    return found


def _read(text: str, reader: Reader) -> tuple[frozenset[str], frozenset[str]]:
    """The companies and figures that a name speaks of: `nvda_revenue_fy2025`, `NVDA_GrossMargin_change`."""
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text.replace("_", " "))
    upper = " ".join(word.upper() if word.upper() in reader.companies.known else word for word in words.split())
    companies = frozenset(mention.ticker for mention in reader.companies.find(upper))
    return companies, frozenset(mention.name for mention in reader.concepts(words))
