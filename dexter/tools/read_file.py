"""`read_file`: text files below the allowed folders, in pages."""

from __future__ import annotations

import asyncio
from pathlib import Path

from pydantic import BaseModel, Field

from dexter.config.limits import Limits
from dexter.context.pages import PAGE_LINE_CHARS
from dexter.errors import ToolError
from dexter.results import Source, ToolResult
from dexter.tools.folders import Folders
from dexter.tools.pages import matching_lines, page
from dexter.tools.tool import Tool, ToolContext

_LARGEST_BYTES = 100_000_000
_LISTED_ENTRIES = 200


class ReadFileArguments(BaseModel):
    """Which file, and which part of it."""

    path: str = Field(description="Path of a file or folder.", min_length=1)
    offset: int = Field(default=0, description="First character to read.", ge=0)
    limit: int = Field(default=0, description="Characters to read; 0 means one page of 20,000.", ge=0)
    pattern: str = Field(default="", description="Give only the lines that match this regular expression.")


def read_file_tool(limits: Limits, cap: int, folders: Folders) -> Tool[ReadFileArguments]:
    """The tool; pages are at most `cap` characters, so that they are never persisted again."""

    async def run(arguments: ReadFileArguments, _context: ToolContext) -> ToolResult:
        path = folders.check(arguments.path)
        text = await asyncio.to_thread(_read, path, arguments.path)
        limit = min(arguments.limit or limits.page_chars, cap - PAGE_LINE_CHARS)
        if arguments.pattern:
            shown = matching_lines(text, arguments.pattern, limit)
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


def _read(path: Path, shown: str) -> str:
    """The whole text; a folder as its listing."""
    try:
        if path.is_dir():
            return _listing(path)
        if not path.is_file():
            raise ToolError(f"there is no file {shown!r}.", remedy=_near(path))
        if path.stat().st_size > _LARGEST_BYTES:
            raise ToolError(f"{shown!r} is larger than {_LARGEST_BYTES // 1_000_000} MB.")
        data = path.read_bytes()
    except OSError as error:
        raise ToolError(f"{shown!r} could not be read: {error.strerror}.") from error
    if b"\0" in data[:8192]:
        raise ToolError(f"{shown!r} is not a text file.")
    return data.decode("utf-8", "replace")


def _listing(path: Path) -> str:
    entries = sorted(path.iterdir())
    lines = [f"{entry.name}/" if entry.is_dir() else entry.name for entry in entries[:_LISTED_ENTRIES]]
    if len(entries) > _LISTED_ENTRIES:
        lines.append(f"… and {len(entries) - _LISTED_ENTRIES} more")
    return "\n".join(lines) or "(empty folder)"


def _near(path: Path) -> str:
    parent = path.parent
    return f"{parent} holds: {', '.join(_listing(parent).splitlines()[:20])}." if parent.is_dir() else ""
