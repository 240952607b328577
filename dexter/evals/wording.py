"""What an answer says in words: a text, an order of names, that there is no figure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence

from dexter.evals.grade import Check
from dexter.evals.numeric import is_about, period_of
from dexter.evals.questions import Question, Subject
from dexter.figures.blocks import Table, blocks
from dexter.figures.bound import Bound

_LABEL = re.compile(r"(?:final\s+)?answer\s*(?:is)?\s*:?\s*", re.IGNORECASE)
_NEGATED = re.compile(r"\b(?:not|no|never|isn't|wasn't|aren't|neither|rather than)\s+(?:\w+\s+){0,2}$")
_FEWEST_WORDS = 2
_DOWN = re.compile(
    r"\b(?:highest|higher|largest|larger|biggest|bigger|most|more|greatest|greater|best|fastest|faster|top|first|leads?"
    r"|descending|rank(?:ed|ing|s)?|exceed(?:s|ed)?|ahead of)\b|(?<!-)>|^\s*1[.)]",
    re.IGNORECASE | re.MULTILINE,
)
_UP = re.compile(
    r"\b(?:lowest|lower|smallest|smaller|least|less|fewest|fewer|slowest|slower|ascending|behind|trail(?:s|ed)?)\b"
    r"|<",
    re.IGNORECASE,
)
_DECLINES = re.compile(
    r"\b(?:not|no|none|cannot|can't|isn't|aren't|doesn't|don't|didn't|unavailable|unable|unknown|missing|without|neither)\b"
    r"|没有|不|无法|未|无",
    re.IGNORECASE,
)


def check_text(question: Question, answer: str) -> Check:
    """Whether the answer is the text: as a whole, on a line of its own, after `Answer:`, in bold, or in passing.

    In passing only a text of two words or more counts, and not where it is denied.
    """
    wanted = plain(question.text)
    said = [plain(part) for part in _statements(answer)]
    if wanted and wanted in said:
        return Check(question.text, met=True)
    if len(wanted.split()) >= _FEWEST_WORDS:
        whole = plain(answer)
        places = [match.start() for match in re.finditer(rf"(?<!\w){re.escape(wanted)}(?!\w)", whole)]
        if any(not _NEGATED.search(whole[:place]) for place in places):
            return Check(question.text, met=True)
    return Check(question.text, met=False, why="it is not said")


def check_order(question: Question, answer: str) -> Check:
    """Whether the answer ranks the names as it should: highest first, or the other way round where it says so."""
    what = " > ".join(question.order)
    verdicts = list(_rankings(answer, question.order, question.names or {}))
    if not verdicts:
        return Check(what, met=False, why="no ranking of all of them is given")
    return Check(what, met=all(verdicts), why="" if all(verdicts) else "ranked otherwise")


def check_refusal(question: Question, answer: str, found: Sequence[Bound]) -> Check:
    """Whether the answer says that there is no such figure, and gives none of what was asked."""
    what = "says that there is no such figure"
    given = next((bound for bound in found if any(_is_given(bound, subject) for subject in question.subjects)), None)
    if given is not None:
        return Check(what, met=False, why=f"given is {given.number.text}")
    declines = bool(_DECLINES.search(answer))
    return Check(what, met=declines, why="" if declines else "nothing says so")


def _is_given(bound: Bound, subject: Subject) -> bool:
    """Whether a number is given for the company and period that there is nothing of."""
    number = bound.number
    if number.unit == "plain" and not number.scaled:
        return False
    if not is_about(bound, subject) or (subject.concept and bound.concepts and subject.concept not in bound.concepts):
        return False
    return period_of(subject) is None or bool(bound.periods) or not bound.companies


def plain(text: str) -> str:
    """Words alone: no case, no marks, no signs of Markdown."""
    text = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(re.sub(r"[^\w%$.+-]+", " ", text).replace("_", " ").strip(" .").split())


def _statements(answer: str) -> Iterator[str]:
    for line in answer.split("\n"):
        yield line
        yield _LABEL.sub("", line.strip(" *#>-"), count=1)
    yield from re.findall(r"\*\*([^*]+)\*\*", answer)
    yield answer


def _rankings(answer: str, order: Sequence[str], names: Mapping[str, Sequence[str]]) -> Iterator[bool]:
    """For each paragraph that ranks all the names, whether it does so rightly. A winner named alone ranks, too."""
    for paragraph in _paragraphs(answer):
        places = {name: _places(paragraph, (name, *names.get(name, ()))) for name in order}
        named = sorted((name for name in order if places[name]), key=lambda name: places[name][0])
        down, up = _DOWN.search(paragraph), _UP.search(paragraph)
        cue = min((match.start() for match in (down, up) if match), default=None)
        if len(named) == len(order) and cue is not None:
            rises = down is None or (up is not None and up.start() < down.start())
            said = _ranked(named, places, cue)
            yield said == list(reversed(order) if rises else order)[: len(said)]
        elif len(order) == _FEWEST_WORDS and len(named) == 1 and (down or _is_name(paragraph, named[0], names)):
            yield named == [order[0]]


def _ranked(named: list[str], places: Mapping[str, Sequence[int]], cue: int) -> list[str]:
    """The names in the order in which they are ranked: as they come, but of names listed before, one behind the cue.

    `Of NVIDIA and AMD, the higher was AMD's` names AMD alone.
    """
    behind = {name: min((at for at in places[name] if at > cue), default=-1) for name in named}
    if all(places[name][0] < cue for name in named) and max(behind.values()) >= 0:
        return [min((name for name in named if behind[name] >= 0), key=lambda name: behind[name])]
    return named


def _is_name(text: str, name: str, names: Mapping[str, Sequence[str]]) -> bool:
    """Whether a text is nothing but the name."""
    return plain(text) in {plain(said) for said in (name, *names.get(name, ()))}


def _places(text: str, names: Sequence[str]) -> Sequence[int]:
    """Where a name stands, in order; tickers as they are written, names in any case."""
    return sorted(
        match.start()
        for name in names
        for match in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", text, 0 if name.isupper() else re.IGNORECASE)
    )


def _paragraphs(answer: str) -> Iterator[str]:
    """Lines of prose, those that follow each other joined; tables and what is only named as a source left out."""
    lines: list[str] = []
    end = 0
    for block in blocks(answer):
        gap = answer[end : block.start]
        if isinstance(block, Table) or "\n" in gap.strip(" "):
            yield from _joined(lines)
            lines = []
        if not isinstance(block, Table):
            lines.append(block.text)
        end = block.end
    yield from _joined(lines)


def _joined(lines: Sequence[str]) -> Iterator[str]:
    if lines:
        yield "\n".join(line.rstrip("\n") for line in lines)
