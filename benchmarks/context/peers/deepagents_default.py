"""deepagents as shipped: its own prompt, tools, files and summarisation; only the model and one tool are ours."""

from __future__ import annotations

from typing import Any

from deepagents import create_deep_agent
from langchain_core.tools import StructuredTool
from replay_agent import ReplayModel, play


def build(model: ReplayModel, tool: StructuredTool, system: str) -> Any:
    return create_deep_agent(model, [tool], system_prompt=system)


def files_of(state: dict[str, Any]) -> list[str]:
    """The texts of the agent's files, all of which `read_file` gives back."""
    return [_text(file["content"]) for file in state.get("files", {}).values()]


def _text(content: str | list[str]) -> str:
    return content if isinstance(content, str) else "\n".join(content)


if __name__ == "__main__":
    play(build, ("deepagents", "langchain", "langchain-core", "langgraph"), files_of)
