"""`spawn_subagent`: a self-contained task in a run of its own. How a run is made comes in as an argument."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from pydantic import BaseModel, Field

from dexter.results import ToolResult
from dexter.tools.tool import Tool, ToolContext

_TIMEOUT_S = 1_800.0


class SubagentArguments(BaseModel):
    """The task, whole."""

    title: str = Field(description="Three to six words for the progress lines.", min_length=1, max_length=80)
    task: str = Field(
        description=(
            "Everything the sub-agent needs to know: it sees nothing of this conversation. Name companies, periods,"
            " figures and the form of the answer."
        ),
        min_length=1,
        max_length=20_000,
    )


RunTask = Callable[[SubagentArguments, ToolContext], Awaitable[ToolResult]]


def spawn_subagent_tool(run_task: RunTask) -> Tool[SubagentArguments]:
    """The tool; several calls of one turn run side by side."""
    return Tool(
        name="spawn_subagent",
        description=(
            "Hand a self-contained part of the work to a sub-agent with a context of its own; only its answer comes"
            " back. Call it several times in one turn for parts that do not depend on each other."
        ),
        arguments=SubagentArguments,
        run=run_task,
        concurrent=True,
        clearable=False,
        limited=False,
        for_subagents=False,
        timeout_s=_TIMEOUT_S,
    )
