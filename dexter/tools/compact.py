"""`compact`: the model asks for a compaction. The agent does it once the call's siblings have run."""

from __future__ import annotations

from pydantic import BaseModel, Field

from dexter.errors import ToolError
from dexter.results import ToolResult
from dexter.tools.tool import Tool, ToolContext

COMPACT = "compact"


class CompactArguments(BaseModel):
    """What to dwell on."""

    focus: str = Field(default="", description="What the summary should dwell on.")


async def _refuse(_arguments: CompactArguments, _context: ToolContext) -> ToolResult:
    raise ToolError("there is nothing to compact here: the policy has none, or another call does it already.")


def compact_tool() -> Tool[CompactArguments]:
    """The tool; what it does to the view is `dexter.agent.compact_call`'s business."""
    return Tool(
        name=COMPACT,
        description=(
            "Replace what was found so far by a summary, to make room in the context. Exact values stay reachable by"
            " `read_result`. Use it when much is done and much is left to do."
        ),
        arguments=CompactArguments,
        run=_refuse,
        clearable=False,
        limited=False,
    )
