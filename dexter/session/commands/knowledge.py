"""`/memory`, `/rules` and `/skills`: what is known of the user, what the user wants kept to, and workflows."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator

from dexter.app.background import memory_of, read_background
from dexter.errors import UsageError
from dexter.memory.memory import Memory
from dexter.session.commands.command import Command
from dexter.session.front import Choice
from dexter.session.session import Session
from dexter.session.tables import two_columns
from dexter.ui.cards import Line
from dexter.ui.literal import literal, literal_line

_SHOWN = 20


async def _memory(session: Session, arguments: str) -> None:
    if not session.setup.settings.memory.enabled:
        raise UsageError("Memory is switched off.", remedy="`memory.enabled` in the settings switches it on.")
    memory = memory_of(session.setup)
    verb, _, rest = arguments.partition(" ")
    act = _MEMORY_VERBS.get(verb) if rest.strip() or not verb else None
    if act is None:
        raise UsageError("That is not understood.", remedy="/memory, /memory search TEXT, add TEXT, or forget NUMBER.")
    await act(session, memory, rest.strip())


async def _list(session: Session, memory: Memory, _text: str) -> None:
    notes = memory.notes()
    if not notes:
        session.front.tell(Line("Nothing is remembered yet.", "quiet"))
        return
    session.front.show(two_columns([(note.id, note.text) for note in notes[-_SHOWN:]]))
    session.front.tell(Line(f"{len(notes)} notes in {literal_line(str(memory.folder))}", "quiet"))


async def _search(session: Session, memory: Memory, text: str) -> None:
    hits = memory.search(text)
    if hits:
        session.front.show(two_columns([(hit.note.id, hit.note.text) for hit in hits]))
    else:
        session.front.tell(Line("No note is about that.", "quiet"))


async def _add(session: Session, memory: Memory, text: str) -> None:
    note = memory.add(text, origin="the user")
    session.front.tell(Line(f"Remembered as {note.id}; known from the next question on.", "good", "✓"))


async def _forget(session: Session, memory: Memory, text: str) -> None:
    gone = memory.forget(text)
    told = "; ".join(literal_line(note.text) for note in gone)
    session.front.tell(Line(f"Forgotten: {told}" if gone else "No note is meant by that.", "quiet"))


_MEMORY_VERBS: dict[str, Callable[[Session, Memory, str], Awaitable[None]]] = {
    "": _list,
    "search": _search,
    "add": _add,
    "forget": _forget,
}


async def _rules(session: Session, _arguments: str) -> None:
    rules = read_background(session.setup).rules
    if not rules:
        session.front.tell(Line("There are no rules.", "quiet"))
    for file in rules:
        used = "" if file.counts else " (not used: the folder is not trusted)"
        session.front.tell(Line(f"{literal_line(str(file.path))}{used}", "info"))
        session.front.show_answer(file.text)


async def _skills(session: Session, arguments: str) -> None:
    shelf = read_background(session.setup).shelf
    if arguments:
        skill = shelf.get(arguments)
        session.front.tell(Line(literal(skill.line), "info"))
        session.front.show_answer(skill.text)
        return
    session.front.show(two_columns([(skill.name, skill.description) for skill in shelf.skills.values()]))
    for out in shelf.left_out:
        session.front.tell(Line(literal(f"{out.folder} is not used: {out.reason}"), "warn", "!"))


def _skill_names(session: Session, _typed: str) -> Iterator[Choice]:
    for skill in read_background(session.setup).shelf.skills.values():
        yield Choice(skill.name, skill.description)


def _memory_verbs(_session: Session, _typed: str) -> Iterator[Choice]:
    yield from (Choice("search", "TEXT"), Choice("add", "TEXT"), Choice("forget", "NUMBER"))


MEMORY = Command("memory", "notes about you: list, search, add, forget", _memory, "[VERB TEXT]", _memory_verbs)
RULES = Command("rules", "what every answer keeps to", _rules)
SKILLS = Command("skills", "the workflows there are; with a name, what one says", _skills, "[NAME]", _skill_names)
