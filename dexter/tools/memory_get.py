"""`memory_get`: a file of notes whole, or one note."""

from __future__ import annotations

import asyncio

from pydantic import BaseModel, Field

from dexter.config.limits import Limits
from dexter.context.pages import PAGE_LINE_CHARS
from dexter.errors import ToolError
from dexter.memory.memory import Memory
from dexter.results import Source, ToolResult
from dexter.tools.memory_search import note_line
from dexter.tools.pages import page
from dexter.tools.tool import Tool, ToolContext


class MemoryGetArguments(BaseModel):
    """Which notes."""

    name: str = Field(default="", description="MEMORY.md, a day like 2026-11-30, or a note's id; '' lists the files.")
    offset: int = Field(default=0, description="First character to read.", ge=0)


def memory_get_tool(memory: Memory, limits: Limits, cap: int) -> Tool[MemoryGetArguments]:
    """The tool; pages are at most `cap` characters, so that they are never persisted again."""

    async def run(arguments: MemoryGetArguments, _context: ToolContext) -> ToolResult:
        text = await asyncio.to_thread(notes_text, memory, arguments.name)
        shown = page(text, arguments.offset, min(limits.page_chars, cap - PAGE_LINE_CHARS))
        return ToolResult(shown, sources=(Source("file", f"memory: {arguments.name or 'files'}"),))

    return Tool(
        name="memory_get",
        description="Read notes about the user: MEMORY.md, those of a day, or one by its id.",
        arguments=MemoryGetArguments,
        run=run,
        concurrent=True,
        clearable=True,
        pages=True,
        limited=False,
    )


def notes_text(memory: Memory, name: str) -> str:
    """The notes of a file, a line each, or one note; '' gives the names of the files.

    Raises:
        ToolError: there is no such file or note.
    """
    wanted, notes = name.strip().lower().removesuffix(".md"), memory.notes()
    files = dict.fromkeys(note.file for note in notes)
    if not wanted:
        return "\n".join(files) or "There are no notes yet."
    found = [note for note in notes if wanted in (note.id, note.file.lower().removesuffix(".md"))]
    if not found:
        known = ", ".join(files) or "none"
        raise ToolError(f"there is no note or file {name!r}.", remedy=f"Files: {known}. `memory_search` finds ids.")
    return "\n".join(note_line(note) for note in found)
