"""`read_result`: any earlier result of the conversation, whole, byte for byte."""

from __future__ import annotations

from pydantic import BaseModel, Field

from dexter.config.limits import Limits
from dexter.context.pages import PAGE_LINE_CHARS
from dexter.errors import ScratchpadError, ToolError
from dexter.results import Source, ToolResult
from dexter.tools.pages import matching_lines, page
from dexter.tools.tool import Tool, ToolContext


class ReadResultArguments(BaseModel):
    """Which result, and which part of it."""

    id: int = Field(description="The number of the result, as in #7.", ge=1)
    offset: int = Field(default=0, description="First character to read.", ge=0)
    limit: int = Field(default=0, description="Characters to read; 0 means one page of 20,000.", ge=0)
    pattern: str = Field(default="", description="Give only the lines that match this regular expression.")


def read_result_tool(limits: Limits, cap: int) -> Tool[ReadResultArguments]:
    """The tool; pages are at most `cap` characters, so that they are never persisted again."""

    async def run(arguments: ReadResultArguments, context: ToolContext) -> ToolResult:
        try:
            stored = context.results.read(arguments.id)
        except KeyError as error:
            raise ToolError(f"there is no result #{arguments.id} in this conversation.") from error
        except ScratchpadError as error:
            raise ToolError(error.message, remedy=error.remedy) from error
        limit = min(arguments.limit or limits.page_chars, cap - PAGE_LINE_CHARS)
        if arguments.pattern:
            text = matching_lines(stored.text, arguments.pattern, limit, arguments.offset)
        else:
            text = page(stored.text, arguments.offset, limit)
        source = Source("other", f"result #{arguments.id} ({stored.tool})")
        return ToolResult(
            text, cells=stored.cells, data={"recalls": arguments.id}, sources=(source,), untrusted=stored.untrusted
        )

    return Tool(
        name="read_result",
        description=(
            "Read an earlier result of this conversation again, exactly as it was: one that was cleared, summarised or"
            " shortened. Costs nothing. Use `pattern` to find figures in a long one."
        ),
        arguments=ReadResultArguments,
        run=run,
        concurrent=True,
        clearable=True,
        pages=True,
        limited=False,
    )
