"""What a percentage is a share of: `8.6% of revenue`, `relative to sales`."""

from __future__ import annotations

import re

from dexter.figures.lexicon import Mention
from dexter.figures.sentence import Sentence

_SHARE = re.compile(
    r"\s*of\s+(?:its|their|total|the|net|every|each|all|annual|quarterly|that|fiscal|FY|(?:19|20)?\d\d|['’]s|[A-Z]\w+['’]s|\s)*",
    re.IGNORECASE,
)
_IN_SHARES = re.compile(
    r"(?:\bas an? (?:percentage|share|percent|proportion|%) of|\b(?:in relation|relative) to"
    r"|\b(?:measured|set) against) (?:its |their |total |net )*$|占\s*$",
    re.IGNORECASE,
)
# No way of saying it is longer.
_LONGEST = 60


def whole_of(sentence: Sentence, at: int) -> Mention | None:
    """What a percentage is of: `8.6% of revenue`, `as a share of revenue`, `占营业收入的8.6%`."""
    if sentence.numbers[at].unit != "percent":
        return None
    after = sentence.next_one(at, sentence.named.concepts)
    if after and _SHARE.fullmatch(_without_periods(sentence, sentence.numbers[at].end, after.start)):
        return after
    before = (m for m in sentence.named.concepts if m.end <= sentence.numbers[at].start)
    return next((mention for mention in before if is_measure(sentence, mention)), None)


def _without_periods(sentence: Sentence, start: int, end: int) -> str:
    """The words between two places; `of TTM revenue` and `of 2025 revenue` are of revenue."""
    words = ""
    for mention in sentence.named.periods:
        if start <= mention.start and mention.end <= end:
            words += f"{sentence.text[start : mention.start]} "
            start = mention.end
    return words + sentence.text[start:end]


def is_measure(sentence: Sentence, mention: Mention) -> bool:
    """Whether a figure is only what others are measured by: `steady relative to sales`."""
    return bool(_IN_SHARES.search(sentence.text[max(0, mention.start - _LONGEST) : mention.start]))
