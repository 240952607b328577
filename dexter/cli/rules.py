"""`dexter rules`: the rules that hold for every run, and where they stand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from dexter.cli.options import AsJson, ConfigFile, Debug

if TYPE_CHECKING:
    from dexter.memory.rules import RuleFile


def rules(as_json: AsJson = False, config_file: ConfigFile = None, debug: Debug = False) -> None:
    """Print the rules that every request carries; rules of a folder that is not trusted are named, not printed."""
    del debug  # the edge reads it
    from dexter.cli.configured import configured
    from dexter.config.project import RULES
    from dexter.memory.rules import read_rules
    from dexter.ui.literal import literal
    from dexter.ui.safe_json import safe_json

    found = configured(config_file=config_file)
    files = read_rules(found.places.config, found.project)
    if as_json:
        typer.echo(safe_json([_object(file) for file in files]))
        return
    for file in files:
        typer.echo(literal(_shown(file)))
    if not files:
        typer.echo(f"There are no rules. Yours belong in {found.places.config / RULES}.", err=True)


def _object(file: RuleFile) -> dict[str, Any]:
    return {"path": str(file.path), "counts": file.counts, "text": file.text}


def _shown(file: RuleFile) -> str:
    if not file.counts:
        return f"not used: {file.path}\n  the folder is not trusted; `dexter config trust` trusts it as it stands\n"
    return f"{file.path}\n\n{file.text}\n"
