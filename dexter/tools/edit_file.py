"""`edit_file`: one place of a text file that was read, changed. The user is asked first, with the difference."""

from __future__ import annotations

import asyncio

from pydantic import BaseModel, Field

from dexter.approval import Proposal
from dexter.errors import ToolError
from dexter.results import ToolResult
from dexter.tools.changes import SeenFiles, carry_out, encoded, proposal_for
from dexter.tools.folders import Folders, Place
from dexter.tools.safe_files import changed, digest, read_bytes, text_of
from dexter.tools.tool import Tool, ToolContext


class EditFileArguments(BaseModel):
    """Which file, what stands there, and what is to stand there."""

    path: str = Field(description="Path of a file that was read in this run.", min_length=1)
    old: str = Field(description="Text that occurs exactly once in the file.", min_length=1)
    new: str = Field(description="What is to stand there instead.")
    reason: str = Field(default="", description="Why, in a sentence; the user sees it when asked.")


def edit_file_tool(folders: Folders, seen: SeenFiles) -> Tool[EditFileArguments]:
    """The tool. `folders` are those that may be written to; only what is in `seen` is changed."""

    async def propose(arguments: EditFileArguments, _context: ToolContext) -> Proposal:
        place = folders.place(arguments.path)
        before = await asyncio.to_thread(_content, place)
        seen.check(place, before)
        new = edited(text_of(before, place.real), arguments)
        return await asyncio.to_thread(proposal_for, place, "change the file", before, new)

    async def run(arguments: EditFileArguments, context: ToolContext) -> ToolResult:
        place = folders.place(arguments.path)
        before = await asyncio.to_thread(_content, place)
        if context.approved is not None and digest(before) != context.approved.basis:
            raise changed(place)
        return await carry_out(place, edited(text_of(before, place.real), arguments), context.approved, seen)

    return Tool(
        name="edit_file",
        description="Change one place of a text file that was read before. The user is asked first.",
        arguments=EditFileArguments,
        run=run,
        propose=propose,
        needs_approval=True,
        limited=False,
    )


def edited(text: str, arguments: EditFileArguments) -> str:
    """The text with the change.

    Raises:
        ToolError: the old text does not occur exactly once, or nothing would change.
    """
    count = text.count(arguments.old)
    if count != 1:
        where = "does not occur" if not count else f"occurs {count} times"
        raise ToolError(f"the old text {where} in {arguments.path!r}.", remedy="Give it with more of what is around.")
    if arguments.old == arguments.new:
        raise ToolError("old and new text are the same.")
    text = text.replace(arguments.old, arguments.new)
    encoded(text)
    return text


def _content(place: Place) -> bytes:
    data = read_bytes(place)
    if data is None:
        raise ToolError(f"there is no file {str(place.real)!r}.", remedy="write_file makes one.")
    return data
