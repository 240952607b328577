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
Debug = Annotated[
    bool, typer.Option("--debug", metavar="", help="Show the traceback of an error.", rich_help_panel="Settings")
]
Allow = Annotated[
    list[str] | None,
    typer.Option(
        "--allow",
        metavar="TOOL:TARGET",
        help="Approve beforehand what writes or sends, like write_file:report.md. Repeatable.",
        rich_help_panel="The run",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", metavar="", help="Print one JSON object.")]
