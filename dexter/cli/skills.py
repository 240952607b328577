"""`dexter skills`: the workflows there are, and what is left out and why."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dexter.cli.options import AsJson, ConfigFile, Debug

if TYPE_CHECKING:
    from dexter.skills.shelf import Shelf
    from dexter.skills.skill import Skill

app = typer.Typer(help="List workflows; show one.", invoke_without_command=True)


@app.callback()
def listed(
    ctx: typer.Context, *, as_json: AsJson = False, config_file: ConfigFile = None, debug: Debug = False
) -> None:
    """List the skills of the package, yours and those of a trusted folder; and what is left out, and why."""
    del debug  # the edge reads it
    if ctx.invoked_subcommand is not None:
        return
    from dexter.ui.literal import literal
    from dexter.ui.safe_json import safe_json

    shelf, own = _shelf(config_file)
    if as_json:
        left_out = [{"folder": str(out.folder), "reason": out.reason} for out in shelf.left_out]
        typer.echo(safe_json({"skills": [_object(s) for s in shelf.skills.values()], "left_out": left_out}))
        return
    typer.echo(literal("\n".join(_lines(shelf, own))))


@app.command()
def show(
    name: Annotated[str, typer.Argument(metavar="NAME", help="As `dexter skills` lists them.")],
    *,
    as_json: AsJson = False,
    config_file: ConfigFile = None,
    debug: Debug = False,
) -> None:
    """Print a skill as the model gets it."""
    del debug  # the edge reads it
    from dexter.tools.skill import skill_text
    from dexter.ui.literal import literal
    from dexter.ui.safe_json import safe_json

    skill = _shelf(config_file)[0].get(name)
    typer.echo(safe_json(_object(skill)) if as_json else literal(skill_text(skill).rstrip("\n")))


def _shelf(config_file: Path | None) -> tuple[Shelf, Path]:
    """The skills, and the folder for the user's own."""
    from dexter.app.background import SKILLS
    from dexter.cli.configured import configured
    from dexter.skills.shelf import find_skills

    found = configured(config_file=config_file)
    own = found.places.data / SKILLS
    return find_skills(own, found.project), own


def _object(skill: Skill) -> dict[str, Any]:
    return {
        "name": skill.name,
        "description": skill.description,
        "origin": skill.origin,
        "folder": str(skill.folder),
        "files": list(skill.files),
        "text": skill.text,
    }


def _lines(shelf: Shelf, own: Path) -> Iterator[str]:
    for skill in shelf.skills.values():
        yield f"{skill.name}  ({skill.origin})\n  {skill.description}"
    for out in shelf.left_out:
        yield f"not used: {out.folder}\n  {out.reason}"
    yield f"\nYour own: {own}/NAME/SKILL.md"
