"""Which figure each number of a sentence is of, and what it is a share of."""

from __future__ import annotations

import re

from dexter.figures.bound import Context
from dexter.figures.lexicon import Mention
from dexter.figures.numbers import Number
from dexter.figures.sentence import Sentence
from dexter.figures.vocabulary import kind_of, margin_of, multiple_of, per_share_of

_TO_CONCEPT = re.compile(
    r"\s*(?:(?:in|of|as|on|的)\s+)?(?:(?:its|total|the|annual|quarterly|trailing|diluted)\s+)*$", re.IGNORECASE
)
_SHARE = re.compile(r"\s*of\s+(?:its|their|total|the|net|annual|quarterly|that|\s)*", re.IGNORECASE)
_IN_SHARES = re.compile(
    r"(?:\bas an? (?:percentage|share|percent|proportion|%) of|\brelative to) (?:its |their |total |net )*$|占\s*$",
    re.IGNORECASE,
)
_MULTIPLE = re.compile(r"\s*(?:its|their|trailing|forward|last year's|the year's|\s)*$", re.IGNORECASE)
_INTO = re.compile(r"\s*(?:in|into|on|to|went to|was|for)\s+(?:its\s+)?$", re.IGNORECASE)
_MARGIN = re.compile(r"\bmargins?\b|利润率", re.IGNORECASE)
# An amount without a scale below this is one a share, if it may be.
_SMALL = 10_000

Figure = tuple[tuple[str, ...], str]


def bind_concepts(sentence: Sentence, context: Context) -> list[Figure]:
    """For each number the figures that it may be of, and what it is a share of ('' for no share).

    A number that follows another of its unit with no other figure named between is of the same one: `rose 59%, Meta's
    87%`.
    """
    wholes = [_whole(sentence, at) for at in range(len(sentence.numbers))]
    multiples = [_multiple(sentence, at) for at in range(len(sentence.numbers))]
    mentions = [mention for mention in sentence.named.concepts if mention not in wholes and mention not in multiples]
    found: list[Figure] = []
    for at, whole in enumerate(wholes):
        between = [m for m in _between(sentence, at, mentions) if not (found and m.name in found[-1][0])]
        multiple = multiples[at]
        if multiple:
            found.append(((multiple_of(multiple.name),), ""))
        elif found and found[-1][0] and not between and not whole and _continues(sentence, at, mentions):
            found.append(found[-1])
        else:
            names = _concepts(sentence, at, mentions, whole, context)
            found.append((_with_per_share(sentence.numbers[at], names), whole.name if whole else ""))
    return found


def topics(sentence: Sentence) -> tuple[str, ...]:
    """What the sentence is about in the end: the figure named last, no share's whole, and a multiple of one."""
    wholes = [_whole(sentence, at) for at in range(len(sentence.numbers))]
    multiples = [_multiple(sentence, at) for at in range(len(sentence.numbers))]
    names = [m.name for m in sentence.named.concepts if m not in wholes and m not in multiples]
    of = [multiple_of(mention.name) for mention in multiples if mention]
    return (*names[-1:], *of[-1:])


def fits(number: Number, concept: str) -> bool:
    """Whether a number's unit is one that the figure comes in."""
    kind = kind_of(concept)
    match number.unit:
        case "percent" | "points":
            return kind in ("rate", "ratio", "")
        case "times":
            return kind in ("ratio", "")
        case "shares":
            return kind in ("shares", "")
        case "per_share":
            return kind in ("per_share", "")
        case "money":
            return kind in ("money", "") or (kind == "per_share" and not number.scaled)
    return True


def _continues(sentence: Sentence, at: int, mentions: list[Mention]) -> bool:
    """Whether a number has the unit of the one before it, and no name of its own behind it."""
    after = sentence.next_one(at, mentions)
    one, other = sentence.numbers[at - 1], sentence.numbers[at]
    same = one.unit == other.unit and one.scaled == other.scaled
    return same and not (after and _belongs(sentence, at, after))


def _between(sentence: Sentence, at: int, mentions: list[Mention]) -> list[Mention]:
    """The figures named between the number before and this one."""
    start = sentence.numbers[at - 1].end if at else 0
    return [m for m in mentions if start <= m.start and m.end <= sentence.numbers[at].start]


def _whole(sentence: Sentence, at: int) -> Mention | None:
    """What a percentage is of: `8.6% of revenue`, `占营业收入的8.6%`."""
    if sentence.numbers[at].unit != "percent":
        return None
    after = sentence.next_one(at, sentence.named.concepts)
    if after and _SHARE.fullmatch(sentence.gap(at, after)):
        return after
    before = [m for m in sentence.named.concepts if m.end <= sentence.numbers[at].start]
    return next((mention for mention in before if _IN_SHARES.search(sentence.text[: mention.start])), None)


def _multiple(sentence: Sentence, at: int) -> Mention | None:
    """What a number is so many times of: `35x trailing earnings`."""
    if sentence.numbers[at].unit != "times":
        return None
    after = sentence.next_one(at, sentence.named.concepts)
    fits_in = after and multiple_of(after.name) and _MULTIPLE.fullmatch(sentence.gap(at, after))
    return after if fits_in else None


def _concepts(
    sentence: Sentence, at: int, mentions: list[Mention], whole: Mention | None, context: Context
) -> tuple[str, ...]:
    number = sentence.numbers[at]
    after = sentence.next_one(at, mentions)
    if after and whole and whole.start >= number.end:
        if _INTO.match(sentence.text[whole.end : after.start]):
            return (after.name,)
    elif after and _belongs(sentence, at, after):
        return (after.name,)
    bracketed = _bracketed(sentence, at)
    if bracketed and fits(number, bracketed.name):
        return (bracketed.name,)
    before = [mention.name for mention in mentions if mention.end <= number.start]
    if before and number.is_rate and not whole and _MARGIN.search(sentence.before(at)) and margin_of(before[-1]):
        return (margin_of(before[-1]),)
    fitting = [name for name in reversed(before) if fits(number, name) or whole]
    if fitting or before:
        return tuple(dict.fromkeys((*fitting[:1], *before[-1:])))
    return tuple(name for name in context.concepts if fits(number, name)) or context.concepts


def _bracketed(sentence: Sentence, at: int) -> Mention | None:
    """The figure right before the bracket that a number opens: `79.5% of total assets ($359.2 billion)`."""
    before = [m for m in sentence.named.concepts if m.end <= sentence.numbers[at].start]
    gap = sentence.text[before[-1].end : sentence.numbers[at].start] if before else ""
    return before[-1] if gap.strip() in ("(", "（") else None


def _belongs(sentence: Sentence, at: int, mention: Mention) -> bool:
    """`$26 billion in revenue`, `71.1% gross margin`."""
    return bool(_TO_CONCEPT.fullmatch(sentence.gap(at, mention))) and fits(sentence.numbers[at], mention.name)


def _with_per_share(number: Number, concepts: tuple[str, ...]) -> tuple[str, ...]:
    """For an amount a share, the figures a share: `net income of $120 billion, or $4.90 per diluted share`."""
    small = number.unit == "money" and not number.scaled and abs(number.value) < _SMALL
    if number.unit != "per_share" and not small:
        return concepts
    return tuple(dict.fromkeys((*(name for concept in concepts for name in per_share_of(concept)), *concepts)))
