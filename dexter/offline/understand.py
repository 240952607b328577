"""From a question's text to what it asks for, by words alone: companies, figures, periods, what to do with them.

Each kind of word is read once and blanked out, so that no word counts twice; what is left over was not understood and
is said in the answer. English and Chinese are read side by side, mixed as people mix them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import cast

from dexter.data.company import Company
from dexter.data.metrics import metric_named
from dexter.offline import vocabulary
from dexter.offline.intent import Intent, Language, Operation, Relation, Stance
from dexter.offline.vocabulary import Mention, blanked
from dexter.offline.when import read_when

# Nobody asks at greater length; what follows is not read.
LONGEST_QUESTION = 4_000

_HAN = re.compile(r"[\u4e00-\u9fff]")
_KANA = re.compile(r"[\u3040-\u30ff]")
_NEW_QUESTION = r"(?:what|how|who|which|when|where|why|give|show|tell)\b"
_CLAUSE_END = re.compile(rf"[?!;。？！；]|\.(?=\s|$)|,?\s+and\s+(?={_NEW_QUESTION})")
_WORD = re.compile(r"[a-z][a-z0-9'’.&]*|[\u4e00-\u9fff]+")
_SHARE = r"(?:%|percent(?:age)?|share|fraction|proportion|portion|ratio|multiple)"
_ITS = r"(?:its|their|total|the)\s+"
# Between two figures: the first in proportion to the second.
_IN_PROPORTION = re.compile(
    rf"\s*(?:,\s*)?(?:as\s+)?(?:an?\s+)?{_SHARE}\s+(?:of|to)\s+(?:{_ITS})*"
    rf"|\s*(?:/|÷|over|divided\s+by|relative\s+to|in\s+relation\s+to|to)\s*(?:{_ITS})*"
    r"|\s*(?:和|与)?\s*(?:占|除以)\s*(?:其|总)?\s*"
)
# Before the first of two: what the second is in proportion to it.
_PROPORTION_OF = re.compile(rf"(?:{_SHARE}|how\s+much)\s+of\s+(?:{_ITS})*(?:\x00+\s*(?:['’]s?\s+)?)?$")
_PART_OF = re.compile(r"\s*(?:generated\s+|earned\s+|coming\s+)?(?:from|in|per|by|through)\s+(?:the\s+)?")
_ADDS = re.compile(r"^\W*(?:also|add|include|plus|together with|with)\b|^\W*(?:加上|再加|也|同时|还有|加)")
_ADDS_AT_END = re.compile(r"\b(?:as well|too)\W*$")
_STANCES: tuple[Stance, ...] = ("opinion", "scenario", "forecast", "cause")
_ASK_COMPANIES = frozenset({"which_company", "all_companies"})
# Groups that are meant only where no figure is named: "results", "bigger", "how is it doing".
_VAGUE = frozenset({"overview", "size", "income", "valuation", "per_share"})


@dataclass(frozen=True)
class CompanyMention:
    """A company named in a text, and where (`text[start:end]`)."""

    company: Company
    start: int
    end: int


FindCompanies = Callable[[str], Sequence[CompanyMention]]


def understand(question: str, find_companies: FindCompanies) -> Intent:
    """Read a question. The same text always gives the same intent."""
    original = unicodedata.normalize("NFKC", question[:LONGEST_QUESTION])
    named = find_companies(original)
    whole = blanked(_lower(original), (Mention("", found.start, found.end) for found in named))
    text, groups = vocabulary.company_groups().take(whole)
    text, topics = _without_topics(text)
    text, stances = vocabulary.stances().take(text)
    text, figures = _figures(text)
    text, operations = vocabulary.operations().take(text)
    when, text = read_when(text)
    asked = {mention.name for mention in operations}
    relations = _relations(whole, figures)
    intent = Intent(
        language=language_of(original),
        companies=_tickers(named, groups),
        everyone=bool(asked & _ASK_COMPANIES) and not named and not groups,
        notes=tuple(note for found in named for note in found.company.notes),
        metrics=_metrics(figures, relations),
        relations=relations,
        when=when,
        operations=cast("frozenset[Operation]", frozenset(asked - _ASK_COMPANIES - {"polite"})),
        stance=next((stance for stance in _STANCES if stance in {mention.name for mention in stances}), None),
        topics=tuple(dict.fromkeys(mention.name for mention in topics)),
        unread=tuple(word for word, _ in _left_over(text)),
        lost=_qualifiers(text, figures),
        adds=bool(_ADDS.search(_lower(original)) or _ADDS_AT_END.search(_lower(original))),
    )
    return _with_usual_figures(intent)


def language_of(text: str) -> Language:
    """Chinese where there are Chinese characters and no Japanese ones; else English."""
    return "zh" if _HAN.search(text) and not _KANA.search(text) else "en"


def _lower(text: str) -> str:
    """Lower case, character for character, so that places in the text stay the same."""
    return "".join(low if len(low := character.lower()) == 1 else character for character in text)


def _tickers(named: Sequence[CompanyMention], groups: Iterable[Mention]) -> tuple[str, ...]:
    tickers = [found.company.ticker for found in named]
    members = [ticker for group in groups for ticker in vocabulary.group_tickers()[group.name]]
    return tuple(dict.fromkeys((*tickers, *members)))


def _without_topics(text: str) -> tuple[str, tuple[Mention, ...]]:
    """The text without the clauses that ask for what no statement line has, and what those ask for."""
    kept, topics, start = text, vocabulary.topics().take(text)[1], 0
    for end in (*(match.end() for match in _CLAUSE_END.finditer(text)), len(text)):
        if any(start <= topic.start < end for topic in topics):
            kept = blanked(kept, (Mention("", start, end),))
        start = end
    return kept, topics


def _figures(text: str) -> tuple[str, tuple[Mention, ...]]:
    """The figures named, without those that only define another one, and the text with the clear ones blanked."""
    _, mentions = vocabulary.metrics().take(text)
    clear = tuple(mention for mention in mentions if mention.name not in _VAGUE)
    defining = {mention for mention in clear if _only_defines(text, mention, clear)}
    kept = tuple(mention for mention in clear if mention not in defining) or mentions
    return blanked(text, clear or mentions), kept


def _only_defines(text: str, mention: Mention, mentions: Sequence[Mention]) -> bool:
    """Whether it stands in "FCF = CFO - capex" on the right, as an operand of the figure on the left."""
    equals = text.rfind("=", 0, mention.start)
    before = [other for other in mentions if other.end <= equals]
    if equals < 0 or not before or re.search(r"[,;?)]", text[equals : mention.start]):
        return False
    metric = metric_named(before[-1].name)
    return metric is not None and mention.name in (*metric.formula.operands, *metric.needs)


def _relations(text: str, figures: Sequence[Mention]) -> tuple[Relation, ...]:
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


def _metrics(figures: Iterable[Mention], relations: Sequence[Relation]) -> tuple[str, ...]:
    """Names without repeats, groups spread out; the two sides of a relation are not asked for by themselves."""
    sides = {side for relation in relations for side in (relation.left, relation.right)}
    groups = vocabulary.metric_groups()
    names = (name for figure in figures for name in groups.get(figure.name, (figure.name,)))
    return tuple(dict.fromkeys(name for name in names if name not in sides))


def _left_over(text: str) -> list[tuple[str, int]]:
    """The words that nothing was made of, and where each begins."""
    plain, plain_chinese = vocabulary.plain_words()
    found = []
    for match in _WORD.finditer(plain_chinese.sub(lambda taken: " " * len(taken.group()), text)):
        word = match.group().rstrip(".").removesuffix("'s").removesuffix("’s")
        if word and word not in plain and word.removesuffix("s") not in plain and len(word) > 1:
            found.append((word, match.start()))
    return found


def _qualifiers(text: str, figures: Sequence[Mention]) -> tuple[str, ...]:
    """Words not understood that narrow a figure: right before it, or after a "from" or "per" behind it."""
    return tuple(
        word
        for word, start in _left_over(text)
        for figure in figures
        if text[start : figure.start].strip(" -") == word or _PART_OF.fullmatch(text[figure.end : max(start, 0)])
    )


def _with_usual_figures(intent: Intent) -> Intent:
    """What is meant where a question names companies and growth, or companies and nothing."""
    if intent.metrics or intent.relations or intent.topics or not (intent.companies or intent.everyone):
        return intent
    if intent.does("change", "year", "quarter", "cagr"):
        return replace(intent, metrics=("Revenues", "NetIncome"))
    if intent.unread or intent.stance or not (intent.when.is_empty or intent.companies):
        return intent
    names = vocabulary.metric_groups()["overview"]
    return replace(intent, metrics=names, overview=True)
