"""LangChain's `SummarizationMiddleware`, with the token trigger given as the argument and all else as it comes."""

from __future__ import annotations

import sys
from typing import Any

from langchain.agents import create_agent
from langchain.agents.middleware import SummarizationMiddleware
from langchain_core.tools import StructuredTool
from replay_agent import ReplayModel, play


def build(model: ReplayModel, tool: StructuredTool, system: str) -> Any:
    middleware = SummarizationMiddleware(model, trigger=("tokens", int(sys.argv[1])))
    return create_agent(model, [tool], system_prompt=system, middleware=[middleware])


if __name__ == "__main__":
    play(build, ("langchain", "langchain-core", "langgraph"))
