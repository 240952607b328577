"""Tools of the user's own: Python entry points in the group `dexter.tools` (docs/own-tools.md)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Protocol, get_args

from pydantic import BaseModel

from dexter.errors import DexterError, ToolError
from dexter.results import Cell, ResultStatus, Source, ToolResult
from dexter.tools.tool import Tool, ToolContext

GROUP = "dexter.tools"
# Dexter's own names, whether or not the tools are there in a run: nobody may pass for them.
_RESERVED_NAMES = (
    "ask_user_question calculate compact edit_file get_financials get_holdings get_insider_trades get_market_data"
    " memory_get memory_search memory_update read_file read_filings read_result search_filings skill spawn_subagent"
    " stock_screener web_fetch web_search write_file"
)
RESERVED = frozenset(_RESERVED_NAMES.split())
# What every provider takes as a name.
_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")


class EntryPoint(Protocol):
    """What `importlib.metadata` gives."""

    @property
    def name(self) -> str:
        """Left of the `=`."""
        ...

    @property
    def value(self) -> str:
        """Right of it: module and object."""
        ...

    def load(self) -> Any:
        """Import it."""
        ...


@dataclass(frozen=True)
class OwnTools:
    """The tools that could be loaded, and a sentence for each entry point that is not used."""

    tools: tuple[Tool[Any], ...] = ()
    faults: tuple[str, ...] = ()


def load_own_tools(entry_points: Iterable[EntryPoint]) -> OwnTools:
    """Load every entry point: a `Tool`, or a function without arguments that gives one or several.

    Whatever goes wrong in one costs only that one.
    """
    tools: dict[str, Tool[Any]] = {}
    faults: list[str] = []
    for point in sorted(entry_points, key=lambda point: (point.name, point.value)):
        try:
            for tool in _loaded(point):
                if tool.name.lower() in RESERVED or tool.name in tools:
                    faults.append(f"The tool {tool.name} of {point.value} is not used: the name is taken.")
                else:
                    tools[tool.name] = _guarded(tool)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - code of others may fail in any way
            reason = f"{type(error).__name__}: {error}"
            faults.append(f"The entry point {point.name} = {point.value} can't be used: {reason}.")
    return OwnTools(tuple(tools.values()), tuple(faults))


def _loaded(point: EntryPoint) -> list[Tool[Any]]:
    found = point.load()
    if callable(found) and not isinstance(found, Tool):
        found = found()
    tools = [found] if isinstance(found, Tool) else list(found)
    for tool in tools:
        if not isinstance(tool, Tool):
            raise TypeError(f"it gives a {type(tool).__name__}, not a dexter.tools.tool.Tool")
        _check(tool)
        _ = tool.spec  # a schema that can't be built shows here, not in the middle of a run
    return tools


def _check(tool: Tool[Any]) -> None:
    """What a provider would refuse, and every request with it, is refused here.

    Raises:
        TypeError: what is wrong with the definition.
    """
    if not isinstance(tool.name, str) or not _NAME.fullmatch(tool.name):
        raise TypeError(f"{tool.name!r} is no name: letters, digits, _ and -, at most 64")
    if not isinstance(tool.description, str) or not tool.description.strip():
        raise TypeError(f"{tool.name} has no description")
    if not isinstance(tool.arguments, type) or not issubclass(tool.arguments, BaseModel):
        raise TypeError(f"the arguments of {tool.name} are no pydantic model")
    if not isinstance(tool.timeout_s, int | float) or tool.timeout_s <= 0:
        raise TypeError(f"timeout_s of {tool.name} is no number of seconds")


def _is_whole(result: object) -> bool:
    """Whether a result can be recorded: its parts are of the types that they say."""
    return (
        isinstance(result, ToolResult)
        and isinstance(result.text, str)
        and result.status in get_args(ResultStatus)
        and all(isinstance(cell, Cell) for cell in result.cells)
        and all(isinstance(source, Source) for source in result.sources)
    )


def _guarded(tool: Tool[Any]) -> Tool[Any]:
    """The tool, its faults as results that the model can act on: they do not end the run."""

    async def run(arguments: Any, context: ToolContext) -> ToolResult:
        try:
            result = await tool.run(arguments, context)
        except (ToolError, DexterError):
            raise
        except (Exception, SystemExit) as error:
            raise ToolError(f"{tool.name} failed: {type(error).__name__}: {error}") from error
        if not _is_whole(result):
            raise ToolError(
                f"{tool.name} gave a {type(result).__name__}, not a ToolResult with text, cells and sources."
            )
        return result

    return replace(tool, run=run)
