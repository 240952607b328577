"""What questions ask for: companies, figures, relations, stances, and what is left over."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dexter.data.identity.directory import Directory
from dexter.data.identity.mentions import find_companies
from dexter.data.sample.provider import SampleProvider
from dexter.offline.intent import Intent, Relation
from dexter.offline.understand import CompanyMention, understand

DIRECTORY = Directory(SampleProvider().companies)


def find(text: str) -> list[CompanyMention]:
    return [
        CompanyMention(mention.companies[0], mention.start, mention.end)
        for mention in find_companies(text, DIRECTORY)
        if len(mention.companies) == 1 and mention.certainty != "unsure"
    ]


def read(text: str) -> Intent:
    return understand(text, find)


@pytest.mark.parametrize(
    ("text", "tickers"),
    [
        ("compare nvda vs amd", ("NVDA", "AMD")),
        ("$NVDA and $INTC margins", ("NVDA", "INTC")),
        ("Is Apple larger than Microsoft?", ("AAPL", "MSFT")),
        ("英伟达和超威的毛利率", ("NVDA", "AMD")),
        ("谷歌与Meta的营收", ("GOOGL", "META")),
        ("net income of all of these", ()),
        ("what is IT spending on research", ()),
        ("P/E of Apple", ("AAPL",)),
        ("target price for amd", ("AMD",)),
        ("AMD in Q2 2025", ("AMD",)),
    ],
)
def test_companies_are_found_and_words_are_not(text: str, tickers: tuple[str, ...]):
    """Names, tickers and Chinese names count; parts of phrases and periods do not."""
    assert read(text).companies == tickers


@pytest.mark.parametrize(
    ("text", "metrics"),
    [
        ("gross profit margin of AMD", ("GrossMargin",)),
        ("AMD gross and operating margin", ("GrossMargin", "OperatingMargin")),
        ("AMD's margins", ("GrossMargin", "OperatingMargin", "NetMargin")),
        ("capex of AMD from the cash flow statement", ("CapitalExpenditures",)),
        ("R&D as a share of AMD's revenue", ("ResearchIntensity",)),
        ("what percentage of revenue does AMD spend on R&D", ("ResearchIntensity",)),
        ("AMD: FCF = CFO - capex", ("FreeCashFlow",)),
        ("AMD净利率", ("NetMargin",)),
        ("AMD的研发费用占营业收入", ("ResearchIntensity",)),
        ("amd rev last 5 yrs", ("Revenues",)),
        ("waht was amd's reveune", ("Revenues",)),
        ("is AMD cheaper on earnings", ("PriceToEarnings",)),
    ],
)
def test_the_longest_phrase_names_the_figure(text: str, metrics: tuple[str, ...]):
    """A margin is no profit, a share of revenue no revenue, and a slip of the keyboard no other word."""
    assert read(text).metrics == metrics


def test_a_proportion_that_no_metric_is_stays_a_relation():
    """Two lines of which one is asked for in proportion to the other."""
    assert read("AMD capex as a percentage of operating cash flow").relations == (
        Relation("CapitalExpenditures", "OperatingCashFlow"),
    )


@pytest.mark.parametrize(
    ("text", "stance"),
    [
        ("should I buy AMD", "opinion"),
        ("what will AMD earn next year", "forecast"),
        ("if revenue grows 30 %, what is AMD's margin", "scenario"),
        ("why did Intel's margin fall", "cause"),
        ("AMD值得买吗", "opinion"),
        ("预测AMD明年的营收", "forecast"),
        ("AMD revenue in 2025", None),
    ],
)
def test_questions_for_more_than_figures_are_known(text: str, stance: str | None):
    """What is to come, what to think, what if, and why."""
    assert read(text).stance == stance


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("NVDA data center revenue", "segments"),
        ("who is the CEO of AMD", "people"),
        ("AMD non-GAAP EPS", "adjusted"),
        ("risk factors of Tesla", "filing_text"),
        ("AMD guidance for next quarter", "guidance"),
        ("苹果在中国的收入", "segments"),
    ],
)
def test_what_no_statement_line_has_is_named(text: str, topic: str):
    """The company's total is no answer to a question about a part of it."""
    intent = read(text)
    assert topic in intent.topics
    assert intent.metrics == ()


def test_a_second_clause_is_answered_by_itself():
    """A topic closes its own clause only."""
    intent = read("Who is the CEO of AMD? What was its revenue in 2025?")
    assert intent.topics == ("people",)
    assert intent.metrics == ("Revenues",)


def test_a_word_that_narrows_a_figure_is_not_passed_over():
    """An unknown word right before a figure would make it another one."""
    assert read("AMD's zorblax revenue in 2025").lost == ("zorblax",)
    assert read("AMD's total revenue in 2025").lost == ()


def test_the_language_is_that_of_the_question():
    """Chinese where there are Chinese characters, else English; Japanese is answered in English."""
    assert read("AMD的营收").language == "zh"
    assert read("AMD revenue").language == "en"
    assert read("AMDの売上高は").language == "en"


@given(st.text(max_size=300))
def test_any_text_is_understood_without_an_error(text: str):
    """Reading never fails, and the same text gives the same intent."""
    assert read(text) == read(text)


@pytest.mark.parametrize(
    "said",
    ["adjusted for the stock split of 2024", "adjusted for splits", "restated for the 10-for-1 split in June 2024"],
)
def test_what_is_said_of_splits_is_no_topic_and_names_no_period(said: str):
    """Figures stand in today's shares; "adjusted for one-off items" stays what it is."""
    intent = read(f"NVIDIA's diluted EPS in fiscal 2022, {said}")
    assert (intent.topics, [label.year for label in intent.when.labels]) == ((), [2022])
    assert read("NVIDIA's diluted EPS in fiscal 2022, adjusted for one-off items").topics == ("adjusted",)
