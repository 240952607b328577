"""The prompt without a terminal: what it writes to one, caught."""

from __future__ import annotations

import asyncio
import io
from pathlib import Path

import pytest
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output.vt100 import Vt100_Output

from dexter.session.history import HistoryFile
from dexter.session.session import Session
from dexter.session.terminal.history import SessionHistory
from dexter.session.terminal.prompt import Look, PromptFront
from tests.support.session_models import scripted_parts
from tests.support.setups import make_setup


@pytest.mark.parametrize(("seconds", "rings"), [(20.0, True), (2.0, False)])
def test_the_bell_rings_after_a_long_run(tmp_path: Path, seconds: float, rings: bool):
    """Whoever looked elsewhere meanwhile is called; after a short run nobody is."""
    written = io.StringIO()

    async def session() -> None:
        with create_pipe_input() as keys:
            front = PromptFront(
                written,
                {"TERM": "xterm"},
                look=Look(),
                history=SessionHistory(HistoryFile(tmp_path / "history.jsonl")),
                input=keys,
                output=Vt100_Output(written, lambda: Size(rows=24, columns=80), term="xterm", enable_cpr=False),
            )
            front.session = Session(make_setup(tmp_path), front, parts=scripted_parts())
            running = asyncio.create_task(front.run())
            while not front.app.is_running:  # noqa: ASYNC110 - the application has no event for it
                await asyncio.sleep(0)
            front.finished(seconds)
            front.leave()
            await running

    asyncio.run(session())
    assert ("\a" in written.getvalue()) is rings
