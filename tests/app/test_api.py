"""The Python API: `dexter.ask`, `dexter.get_financials`, `dexter.open_run`, in a process of its own and in this one."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import dexter
from dexter.config.settings import PathsSettings, Settings
from dexter.context.policies import policy_named
from dexter.models.scripted import ScriptedModel, calls, says
from tests.support.runs import echo


def test_ask_answers_with_model_tools_policy_and_sinks_handed_in(tmp_path: Path) -> None:
    """The record lies where the settings say, and `open_run` reads it back."""
    settings = Settings(paths=PathsSettings(scratchpads=tmp_path / "runs"))
    seen: list[str] = []
    model = ScriptedModel([calls(("echo", '{"query": "x"}')), says("42")])
    answer = asyncio.run(
        dexter.ask(
            "how much?",
            settings=settings,
            model=model,
            tools=[echo()],
            policy="lean",
            sinks=[lambda emitted: seen.append(emitted.event.type)],
        )
    )
    assert (answer.text, answer.complete) == ("42", True)
    assert Path(answer.path).parent == tmp_path / "runs"
    assert seen[0] == "run_started"
    state = dexter.open_run(answer.path)
    assert state.question == "how much?"
    assert state.header["settings"]["policy"] == "lean"


def test_a_policy_may_be_handed_in_as_a_value(tmp_path: Path) -> None:
    """Not only by name."""
    settings = Settings(paths=PathsSettings(scratchpads=tmp_path))
    answer = asyncio.run(
        dexter.ask("q", settings=settings, model=ScriptedModel([says("a")]), policy=policy_named("none"))
    )
    assert dexter.open_run(answer.path).header["settings"]["policy"] == "none"


def test_get_financials_gives_cells(tmp_path: Path) -> None:
    """From the sample where nothing else is configured."""
    program = (
        "import asyncio, dexter;"
        "result = asyncio.run(dexter.get_financials('NVDA', concepts=['Revenues'], limit=1));"
        "print(result.cells[0].ticker, result.cells[0].value)"
    )
    environ = {"HOME": str(tmp_path), "PYTHONPATH": str(Path.cwd()), "DEXTER_OFFLINE": "true"}
    done = subprocess.run(
        [sys.executable, "-c", program], env=environ, cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.stdout.strip() == "NVDA 215938000000", done.stderr


def test_importing_dexter_loads_nothing_heavy() -> None:
    """The API is loaded on first use."""
    program = (
        "import sys, dexter; print(sorted(m for m in sys.modules if m.startswith(('dexter.', 'pydantic', 'httpx'))))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
