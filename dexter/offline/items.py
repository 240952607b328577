"""What an answer shows for each company and period: figures, their growth, and relations of two of them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cache
from typing import Literal

from dexter.data.concepts import concept_named
from dexter.data.metrics import METRICS, MULTIPLES, Formula, metric_named
from dexter.offline.evidence import CLOSE
from dexter.offline.intent import Intent

Shape = Literal["amount", "percent", "times"]
ItemKind = Literal["figure", "growth_year", "growth_quarter", "relation"]

_PRICE = "Price"
_PRICED = frozenset({CLOSE, *(metric.name for metric in MULTIPLES)})


@dataclass(frozen=True)
class Item:
    """One line of an answer. Growth and relations that no metric defines are computed by `calculate`.

    `asked` is False for lines that are shown beside what was asked for.
    """

    name: str
    kind: ItemKind = "figure"
    other: str = ""
    asked: bool = field(default=True, compare=False)

    @property
    def needs(self) -> tuple[str, ...]:
        """The names of the cells it rests on."""
        return (self.name, self.other) if self.other else (self.name,)

    @property
    def is_growth(self) -> bool:
        """Whether it is the growth of a line."""
        metric = metric_named(self.name)
        return self.kind.startswith("growth") or (metric is not None and metric.formula.operation == "growth")

    @property
    def shape(self) -> Shape:
        """How its values read: amounts, percentages, or multiples."""
        if self.kind in ("growth_year", "growth_quarter", "relation"):
            return "percent"
        return shape_of(self.name)

    @property
    def key(self) -> str:
        """A name fit for a step of `calculate`."""
        return {"figure": self.name, "relation": f"{self.name}_to_{self.other}"}.get(
            self.kind, f"{self.name}_{self.kind}"
        )


def shape_of(name: str) -> Shape:
    """How the values of a line or metric read."""
    metric = metric_named(name)
    return metric.style if metric else "amount"


def is_priced(name: str) -> bool:
    """Whether a price is needed for it."""
    return name in _PRICED


def is_balance(name: str) -> bool:
    """Whether it stands at a day: a balance, or a metric of balances alone."""
    metric = metric_named(name)
    if metric is None:
        concept = concept_named(name)
        return concept is not None and concept.nature == "balance"
    return all(is_balance(need) for need in metric.needs)


@cache
def ratio_metric(left: str, right: str) -> str:
    """The metric that is defined as the first in proportion to the second, or ''."""
    formula = Formula("ratio", left, right)
    return next((metric.name for metric in METRICS if metric.formula == formula), "")


@cache
def growth_metric(name: str, before: Literal["year", "quarter"]) -> str:
    """The metric that is defined as the growth of that line, or ''."""
    return next(
        (
            metric.name
            for metric in METRICS
            if metric.formula.operation == "growth" and (metric.formula.left, metric.formula.right) == (name, before)
        ),
        "",
    )


def statement_items(intent: Intent) -> tuple[Item, ...]:
    """The lines an answer shows from statements, each growth beside what grows."""
    items: list[Item] = []
    for name in metric_names(intent):
        if is_priced(name):
            continue
        metric = metric_named(name)
        item = Item(name)
        if item.is_growth and metric is not None:
            sequential = growth_metric(metric.formula.left, "quarter") if intent.does("quarter") else ""
            items += [Item(metric.formula.left, asked=False), Item(sequential or name)]
        elif intent.ranks_growth and shape_of(name) == "amount":
            items += [Item(name, asked=False), replace(_growth(name, "year"), asked=True)]
        else:
            items += [item, *_growth_items(name, intent)]
    for relation in intent.relations:
        sides = [Item(side, asked=False) for side in (relation.left, relation.right)]
        items += [*sides, Item(relation.left, "relation", relation.right)]
    return tuple(dict.fromkeys(items))


def priced_names(intent: Intent) -> tuple[str, ...]:
    """The figures asked for that need a price."""
    return tuple(name for name in metric_names(intent) if is_priced(name))


def metric_names(intent: Intent) -> tuple[str, ...]:
    """The names asked for, as cells carry them."""
    names = [CLOSE if name == _PRICE else name for name in intent.metrics]
    return tuple(dict.fromkeys(names))


def _growth_items(name: str, intent: Intent) -> list[Item]:
    if shape_of(name) != "amount" or intent.overview:
        return []
    items = []
    if intent.does("quarter"):
        items.append(_growth(name, "quarter"))
    if intent.does("year", "change") or (intent.when.is_series and not items) or (intent.does("trend") and not items):
        items.append(_growth(name, "year"))
    return items


def _growth(name: str, before: Literal["year", "quarter"]) -> Item:
    defined = growth_metric(name, before)
    if defined:
        return Item(defined, asked=False)
    return Item(name, "growth_year" if before == "year" else "growth_quarter", asked=False)
