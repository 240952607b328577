"""The texts the agent sends, as files, and how they are filled in."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.resources import files
from typing import Any

from dexter.tools.tool import Tool


def prompt_text(name: str) -> str:
    """A prompt file of this package."""
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def system_prompt(tools: Iterable[Tool[Any]], *, today: str, as_of: str = "", rules: str = "") -> str:
    """The system prompt of a run.

    It holds the date, never the time: its bytes stay the same all day, and caches live on that.
    """
    listing = "\n".join(f"- `{tool.name}`: {tool.description}" for tool in tools)
    cut_off = f" Use nothing that was published after {as_of}; that day is your today." if as_of else ""
    text = prompt_text("system.md").format(today=as_of or today, as_of=cut_off, tools=listing)
    return f"{text}\nRules of the user\n{rules}\n" if rules else text
