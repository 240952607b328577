"""`read_file`: text files below the allowed folders, in pages."""

from __future__ import annotations

import asyncio
from pathlib import Path

from pydantic import BaseModel, Field

from dexter.config.limits import Limits
from dexter.context.pages import PAGE_LINE_CHARS
from dexter.errors import ToolError
from dexter.results import Source, ToolResult
from dexter.tools.changes import SeenFiles
from dexter.tools.folders import Folders, Place
from dexter.tools.pages import matching_lines, page
from dexter.tools.safe_files import read_bytes
from dexter.tools.tool import Tool, ToolContext

_LISTED_ENTRIES = 200


class ReadFileArguments(BaseModel):
    """Which file, and which part of it."""

    path: str = Field(description="Path of a file or folder.", min_length=1)
    offset: int = Field(default=0, description="First character to read.", ge=0)
    limit: int = Field(default=0, description="Characters to read; 0 means one page of 20,000.", ge=0)
    pattern: str = Field(default="", description="Give only the lines that match this regular expression.")


def read_file_tool(
    limits: Limits, cap: int, folders: Folders, seen: SeenFiles | None = None
) -> Tool[ReadFileArguments]:
    """The tool; pages are at most `cap` characters, so that they are never persisted again.

    `seen` hears what was read.
    """
    remembered = seen or SeenFiles()

    async def run(arguments: ReadFileArguments, _context: ToolContext) -> ToolResult:
        place = folders.place(arguments.path)
        path, text = place.real, await asyncio.to_thread(_read, place, arguments.path, remembered)
        limit = min(arguments.limit or limits.page_chars, cap - PAGE_LINE_CHARS)
        if arguments.pattern:
            shown = matching_lines(text, arguments.pattern, limit, arguments.offset)
        else:
            shown = page(text, arguments.offset, limit)
        return ToolResult(shown, sources=(Source("file", path.name, url=path.as_uri()),), untrusted=(str(path),))

    return Tool(
        name="read_file",
        description="Read a text file, or list a folder, below the allowed folders. Long files come in pages.",
        arguments=ReadFileArguments,
        run=run,
        concurrent=True,
        clearable=True,
        pages=True,
        limited=False,
    )


def _read(place: Place, shown: str, seen: SeenFiles) -> str:
    """The whole text; a folder as its listing."""
    try:
        if place.real.is_dir():
            return _listing(place.real)
    except OSError as error:
        raise ToolError(f"{shown!r} could not be read: {error.strerror}.") from error
    data = read_bytes(place)
    if data is None:
        raise ToolError(f"there is no file {shown!r}.", remedy=_near(place))
    if b"\0" in data[:8192]:
        raise ToolError(f"{shown!r} is not a text file.")
    seen.saw(place.real, data)
    return data.decode("utf-8", "replace")


def _listing(path: Path) -> str:
    entries = sorted(path.iterdir())
    lines = [f"{entry.name}/" if entry.is_dir() else entry.name for entry in entries[:_LISTED_ENTRIES]]
    if len(entries) > _LISTED_ENTRIES:
        lines.append(f"… and {len(entries) - _LISTED_ENTRIES} more")
    return "\n".join(lines) or "(empty folder)"


def _near(place: Place) -> str:
    parent = place.real.parent
    if not parent.is_relative_to(place.folder):
        return ""
    try:
        return f"{parent} holds: {', '.join(_listing(parent).splitlines()[:20])}."
    except OSError:  # it is not there either, or may not be listed
        return ""
