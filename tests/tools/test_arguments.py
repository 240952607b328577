"""Arguments as models and people write them."""

from __future__ import annotations

from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from dexter.errors import ArgumentsError
from dexter.results import ToolResult
from dexter.tools.arguments import arguments_from_words, checked_arguments
from dexter.tools.tool import Tool, ToolContext


class Criterion(BaseModel):
    """One of a list of objects."""

    concept: str


class ScreenArguments(BaseModel):
    """A list, a list of objects, a choice and a number."""

    tickers: list[str]
    criteria: list[Criterion] = []
    period: Literal["annual", "quarterly"] = "annual"
    limit: int = 4


async def _nothing(_arguments: ScreenArguments, _context: ToolContext) -> ToolResult:
    return ToolResult("")


SCREEN = Tool("screen", "Screens.", ScreenArguments, _nothing)


@pytest.mark.parametrize("tickers", ["NVDA", ["NVDA"], '["NVDA"]'])
def test_a_lone_value_counts_as_a_list_of_one(tickers: object) -> None:
    """A bare item, a list, or the list as its JSON text: some models send each of them."""
    assert checked_arguments(SCREEN, {"tickers": tickers}) == ScreenArguments(tickers=["NVDA"])


def test_a_lone_object_counts_as_a_list_of_one() -> None:
    """For lists of objects, too."""
    checked = checked_arguments(SCREEN, {"tickers": [], "criteria": {"concept": "Revenues"}})
    assert checked == ScreenArguments(tickers=[], criteria=[Criterion(concept="Revenues")])


@given(st.text(), st.integers())
def test_right_arguments_are_left_alone(ticker: str, limit: int) -> None:
    """What already fits is passed as it is."""
    assert checked_arguments(SCREEN, {"tickers": [ticker], "limit": limit}) == ScreenArguments(
        tickers=[ticker], limit=limit
    )


@pytest.mark.parametrize(
    "arguments",
    [{}, {"tickers": None}, {"tickers": 7}, {"tickers": ["A"], "limit": "many"}, {"tickers": "A", "limit": []}],
)
def test_what_does_not_fit_names_what_the_tool_takes(arguments: dict[str, object]) -> None:
    """The fault by its argument, and every argument there is."""
    with pytest.raises(ArgumentsError, match="wrong arguments for screen") as refused:
        checked_arguments(SCREEN, arguments)
    assert refused.value.remedy == "It takes: tickers, criteria, period, limit."


def test_words_of_a_command_line_become_arguments() -> None:
    """Commas separate the items of lists only; JSON is read; an equals sign in a value is part of it."""
    words = ["tickers=NVDA, AMD,", 'criteria=[{"concept": "a=b,c"}]', "period=quarterly", "limit=2"]
    checked = checked_arguments(SCREEN, arguments_from_words(SCREEN, words))
    assert checked == ScreenArguments(
        tickers=["NVDA", "AMD"], criteria=[Criterion(concept="a=b,c")], period="quarterly", limit=2
    )


@pytest.mark.parametrize("word", ["NVDA", "ticker=NVDA", "", "=", "criteria=[{"])
def test_words_that_say_nothing_are_refused(word: str) -> None:
    """No key, an unknown one, broken JSON: an error with its remedy."""
    with pytest.raises(ArgumentsError) as refused:
        arguments_from_words(SCREEN, [word])
    assert refused.value.remedy
