"""`write_file`: a new file, or a whole one in place of another, below the allowed folders. The user is asked first."""

from __future__ import annotations

import asyncio

from pydantic import BaseModel, Field

from dexter.approval import Proposal
from dexter.errors import ToolError
from dexter.results import ToolResult
from dexter.tools.changes import SeenFiles, carry_out, encoded, proposal_for
from dexter.tools.folders import Folders
from dexter.tools.safe_files import read_bytes
from dexter.tools.tool import Tool, ToolContext


class WriteFileArguments(BaseModel):
    """Which file, and all it is to hold."""

    path: str = Field(description="Path of the file.", min_length=1)
    content: str = Field(description="The whole content.")
    replace: bool = Field(default=False, description="Write over a file that is there; without it that is an error.")
    reason: str = Field(default="", description="Why, in a sentence; the user sees it when asked.")


def write_file_tool(folders: Folders, seen: SeenFiles) -> Tool[WriteFileArguments]:
    """The tool. `folders` are those that may be written to."""

    async def propose(arguments: WriteFileArguments, _context: ToolContext) -> Proposal:
        place = folders.place(arguments.path)
        before = await asyncio.to_thread(read_bytes, place)
        if before is not None and not arguments.replace:
            raise ToolError(
                f"{arguments.path!r} is there already.", remedy="Choose another name, edit_file, or replace: true."
            )
        encoded(arguments.content)
        action = "create the file" if before is None else "replace the file"
        return await asyncio.to_thread(proposal_for, place, action, before, arguments.content)

    async def run(arguments: WriteFileArguments, context: ToolContext) -> ToolResult:
        return await carry_out(folders.place(arguments.path), arguments.content, context.approved, seen)

    return Tool(
        name="write_file",
        description="Write a report or data to a text file below the allowed folders. The user is asked first.",
        arguments=WriteFileArguments,
        run=run,
        propose=propose,
        needs_approval=True,
        limited=False,
    )
