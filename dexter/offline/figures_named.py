"""The figures that a question names, and those it sets in proportion to each other."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

from dexter.data.metrics import metric_named
from dexter.figures.lexicon import Mention, blanked
from dexter.offline import vocabulary
from dexter.offline.intent import Relation
from dexter.offline.items import ratio_metric

_SHARE = r"(?:%|percent(?:age)?|share|fraction|proportion|portion|ratio|multiple)"
# Whose figure it is: a word, or a company that was read already.
_ITS = r"(?:(?:its|their|total|the)\s+|\x00+\s*(?:['’]s?\s+)?)"
# Between two figures: the first in proportion to the second.
_IN_PROPORTION = re.compile(
    rf"\s*(?:,\s*)?(?:as\s+)?(?:an?\s+)?{_SHARE}\s+(?:of|to)\s+{_ITS}*"
    rf"|\s*(?:/|÷|over|divided\s+by|relative\s+to|in\s+relation\s+to|to)\s*{_ITS}*"
    r"|\s*(?:和|与)?\s*(?:占|除以)\s*(?:其|总)?\s*"
)
# Before the first of two: what the second is in proportion to it.
_PROPORTION_OF = re.compile(rf"(?:{_SHARE}|how\s+much)\s+of\s+{_ITS}*$")
_STANDS_IN = re.compile(r"\b(?:from|in|on|per|using)\s+(?:the|its|their|his)?\s*$|[在从按]\s*$")
# Groups that are meant only where no figure is named: "results", "bigger", "how is it doing".
# Cheap on what, a multiple of what.
_PRICED_BY = {
    "NetIncome": "PriceToEarnings",
    "EPSDiluted": "PriceToEarnings",
    "Revenues": "PriceToSales",
    "FreeCashFlow": "PriceToFreeCashFlow",
    "StockholdersEquity": "PriceToBook",
    "OperatingIncome": "EVToOperatingIncome",
}
_VAGUE = frozenset({"overview", "size", "income", "valuation", "per_share"})


def read_figures(text: str) -> tuple[str, tuple[Mention, ...], tuple[Mention, ...]]:
    """The text with the clear figures blanked, the figures meant, and the vague words, which may mean more than that.

    A figure that only defines another one is not meant.
    """
    _, mentions = vocabulary.metrics().take(text)
    clear = tuple(mention for mention in mentions if mention.name not in _VAGUE)
    named = tuple(mention for mention in clear if not _only_defines(text, mention, clear))
    kept = tuple(mention for mention in named if not _is_a_place(text, mention, named))
    if any(mention.name == "valuation" for mention in mentions):
        kept = tuple(replace(mention, name=_PRICED_BY.get(mention.name, mention.name)) for mention in kept)
    vague = tuple(mention for mention in mentions if mention.name in _VAGUE)
    return blanked(text, clear or mentions), kept or mentions, vague


def metrics_of(figures: Iterable[Mention], relations: Sequence[Relation]) -> tuple[str, ...]:
    """Names without repeats, groups spread out.

    The two sides of a relation are not asked for by themselves; one that a metric is defined as is that metric.
    """
    sides = {side for relation in relations for side in (relation.left, relation.right)}
    groups = vocabulary.metric_groups()
    names = [name for figure in figures for name in groups.get(figure.name, (figure.name,))]
    defined = (ratio_metric(relation.left, relation.right) for relation in relations)
    return tuple(dict.fromkeys((*filter(None, defined), *(name for name in names if name not in sides))))


def relations_of(text: str, figures: Sequence[Mention]) -> tuple[Relation, ...]:
    """The pairs of figures of which one is asked for in proportion to the other."""
    groups = vocabulary.metric_groups()
    single = [figure for figure in figures if figure.name not in groups]
    found = (_relation(text, first, second) for first, second in pairwise(single))
    return tuple(relation for relation in found if relation)


def _relation(text: str, first: Mention, second: Mention) -> Relation | None:
    if first.name == second.name:
        return None
    if _IN_PROPORTION.fullmatch(text[first.end : second.start]):
        return Relation(first.name, second.name)
    if _PROPORTION_OF.search(text[: first.start]):
        return Relation(second.name, first.name)
    return None


def _is_a_place(text: str, mention: Mention, mentions: Sequence[Mention]) -> bool:
    """Whether a statement is only named as where a figure stands: "capex from the cash-flow statement"."""
    groups = vocabulary.metric_groups()
    alone = all(other.name in groups for other in mentions)
    return mention.name in groups and not alone and bool(_STANDS_IN.search(text[: mention.start]))


def _only_defines(text: str, mention: Mention, mentions: Sequence[Mention]) -> bool:
    """Whether it stands in "FCF = CFO - capex" on the right, as an operand of the figure on the left."""
    equals = text.rfind("=", 0, mention.start)
    before = [other for other in mentions if other.end <= equals]
    if equals < 0 or not before or re.search(r"[,;?)]", text[equals : mention.start]):
        return False
    metric = metric_named(before[-1].name)
    return metric is not None and mention.name in (*metric.formula.operands, *metric.needs)
