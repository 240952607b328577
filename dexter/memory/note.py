"""What a note is, and how notes stand in Markdown files that people edit, too.

An item of a list or a paragraph is one note; headings are none. In `MEMORY.md` a comment behind a note says where it
comes from, in a day's file the heading above it does.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from itertools import pairwise

from dexter.text import cut, one_line

# Control characters but white space, and those that turn the direction of what follows.
_UNSEEN = re.compile("[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u202a-\u202e\u2066-\u2069\ufeff]")
# What stands for bytes that are no text.
_SURROGATES = dict.fromkeys(range(0xD800, 0xE000), "\ufffd")
_RULED = re.compile(r"[-*_=`~#\s]*")
_ITEM = re.compile(r"(?:[-*+•]|\d{1,3}[.)])(?:\s+|$)")
_ORIGIN = re.compile(r"\s*<!--\s*(?P<origin>.*?)\s*-->\s*$", re.DOTALL)
_HEADING = re.compile(r"#{1,6}\s+(?P<title>.*)")
_TIME = re.compile(r"\d\d:\d\d\s+")
_TIMED = re.compile(r"## \d\d:\d\d ")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_ID_DIGITS = 8
NOTE_CHARS = 500
_ORIGIN_CHARS = 240


@dataclass(frozen=True)
class Note:
    """One note: its text on one line, the file's name, where it comes from, its day (ISO, '' unknown).

    `lines` are the numbers of its first line and of the one after its last. `id` is made of the text alone, so the same
    text has the same id wherever it stands.
    """

    text: str
    file: str
    origin: str = ""
    day: str = ""
    lines: tuple[int, int] = (0, 0)

    @property
    def id(self) -> str:
        """Eight hex digits."""
        return note_id(self.text)


def note_id(text: str) -> str:
    """The id of a note with this text."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:_ID_DIGITS]


def clean(text: str) -> str:
    """A text as a note has it: one line, no bullet, no control characters, nothing that would read as an origin.

    What is clean stays as it is; '' where no letter, digit or sign is left, as of a rule between paragraphs.
    """
    line = one_line(_seen(text).replace("<!--", "<! --"))
    while match := _ITEM.match(line):
        line = line[match.end() :]
    return "" if _RULED.fullmatch(line) else line


def _seen(text: str) -> str:
    return _UNSEEN.sub("", text).translate(_SURROGATES)


def item_of(text: str, origin: str) -> str:
    """A note as a line of `MEMORY.md`."""
    said = cut(one_line(_seen(origin).replace("-->", "–>").replace("<!--", "<!–")), _ORIGIN_CHARS)
    return f"- {clean(text)} <!-- {said} -->\n" if said else f"- {clean(text)}\n"


def notes_in(text: str, file: str) -> tuple[Note, ...]:
    """Every note of a file, in order."""
    return tuple(_notes(text.removeprefix("\ufeff").split("\n"), file))


def without_note(text: str, wanted: str) -> str:
    """The text without the notes of that id and the times that then head nothing; '' where nothing is left."""
    lines = text.split("\n")
    gone = {n for note in notes_in(text, "") if note.id == wanted for n in range(*note.lines)}
    if not gone:
        return text
    gone |= _emptied_sections(lines, gone)
    kept = [line for number, line in enumerate(lines) if number not in gone]
    return "\n".join(kept) if any(line.strip() and not line.startswith("# ") for line in kept) else ""


def with_note_changed(text: str, wanted: str, new: str, origin: str) -> str:
    """The text with another wording of the notes of that id; below a heading that names their origin that one stays."""
    lines = text.split("\n")
    for note in reversed([note for note in notes_in(text, "") if note.id == wanted]):
        start, end = note.lines
        lines[start:end] = [item_of(new, origin).rstrip("\n")]
    return "\n".join(lines)


def _notes(lines: list[str], file: str) -> Iterator[Note]:
    heading, start = "", -1
    file_day = _day_in(file)
    for number, line in enumerate([*lines, ""]):
        title = _HEADING.match(line)
        begins_item = _ITEM.match(line) is not None
        if start >= 0 and (title or begins_item or not line.strip()):
            note = _note(lines[start:number], (start, number), file, heading, file_day)
            if note.text:
                yield note
            start = -1
        if title:
            heading = title["title"].strip()
        elif start < 0 and line.strip():
            start = number


def _note(lines: list[str], span: tuple[int, int], file: str, heading: str, file_day: str) -> Note:
    raw = "\n".join(lines)
    comment = _ORIGIN.search(raw)
    origin = comment["origin"] if comment else _TIME.sub("", heading) if _TIME.match(heading) else ""
    return Note(clean(_ORIGIN.sub("", raw).strip()), file, origin, file_day or _day_in(origin), span)


def _day_in(text: str) -> str:
    """The first ISO day in a text, '' for none."""
    match = _DAY.search(text)
    try:
        return date.fromisoformat(match.group()).isoformat() if match else ""
    except ValueError:
        return ""


def _emptied_sections(lines: list[str], gone: set[int]) -> set[int]:
    """The lines of sections that a time heads and that hold nothing but what is gone."""
    heads = [number for number, line in enumerate(lines) if _HEADING.match(line)] + [len(lines)]
    sections = (range(start, end) for start, end in pairwise(heads) if _TIMED.match(lines[start]))
    empty = (s for s in sections if all(n in gone or not lines[n].strip() for n in s[1:]))
    return {number for section in empty for number in section}
