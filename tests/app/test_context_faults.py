"""Faults that other agents had with caches and questions, each as the situation it was, over a whole run."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from pathlib import Path

import pytest

from dexter.app.ask import ask
from dexter.app.build import Parts
from dexter.app.models import ModelChoice
from dexter.app.outside import Outside
from dexter.app.resume import resume
from dexter.errors import ModelError
from dexter.messages import AssistantMessage, SystemMessage
from dexter.models.scripted import ScriptedModel, says
from dexter.tools.registry import Registry
from tests.support.runs import echo
from tests.support.setups import make_setup


def _parts(model: ScriptedModel) -> Parts:
    return Parts(models=ModelChoice.of(model), tools=Registry([echo()]))


def test_the_time_of_day_in_the_system_prompt(tmp_path: Path) -> None:
    """Two runs of one day share the prompt byte for byte, and so a provider's cache; another day is another prompt."""

    def prompt_at(name: str, day: int, hour: int) -> str:
        model = ScriptedModel([says("done")])
        outside = Outside(now=lambda: datetime(2026, 3, day, hour, 30, 7, tzinfo=UTC))
        asyncio.run(ask("one?", make_setup(tmp_path / name, outside=outside), parts=_parts(model)))
        system = model.requests[0].messages[0]
        assert isinstance(system, SystemMessage)
        return system.text

    assert prompt_at("a", 20, 11) == prompt_at("b", 20, 13)
    assert prompt_at("c", 24, 11) != prompt_at("a2", 20, 11)


def test_an_error_message_is_stored_as_the_assistants_answer_and_sent_back(tmp_path: Path) -> None:
    """A run that failed has no answer; resumed, the model is shown the question and no word of the failure."""
    setup = make_setup(tmp_path)
    failing = ScriptedModel([ModelError("the key was refused", kind="auth")])
    with pytest.raises(ModelError):
        asyncio.run(ask("one?", setup, parts=_parts(failing)))
    [path] = (tmp_path / "data" / "scratchpads").glob("*.jsonl")
    model = ScriptedModel([says("two")])
    assert asyncio.run(resume(path, setup, parts=_parts(model))).text == "two"
    sent = model.requests[0].messages
    assert not any(isinstance(message, AssistantMessage) for message in sent)
    assert "refused" not in "\n".join(part for message in sent for part in message.text_parts())
