"""The rule-based model over the bundled sample, with the real tools."""

from __future__ import annotations

import asyncio

from tests.support.offline import Session, answer_to


def ask(*questions: str) -> str:
    return asyncio.run(answer_to(*questions))


def test_a_comparison_shows_both_companies_figures_and_period_ends():
    """The first question of the README has revenue, net income and the different year ends in its answer."""
    answer = ask("compare NVDA vs AMD")
    for text in ("215,938", "34,639", "120,067", "4,335", "2026-01-25", "2025-12-27", "2026-03-20"):
        assert text in answer
    assert answer.rstrip().splitlines()[-1].startswith("*Answered by rules")


def test_the_same_question_gives_the_same_answer():
    """No clock, no chance: two runs are equal to the character."""
    assert ask("compare NVDA vs AMD") == ask("compare NVDA vs AMD")


def test_text_comes_in_small_pieces_that_make_up_the_answer():
    """The answer streams, and the pieces together are the response's text."""
    session = Session()
    answer = asyncio.run(session.ask("What was Apple's revenue in FY2024?"))
    assert len(session.pieces) > 5
    assert "".join(session.pieces) == answer


def test_figures_are_looked_up_and_derived_with_tools():
    """It plans in turns: figures and prices first, then what it derives from them with `calculate`."""
    session = Session()
    asyncio.run(session.ask("compare NVDA vs AMD"))
    assert [call.name for call in session.calls] == ["get_financials", "get_financials", "get_market_data", "calculate"]


def test_without_tools_it_answers_from_what_is_there():
    """The last call with `tool_choice: none` gives an answer, never a call."""
    session = Session()
    asyncio.run(session.ask("What was Apple's revenue in FY2024?"))
    response = asyncio.run(session.turn(tool_choice="none"))
    assert not response.tool_calls
    assert response.text
