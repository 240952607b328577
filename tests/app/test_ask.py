"""A question from settings to answer: what is checked, recorded and told, and how failures end."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from dexter.app.ask import ask
from dexter.app.build import Parts
from dexter.app.models import LEARNT_LIMITS, ModelChoice
from dexter.app.outside import Outside
from dexter.config.keys import Keys
from dexter.errors import DexterError, Interrupted, ModelError, ScratchpadError, UsageError
from dexter.events import Answered, Emitted, ErrorRaised, RunFinished, RunStarted
from dexter.models.protocol import ModelInfo
from dexter.models.scripted import ScriptedModel, Turn, calls, says
from dexter.scratchpad.run_state import read_state
from dexter.tools.registry import Registry
from tests.support.files import WatchedFiles
from tests.support.runs import echo
from tests.support.setups import make_setup


def scripted(*turns: Turn, **info: Any) -> Parts:
    model = ScriptedModel(turns, info=ModelInfo("scripted", "scripted", **info))
    return Parts(models=ModelChoice.of(model), tools=Registry([echo()]))


def lines(folder: Path) -> list[dict[str, Any]]:
    (path,) = (folder / "data" / "scratchpads").glob("*.jsonl")
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_a_question_is_recorded_from_init_to_end(tmp_path: Path) -> None:
    """The original's first line, the run as it was set up, then turns, answer and one end line."""
    parts = scripted(calls(("echo", '{"query":"x"}')), says("done"))
    answer = asyncio.run(ask("how much?", make_setup(tmp_path), parts=parts))
    kinds = [line["type"] for line in lines(tmp_path)]
    assert kinds[:3] == ["init", "run", "message"]
    assert kinds[-2:] == ["answer", "end"]
    assert kinds.count("end") == 1
    state = read_state(Path(answer.path))
    assert state.answer is not None
    assert state.answer["text"] == "done"
    assert state.usage == answer.usage


def test_events_open_with_the_run_and_close_with_its_status(tmp_path: Path) -> None:
    """Sequence numbers count up without a hole."""
    seen: list[Emitted] = []
    asyncio.run(ask("how much?", make_setup(tmp_path), sinks=[seen.append], parts=scripted(says("done"))))
    assert isinstance(seen[0].event, RunStarted)
    assert isinstance(seen[-1].event, RunFinished)
    assert seen[-1].event.status == "answered"
    assert [emitted.seq for emitted in seen] == list(range(1, len(seen) + 1))
    assert len({emitted.run for emitted in seen}) == 1


@pytest.mark.parametrize("question", ["", "  \n\t", "\0\1binary", "revenue " * 200_000])
def test_an_unusable_question_is_refused_before_anything_is_written(tmp_path: Path, question: str) -> None:
    """Empty, binary, or longer than the window: a sentence with a remedy, and no file."""
    with pytest.raises(UsageError) as caught:
        asyncio.run(ask(question, make_setup(tmp_path), parts=scripted(says("never"))))
    assert caught.value.remedy
    assert not (tmp_path / "data").exists()


def test_a_failed_run_tells_why_and_has_an_end_line(tmp_path: Path) -> None:
    """The error with its remedy is an event, and the record says failed."""
    seen: list[Emitted] = []
    parts = scripted(ModelError("The key was refused.", kind="auth", remedy="Set another."))
    with pytest.raises(ModelError):
        asyncio.run(ask("how much?", make_setup(tmp_path), sinks=[seen.append], parts=parts))
    (error,) = [emitted.event for emitted in seen if isinstance(emitted.event, ErrorRaised)]
    assert (error.kind, error.remedy) == ("auth", "Set another.")
    assert lines(tmp_path)[-1]["status"] == "failed"


def test_a_record_that_fails_shows_what_was_found(tmp_path: Path) -> None:
    """On a full disk the run stops, and what it knows until then is told."""
    files = WatchedFiles(room=8_000)
    seen: list[Emitted] = []
    parts = scripted(calls(("echo", '{"query":"x","size":900}'), text="Revenue first."), says("a" * 9_000))
    with pytest.raises(ScratchpadError):
        asyncio.run(
            ask("how much?", make_setup(tmp_path, outside=Outside(files=files)), sinks=[seen.append], parts=parts)
        )
    (shown,) = [emitted.event for emitted in seen if isinstance(emitted.event, Answered)]
    assert not shown.complete
    assert "#1 echo" in shown.text
    assert "Revenue first." in shown.text


def test_a_read_only_folder_is_a_sentence(tmp_path: Path) -> None:
    """Nothing half-made is left behind."""
    (tmp_path / "data").write_text("a file where a folder should be", encoding="utf-8")
    with pytest.raises(DexterError) as caught:
        asyncio.run(ask("how much?", make_setup(tmp_path), parts=scripted(says("never"))))
    assert caught.value.remedy


def test_cancelled_the_record_says_interrupted(tmp_path: Path) -> None:
    """One end line; what can be done next is in the error."""

    async def drive() -> None:
        def sink(emitted: Emitted) -> None:
            if isinstance(emitted.event, RunStarted):
                asyncio.get_running_loop().call_soon(task.cancel)

        parts = scripted(calls(("echo", "{}")))
        task = asyncio.create_task(ask("how much?", make_setup(tmp_path), sinks=[sink], parts=parts))
        with pytest.raises(Interrupted) as caught:
            await task
        assert "resume" in caught.value.remedy

    asyncio.run(drive())
    assert lines(tmp_path)[-1]["status"] == "interrupted"


def test_a_budget_for_a_model_without_prices_is_refused(tmp_path: Path) -> None:
    """No budget can be kept where no price is known."""
    setup = make_setup(tmp_path, {"DEXTER_BUDGET_USD": "1"})
    with pytest.raises(UsageError, match="prices"):
        asyncio.run(ask("how much?", setup, parts=scripted(says("never"))))


def test_the_limit_an_overflow_states_is_remembered(tmp_path: Path) -> None:
    """The next run knows the model's real window."""
    overflow = ModelError("too long", kind="context_overflow", used=90_000, limit=64_000)
    with pytest.raises(ModelError):
        asyncio.run(ask("how much?", make_setup(tmp_path), parts=scripted(overflow)))
    assert json.loads((tmp_path / "data" / LEARNT_LIMITS).read_text(encoding="utf-8")) == {"scripted": 64_000}


def test_no_key_appears_in_the_record(tmp_path: Path) -> None:
    """Keys in use are in no line of the file."""
    setup = make_setup(tmp_path, {"ANTHROPIC_API_KEY": "sk-ant-secret-0123456789"})
    assert isinstance(setup.config.keys, Keys)
    asyncio.run(ask("how much?", setup, parts=scripted(says("done"))))
    text = "".join(path.read_text(encoding="utf-8") for path in tmp_path.rglob("*.jsonl"))
    assert "secret" not in text


def test_the_cost_of_a_run_is_in_its_end_line(tmp_path: Path) -> None:
    """As plain decimal USD."""
    asyncio.run(ask("how much?", make_setup(tmp_path), parts=scripted(replace(says("x"), cost_usd=Decimal("0.0125")))))
    assert lines(tmp_path)[-1]["cost_usd"] == "0.0125"
