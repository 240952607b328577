"""Options that several commands share, spelled once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

ConfigFile = Annotated[
    Path | None,
    typer.Option(
        "--config", metavar="FILE", help="Read this file instead of ./config.toml.", rich_help_panel="Settings"
    ),
]
Debug = Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.", rich_help_panel="Settings")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
