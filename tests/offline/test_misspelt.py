"""Names of companies with a slip of the keyboard in them."""

from __future__ import annotations

import asyncio

import pytest

from dexter.data.company import Company
from dexter.offline.misspelt import misspelt
from dexter.offline.understand import CompanyMention
from tests.support.offline import answer_to

MICROSOFT = Company("MSFT", "MICROSOFT CORPORATION")
AMD = Company("AMD", "ADVANCED MICRO DEVICES INC")
META = Company("META", "Meta Platforms, Inc.")
COMPANIES = (MICROSOFT, AMD, META)


def tickers(text: str, *taken: CompanyMention) -> list[str]:
    return [mention.company.ticker for mention in misspelt(text, COMPANIES, taken)]


@pytest.mark.parametrize("name", ["microsft", "Microsotf", "microosft", "micrsoft", "MICROSAFT"])
def test_one_slip_is_forgiven(name: str):
    """A letter missing, doubled, swapped or wrong."""
    assert tickers(f"{name} revenue 2023") == ["MSFT"]


@pytest.mark.parametrize("text", ["advance revenue", "advanced figures", "beta", "mircosfot", "Microsoft", "macros"])
def test_ordinary_words_are_no_companies(text: str):
    """Neither words of the vocabulary, nor short names, nor two slips; a name spelled well is for others to read."""
    assert tickers(text) == []


def test_what_was_read_already_is_left_alone():
    """A word within a mention is not read twice."""
    assert tickers("microsft", CompanyMention(META, 0, 8)) == []


def test_the_answer_says_how_it_was_read():
    """Someone who meant another company sees it."""
    answer = asyncio.run(answer_to("microsft revenue 2023"))
    assert "|FY2023|2023-06-30|211,915|" in answer
    assert "“microsft” was read as MICROSOFT CORPORATION" in answer
