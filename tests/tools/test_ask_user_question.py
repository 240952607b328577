"""Questions to the user: through a port, only where somebody can answer."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from dexter.app.run_tool import NoResults
from dexter.app.toolbox import build_tools
from dexter.tools.ask_user_question import AskUserArguments, Reply, UserQuestion, ask_user_question_tool
from dexter.tools.tool import ToolContext
from tests.support.setups import make_setup

CHOICES = [{"label": "GAAP"}, {"label": "Adjusted", "description": "As the company reports it."}]


def question(text: str, **more: Any) -> dict[str, Any]:
    return {"question": text, "choices": CHOICES, **more}


def test_replies_come_back_beside_their_questions() -> None:
    """A choice, several, the user's own words, or no answer."""
    asked: list[UserQuestion] = []

    async def ask(questions: Sequence[UserQuestion]) -> Sequence[Reply]:
        asked.extend(questions)
        return [Reply(("GAAP",)), Reply(("GAAP", "Adjusted")), Reply(other="both, please"), Reply()]

    tool = ask_user_question_tool(ask)
    given = [question("One?"), question("Two?", several=True), question("Three?"), question("Four?")]
    result = asyncio.run(tool.run(AskUserArguments.model_validate({"questions": given}), ToolContext(NoResults())))
    assert [one.several for one in asked] == [False, True, False, False]
    assert result.text == (
        "One?\n→ GAAP\n\nTwo?\n→ GAAP; Adjusted\n\n"
        "Three?\n→ in the user's own words: both, please\n\nFour?\n→ not answered"
    )
    assert (tool.clearable, tool.interactive_only) == (False, True)


@pytest.mark.parametrize(
    "questions",
    [[], [question("?")] * 5, [{"question": "?", "choices": CHOICES[:1]}], [{"question": "", "choices": CHOICES}]],
)
def test_one_to_four_with_choices(questions: list[Any]) -> None:
    """None, five, one choice, no text: the model is told."""
    with pytest.raises(ValidationError):
        AskUserArguments.model_validate({"questions": questions})


def test_it_is_absent_where_nobody_can_answer(tmp_path: Path) -> None:
    """Without the port there is no tool."""

    async def names() -> list[str]:
        async with AsyncExitStack() as stack:
            return [tool.name for tool in build_tools(make_setup(tmp_path), 200_000, tmp_path, stack)]

    assert "ask_user_question" not in asyncio.run(names())
