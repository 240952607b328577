"""The texts the agent sends, as files, and how they are filled in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from dexter.tools.tool import Tool


def prompt_text(name: str) -> str:
    """A prompt file of this package."""
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


@dataclass(frozen=True)
class Known:
    """What a run knows from its start beside its tools: the user's rules, a list of workflows, notes about the user.

    `part`: it works on a part of a larger task, as a sub-agent.
    """

    rules: str = ""
    skills: str = ""
    notes: str = ""
    part: bool = False


def system_prompt(tools: Iterable[Tool[Any]], *, today: str, as_of: str = "", known: Known | None = None) -> str:
    """The system prompt of a run.

    It holds the date, never the time: its bytes stay the same all day, and caches live on that.
    """
    known = known or Known()
    listing = "\n".join(f"- `{tool.name}`: {tool.description}" for tool in tools)
    cut_off = f" Use nothing that was published after {as_of}; that day is your today." if as_of else ""
    text = prompt_text("system.md").format(today=as_of or today, as_of=cut_off, tools=listing)
    sections = {"subagent.md": known.part, "skills.md": known.skills, "notes.md": known.notes, "rules.md": known.rules}
    told = (f"\n{prompt_text(name).strip()}\n{'' if body is True else body}" for name, body in sections.items() if body)
    return "".join((text, *(section.rstrip("\n") + "\n" for section in told)))
