"""Tools of the user's own: the documented example as a real distribution, and everything that can be wrong with one."""

from __future__ import annotations

import asyncio
import json
import os
import re
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from dexter.app.run_tool import NoResults
from dexter.app.toolbox import build_tools
from dexter.errors import ToolError
from dexter.results import ToolResult
from dexter.tools.own import RESERVED, load_own_tools
from dexter.tools.tool import Tool, ToolContext
from tests.support.program import ROOT, make_home
from tests.support.setups import make_setup

PAGE = (Path(__file__).parents[2] / "docs" / "own-tools.md").read_text(encoding="utf-8")


class Arguments(BaseModel):
    """None."""


@dataclass
class Point:
    """An entry point whose object is made by `make`."""

    name: str
    make: Callable[[], Any]
    value: str = "mine:tool"

    def load(self) -> Any:
        return self.make()


def a_tool(name: str = "mine", run: Any = None) -> Tool[Arguments]:
    async def give(_arguments: Arguments, _context: ToolContext) -> Any:
        return ToolResult("done")

    return Tool(name, "A tool.", Arguments, run or give)


def called(tool: Tool[Any]) -> ToolResult:
    return asyncio.run(tool.run(Arguments(), ToolContext(NoResults())))


def block(language: str) -> str:
    found = re.search(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    assert found
    return found[1]


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """What pip makes of the page's example: the module, and its metadata beside it."""
    site = tmp_path / "site"
    info = site / "business_days-1.0.dist-info"
    info.mkdir(parents=True)
    (site / "business_days.py").write_text(block("python"), encoding="utf-8")
    named = re.search(r'^(\w+) = "(business_days:tool)"$', block("toml"), re.MULTILINE)
    assert named
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: business-days\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(f"[dexter.tools]\n{named[1]} = {named[2]}\n", encoding="utf-8")
    return site


def test_the_documented_example_works_once_installed(tmp_path: Path, installed: Path) -> None:
    """`dexter tool` runs it and prints what the page shows; `dexter tools` lists it."""
    home = make_home(tmp_path)
    shown = re.search(r"dexter tool business_days (?P<words>.*?)\n\s+(?P<output>.+)\n", PAGE)
    assert shown
    environ = {"PYTHONPATH": os.pathsep.join((str(ROOT), str(installed)))}
    done = home.dexter("tool", "business_days", *shown["words"].split(), environ=environ)
    assert (done.stdout.strip(), done.returncode) == (shown["output"], 0)
    names = [tool["name"] for tool in json.loads(home.dexter("tools", "--json", environ=environ).stdout)]
    assert "business_days" in names
    assert "business_days" not in home.dexter("tools").stdout


def test_a_function_may_give_several() -> None:
    """An entry point is a tool, or a function that gives one or a list."""
    one, two = a_tool("one"), a_tool("two")
    found = load_own_tools([Point("a", lambda: one), Point("b", lambda: lambda: [two, a_tool("three")])])
    assert [tool.name for tool in found.tools] == ["one", "two", "three"]
    assert found.faults == ()


def leaves() -> Any:
    raise SystemExit(3)


def broken() -> Any:
    raise ImportError("no module named nothing")


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (broken, "no module named nothing"),
        (lambda: 7, "not iterable"),
        (lambda: [7], "gives a int"),
        (lambda: a_tool("get_financials"), "name is taken"),
        (lambda: a_tool("memory_update"), "name is taken"),
        (lambda: [a_tool("same"), a_tool("same")], "name is taken"),
        (lambda: a_tool("Calculate"), "name is taken"),
        (lambda: a_tool("bad name!"), "is no name"),
        (lambda: a_tool(""), "is no name"),
        (lambda: replace(a_tool("silent"), description=" "), "no description"),
        (lambda: replace(a_tool("slow"), timeout_s="no"), "no number of seconds"),
        (leaves, "SystemExit"),
    ],
)
def test_what_is_wrong_costs_only_itself(make: Callable[[], Any], says: str) -> None:
    """A sentence names the entry point and the reason; the others are there."""
    found = load_own_tools([Point("bad", make), Point("good", a_tool)])
    assert "mine" in [tool.name for tool in found.tools]
    (fault,) = found.faults
    assert says in fault


def test_faults_of_a_tool_are_results() -> None:
    """An exception, and a result of the wrong kind, become errors that the model can act on."""

    async def fails(_arguments: Arguments, _context: ToolContext) -> Any:
        raise ValueError("seven")

    async def leaves_at_once(_arguments: Arguments, _context: ToolContext) -> Any:
        raise SystemExit(3)

    async def gives_nothing(_arguments: Arguments, _context: ToolContext) -> Any:
        return ToolResult(None)  # type: ignore[arg-type]

    async def gives_text(_arguments: Arguments, _context: ToolContext) -> Any:
        return "text"

    made = {"a": fails, "b": gives_text, "c": leaves_at_once, "d": gives_nothing}
    tools = load_own_tools([Point(name, lambda name=name: a_tool(name, made[name])) for name in made]).tools
    said = ("ValueError: seven", "not a ToolResult", "SystemExit", "not a ToolResult")
    for tool, says in zip(tools, said, strict=True):
        with pytest.raises(ToolError, match=says):
            called(tool)


def test_every_tool_of_dexters_own_has_a_reserved_name(tmp_path: Path) -> None:
    """Nobody's tool can pass for one of them."""

    async def names() -> set[str]:
        async def never(_questions: object) -> Any:
            raise AssertionError

        async with AsyncExitStack() as stack:
            setup = make_setup(tmp_path, {"DEXTER_SEC__CONTACT": "Ann ann@example.org"})
            return {tool.name for tool in build_tools(setup, 200_000, tmp_path, stack, ask_user=never)}

    assert asyncio.run(names()) <= RESERVED
