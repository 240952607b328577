from __future__ import annotations

import re
import subprocess
import sys
import textwrap
from dataclasses import fields
from pathlib import Path
from typing import get_args

import pytest

from dexter.agent.outcome import Answer, EndStatus
from dexter.config.settings import sections
from dexter.data.company import Company
from dexter.data.provider import Capability
from dexter.errors import ExitStatus
from dexter.events import VERSION, Event
from dexter.models.protocol import ModelInfo
from dexter.results import Attempt, Cell, Source, ToolResult
from dexter.ui.json_object import JsonObjectSink
from dexter.usage import Usage
from tests.support.program import make_home

PAGE = (Path(__file__).parents[1] / "docs" / "interfaces.md").read_text(encoding="utf-8")
WORDS = set(re.findall(r"[\w-]+", PAGE))


@pytest.mark.parametrize("kind", get_args(Event), ids=lambda kind: kind.type)
def test_every_event_is_described_as_it_is(kind: type):
    """Each event has a row with exactly its fields, in their order."""
    row = next(line for line in PAGE.splitlines() if line.startswith(f"| `{kind.type}` |"))
    assert row.split("|")[2].strip().strip("`").split() == [f.name for f in fields(kind)]


def test_no_event_is_described_that_is_not_there():
    """The table has no row too many."""
    table = PAGE.split("## Events")[1].split("## Messages")[0]
    assert set(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)) == {kind.type for kind in get_args(Event)}
    assert f"events **{VERSION}**" in PAGE


def test_every_exit_status_is_described():
    """The table has each status once and no other."""
    table = PAGE.split("## Exit statuses")[1].split("## Output")[0]
    assert [int(number) for number in re.findall(r"^\| (\d+) \|", table, re.MULTILINE)] == [int(s) for s in ExitStatus]


@pytest.mark.parametrize(
    "kind", [Cell, Source, Attempt, ToolResult, Company, ModelInfo, Answer, Usage], ids=lambda k: k.__name__
)
def test_every_field_of_the_shapes_is_named(kind: type):
    """No field of a public shape is missing from the page."""
    assert [f.name for f in fields(kind) if f.name not in WORDS] == []


def test_the_json_object_is_described_in_full():
    """Every key of the `--json` object is named, in order."""
    block = PAGE.split("`--json` writes one object instead:")[1].split("It has this shape")[0]
    outer = re.sub(r"[\[{][^\[\]{}]*[\]}]", "", re.sub(r"\[\{[^}]*\}\]", "", block.strip().strip("{}")))
    assert re.findall(r"\w+", outer.replace("| null", "")) == list(JsonObjectSink().result)


def test_sections_endings_and_capabilities_are_named():
    """What settings, runs and providers can be is listed."""
    assert f"Sections: `{' '.join(sections())}`" in PAGE.replace("\n", " ")
    assert [name for name in (*get_args(EndStatus), *get_args(Capability)) if name not in WORDS] == []


def test_the_python_example_runs(tmp_path: Path):
    """The example of the page, as it stands, in an empty home without a key."""
    home = make_home(tmp_path)
    code = textwrap.dedent(PAGE.split("## Python")[1].split("`ask(question")[0])
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=home.work, env=home.environ(), check=False
    )
    assert done.returncode == 0, done.stderr
    assert "215938000000" in done.stdout
    assert "compare NVDA vs AMD" in done.stdout
