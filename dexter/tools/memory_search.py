"""`memory_search`: what was noted about the user, by words."""

from __future__ import annotations

import asyncio

from pydantic import BaseModel, Field

from dexter.memory.memory import Memory
from dexter.memory.note import Note
from dexter.results import Source, ToolResult
from dexter.tools.tool import Tool, ToolContext


class MemorySearchArguments(BaseModel):
    """What to look for."""

    query: str = Field(description="Words to look for, in any form or language.", min_length=1, max_length=1_000)
    limit: int = Field(default=8, description="Notes to give.", ge=1, le=50)


def memory_search_tool(memory: Memory) -> Tool[MemorySearchArguments]:
    """The tool."""

    async def run(arguments: MemorySearchArguments, _context: ToolContext) -> ToolResult:
        hits = await asyncio.to_thread(memory.search, arguments.query, limit=arguments.limit)
        if not hits:
            return ToolResult("No note matches.")
        files = dict.fromkeys(hit.note.file for hit in hits)
        return ToolResult(
            "\n".join(note_line(hit.note) for hit in hits),
            sources=tuple(Source("file", f"memory: {name}") for name in files),
        )

    return Tool(
        name="memory_search",
        description="Search the notes about the user from earlier conversations: best match first, each with its id.",
        arguments=MemorySearchArguments,
        run=run,
        concurrent=True,
        clearable=True,
        limited=False,
        query="query",
    )


def note_line(note: Note) -> str:
    """A note with its id, and where it comes from."""
    return f"[{note.id}] {note.text} ({', '.join(filter(None, (note.file, note.origin)))})"
