"""Run one tool without a model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from dexter.agent.tool_calls import invalid_arguments
from dexter.app.outside import Setup
from dexter.results import StoredResult, ToolResult
from dexter.tools.registry import Registry
from dexter.tools.tool import ToolContext


class NoResults:
    """Outside a run there are no earlier results."""

    def read(self, result: int) -> StoredResult:
        """There is none."""
        raise KeyError(result)


async def run_tool(registry: Registry, name: str, arguments: Mapping[str, Any], setup: Setup) -> ToolResult:
    """The result of one call.

    Raises:
        ToolError: there is no such tool, or it can't do what is asked.
    """
    tool = registry.get(name)
    try:
        checked = tool.arguments.model_validate(arguments)
    except ValidationError as error:
        raise invalid_arguments(tool, error) from error
    as_of = setup.settings.as_of
    return await tool.run(checked, ToolContext(NoResults(), as_of=as_of.isoformat() if as_of else ""))
