"""In which order an answer ranks names: from sentences, lists, signs and tables with ranks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from dexter.evals.grade import Check
from dexter.evals.questions import Question
from dexter.evals.wording import plain
from dexter.figures.blocks import Span, Table, blocks, sentences

_PAIR = 2
_LONGEST_TICKER = 5
_PASSED = r"beats?|outsold|outperform(?:s|ed)|outpac(?:es|ed)|surpass(?:es|ed)|tops|topped|exceed(?:s|ed)?|leads?|led"
_BEATEN = r"beaten|outsold|outperformed|outpaced|surpassed|topped|exceeded|led"
_DOWN = re.compile(
    r"\b(?:highest|higher|largest|larger|biggest|bigger|most|more|greatest|greater|best|fastest|faster|top|first|winner|wins?"
    rf"|(?:{_PASSED})(?!\s+by\b)|descending|rank(?:ed|ing|s)?|ahead of|followed by|then)\b|(?<!-)>|^\s*1[.)]",
    re.IGNORECASE | re.MULTILINE,
)
_UP = re.compile(
    r"\b(?:lowest|lower|smallest|smaller|least|less|fewest|fewer|slowest|slower|ascending|behind|trail(?:s|ed)?"
    rf"|(?:{_BEATEN})\s+by)\b|<",
    re.IGNORECASE,
)
_DENIED = re.compile(r"\b(?:not|never|neither|nor|no longer)\b|n['’]t\b", re.IGNORECASE)
_UNDECIDED = re.compile(r"\b(?:neither|either|whether|equal(?:ly)?|the same|tied?)\b", re.IGNORECASE)
_LIST = re.compile(r"^\s*\d{1,2}[.)]\s", re.MULTILINE)
_BUT = re.compile(r",\s+(?:but|while|whereas|and)\s+", re.IGNORECASE)
_THAN = re.compile(r"\bthan\b", re.IGNORECASE)
_RANK = re.compile(r"(?:rank|place|position|#|no\.?|nr\.?)", re.IGNORECASE)


@dataclass(frozen=True)
class _Names:
    """The names that are ranked, highest first, and how else each is called."""

    order: Sequence[str]
    also: Mapping[str, Sequence[str]]

    def places(self, text: str) -> dict[str, list[int]]:
        """Where each stands: a ticker as it is written, longer names in any case."""
        return {name: sorted(self._found(name, text)) for name in self.order}

    def _found(self, name: str, text: str) -> Iterator[int]:
        for called in (name, *self.also.get(name, ())):
            is_ticker = called.isupper() and len(called) <= _LONGEST_TICKER
            flags = re.RegexFlag(0) if is_ticker else re.IGNORECASE
            yield from (match.start() for match in re.finditer(rf"(?<!\w){re.escape(called)}(?!\w)", text, flags))

    def is_alone(self, text: str, name: str) -> bool:
        """Whether a text is nothing but the name, perhaps both ways: `Answer: NVIDIA (NVDA)`."""
        called = "|".join(re.escape(plain(called)) for called in (name, *self.also.get(name, ())))
        return bool(re.fullmatch(rf"(?:answer )?(?:(?:{called})(?: |$))+", plain(text)))


def check_order(question: Question, answer: str) -> Check:
    """Whether the answer ranks the names as it should wherever it does: highest first, or said to be otherwise."""
    what = " > ".join(question.order)
    verdicts = list(_rankings(answer, _Names(question.order, question.names or {})))
    if not verdicts:
        return Check(what, met=False, why="no ranking of all of them is given")
    return Check(what, met=all(verdicts), why="" if all(verdicts) else "ranked otherwise")


def _rankings(answer: str, names: _Names) -> Iterator[bool]:
    """For each sentence, list and table that ranks all the names, whether it does so rightly."""
    for block in _paragraphs(answer):
        if isinstance(block, Table):
            ranked = _ranked_in_table(block, names)
            if ranked:
                yield ranked == list(names.order)
            continue
        clauses = [] if _LIST.search(block) else _clauses(block)
        told = [verdict for text in clauses if (verdict := _verdict(text, names, len(clauses) == 1)) is not None]
        if told:
            yield from told
        elif (whole := _verdict(block, names, is_all=True)) is not None:
            yield whole


def _clauses(paragraph: str) -> list[str]:
    """What it says, one thing after the other; what it asks is left out."""
    lines = paragraph.split("\n")
    told = [sentence.text for line in lines for sentence in sentences(Span(0, len(line), line))]
    return [clause for text in told if not text.rstrip(" *_").endswith("?") for clause in _BUT.split(text)]


def _verdict(text: str, names: _Names, is_all: bool) -> bool | None:
    """Whether a text ranks the names rightly; None where it does not rank them. A winner named alone ranks a pair.

    `is_all`: nothing else is said; then a name without a word is an answer.
    """
    places = names.places(text)
    named = sorted((name for name in names.order if places[name]), key=lambda name: places[name][0])
    down, up = _DOWN.search(text), _UP.search(text)
    cue = min((match.start() for match in (down, up) if match), default=None)
    is_pair = len(names.order) == _PAIR
    is_one = is_pair and len(named) == 1
    if cue is None:
        return named == [names.order[0]] if is_one and is_all and names.is_alone(text, named[0]) else None
    if is_one:
        said = named if _is_spoken_of(places[named[0]][0], text) else [n for n in names.order if n not in named]
    elif len(named) == len(names.order) and not _leaves_open(text, named, places):
        said = _ranked(named, places, cue)
    else:
        return None
    denials = _denials(text, [places[name][0] for name in named[1:]])
    if denials and not is_pair:
        return None
    rises = down is None or (up is not None and up.start() < down.start())
    expected = list(names.order)
    if rises is not any(denial < cue for denial in denials):
        expected.reverse()
    return said == expected[: len(said)]


def _is_spoken_of(place: int, text: str) -> bool:
    """Whether a name that stands alone is the one of which something is said: `more than AMD` is said of another."""
    than = _THAN.search(text)
    return than is None or place < than.start()


def _denials(text: str, others: Sequence[int]) -> list[int]:
    """Where something is denied, and not only another name set against the first: `A, not B, had more`."""
    found = _DENIED.finditer(text)
    return [denied.start() for denied in found if not any(text[denied.end() : at].isspace() for at in others)]


def _leaves_open(text: str, named: Sequence[str], places: Mapping[str, Sequence[int]]) -> bool:
    """Whether a text decides nothing: `A or B had more`, `neither A nor B`, `C had more than A and B`."""
    if _UNDECIDED.search(text):
        return True
    first, second = places[named[0]], places[named[1]]
    between = text[first[0] : second[0]]
    if len(first) == len(second) == 1 and re.search(r"\bor\b", between, re.IGNORECASE):
        return True
    than = _THAN.search(text)
    return than is not None and than.start() < first[0]


def _ranked(named: list[str], places: Mapping[str, Sequence[int]], cue: int) -> list[str]:
    """The names in the order in which they are ranked: as they come, but of names listed before, one behind the cue.

    `Of NVIDIA and AMD, the higher was AMD's` names AMD alone.
    """
    behind = {name: min((at for at in places[name] if at > cue), default=-1) for name in named}
    if all(places[name][0] < cue for name in named) and max(behind.values()) >= 0:
        return [min((name for name in named if behind[name] >= 0), key=lambda name: behind[name])]
    return named


def _ranked_in_table(table: Table, names: _Names) -> list[str]:
    """The names by the ranks of a table; nothing where it has no column of ranks, or lacks one of them."""
    column = next((at for at, cell in enumerate(table.head) if _RANK.fullmatch(cell.text.strip(" *"))), None)
    if column is None:
        return []
    ranks: dict[str, int] = {}
    for row in table.rows:
        text = " ".join(cell.text for cell in row)
        named = [name for name, places in names.places(text).items() if places]
        rank = row[column].text.strip(" *.") if column < len(row) else ""
        if len(named) == 1 and rank.isdecimal():
            ranks.setdefault(named[0], int(rank))
    return sorted(ranks, key=lambda name: ranks[name]) if len(ranks) == len(names.order) else []


def _paragraphs(answer: str) -> Iterator[Table | str]:
    """Tables, and lines of prose, those that follow each other joined."""
    lines: list[str] = []
    end = 0
    for block in blocks(answer):
        gap = answer[end : block.start]
        if isinstance(block, Table) or "\n" in gap.strip(" "):
            yield from _joined(lines)
            lines = []
        if isinstance(block, Table):
            yield block
        else:
            lines.append(block.text)
        end = block.end
    yield from _joined(lines)


def _joined(lines: Sequence[str]) -> Iterator[str]:
    if lines:
        yield "\n".join(line.rstrip("\n") for line in lines)
