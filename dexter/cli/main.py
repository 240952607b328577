"""The command `dexter`: what there is, and nothing heavy until it is needed."""

from __future__ import annotations

from typing import Annotated

import typer

from dexter import __version__
from dexter.cli import config

app = typer.Typer(
    name="dexter",
    help="Answers financial research questions, each figure with its source. Informs; does not advise.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.add_typer(config.app, name="config")


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"dexter {__version__}")
        raise typer.Exit


@app.callback()
def dexter(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    """Options of the program itself."""
