"""From a question's text to what it asks for, by words alone: companies, figures, periods, what to do with them.

Each kind of word is read once and blanked out, so that no word counts twice; what is left over was not understood and
is said in the answer. English and Chinese are read side by side, mixed as people mix them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import cast

from dexter.data.company import Company
from dexter.figures.lexicon import Mention, blanked
from dexter.figures.vocabulary import chinese_names
from dexter.offline import vocabulary
from dexter.offline.assumptions import read_assumptions
from dexter.offline.figures_named import metrics_of, read_figures, relations_of
from dexter.offline.intent import Intent, Language, Operation, Stance
from dexter.offline.items import ratio_metric
from dexter.offline.read_when import read_when, with_year_before
from dexter.offline.when import When
from dexter.offline.wording import heads_repeated, mended, splits_unsaid

# Nobody asks at greater length; what follows is not read.
LONGEST_QUESTION = 4_000

_HAN = re.compile(r"[\u4e00-\u9fff]")
_KANA = re.compile(r"[\u3040-\u30ff]")
_NEW_QUESTION = r"(?:what|how|who|which|when|where|why|give|show|tell)\b"
_CLAUSE_END = re.compile(rf"[?!;。？！；]|\.(?=\s|$)|,?\s+and\s+(?={_NEW_QUESTION})")
_WORD = re.compile(r"[a-z][a-z0-9'’.&]*|[\u4e00-\u9fff]+")
_PERIOD_LIKE = re.compile(r"q[1-4]|[1-4]q|h[12]|[1-4]q\d\d|fy(?:\d\d){0,2}|ttm|ltm|yoy|qoq|eps|roe|roa|fcf")
_PART_OF = re.compile(r"\s*(?:generated\s+|earned\s+|coming\s+)?(?:from|in|per|by|through)\s+(?:the\s+)?")
_ADDS = re.compile(r"^\W*(?:also|add|include|plus|together with|with)\b|^\W*(?:加上|再加|也|同时|还有|加)")
_ADDS_AT_END = re.compile(r"\b(?:as well|too)\W*$")
_QUARTER = re.compile(r"\bquarters?\b|季")
_TOTAL = re.compile(r"\btotal\b")
_LONGEST_WORD = 40
_MOST_WORDS = 12
_STANCES: tuple[Stance, ...] = ("opinion", "scenario", "forecast", "cause")
_ASK_COMPANIES = frozenset({"which_company", "all_companies"})


@dataclass(frozen=True)
class CompanyMention:
    """A company named in a text, and where (`text[start:end]`). With `others` it is not clear which one is meant."""

    company: Company
    start: int
    end: int
    others: tuple[Company, ...] = ()


FindCompanies = Callable[[str], Sequence[CompanyMention]]


def understand(question: str, find_companies: FindCompanies) -> Intent:
    """Read a question as it stands; what goes without saying is not in it yet. The same text gives the same intent."""
    original = unicodedata.normalize("NFKC", question[:LONGEST_QUESTION])
    lower = _lower(original)
    named = _companies(lower, find_companies(original))
    whole, companies = _read_companies(lower, named)
    whole = heads_repeated(splits_unsaid(mended(whole, original)))
    text, topics = _without_topics(vocabulary.asides().take(whole)[0])
    text, stances = vocabulary.stances().take(text)
    text, figures, vague = read_figures(text)
    assumptions, text = read_assumptions(text) if vocabulary.names_valuation(text) else ({}, text)
    text, operations = vocabulary.operations().take(text)
    when, text = read_when(text)
    when = with_year_before(when, whole)
    left_over = _left_over(blanked(text, vague))
    relations = relations_of(whole, figures)
    asked = _asked(operations, whole, when)
    return Intent(
        language=language_of(original),
        companies=companies,
        unclear=tuple(_choice(original, found) for found in named if found.others),
        everyone=not companies and ("all_companies" in asked or ("which_company" in asked and not left_over)),
        notes=tuple(f"{found.company.ticker}: {note}" for found in named for note in found.company.notes),
        metrics=metrics_of(figures, relations),
        relations=tuple(relation for relation in relations if not ratio_metric(relation.left, relation.right)),
        overview={figure.name for figure in figures} == {"overview"},
        when=when,
        operations=cast("frozenset[Operation]", asked - _ASK_COMPANIES),
        stance=next((stance for stance in _STANCES if stance in {mention.name for mention in stances}), None),
        topics=tuple(dict.fromkeys(mention.name for mention in topics)),
        unread=tuple(word for word, _ in left_over),
        lost=_qualifiers(text, figures, left_over),
        assumptions=tuple(assumptions.items()),
        by_quarter=bool(_QUARTER.search(lower)),
        adds=bool(_ADDS.search(lower) or _ADDS_AT_END.search(lower)),
    )


def language_of(text: str) -> Language:
    """Chinese where there are Chinese characters and no Japanese ones; else English."""
    return "zh" if _HAN.search(text) and not _KANA.search(text) else "en"


def _lower(text: str) -> str:
    """Lower case, character for character, so that places in the text stay the same."""
    return "".join(low if len(low := character.lower()) == 1 else character for character in text)


def _companies(lower: str, named: Sequence[CompanyMention]) -> list[CompanyMention]:
    """Those that are no part of a longer phrase or of a period: the E of P/E, the Target of a price target, Q2."""
    lexicons = (vocabulary.metrics, vocabulary.stances, vocabulary.topics, vocabulary.operations)
    phrases = [mention for lexicon in lexicons for mention in lexicon().take(lower)[1]]
    return [
        found
        for found in named
        if not _PERIOD_LIKE.fullmatch(lower[found.start : found.end])
        and not any(_within(Mention("", found.start, found.end), phrase) for phrase in phrases)
    ]


def _read_companies(lower: str, named: Sequence[CompanyMention]) -> tuple[str, tuple[str, ...]]:
    """The text without company names; the companies in the order they are named, then the members of groups."""
    text = blanked(lower, (Mention("", found.start, found.end) for found in named))
    text, in_chinese = chinese_names().take(text)
    text, groups = vocabulary.company_groups().take(text)
    clear = [(found.start, found.company.ticker) for found in named if not found.others]
    places = sorted((*clear, *((mention.start, mention.name) for mention in in_chinese)))
    members = [ticker for group in groups for ticker in vocabulary.group_tickers()[group.name]]
    return text, tuple(dict.fromkeys((*(ticker for _, ticker in places), *members)))


def _choice(original: str, found: CompanyMention) -> str:
    """A name that is not clear, and whom it may mean."""
    companies = ", ".join(f"{company.ticker} ({company.name})" for company in (found.company, *found.others))
    return f"{original[found.start : found.end][:_LONGEST_WORD]}: {companies}"


def _asked(operations: Iterable[Mention], text: str, when: When) -> frozenset[str]:
    """What is to be done; "total" is more than an adjective where there are several periods to add up."""
    several = when.is_series or len(when.labels) > 1
    total = {"total"} if several and _TOTAL.search(text) else set()
    return frozenset({mention.name for mention in operations} | total)


def _without_topics(text: str) -> tuple[str, tuple[Mention, ...]]:
    """The text without the clauses that ask for what no statement line has, and what those ask for."""
    figures = vocabulary.metrics().take(text)[1]
    topics = tuple(
        topic for topic in vocabulary.topics().take(text)[1] if not any(_within(topic, it) for it in figures)
    )
    kept, start = text, 0
    for end in (*(match.end() for match in _CLAUSE_END.finditer(text)), len(text)):
        if any(start <= topic.start < end for topic in topics):
            kept = blanked(kept, (Mention("", start, end),))
        start = end
    return kept, topics


def _within(part: Mention, whole: Mention) -> bool:
    """Whether a phrase is part of a longer one: shareholders in shareholders' equity."""
    longer = whole.end - whole.start > part.end - part.start
    return longer and whole.start <= part.start and part.end <= whole.end


def _left_over(text: str) -> list[tuple[str, int]]:
    """The words that nothing was made of, and where each begins."""
    plain, plain_chinese = vocabulary.plain_words()
    found = []
    for match in _WORD.finditer(plain_chinese.sub(lambda taken: " " * len(taken.group()), text)):
        word = match.group().rstrip(".").removesuffix("'s").removesuffix("’s")[:_LONGEST_WORD]
        if word and word not in plain and word.removesuffix("s") not in plain and len(word) > 1:
            found.append((word, match.start()))
    return found[:_MOST_WORDS]


def _qualifiers(text: str, figures: Sequence[Mention], left_over: Iterable[tuple[str, int]]) -> tuple[str, ...]:
    """Words not understood that narrow a figure: right before it, or after a "from" or "per" behind it."""
    return tuple(
        word
        for word, start in left_over
        for figure in figures
        if text[start : figure.start].strip(" -") == word or _PART_OF.fullmatch(text[figure.end : max(start, 0)])
    )
