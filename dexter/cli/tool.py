"""`dexter tool NAME KEY=VALUE …`: one tool, no model: figures for scripts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dexter.cli.options import Allow, AsJson, ConfigFile, Debug
from dexter.errors import DexterError, ExitStatus, UsageError

if TYPE_CHECKING:
    from dexter.results import ToolResult
    from dexter.tools.tool import Tool


def tool(
    name: Annotated[str, typer.Argument(metavar="NAME", help="As `dexter tools` lists them.")],
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="[KEY=VALUE]...", help="Arguments; commas separate the items of lists."),
    ] = None,
    *,
    args: Annotated[str, typer.Option("--args", "-a", metavar="JSON", help='Like \'{"tickers": ["NVDA"]}\'.')] = "{}",
    offline: Annotated[bool, typer.Option("--offline", metavar="", help="Open no socket.")] = False,
    as_of: Annotated[str | None, typer.Option("--as-of", metavar="DATE", help="As on this day.")] = None,
    allow: Allow = None,
    as_json: AsJson = False,
    as_csv: Annotated[bool, typer.Option("--csv", metavar="", help="Print the figures as CSV, one a line.")] = False,
    config_file: ConfigFile = None,
    debug: Debug = False,
) -> None:
    """Run one tool without a model and print what it found."""
    del debug  # the edge reads it
    import asyncio

    if as_json and as_csv:
        raise UsageError("--json and --csv exclude each other.", remedy="Leave one of them out.")
    flags = {"offline": True if offline else None, "as_of": as_of}
    given = Given(parse_arguments(args), words or ())
    result = asyncio.run(_run(name, given, flags, config_file, allow or ()))
    typer.echo(_shown(result, as_json=as_json, as_csv=as_csv), nl=False)
    if result.status not in ("ok", "partial"):
        raise typer.Exit(ExitStatus.FAILED)


@dataclass(frozen=True)
class Given:
    """A call's arguments as the command line has them: an object, and `KEY=VALUE` words that go before it."""

    arguments: Mapping[str, Any]
    words: Sequence[str]

    def to(self, tool: Tool[Any]) -> Mapping[str, Any]:
        """All of them, as this tool reads the words."""
        from dexter.tools.arguments import arguments_from_words

        return {**self.arguments, **arguments_from_words(tool, self.words)}


def parse_arguments(text: str) -> Mapping[str, Any]:
    """The arguments of a call.

    Raises:
        UsageError: they are no JSON object.
    """
    import json

    try:
        arguments = json.loads(text)
    except ValueError as error:
        raise UsageError(f"--args is not valid JSON: {error}.", remedy='Like \'{"tickers": ["NVDA"]}\'.') from None
    if not isinstance(arguments, dict):
        raise UsageError("--args is not a JSON object.", remedy='Like \'{"tickers": ["NVDA"]}\'.')
    return arguments


async def _run(
    name: str,
    given: Given,
    flags: Mapping[str, Any],
    config_file: Path | None,
    allow: Sequence[str],
) -> ToolResult:
    from dexter.app.approving import approvals_for
    from dexter.app.run_tool import run_tool
    from dexter.cli.asking import terminal_approver
    from dexter.cli.open_tools import open_tools
    from dexter.cli.terminal import Terminal
    from dexter.errors import ArgumentsError, ToolError
    from dexter.tools.registry import UnknownToolError

    async with open_tools(flags, config_file) as (setup, registry):
        approvals = approvals_for(setup, terminal_approver(Terminal.here()), allow)
        try:
            return await run_tool(registry, name, given.to(registry.get(name)), setup, approvals)
        except (UnknownToolError, ArgumentsError) as error:
            raise UsageError(_sentence(error.message), remedy=error.remedy) from None
        except ToolError as error:
            raise DexterError(_sentence(error.message), remedy=error.remedy) from None


def _sentence(message: str) -> str:
    """What is written for a model begins small."""
    return message[:1].upper() + message[1:]


def _shown(result: ToolResult, *, as_json: bool, as_csv: bool) -> str:
    from dexter.data.export import csv_text
    from dexter.ui.literal import literal
    from dexter.ui.safe_json import safe_json

    if as_json:
        return safe_json(result.to_json()) + "\n"
    if as_csv:
        return literal(csv_text(result.cells))
    return literal(result.text.rstrip("\n")) + "\n"
