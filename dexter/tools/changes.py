"""A change of a file as it is proposed to the user, and carried out once they agree."""

from __future__ import annotations

import asyncio
import difflib
from dataclasses import dataclass, field
from pathlib import Path

from dexter.approval import Proposal
from dexter.errors import ToolError
from dexter.results import Source, ToolResult
from dexter.tools.folders import Place
from dexter.tools.safe_files import changed, digest, text_of, write_bytes

MOST_CHARS = 2_000_000


@dataclass
class SeenFiles:
    """Digests of the files that this run has read or written, by path: an edit rests on what was read."""

    _digests: dict[Path, str] = field(default_factory=dict)

    def saw(self, path: Path, data: bytes) -> None:
        """Remember a file's content."""
        self._digests[path] = digest(data)

    def check(self, place: Place, data: bytes) -> None:
        """The file is as it was read.

        Raises:
            ToolError: it was not read in this run, or has changed since.
        """
        seen = self._digests.get(place.real)
        if seen is None:
            raise ToolError(f"{str(place.real)!r} was not read in this run.", remedy="Read it with read_file first.")
        if seen != digest(data):
            raise changed(place)


def proposal_for(place: Place, action: str, before: bytes | None, new: str) -> Proposal:
    """What would be done to the file, with the whole difference. Hidden files need a yes each.

    Raises:
        ToolError: what is there is no text.
    """
    old = "" if before is None else text_of(before, place.real)
    within = "" if place.is_hidden else str(place.real.parent)
    return Proposal(action, str(place.real), within, difference(old, new), digest(before))


def difference(old: str, new: str) -> str:
    """The change as a unified diff, without file names."""
    lines = difflib.unified_diff(_lines(old), _lines(new), lineterm="", n=3)
    return "\n".join(list(lines)[2:])


async def carry_out(place: Place, new: str, approved: Proposal | None, seen: SeenFiles) -> ToolResult:
    """Write what was approved, if the file is still what the proposal rests on.

    Raises:
        ToolError: it was not approved, or the file has changed.
    """
    if approved is None or approved.target != str(place.real):
        raise ToolError(f"writing {str(place.real)!r} was not approved; nothing was written.")
    data = encoded(new)
    await asyncio.to_thread(write_bytes, place, data, basis=approved.basis)
    seen.saw(place.real, data)
    done = "Created" if not approved.basis else "Changed"
    source = Source("file", place.real.name, url=place.real.as_uri())
    return ToolResult(f"{done} {place.real}: {len(new):,} characters, {len(_lines(new)):,} lines.", sources=(source,))


def encoded(text: str) -> bytes:
    """The text as it goes to disk.

    Raises:
        ToolError: it is too long, or no text.
    """
    if len(text) > MOST_CHARS:
        raise ToolError(f"more than {MOST_CHARS:,} characters are not written.")
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise ToolError("the text holds halves of characters and was not written.") from None


def _lines(text: str) -> list[str]:
    """Split at line feeds alone: other breaks are part of a line, and shown as such."""
    return text.removesuffix("\n").split("\n") if text else []
