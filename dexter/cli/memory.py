"""`dexter memory`: the notes about the user, read and changed by hand."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dexter.cli.options import AsJson, ConfigFile, Debug

if TYPE_CHECKING:
    from dexter.memory.memory import Memory
    from dexter.memory.note import Note

app = typer.Typer(help="List, search, add, reword and forget notes about you.", invoke_without_command=True)

_BY_HAND = "by hand"
_Id = Annotated[str, typer.Argument(metavar="ID", help="As `dexter memory` shows it.")]
_Text = Annotated[str, typer.Argument(metavar="TEXT", help="One note.")]


@app.callback()
def show(ctx: typer.Context, *, as_json: AsJson = False, config_file: ConfigFile = None, debug: Debug = False) -> None:
    """List every note with its id, its file and where it comes from."""
    del debug  # the edge reads it
    if ctx.invoked_subcommand is not None:
        return
    memory = _memory(config_file)
    notes = memory.notes()
    _print(notes, as_json=as_json)
    if not notes and not as_json:
        typer.echo(f"There are no notes yet. They lie in {memory.folder}.", err=True)


@app.command()
def search(
    query: Annotated[str, typer.Argument(metavar="WORDS", help="In any form.")],
    *,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, help="How many at most.")] = 10,
    as_json: AsJson = False,
    config_file: ConfigFile = None,
    debug: Debug = False,
) -> None:
    """Find notes by their words, the best match first. Status 1 where there is none."""
    del debug  # the edge reads it
    hits = _memory(config_file).search(query, limit=limit)
    _print((hit.note for hit in hits), as_json=as_json)
    if not hits:
        typer.echo("No note matches.", err=True)
        raise typer.Exit(1)


@app.command()
def add(text: _Text, *, as_json: AsJson = False, config_file: ConfigFile = None, debug: Debug = False) -> None:
    """Add a note to MEMORY.md."""
    del debug  # the edge reads it
    _print([_memory(config_file).add(text, origin=_BY_HAND)], as_json=as_json)


@app.command()
def edit(
    note: _Id, text: _Text, *, as_json: AsJson = False, config_file: ConfigFile = None, debug: Debug = False
) -> None:
    """Put another wording in the place of a note."""
    del debug  # the edge reads it
    _print([_memory(config_file).edit(note, text, origin=_BY_HAND)], as_json=as_json)


@app.command()
def forget(
    notes: Annotated[list[str], typer.Argument(metavar="ID…", help="As `dexter memory` shows them.")],
    *,
    as_json: AsJson = False,
    config_file: ConfigFile = None,
    debug: Debug = False,
) -> None:
    """Remove notes from every file they stand in; no search finds them again."""
    del debug  # the edge reads it
    memory = _memory(config_file)
    for note in notes:
        memory.find(note)  # all or none
    _print((gone for note in dict.fromkeys(notes) for gone in memory.forget(note)), as_json=as_json)


def _memory(config_file: Path | None) -> Memory:
    from dexter.app.background import memory_of
    from dexter.app.outside import Setup
    from dexter.cli.configured import configured

    return memory_of(Setup(configured(config_file=config_file)))


def _print(notes: Iterable[Note], *, as_json: bool) -> None:
    from dexter.ui.literal import literal
    from dexter.ui.safe_json import safe_json

    found = list(notes)
    if as_json:
        typer.echo(safe_json([_object(note) for note in found]))
        return
    for note in found:
        typer.echo(literal(f"{note.id}  {note.text}  ({', '.join(filter(None, (note.file, note.origin)))})"))


def _object(note: Note) -> dict[str, Any]:
    return {"id": note.id, "text": note.text, "file": note.file, "origin": note.origin, "day": note.day}
