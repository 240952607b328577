"""Run one tool without a model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from dexter.agent.approvals import Approvals, denial
from dexter.app.outside import Setup
from dexter.approval import ApprovalRequest
from dexter.results import StoredResult, ToolResult
from dexter.tools.arguments import checked_arguments
from dexter.tools.registry import Registry
from dexter.tools.tool import ToolContext, proposal_of


class NoResults:
    """Outside a run there are no earlier results."""

    def read(self, result: int) -> StoredResult:
        """There is none."""
        raise KeyError(result)


async def run_tool(
    registry: Registry, name: str, arguments: Mapping[str, Any], setup: Setup, approvals: Approvals | None = None
) -> ToolResult:
    """The result of one call. What writes or sends is asked first, as in a run; without `approvals` it is refused.

    Raises:
        ToolError: there is no such tool, it can't do what is asked, or it was not allowed.
    """
    tool = registry.get(name)
    checked = checked_arguments(tool, arguments)
    as_of = setup.settings.as_of
    context = ToolContext(NoResults(), as_of=as_of.isoformat() if as_of else "")
    proposal = await proposal_of(tool, checked, context)
    if proposal is not None:
        request = ApprovalRequest("", name, proposal)
        decision = await (approvals or Approvals()).decide(request)
        if not decision.is_yes:
            raise denial(request, decision)
    return await tool.run(checked, replace(context, approved=proposal))
