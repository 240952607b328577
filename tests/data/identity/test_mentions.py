from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dexter.data.identity.directory import Directory
from dexter.data.identity.mentions import companies_in, find_companies
from dexter.data.sample.files import SampleFiles

DIRECTORY = Directory(SampleFiles().companies)


def clear(question: str) -> list[str]:
    """The tickers of mentions that need no confirmation."""
    return [company.ticker for company in companies_in(find_companies(question, DIRECTORY))]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("compare NVDA vs AMD", ["NVDA", "AMD"]),
        ("NVDA/AMD", ["NVDA", "AMD"]),
        ("nvda, amd or intc?", ["NVDA", "AMD", "INTC"]),
        ("How did Apple's margins change?", ["AAPL"]),
        ("apple vs microsoft revenue", ["AAPL", "MSFT"]),
        ("Compare Alphabet, Amazon.com and Walmart", ["GOOGL", "AMZN", "WMT"]),
        ("Advanced Micro Devices and Intel R&D", ["AMD", "INTC"]),
        ("is meta cheaper than google?", ["META", "GOOGL"]),
        ("nvidia (NVDA)", ["NVDA"]),
        ("Of AMZN, META, GOOG, who plans the most capex?", ["AMZN", "META", "GOOG"]),
        ("BRK.B vs brk-a book value", ["BRK-B", "BRK-A"]),
        ("What does JPMorgan earn?", ["JPM"]),
        ("Bank of America net interest income", ["BAC"]),
        ("COMPARE NVDA AND AMD NET INCOME", ["NVDA", "AMD"]),
        ("^VIX and BTC-USD today", ["^VIX", "BTC-USD"]),
        ("AT&T debt", ["T"]),
        ("what's teslas pe", ["TSLA"]),
        ("metas eps vs googles", ["META", "GOOGL"]),
        ("how much Microsoft made in profit", ["MSFT"]),
        ("the total return of Intel", ["INTC"]),
        ("bank of america and best buy", ["BAC", "BBY"]),
    ],
)
def test_the_companies_of_a_question_are_found_in_order(question: str, expected: list[str]) -> None:
    """Tickers and names, in any case, with possessives, in lists and pairs."""
    assert clear(question) == expected


@pytest.mark.parametrize(
    "question",
    [
        "is IT spending up?",
        "what is the net income of all of these?",
        "What is the NET income?",
        "A stock that pays dividends",
        "Low debt and fast growth, on average",
        "AI spending by big tech in the US",
        "WHAT IS NET INCOME",
        "now, has cash flow changed?",
        "target margin and key ratios",
        "delta in revenue",
        "EPS, FCF and ROE",
        "HR and PR costs",
        "AI stock picks",
        "the best PC, TV and IT products",
    ],
)
def test_words_that_are_tickers_are_words(question: str) -> None:
    """Without a sign that a ticker is meant, no company is assumed."""
    assert clear(question) == []


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Should I look at $IT?", ["IT"]),
        ("What does NYSE: ALL earn?", ["ALL"]),
        ("IT stock", ["IT"]),
        ("shares of ALL", ["ALL"]),
        ("ALL's 10-K risk factors", ["ALL"]),
        ("compare NOW, CRM and SNOW", ["NOW", "CRM", "SNOW"]),
        ("F and GM revenue", ["F", "GM"]),
        ("V vs MA", ["V", "MA"]),
        ("Target and Costco margins", ["TGT", "COST"]),
    ],
)
def test_a_word_is_a_ticker_with_a_dollar_an_exchange_a_stock_or_a_list(question: str, expected: list[str]) -> None:
    """The signs the trade uses are enough."""
    assert clear(question) == expected


def test_a_word_in_capitals_alone_is_offered_for_confirmation() -> None:
    """`COST` may be Costco: it is found, but unsure."""
    (mention,) = find_companies("Is COST expensive?", DIRECTORY)
    assert (mention.said, mention.companies[0].ticker, mention.certainty) == ("COST", "COST", "unsure")
    assert companies_in([mention], least="unsure") == list(mention.companies)


def test_a_mention_tells_where_it_stands() -> None:
    """The span is the words themselves, without the possessive."""
    (mention,) = find_companies("How are Apple's margins?", DIRECTORY)
    assert (mention.start, mention.end, mention.said) == (8, 13, "Apple")


@given(
    st.lists(st.sampled_from(["NVDA", "apple", "$IT", "BRK.B", " and ", ", ", "IT", "Meta's", "\n", "x", "^VIX", "’s"]))
)
def test_mentions_are_in_order_and_never_overlap(parts: list[str]) -> None:
    """Whatever the question, each mention is a piece of it and begins after the one before has ended."""
    question = "".join(parts)
    mentions = find_companies(question, DIRECTORY)
    assert all(question[mention.start : mention.end] == mention.said for mention in mentions)
    assert all(left.end <= right.start for left, right in pairwise(mentions))


@given(st.text(max_size=200))
def test_any_question_can_be_read(question: str) -> None:
    """No text makes it fail."""
    find_companies(question, DIRECTORY)


def test_a_huge_question_is_read_in_part() -> None:
    """What comes after 20,000 characters is not searched for companies."""
    assert find_companies("x " * 10_001 + "NVDA", DIRECTORY) == []
