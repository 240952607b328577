"""Which figure each number of a sentence is of, and what it is a share of."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from dexter.figures.bound import Context, Doubt
from dexter.figures.directions import last_direction
from dexter.figures.fit import fits
from dexter.figures.lexicon import Mention
from dexter.figures.no_figure import is_of_nothing
from dexter.figures.numbers import Number
from dexter.figures.sentence import Sentence
from dexter.figures.shares import is_measure, whole_of
from dexter.figures.vocabulary import is_weak, kind_of, margin_of, multiple_of, per_share_of, yield_of

# A name right behind a number, and one right before it: `$5 of free cash flow`, `net income came in at $5`.
_BEHIND = re.compile(
    r"\s*(?:(?:in|of|as|的)\s+)?(?:(?:its|total|the|annual|quarterly|trailing|diluted)\s+)*$", re.IGNORECASE
)
_ON = re.compile(r"\s*(?:on|for)\s+(?:its|their|total|\s)*", re.IGNORECASE)
_SPENT = re.compile(r"\b(?:spen[dt]\w*|invest\w*|paid|pays?|put)\b", re.IGNORECASE)
_GROWTH_IN = re.compile(
    r"\s*(?:[a-z-]+\s+)?(?:growth|increase|rise|decline|drop|fall|jump|decrease)\s+(?:in|of)\s+(?:its|total|the|\s)*",
    re.IGNORECASE,
)
_BEFORE = re.compile(r"(?:\s+[a-z]+){0,4}\s*[:：(（]?\s*[~$]?|\s*(?:为|达|是|约|达到|为约)?\s*", re.IGNORECASE)
_MULTIPLE = re.compile(r"\s*(?:its|their|trailing|forward|last year's|the year's|\s)*$", re.IGNORECASE)
_INTO = re.compile(r"\s*(?:in|into|on|to|as|went to|was|for)\s+(?:its\s+)?$", re.IGNORECASE)
# What was spoken of last goes on: `it was`, `they soared`; a verb of doing has the company for its subject.
_IT = re.compile(r"\b(?:it|they|this|these)\s+(?:has\s+|have\s+|had\s+)?(?P<verb>[a-z]+)\b", re.IGNORECASE)
_IS = frozenset({"was", "were", "is", "are", "been", "went", "gone", "came", "stood", "hit", "reached", "amounted"})
_MARGIN = re.compile(r"\bmargins?\b|利润率", re.IGNORECASE)
_YIELD = re.compile(r"\byields?\b|\byielding\b|收益率", re.IGNORECASE)
_RATES = ((_MARGIN, margin_of), (_YIELD, yield_of))
_RATE_BEHIND = re.compile(r"\s*(?:margin|yield)\b", re.IGNORECASE)
# Where another thought begins, with a verb of its own.
_NEW_THOUGHT = re.compile(
    r"\b(?:but|and|while|yet|whereas|before|after)\s+(?:[a-z-]+\s+){0,3}?"
    r"(?:was|were|is|are|had|has|spent|took|put|paid|gave|made|[a-z]{2,}ed)\b"
    r"|[,;]\s*(?:it|they|the company)\s+(?:also\s+)?[a-z]+\b",
    re.IGNORECASE,
)
# A label of its own that names no figure known here: `(gross: 68.8%)`.
_LABEL = re.compile(r"[(（,;]\s*[A-Za-z][A-Za-z -]{1,20}[:：]\s*$")
_GROWTH_OF = re.compile(r"\s*in\s+(?:(?:its|total|the|net)\s+)*", re.IGNORECASE)
# An amount without a scale below this is one a share, if it may be.
_SMALL = 10_000
_SHARES = ("SharesOutstanding", "WeightedSharesDiluted")


@dataclass(frozen=True)
class Figure:
    """What a number is of, what it is a share of ('' for no share), and what else it may be of."""

    names: tuple[str, ...]
    whole: str = ""
    others: tuple[str, ...] = ()
    doubt: Doubt = ""


def bind_concepts(sentence: Sentence, context: Context) -> list[Figure]:
    """For each number the figures that it may be of, the likeliest first, and what it is a share of.

    A number that follows another of its unit with no other figure named between is of the same one: `rose 59%, Meta's
    87%`.
    """
    reading = _Reading.of(sentence)
    found: list[Figure] = []
    for at in range(len(sentence.numbers)):
        found.append(
            _continued(reading, at, found, context) or _of_last(reading, at, _figure(reading, at, context), found)
        )
    return found


def _of_last(reading: _Reading, at: int, figure: Figure, found: Sequence[Figure]) -> Figure:
    """A percentage right behind an amount is of the same figure: `per share it was $10.81, 34% better`."""
    is_next = at > 0 and reading.sentence.numbers[at].unit == "percent" and not reading.between(at)
    last = found[at - 1].names if is_next else ()
    is_growth = figure.names and not figure.whole and not fits(reading.sentence.numbers[at], figure.names[0])
    if not last or not is_growth or figure.names[0] not in last:
        return figure
    return replace(figure, names=last, doubt=found[at - 1].doubt or figure.doubt)


def topics(sentence: Sentence) -> tuple[str, ...]:
    """What the sentence is about in the end: the figure named last, no share's whole, and a multiple of one."""
    reading = _Reading.of(sentence)
    of = [multiple_of(mention.name) for mention in reading.multiples if mention]
    return (*(mention.name for mention in reading.mentions[-1:]), *of[-1:])


@dataclass(frozen=True)
class _Reading:
    """A sentence, and which of the figures it names are only what others are a share or a multiple of."""

    sentence: Sentence
    wholes: Sequence[Mention | None]
    multiples: Sequence[Mention | None]
    mentions: Sequence[Mention]

    @classmethod
    def of(cls, sentence: Sentence) -> _Reading:
        """Read a sentence."""
        wholes = [whole_of(sentence, at) for at in range(len(sentence.numbers))]
        multiples = [_multiple(sentence, at) for at in range(len(sentence.numbers))]
        rest = [
            mention
            for mention in sentence.named.concepts
            if mention not in wholes and mention not in multiples and not is_measure(sentence, mention)
        ]
        return cls(sentence, wholes, multiples, rest)

    def before(self, at: int) -> list[Mention]:
        """The figures named before a number that may speak of it."""
        visible = self.sentence.visible(at, self.mentions)
        return [mention for mention in visible if mention.end <= self.sentence.numbers[at].start]

    def is_weak(self, name: str) -> bool:
        """Whether a figure is only named by a word that may mean another one."""
        text = self.sentence.text
        return all(is_weak(text[m.start : m.end]) for m in self.mentions if m.name == name)

    def between(self, at: int) -> list[Mention]:
        """The figures named between the number before and this one."""
        return [mention for mention in self.before(at) if mention.start >= self.sentence.place(at)[0]]


def _multiple(sentence: Sentence, at: int) -> Mention | None:
    """What a number is so many times of: `35x trailing earnings`."""
    if sentence.numbers[at].unit != "times":
        return None
    after = sentence.next_one(at, sentence.named.concepts)
    fits_in = after and multiple_of(after.name) and _MULTIPLE.fullmatch(sentence.gap(at, after))
    return after if fits_in else None


def _continued(reading: _Reading, at: int, found: list[Figure], context: Context) -> Figure | None:
    """What the last number of the same unit is of, if no other figure is named since, nor right behind this one."""
    sentence, number = reading.sentence, reading.sentence.numbers[at]
    if reading.wholes[at] or reading.multiples[at] or is_of_nothing(sentence, at):
        return None
    whole = next((mention for mention in reversed(reading.wholes[:at]) if mention), None)
    if whole and (sentence.before(at).strip() == "of" or sentence.text[whole.end : number.start].strip() == "of"):
        return Figure((whole.name,))
    named = reading.before(at)[-1:]
    if _bracketed(sentence, at) or (named and _rate_of(sentence, at, named[0].name)):
        return None
    alike = (e for e in reversed(range(at)) if _same_unit(sentence.numbers[e], number))
    earlier = next((e for e in alike if sentence.before(e).strip() != "of"), None)
    if earlier is None or not found[earlier].names:
        return None
    after = sentence.next_one(at, reading.mentions)
    since = [m for m in reading.before(at) if m.start >= sentence.numbers[earlier].end]
    if (after and _belongs(sentence, at, after)) or any(m.name not in found[earlier].names for m in since):
        return None
    further = [
        mention.name for mention in reading.mentions if sentence.opens_bracket(at) and mention.end <= number.start
    ]
    others = [name for name in (*further, *([after.name] if after else ())) if fits(number, name)]
    if _ON.fullmatch(sentence.before(at)):  # `earned $15 billion on $45 billion`, as the sentence before said it
        others += [name for name in context.all_concepts if fits(number, name)]
    if sentence.follows_company(at):  # `Nvidia $6 million for $102 billion`: in the order of the clause before
        others += [mention.name for mention in reading.mentions if fits(number, mention.name)]
    is_new = _is_new_thought(sentence, sentence.numbers[earlier].end, at) or _LABEL.search(sentence.before(at))
    doubt: Doubt = "much" if is_new else found[earlier].doubt
    return replace(found[earlier], others=(*found[earlier].others, *others), doubt=doubt)


def _is_new_thought(sentence: Sentence, start: int, at: int) -> bool:
    """Whether a verb that says no direction begins another thought between a place and a number."""
    match = _NEW_THOUGHT.search(sentence.text, start, sentence.numbers[at].start)
    return match is not None and not last_direction(match.group())


def _same_unit(one: Number, other: Number) -> bool:
    return one.unit == other.unit and one.scaled == other.scaled


def _figure(reading: _Reading, at: int, context: Context) -> Figure:
    """What a number is of by the words around it."""
    if is_of_nothing(reading.sentence, at):
        return Figure(())
    number, whole, multiple = reading.sentence.numbers[at], reading.wholes[at], reading.multiples[at]
    if multiple:
        said = (mention.name for mention in reading.before(at))
        parts = [name for name in said if kind_of(name) == "money" and name != multiple.name]
        return Figure(tuple(parts[-1:]), multiple.name) if parts else Figure((multiple_of(multiple.name),))
    of = whole.name if whole else ""
    beside = _beside(reading, at)
    if not (beside or whole or reading.before(at)) and context.concepts:
        beside = _rate_of(reading.sentence, at, context.concepts[0])
    of = "" if kind_of(beside) == "rate" else of
    if beside and not reading.is_weak(beside):
        return Figure(_with_per_share(number, (beside,)), of)
    if number.unit == "shares" and not any(fits(number, mention.name) for mention in reading.before(at)):
        return Figure(_SHARES)
    names = _with_per_share(number, (beside,) if beside else _further(reading, at, context))
    before = [mention.name for mention in reading.before(at)]
    behind = reading.sentence.next_one(at, reading.mentions)
    named = (
        *before,
        *(() if before else (*context.all_concepts, *context.concepts)),
        *([behind.name] if behind else []),
    )
    others = [name for name in dict.fromkeys(named) if name not in names and (whole or fits(number, name))]
    return Figure(names, of, (*_as_multiples(number, names), *others), _doubt(reading, at, context))


def _doubt(reading: _Reading, at: int, context: Context) -> Doubt:
    """Whether there is a doubt which figure is meant; `it grew` is what was spoken of last."""
    start = reading.sentence.text[: reading.sentence.numbers[at].start]
    goes_on = any(match["verb"].lower() in _IS or last_direction(match["verb"]) for match in _IT.finditer(start))
    if reading.before(at) or context.is_titled or goes_on:
        return ""
    return "some" if len({*context.all_concepts, *context.concepts}) == 1 else "much"


def _beside(reading: _Reading, at: int) -> str:
    """The figure whose name stands right at a number, behind it or before it; '' where none does."""
    sentence, number, whole = reading.sentence, reading.sentence.numbers[at], reading.wholes[at]
    after = sentence.next_one(at, reading.mentions)
    is_behind = after and whole and whole.start >= number.end
    if after and whole and is_behind and _INTO.match(sentence.text[whole.end : after.start]):
        return after.name
    if after and not is_behind and _belongs(sentence, at, after):
        return after.name
    return _in_front(reading, at)


def _in_front(reading: _Reading, at: int) -> str:
    """The figure whose name stands right before a number."""
    sentence, number, whole = reading.sentence, reading.sentence.numbers[at], reading.wholes[at]
    bracketed = _bracketed(sentence, at)
    if bracketed:
        return bracketed.name
    before = reading.before(at)[-1:]
    rate = _rate_of(sentence, at, before[0].name) if before and not whole else ""
    if rate:
        return rate
    last = reading.between(at)[-1:]
    if not last:
        return ""
    gap = sentence.text[last[0].end : number.start]
    grows = number.unit == "percent" and last_direction(gap)
    return last[0].name if _BEFORE.fullmatch(gap) and (whole or grows or fits(number, last[0].name)) else ""


def _rate_of(sentence: Sentence, at: int, name: str) -> str:
    """What `margin` or `yield` alone means at a number, of the figure named before."""
    if not sentence.numbers[at].is_rate:
        return ""
    behind = _RATE_BEHIND.match(sentence.after(at))
    near = f"{sentence.before(at)} … {behind.group() if behind else ''}"
    return next((rate_of(name) for words, rate_of in _RATES if words.search(near)), "")


def _bracketed(sentence: Sentence, at: int) -> Mention | None:
    """The figure right before a bracket that a number opens: `79.5% of total assets ($359.2 billion)`."""
    number = sentence.numbers[at]
    named = [m for m in sentence.named.concepts if m.end <= number.start]
    opens = bool(named) and sentence.text[named[-1].end : number.start].strip() in ("(", "（")
    return named[-1] if opens and fits(number, named[-1].name) else None


def _as_multiples(number: Number, names: tuple[str, ...]) -> tuple[str, ...]:
    """For so many times, the multiples of the figures named: `expensive on earnings (76x)`."""
    if number.unit != "times":
        return ()
    return tuple(filter(None, map(multiple_of, names)))


def _further(reading: _Reading, at: int, context: Context) -> tuple[str, ...]:
    """The figures named further off: before the number, else in the text before the sentence."""
    number, whole = reading.sentence.numbers[at], reading.wholes[at]
    before = [mention.name for mention in reading.before(at)]
    fitting = [name for name in reversed(before) if whole or fits(number, name)]
    if fitting or before:
        return tuple(dict.fromkeys((*fitting[:1], *before[-1:])))
    spoken = tuple(name for name in context.concepts if fits(number, name))
    if spoken or not context.concepts or number.unit != "money":
        return spoken or context.concepts
    return tuple(name for name in context.all_concepts if fits(number, name))[:1] or context.concepts


def _belongs(sentence: Sentence, at: int, mention: Mention) -> bool:
    """`$26 billion in revenue`, `71.1% gross margin`."""
    gap, number = sentence.gap(at, mention), sentence.numbers[at]
    if number.unit == "percent" and (_GROWTH_IN.fullmatch(gap) or _GROWTH_OF.fullmatch(gap)):
        return True
    if _ON.fullmatch(gap):
        return bool(_SPENT.search(sentence.before(at))) and fits(number, mention.name)
    return bool(_BEHIND.fullmatch(gap)) and fits(number, mention.name)


def _with_per_share(number: Number, concepts: tuple[str, ...]) -> tuple[str, ...]:
    """For an amount a share, the figures a share: `net income of $120 billion, or $4.90 per diluted share`."""
    small = number.unit == "money" and not number.scaled and abs(number.value) < _SMALL
    if number.unit != "per_share" and not small:
        return concepts
    concepts = tuple(name for name in concepts if kind_of(name) != "money" or per_share_of(name))
    return tuple(dict.fromkeys((*(name for concept in concepts for name in per_share_of(concept)), *concepts)))
