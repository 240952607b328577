"""Whether an answer says a text: words, a yes or no, a year, a day."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from datetime import date

from dexter.evals.grade import Check
from dexter.evals.questions import Question

_LABEL = re.compile(r"(?:final\s+)?answer\s*(?:is)?\s*:?\s*", re.IGNORECASE)
_PARTICLE = re.compile(r"\W*(yes|no|true|false)\b(?!\s+(?:and|or)\b)\s*[,.;:!–—-]", re.IGNORECASE)
_YEAR = re.compile(r"(?<!\d)((?:19|20)\d\d)(?!\d)")
_FEWEST_WORDS = 2
# In plain words, as `plain` leaves them: `isn't` is `isn t`.
_DENIED_BEFORE = re.compile(
    r"\b(?:not|never|neither|nor|either|or|rather than|instead of"
    r"|(?:is|was|are|were|do|does|did|has|have|had|ca|could|would|wo|should)n t)\s+(?:(?!only\b)\w+\s+){0,2}$"
)
_DENIED_AFTER = re.compile(
    r"^\s+(?:or\b|(?:is|was|are|were|do|does|did|has|have|had)(?:n t|\s+(?:not|never|no longer))\b)"
)
_NO_AT_FIRST = re.compile(r"\bno\s*[,.;:!–—]", re.IGNORECASE)


def check_text(question: Question, answer: str) -> Check:
    """Whether the answer is the text: as a whole, on a line of its own, after `Answer:`, in bold, or in passing.

    In passing only a text of two words or more counts, a year where no other is named, and a day; and nothing that is
    denied, or one of two that an `or` leaves open.
    """
    wanted = plain(question.text)
    if wanted and wanted in (plain(part) for part in _statements(answer)):
        return Check(question.text, met=True)
    if _YEAR.fullmatch(wanted):
        met = set(_YEAR.findall(answer)) == {wanted} and _is_said(wanted, re.sub(r"\bFY\s*(?=\d)", "", answer))
        return Check(question.text, met=met, why="" if met else "it is not said, or not alone")
    wordings = list(_wordings(wanted))
    may_pass = len(wanted.split()) >= _FEWEST_WORDS or len(wordings) > 1
    met = may_pass and any(_is_said(wording, answer) for wording in wordings)
    return Check(question.text, met=met, why="" if met else "it is not said")


def plain(text: str) -> str:
    """Words alone: no case, no marks, no signs of Markdown."""
    text = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(re.sub(r"[^\w%$.+-]+", " ", text).replace("_", " ").strip(" .").split())


def _is_said(wanted: str, answer: str) -> bool:
    """Whether plain words stand in an answer that neither denies them nor leaves them open."""
    whole = plain(_NO_AT_FIRST.sub(" ", answer))
    return any(
        not _DENIED_BEFORE.search(whole[: match.start()]) and not _DENIED_AFTER.match(whole[match.end() :])
        for match in re.finditer(rf"(?<!\w){re.escape(wanted)}(?!\w)", whole)
    )


def _wordings(wanted: str) -> Iterator[str]:
    """A text in plain words; a day as people write it, too."""
    yield wanted
    try:
        day = date.fromisoformat(wanted)
    except ValueError:
        return
    for month in (f"{day:%B}", f"{day:%b}"):
        yield plain(f"{month} {day.day}, {day.year}")
        yield plain(f"{day.day} {month} {day.year}")


def _statements(answer: str) -> Iterator[str]:
    particle = _PARTICLE.match(answer)
    if particle:
        yield particle[1]
    for line in answer.split("\n"):
        yield line
        yield _LABEL.sub("", line.strip(" *#>-"), count=1)
    yield from re.findall(r"\*\*([^*]+)\*\*", answer)
    yield answer
