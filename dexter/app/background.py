"""What a run knows from its start, read once: rules, skills and notes of the user."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import entry_points

from dexter.agent.prompts import Known
from dexter.app.outside import Setup
from dexter.events import Notice
from dexter.memory.memory import Memory
from dexter.memory.opening import opening_text
from dexter.memory.rules import RuleFile, read_rules, rules_text
from dexter.skills.shelf import Shelf, find_skills
from dexter.tools.own import GROUP, OwnTools, load_own_tools

SKILLS = "skills"
MEMORY = "memory"
_NAMED = 3


@dataclass(frozen=True)
class Background:
    """Rules, skills and memory (None where it is switched off) as they were when the run began."""

    rules: tuple[RuleFile, ...]
    shelf: Shelf
    memory: Memory | None
    own: OwnTools

    def notices(self) -> tuple[Notice, ...]:
        """What a person should know of it: which rules hold, and what was left out and why."""
        held = [str(file.path) for file in self.rules if file.counts]
        ignored = [file for file in self.rules if not file.counts]
        told = [Notice("rules", f"Rules: {', '.join(held)}.")] if held else []
        told += [
            Notice("untrusted", f"{file.path} is not used: the folder is not trusted. `dexter config trust` trusts it.")
            for file in ignored
        ]
        told += [Notice("skills", text) for text in _left_out(self.shelf)]
        told += [Notice("tools", fault) for fault in self.own.faults]
        return tuple(told)

    def known(self, setup: Setup) -> Known:
        """As the system prompt of the user's own run tells it."""
        notes = ""
        if self.memory is not None:
            budget = setup.settings.memory.start_tokens
            notes = opening_text(self.memory.notes(), today=self.memory.now().date(), budget=budget)
        return Known(rules_text(self.rules), self.shelf.listing, notes)

    def known_to_subagent(self) -> Known:
        """As a sub-agent gets it: the rules and workflows; the notes are the user's own run's business."""
        return Known(rules_text(self.rules), self.shelf.listing, part=True)


def _left_out(shelf: Shelf) -> Iterator[str]:
    """A sentence for each reason, however many skills it keeps out."""
    for reason in dict.fromkeys(out.reason for out in shelf.left_out):
        folders = [str(out.folder) for out in shelf.left_out if out.reason == reason]
        more = f" and {len(folders) - _NAMED} more" if len(folders) > _NAMED else ""
        yield f"Not used as skills: {', '.join(folders[:_NAMED])}{more}: {reason}."


def read_background(setup: Setup) -> Background:
    """Read everything once.

    Raises:
        SettingsError: the user's rules can't be read.
    """
    config = setup.config
    return Background(
        rules=read_rules(config.places.config, config.project),
        shelf=find_skills(config.places.data / SKILLS, config.project),
        memory=memory_of(setup) if setup.settings.memory.enabled else None,
        own=load_own_tools(entry_points(group=GROUP)),
    )


def memory_of(setup: Setup) -> Memory:
    """The user's notes."""
    return Memory(setup.config.places.data / MEMORY, lambda: setup.outside.now().astimezone())
