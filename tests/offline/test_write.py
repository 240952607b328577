"""How answers read: figures first, sentences, notes, sources, and who answered, in two languages."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace

import pytest

from dexter.messages import UserMessage
from tests.support.offline import Session, answer_to


def ask(question: str) -> str:
    return asyncio.run(answer_to(question))


ENGLISH = (
    "compare NVDA vs AMD",
    "What was Apple's revenue in FY2024?",
    "Intel's gross margin over the last five years",
    "Which of NVDA, AMD, INTC has the best operating margin?",
    "Microsoft's balance sheet",
    "Amazon free cash flow TTM",
    "AMD revenue CAGR 2021 to 2025",
    "P/E of Apple and Alphabet",
    "Meta revenue in H1 2025",
    "overview of Walmart",
)
CHINESE = (
    "比较英伟达和AMD",
    "苹果2024财年的营业收入",
    "英特尔过去五年的毛利率",
    "英伟达、AMD和英特尔谁的营业利润率最高",
    "微软的资产负债表",
    "亚马逊过去十二个月的自由现金流",
    "AMD从2021年到2025年营收的复合增长率",
    "苹果和谷歌的市盈率",
    "Meta 2025年上半年营收",
    "沃尔玛概况",
)


@pytest.mark.parametrize("question", ENGLISH)
def test_an_english_answer_has_its_parts_in_order(question: str):
    """Table, sentences, notes, sources, and the line that says who answered."""
    answer = ask(question)
    places = [
        answer.index("|"),
        answer.index("**Notes**"),
        answer.index("**Sources**"),
        answer.index("*Answered by rules"),
    ]
    assert places == sorted(places)
    assert answer.startswith("|")
    assert not re.search(r"[\u4e00-\u9fff]", answer)


@pytest.mark.parametrize("question", CHINESE)
def test_a_chinese_answer_has_its_parts_in_order(question: str):
    """The same, in the question's language: no English sentence is left in it."""
    answer = ask(question)
    places = [answer.index(part) for part in ("|", "**说明**", "**来源**", "*本答案由规则")]
    assert places == sorted(places)
    prose = re.sub(r"`[^`]*`|\([^)]*\)|Month-end[^，\n]*", "", answer)
    assert not re.findall(r"[a-z]+ [a-z]+ [a-z]+", prose)


def test_sources_are_links_to_filings():
    """Each filing is one link into the SEC's archive, by CIK and accession number."""
    answer = ask("What was AMD's revenue in FY2024?")
    links = re.findall(r"\[10-K filed \d{4}-\d\d-\d\d\]\((.*?)\)", answer)
    assert links == ["https://www.sec.gov/Archives/edgar/data/2488/000000248826000018/"]


def test_holes_are_said_and_never_zero():
    """A line the sample lacks is a dash in the table and named below it."""
    answer = ask("Intel R&D expense in FY2025")
    assert "Not in the sample for INTC: R&D expense" in answer
    assert "DEXTER_SEC__CONTACT" in answer
    beside = ask("Intel revenue and R&D expense in FY2025")
    assert "|FY2025|2025-12-27|52,853|–|" in beside
    assert "Not in the sample for INTC: R&D expense (FY2025)" in beside


def test_a_bank_has_no_gross_margin():
    """What does not apply is told from what is missing."""
    answer = ask("JPMorgan gross margin 2025")
    assert "|n/a|" in answer
    assert "a bank has no gross profit" in answer


def test_growth_from_a_loss_is_not_meaningful():
    """No percentage is given from a negative base."""
    answer = ask("Intel net income growth in 2025")
    assert "n.m." in answer
    assert "base is zero or negative" in answer


def test_a_multiple_of_a_loss_is_not_meaningful():
    """A price over a loss is no multiple, and the reason is said."""
    answer = ask("What's Intel's P/E?")
    assert "|P/E, trailing|n.m.|" in answer
    assert "Diluted EPS is negative" in answer


def test_both_days_of_a_multiple_are_shown():
    """The close and the twelve months it is set against."""
    answer = ask("P/E of Apple")
    assert "close of 2026-03-20" in answer
    assert "AAPL 2025-12-27" in answer


def test_derived_figures_say_how():
    """A fourth quarter that was never filed, and twelve months that are a sum."""
    assert "year to date − year to date of the quarter before" in ask("AMD revenue Q4 2025")
    assert "sum of the quarters Q2 FY2025 to Q1 FY2026" in ask("AMD revenue TTM")


def test_a_substitute_is_named():
    """Where total debt is not to be had, long-term debt stands in and is called so."""
    answer = ask("total debt of Nvidia")
    assert "Long-term debt" in answer
    assert "Total debt is not to be had here" in answer


def test_a_renamed_ticker_is_said():
    """FB is META, and the answer says since when."""
    assert "FB was renamed META" in ask("FB net income FY2023")


@pytest.mark.parametrize(
    ("question", "remedy"),
    [
        ("What was Oracle's revenue in FY2024?", "DEXTER_SEC__CONTACT"),
        ("Who is the CEO of AMD?", "DEXTER_SEC__CONTACT"),
        ("Latest news on AMD", "dexter config set-key financialdatasets"),
        ("What is the inflation rate?", "dexter config set-key tavily"),
        ("What if AMD's revenue doubles?", "dexter config set-key anthropic"),
        ("AMD revenue in EUR", "stay in the currency they were reported in"),
        ("price of YETI", "dexter config set-key financialdatasets"),
    ],
)
def test_what_cannot_be_answered_names_the_setting_that_would(question: str, remedy: str):
    """A refusal says what to do about it."""
    assert remedy in ask(question)


def test_an_opinion_is_declined_and_the_figures_offered():
    """No advice, but the figures to judge by."""
    answer = ask("Should I buy AMD?")
    assert "no opinion" in answer
    assert "|Revenue (USD million)|" in answer


def test_a_question_about_nothing_known_says_what_can_be_asked():
    """Neither company nor figure: the answer lists what there is."""
    answer = ask("hello there")
    assert "NVDA" in answer
    assert "comparisons" in answer


@pytest.mark.parametrize("question", ["revenue of ZZZZQ", "compare NVDA vs ZZZZQ"])
def test_a_word_that_is_no_known_company_is_named(question: str):
    """Who mistypes a ticker sees which one was not understood."""
    assert "(zzzzq)" in ask(question)


def test_amounts_of_two_currencies_are_not_ranked():
    """An amount in one currency is neither larger nor smaller than one in another; the answer says so."""
    session = Session()

    async def run() -> str:
        session.messages += (UserMessage("q", "Which of AMD and NVDA had the higher revenue in FY2025?"),)
        await session.turn()
        result = session.store.results[1]
        foreign = [replace(c, currency="TWD", unit="TWD") if c.ticker == "AMD" else c for c in result.cells]
        session.store.results[1] = replace(result, cells=foreign)
        while (response := await session.turn()).tool_calls:
            pass
        return response.text

    answer = asyncio.run(run())
    assert "neither converted nor ranked" in answer
    assert "higher at" not in answer
    assert "as much" not in answer


def test_a_very_long_word_does_not_fill_the_answer():
    """What was not understood is named, shortly."""
    assert len(ask("AMD " + "x" * 3_000 + " in 2025")) < 1_000


def test_a_name_that_may_mean_several_companies_is_asked_back():
    """Nobody is taken by guess; the candidates are named with their tickers."""
    answer = ask("Cheniere revenue in 2024")
    assert "not clear who is meant" in answer
    assert "LNG" in answer
    assert "CQP" in answer


def test_companies_that_lack_the_same_are_named_together():
    """A ranking of twelve does not repeat one sentence for each hole."""
    answer = ask("rank all companies by P/E")
    assert "Not in the sample for AVGO, JPM, TSLA: P/E, trailing." in answer
    assert answer.index("|AMD (2026-03-20)|75.97×|") < answer.index("|MSFT (2026-03-20)|23.88×|")


def test_the_only_company_that_has_the_figure_is_not_ranked():
    """Where the others have none, its figure is said, and of the others that it is missing."""
    answer = ask("Apple or Microsoft: who spends a larger share of revenue on R&D?")
    assert "AAPL, FY2025 ended 2025-09-27: R&D / revenue 8.30%." in answer
    assert "Not in the sample for MSFT: R&D / revenue" in answer


def test_a_multiple_that_one_company_has_is_not_ranked():
    """A ranking of one says nothing."""
    answer = ask("compare MSFT and GOOGL")
    assert "At the close of 2026-03-20 ($301.00), GOOGL: Market capitalization $3.638 trillion." in answer
    assert "highest first: GOOGL" not in answer


def test_what_a_ratio_rests_on_is_shown_beside_it():
    """A line that is itself worked out is asked for too; a dash would say that it is unknown."""
    assert "|FY2024|2024-12-28|-15,656|53,101|-29.5%|" in ask("INTC free cash flow margin FY2023 and FY2024")
