"""What may stand where the cursor is: slash commands and their arguments, tickers, files behind `@`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from dexter.config.paths import expanded
from dexter.errors import SettingsError
from dexter.session.commands.command import Command
from dexter.session.session import Session

_MOST = 50
_WORD = re.compile(r"\S*\Z")
_TICKER = re.compile(r"\$?[A-Za-z][A-Za-z.-]*\Z")
_LEAST_LETTERS = 2


@dataclass(frozen=True)
class Candidate:
    """A completion: the text that takes the place of the `length` characters before the cursor, and what it is."""

    text: str
    length: int
    about: str = ""


class Companies:
    """Tickers with the names of their companies, the best known first; read when they are first asked for."""

    def __init__(self, read: Callable[[], Sequence[tuple[str, str]]]) -> None:
        self._read = read

    def beginning(self, text: str) -> Iterator[tuple[str, str]]:
        """Those whose ticker, then those whose name begins so, in any case."""
        wanted = text.casefold()
        by_name = []
        for ticker, name in self._read():
            if ticker.casefold().startswith(wanted):
                yield ticker, name
            elif name.casefold().startswith(wanted):
                by_name.append((ticker, name))
        yield from by_name


@dataclass(frozen=True)
class Completion:
    """Completes lines of a session. `asked` tells whether the user pressed Tab: while typing less is offered."""

    session: Session
    commands: Sequence[Command]
    companies: Companies
    folder: Path

    def candidates(self, before: str, *, asked: bool) -> list[Candidate]:
        """What may stand at the end of the text before the cursor."""
        return list(dict.fromkeys(islice(self._all(before, asked=asked), _MOST)))

    def _all(self, before: str, *, asked: bool) -> Iterator[Candidate]:
        if before.startswith("/") and "\n" not in before and not before.startswith("//"):
            yield from self._command(before)
            return
        word = _word(before)
        if word.startswith("@"):
            yield from _files(word[1:], self.folder)
        elif (word.startswith("$") or asked) and _TICKER.fullmatch(word):
            yield from self._tickers(word)

    def _command(self, before: str) -> Iterator[Candidate]:
        name, blank, argument = before[1:].partition(" ")
        if not blank:
            fitting = (command for command in self.commands if command.name.startswith(name.lower()))
            yield from (Candidate(f"/{command.name}", len(before), command.about) for command in fitting)
            return
        command = next((command for command in self.commands if command.name == name.lower()), None)
        if command is not None:
            yield from _arguments(command, self.session, argument)

    def _tickers(self, word: str) -> Iterator[Candidate]:
        bare = word.removeprefix("$")
        if len(bare) >= _LEAST_LETTERS or word != bare or bare.isupper():
            yield from (Candidate(ticker, len(word), name) for ticker, name in self.companies.beginning(bare))


def _word(before: str) -> str:
    match = _WORD.search(before)
    return match[0] if match else ""


def _arguments(command: Command, session: Session, argument: str) -> Iterable[Candidate]:
    wanted = argument.casefold()
    for choice in command.complete(session, argument):
        if choice.label.casefold().startswith(wanted):
            yield Candidate(choice.label, len(argument), choice.about)


def _files(typed: str, folder: Path) -> Iterator[Candidate]:
    """Files and folders whose path begins so; hidden ones only where a dot was typed."""
    head, slash, beginning = typed.rpartition("/")
    try:
        place = folder / expanded(Path(head + slash))
        entries = sorted(place.iterdir(), key=lambda entry: entry.name)
    except (SettingsError, OSError, ValueError):  # no such user or folder
        return
    for entry in entries:
        if entry.name.startswith(beginning) and (beginning.startswith(".") or not entry.name.startswith(".")):
            is_folder = entry.is_dir()
            yield Candidate(f"@{head}{slash}{entry.name}{'/' * is_folder}", len(typed) + 1, "folder" * is_folder)
