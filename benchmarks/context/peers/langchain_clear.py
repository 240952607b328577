"""LangChain's context editing: `ClearToolUsesEdit`, with its default trigger or the one given as the argument."""

from __future__ import annotations

import sys
from typing import Any

from langchain.agents import create_agent
from langchain.agents.middleware import ClearToolUsesEdit, ContextEditingMiddleware
from langchain_core.tools import StructuredTool
from replay_agent import ReplayModel, play


def build(model: ReplayModel, tool: StructuredTool, system: str) -> Any:
    edit = ClearToolUsesEdit(trigger=int(sys.argv[1])) if len(sys.argv) > 1 else ClearToolUsesEdit()
    return create_agent(model, [tool], system_prompt=system, middleware=[ContextEditingMiddleware(edits=[edit])])


if __name__ == "__main__":
    play(build, ("langchain", "langchain-core", "langgraph"))
