"""The summary that a compaction asks for, by extraction: no word is invented, no figure changed.

Results reach the summariser as text under headings that carry their ids (`#7 get_financials …`). Kept are the lines
with figures and the heads of their tables, the newest results first in what room there is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from dexter.messages import Messages, UserMessage

_RESULT_HEAD = re.compile(r"^\W*(?:result\s+)?#(?P<id>\d+)\b(?P<rest>.*)$", re.IGNORECASE)
_ERROR = re.compile(r"\b(?:error|failed|timeout|interrupted|retry|refused)\b", re.IGNORECASE)
_DIGIT = re.compile(r"\d")
_SUMMARY_WANTED = re.compile(r"<summary>|\bsummar(?:y|ise|ize)\b", re.IGNORECASE)
_NOTES_WANTED = re.compile(r"\bNOTHING\b")
# A token of figures is two to three characters; what is left covers the headings.
_CHARACTERS_PER_TOKEN = 2
_LEAST_ROOM = 2_000
_SHARE_OF_INPUT = 0.5
_LONGEST_LINE = 400
_LONGEST_QUESTION = 2_000

SECTIONS = (
    "Query and intent",
    "Key concepts",
    "Data retrieved",
    "Errors and retries",
    "Analysis so far",
    "All numbers",
    "Data still needed",
    "Current state",
    "Next steps",
)


@dataclass
class _Result:
    """One result in the prompt: its heading and its lines."""

    head: str
    lines: list[str] = field(default_factory=list)

    @property
    def figures(self) -> list[str]:
        """Lines with figures, heads of tables, names of companies; each cut, in order."""
        kept = (line for line in self.lines if _DIGIT.search(line) or line.startswith("|") or " · " in line)
        return [line[:_LONGEST_LINE] for line in dict.fromkeys(kept) if not set(line) <= set("|-: ")]


def summary_request(messages: Messages) -> str:
    """What a request without tools wants: `notes` for the memory, a `summary`, or '' for an answer."""
    text = "\n".join(part for message in messages for part in message.text_parts())
    if "<summary>" not in text and _NOTES_WANTED.search(text):
        return "notes"
    asked = "\n".join(
        m.text for m in messages if m.role == "system" or (isinstance(m, UserMessage) and m.origin == "harness")
    )
    return "summary" if "<summary>" in text or _SUMMARY_WANTED.search(asked) else ""


def write_summary(messages: Messages, max_tokens: int) -> str:
    """The draft and the nine sections, as long as the output limit and half of the input allow."""
    prompt = "\n".join(part for message in messages for part in message.text_parts())
    room = max(_LEAST_ROOM, min(max_tokens * _CHARACTERS_PER_TOKEN, int(len(prompt) * _SHARE_OF_INPUT)))
    results = _results(prompt.splitlines())
    sections = _sections(messages, results, room)
    body = "\n\n".join(f"{number}. {name}\n{text}" for number, (name, text) in enumerate(sections, 1))
    draft = f"By extraction from {len(results)} results; nothing was added."
    return f"<analysis>{draft}</analysis>\n<summary>\n{body}\n</summary>"


def _results(lines: Iterable[str]) -> list[_Result]:
    """The results in the prompt, by their headings."""
    found: list[_Result] = []
    for line in lines:
        if _RESULT_HEAD.match(line):
            found.append(_Result(line.strip()[:_LONGEST_LINE]))
        elif found:
            found[-1].lines.append(line.strip())
    return found


def _sections(messages: Messages, results: Sequence[_Result], room: int) -> Iterator[tuple[str, str]]:
    texts = (
        _question(messages),
        "Figures as the results state them: company, line, period, period end, unit.",
        _listed(result.head for result in results),
        _listed(result.head for result in results if _ERROR.search(result.head)),
        "Nothing beyond the figures below.",
        _numbers(results, room),
        "Whatever the question names and section 6 lacks.",
        f"{len(results)} results read; they can be had whole with read_result.",
        "Answer from the figures; take exact values from read_result.",
    )
    return zip(SECTIONS, texts, strict=True)


def _question(messages: Messages) -> str:
    """What the user asked, in their words; the prompt's own lines name it where it is one text."""
    said = [
        m.text for m in messages if isinstance(m, UserMessage) and m.origin != "harness" and "<summary>" not in m.text
    ]
    prompt = "\n".join(part for message in messages for part in message.text_parts())
    named = re.search(r"(?:question|query)\W*[:\n]\s*(.+)", prompt, re.IGNORECASE)
    return _listed(said or ([named[1]] if named else []))[:_LONGEST_QUESTION]


def _numbers(results: Sequence[_Result], room: int) -> str:
    """The figures of as many results as there is room for, the newest first to be kept, in their own order."""
    kept: list[str] = []
    for result in reversed(results):
        block = "\n".join((result.head, *result.figures))
        if len(block) > room:
            lines = block[:room].splitlines()[:-1]
            block = "\n".join((*lines, "(more in this result: read_result)")) if len(lines) > 1 else result.head
        kept.append(block)
        room -= len(block)
        if room <= 0:
            break
    return "\n".join(reversed(kept)) or "none"


def _listed(lines: Iterable[str]) -> str:
    return "\n".join(f"- {line}" for line in dict.fromkeys(lines)) or "none"
