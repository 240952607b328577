"""The summaries that compactions ask for, by extraction: no word of the material is changed, no figure invented.

The material holds results under headings with their number (`#7 get_financials … [ok]`). Kept are the lines with
figures and the heads of their tables, of the newest results first where there is not room for all.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from dexter.context.compaction.parse import SECTIONS
from dexter.messages import Messages

_MATERIAL = re.compile(r"^-{5} begin of material -{5}\n(.*?)\n-{5} end of material -{5}$", re.DOTALL | re.MULTILINE)
_QUESTION = re.compile(r"^The question:\n(.*?)(?:\n\n|\Z)", re.DOTALL | re.MULTILINE)
_USER = re.compile(r"^User: (.+)$", re.MULTILINE)
_RESULT_HEAD = re.compile(
    r"^#(?P<id>\d+) (?P<tool>\w+)(?P<arguments> \{.*\})? \[(?P<status>\w+)\](?::\s*(?P<rest>.*))?$"
)
_SPOKEN = ("User: ", "Assistant: ", "Harness: ", "calls ")
_DIGIT = re.compile(r"\d")
_NOTES_WANTED = "NOTHING"
# A token of figures is two to three characters; what is left covers the headings.
_CHARACTERS_PER_TOKEN = 2
_SHARE_OF_MATERIAL = 0.95
_LEAST_ROOM = 1_000
_LONGEST_LINE = 400
_LONGEST_QUESTION = 2_000
_NONE = "none"
_MORE = "(more in this result: read_result)"


@dataclass(frozen=True)
class Result:
    """A result in the material: its number, its heading, its status, and its lines that hold figures."""

    id: int
    head: str
    status: str
    lines: tuple[str, ...]

    @property
    def text(self) -> str:
        """Heading and lines."""
        return "\n".join((self.head, *self.lines))


def write_request(messages: Messages, max_tokens: int) -> str:
    """The text that a request of the pipeline asks for, or '' where the request is none of those.

    A memory flush gets `NOTHING`: rules learn nothing about a user.
    """
    prompt = "\n".join(part for message in messages for part in message.text_parts())
    material = _MATERIAL.search(prompt)
    if material is None:
        return _NOTES_WANTED if _NOTES_WANTED in prompt else ""
    room = max(_LEAST_ROOM, min(max_tokens * _CHARACTERS_PER_TOKEN, int(len(material[1]) * _SHARE_OF_MATERIAL)))
    results = results_in(material[1])
    if "<summary>" in prompt:
        return _nine_sections(_question(prompt), results, room)
    return _five_points(_USER.findall(material[1]), results, room)


def results_in(material: str) -> list[Result]:
    """The results by number; one that an earlier summary has already is met again under its own heading."""
    heads: dict[int, re.Match[str]] = {}
    lines: dict[int, list[str]] = {}
    current = 0
    for line in material.splitlines():
        head = _RESULT_HEAD.match(line)
        if head:
            current = int(head["id"])
            heads.setdefault(current, head)
            lines.setdefault(current, []).append(head["rest"] or "")
        elif line.startswith(_SPOKEN):
            current = 0
        elif current:
            lines[current].append(line)
    return [
        Result(number, _heading(head), head["status"], _kept(head, lines[number])) for number, head in heads.items()
    ]


def _kept(head: re.Match[str], lines: Sequence[str]) -> tuple[str, ...]:
    """A result's lines with figures; of a calculation its outcomes, since its inputs stand in other results."""
    return _figures(line for line in lines if head["tool"] != "calculate" or line.count(" = ") > 1)


def _heading(head: re.Match[str]) -> str:
    return f"#{head['id']} {head['tool']}{head['arguments'] or ''} [{head['status']}]"[:_LONGEST_LINE]


def _figures(lines: Iterable[str]) -> tuple[str, ...]:
    """Lines with figures, whole tables and names of companies, each cut, in order; what is said twice, once."""
    kept = (line.strip() for line in lines if _DIGIT.search(line) or line.startswith("|") or " · " in line)
    seen: set[str] = set()
    chosen = []
    for line in kept:
        if line.startswith("|") or line not in seen:
            chosen.append(line[:_LONGEST_LINE])
            seen.add(line)
    return tuple(chosen)


def _question(prompt: str) -> str:
    found = _QUESTION.search(prompt)
    return found[1].strip() if found else ""


def _nine_sections(question: str, results: Sequence[Result], room: int) -> str:
    failed = [result for result in results if result.status != "ok"]
    texts = (
        question[:_LONGEST_QUESTION] or _NONE,
        "Figures as the results state them: company, line, period, period end, unit.",
        _listed(f"{result.head}: {len(result.lines)} lines with figures" for result in results),
        _listed(f"{result.head}: confirmed nothing" for result in failed),
        "Nothing beyond the figures of section 6.",
        _numbers(results, room),
        "Whatever the question names and section 6 lacks.",
        f"{len(results)} results were read; read_result gives each of them back whole.",
        "Answer from the figures; take exact values from read_result.",
    )
    sections = "\n".join(_numbered(SECTIONS, texts))
    return f"<analysis>From {len(results)} results; nothing was added.</analysis>\n<summary>\n{sections}\n</summary>"


def _numbered(names: Sequence[str], texts: Sequence[str]) -> Iterator[str]:
    pairs = zip(names, texts, strict=True)
    return (f"{number}. {name}\n{text}" for number, (name, text) in enumerate(pairs, 1))


def _five_points(said: Sequence[str], results: Sequence[Result], room: int) -> str:
    texts = (
        _listed(line[:_LONGEST_QUESTION] for line in said[-1:]),
        _numbers(results, room),
        _NONE,
        "Answer from the figures; take exact values from read_result.",
        _listed(line[:_LONGEST_LINE] for line in said),
    )
    names = ("Goal", "Findings and decisions", "Files read or changed", "Remaining work", "What the user asked for")
    return "\n\n".join(_numbered(names, texts))


def _numbers(results: Sequence[Result], room: int) -> str:
    """The figures of as many results as there is room for, the newest first to be kept, in their own order."""
    kept: list[str] = []
    for result in reversed(results):
        kept.append(_within(result, room))
        room -= len(kept[-1])
    return "\n".join(reversed(kept)) or _NONE


def _within(result: Result, room: int) -> str:
    """A result's heading and as many of its lines as fit."""
    lines, used = [result.head], len(result.head)
    for line in result.lines:
        if used + len(line) > room:
            return "\n".join((*lines, _MORE))
        lines.append(line)
        used += len(line) + 1
    return "\n".join(lines)


def _listed(lines: Iterable[str]) -> str:
    return "\n".join(f"- {line}" for line in lines) or _NONE
