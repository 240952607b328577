"""Follow-ups, lines typed meanwhile, and views whose results were cleared, cut or summarised."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from dexter.messages import ToolMessage, UserMessage
from tests.support.offline import Session


async def conversation(*questions: str) -> str:
    session = Session()
    answer = ""
    for question in questions:
        answer = await session.ask(question)
    return answer


@pytest.mark.parametrize(
    ("questions", "there", "not_there"),
    [
        (("What was NVDA's revenue in FY2025?", "and AMD?"), "|FY2025|2025-12-27|34,639|", "130,497"),
        (("What was NVDA's revenue in FY2025?", "and net income?"), "|FY2025|2025-01-26|72,880|", "130,497"),
        (("What was NVDA's revenue in FY2025?", "what about FY2024?"), "|FY2024|2024-01-28|60,922|", "130,497"),
        (("compare Apple and Microsoft revenue", "which one has the higher gross margin?"), "46.9%", "416,161"),
        (("NVDA gross margin last 5 years", "quarterly?"), "Q1 FY2027", "FY2022"),
        (("英伟达2025财年营收", "AMD呢?"), "|2025财年|2025-12-27|34,639|", "130,497"),
        (("NVDA revenue FY2025", "why?"), "|FY2025|2025-01-26|130,497|", "Total assets"),
        (("NVDA revenue FY2025", "who is its CEO?", "and its capex?"), "3,236", "130,497"),
    ],
)
def test_a_follow_up_takes_what_it_leaves_unsaid(questions: tuple[str, ...], there: str, not_there: str):
    """Company, figure and period carry over until others are named."""
    answer = asyncio.run(conversation(*questions))
    assert there in answer
    assert not_there not in answer


def test_a_follow_up_to_a_comparison_adds_to_it():
    """ "And INTC?" after a comparison compares all three."""
    answer = asyncio.run(conversation("compare NVDA vs AMD", "and INTC?"))
    assert "|figure|NVDA FY2026|AMD FY2025|INTC FY2025|" in answer


def test_an_answer_after_which_the_harness_asks_to_go_on_is_written_again():
    """A run that ended without a complete answer and is taken up again is answered, not left without a word."""
    session = Session()
    answer = asyncio.run(session.ask("NVDA revenue FY2025"))
    session.messages = (*session.messages, UserMessage("m99", "Go on from what is there.", "harness"))
    assert "130,497" in answer
    assert asyncio.run(session.go_on()) == answer


def test_a_line_typed_meanwhile_joins_the_question():
    """ "Also INTC" typed while the tools run is answered with the question it adds to."""

    async def run() -> str:
        session = Session()
        session.messages += (UserMessage("q", "compare NVDA and AMD revenue in FY2025"),)
        await session.turn()
        session.messages += (UserMessage("u", "also INTC", "queued"),)
        while (response := await session.turn()).tool_calls:
            pass
        return response.text

    answer = asyncio.run(run())
    assert all(value in answer for value in ("130,497", "34,639", "52,853"))


def test_a_question_of_its_own_typed_meanwhile_is_answered_too():
    """Two questions, two answers in one."""

    async def run() -> str:
        session = Session()
        session.messages += (UserMessage("q", "NVDA revenue FY2025"),)
        await session.turn()
        session.messages += (UserMessage("u", "What was Intel's capex in FY2024?", "queued"),)
        while (response := await session.turn()).tool_calls:
            pass
        return response.text

    answer = asyncio.run(run())
    assert "130,497" in answer
    assert "23,944" in answer


def test_a_line_typed_after_the_answer_is_a_follow_up():
    """The answer closed the question; only the new line is answered."""

    async def run() -> str:
        session = Session()
        await session.ask("NVDA revenue FY2025")
        session.messages += (UserMessage("u", "and AMD?", "queued"),)
        while (response := await session.turn()).tool_calls:
            pass
        return response.text

    answer = asyncio.run(run())
    assert "34,639" in answer
    assert "130,497" not in answer


def test_cleared_results_are_read_from_the_record():
    """A placeholder in the view names its result, and its cells are used without another call."""

    async def run() -> tuple[str, int]:
        session = Session()
        session.messages += (UserMessage("q", "NVDA revenue FY2025"),)
        await session.turn()
        cleared = (
            replace(m, content="[Old tool result content cleared]", form="cleared") if isinstance(m, ToolMessage) else m
            for m in session.messages
        )
        session.messages = tuple(cleared)
        return (await session.turn()).text, len(session.calls)

    answer, calls = asyncio.run(run())
    assert "130,497" in answer
    assert calls == 1


def test_results_behind_a_summary_are_read_by_their_numbers():
    """After a compaction only the harness names the results; nothing is looked up twice."""

    async def run() -> str:
        session = Session()
        session.messages += (UserMessage("q", "NVDA revenue FY2025"),)
        await session.turn()
        summary = UserMessage("h", "[summary]", "harness", "summary", ((1, 1),))
        session.messages = (*session.messages[:2], summary)
        return (await session.turn()).text

    assert "130,497" in asyncio.run(run())


def test_results_of_the_question_before_are_not_taken_for_this_one():
    """Only what was looked up for this question is used: figures may have been filed since."""

    async def run() -> int:
        session = Session()
        await session.ask("NVDA revenue FY2025")
        before = len(session.calls)
        await session.ask("NVDA revenue FY2025")
        return len(session.calls) - before

    assert asyncio.run(run()) == 1
