"""`dexter tools`: what there is, with its arguments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from dexter.cli.options import AsJson, ConfigFile, Debug

if TYPE_CHECKING:
    from dexter.tools.registry import Registry
    from dexter.tools.tool import Tool

_FLAGS = ("concurrent", "clearable", "needs_approval", "interactive_only")


def tools(as_json: AsJson = False, config_file: ConfigFile = None, debug: Debug = False) -> None:
    """List the tools with what they take; --json gives the schemas as a model gets them."""
    del debug  # the edge reads it
    import asyncio

    from dexter.ui.literal import literal
    from dexter.ui.safe_json import safe_json

    registry = asyncio.run(_registry(config_file))
    if as_json:
        typer.echo(safe_json([_object(tool) for tool in registry]))
        return
    typer.echo(literal("\n\n".join("\n".join(_lines(tool)) for tool in registry)))


async def _registry(config_file: Path | None) -> Registry:
    from dexter.cli.open_tools import open_tools

    async with open_tools({}, config_file) as (_setup, registry):
        return registry


def _object(tool: Tool[Any]) -> dict[str, Any]:
    return {**tool.spec.to_json(), **{flag: getattr(tool, flag) for flag in _FLAGS}}


def _lines(tool: Tool[Any]) -> Iterator[str]:
    flags = [flag.replace("_", " ") for flag in _FLAGS if getattr(tool, flag)]
    yield f"{tool.name}  ({', '.join(flags)})" if flags else tool.name
    yield f"  {tool.description}"
    required = tool.spec.parameters.get("required", ())
    for name, schema in tool.spec.parameters.get("properties", {}).items():
        yield f"    {name}{'' if name in required else '?'}: {_type(schema)}  {schema.get('description', '')}".rstrip()


def _type(schema: Mapping[str, Any]) -> str:
    if "enum" in schema:
        return " | ".join(map(str, schema["enum"]))
    if schema.get("type") == "array":
        return f"[{_type(schema.get('items', {}))}]"
    return str(schema.get("type", "any"))
