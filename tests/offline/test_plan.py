"""Planning: what is looked up, in which order, and that it ends."""

from __future__ import annotations

import asyncio
import json

from hypothesis import given, settings
from hypothesis import strategies as st

from dexter.data.identity.directory import Directory
from dexter.data.sample.provider import SampleProvider
from dexter.messages import SystemMessage, ToolMessage, UserMessage
from dexter.offline.model import OfflineModel
from dexter.results import StoredResult
from dexter.tools.get_financials import get_financials_tool
from dexter.tools.registry import Registry
from tests.support.offline import Session, Store


def calls_for(*questions: str) -> list[tuple[str, dict]]:
    session = Session()
    for question in questions:
        asyncio.run(session.ask(question))
    return [(call.name, dict(call.arguments or {})) for call in session.calls]


def test_one_figure_takes_one_call():
    """A look-up of one line in one year asks for that line alone."""
    ((name, arguments),) = calls_for("What was AMD's revenue in FY2024?")
    assert name == "get_financials"
    assert (arguments["tickers"], arguments["concepts"], arguments["period"]) == (["AMD"], ["Revenues"], "annual")


def test_independent_look_ups_run_in_one_turn():
    """Statements and prices are asked for together; what is derived comes after."""

    async def first_turn() -> list[str]:
        session = Session()
        session.messages += (UserMessage("q", "compare NVDA vs AMD"),)
        return [call.name for call in (await session.turn()).tool_calls]

    assert asyncio.run(first_turn()) == ["get_financials", "get_financials", "get_market_data"]


def test_more_than_ten_companies_are_asked_for_in_two_calls():
    """The tool takes ten tickers; all twelve are ranked."""
    annual = [args for name, args in calls_for("Rank all companies by FY2025 revenue") if name == "get_financials"]
    assert [len(args["tickers"]) for args in annual] == [10, 2]


def test_it_asks_for_more_where_the_first_look_does_not_reach():
    """A figure that newer periods lack is looked for further back."""
    calls = calls_for("What share of revenue does Meta spend on R&D?")
    first, second = (args["limit"] for _, args in calls if args["period"] == "annual")
    assert first < second


def test_older_years_than_the_first_look_found_are_asked_for():
    """Where a provider has more periods than were asked for, the year named is reached."""

    class Long:
        def read(self, result: int) -> StoredResult:
            return StoredResult(result, "get_financials", self.arguments, "ok", "", self.cells)

    from dexter.results import Cell

    long = Long()
    model = OfflineModel(long)
    specs = Session().tools.specs()
    view = (SystemMessage("s", ""), UserMessage("q", "AMD revenue in FY2012"))

    async def next_call(messages) -> dict:
        items = [item async for item in model.stream(messages, tools=specs, tool_choice="auto", max_tokens=1_000)]
        return json.loads(items[-1].tool_calls[0].raw)

    first = asyncio.run(next_call(view))
    years = range(2025, 2025 - first["limit"], -1)
    long.arguments = first
    long.cells = [Cell("AMD", "Revenues", "1", "USD", year, "FY", f"{year}-01-01", f"{year}-12-31") for year in years]
    result = ToolMessage("t", result=1, call="c1", tool="get_financials", content="")
    second = asyncio.run(next_call((*view, result)))
    assert second["limit"] >= first["limit"] + min(years) - 2012


def test_growth_that_no_metric_defines_is_calculated_from_cells():
    """R&D has no growth metric: `calculate` gets both cells with their results' numbers."""
    (arguments,) = [args for name, args in calls_for("R&D growth at Nvidia in fiscal 2026") if name == "calculate"]
    assert [value["source"] for value in arguments["values"]] == [
        "#1 NVDA ResearchAndDevelopment 2026-01-25",
        "#1 NVDA ResearchAndDevelopment 2025-01-26",
    ]


def test_a_day_that_is_no_periods_end_becomes_a_cut_off():
    """First it is looked for as a period's end, then nothing filed later is used."""
    calls = calls_for("As of 2025-09-01, what was AMD's latest quarterly revenue?")
    assert [args.get("as_of") for _, args in calls] == [None, "2025-09-01"]


def test_what_cannot_be_answered_is_not_looked_up():
    """No call is made for a topic that no statement has."""
    assert calls_for("Who is the CEO of AMD?") == []


def test_tools_that_are_not_there_are_not_called():
    """Without prices and arithmetic the statements still answer."""
    session = Session()
    session.tools = Registry([get_financials_tool([SampleProvider()], Directory(SampleProvider().companies))])
    answer = asyncio.run(session.ask("compare NVDA vs AMD"))
    assert {call.name for call in session.calls} == {"get_financials"}
    assert "215,938" in answer


def test_a_failing_tool_is_said_and_not_tried_again():
    """An error result ends the look-up; the answer names it."""

    async def run() -> tuple[str, int]:
        store, model = Store(), OfflineModel(Store())
        model = OfflineModel(store)
        view = (SystemMessage("s", ""), UserMessage("q", "AMD revenue in FY2024"))
        specs = Session().tools.specs()
        items = [item async for item in model.stream(view, tools=specs, tool_choice="auto", max_tokens=1_000)]
        call = items[-1].tool_calls[0]
        store.results[1] = StoredResult(1, call.name, json.loads(call.raw), "error", "Error: the disk is on fire.")
        view = (*view, ToolMessage("t", result=1, call="c1", tool=call.name, status="error", content="Error"))
        items = [item async for item in model.stream(view, tools=specs, tool_choice="auto", max_tokens=1_000)]
        return items[-1].text, len(items[-1].tool_calls)

    answer, calls = asyncio.run(run())
    assert "the disk is on fire" in answer
    assert calls == 0


VOCABULARY = """
NVDA AMD Apple JPM ORCL revenue margins capex debt EPS P/E price market cap growth CAGR trend average total highest
FY2022 FY2025 2019 Q3 2025 last 8 quarters TTM H1 2025 since 2021 as of 2025-09-01 vs and not as a share of revenue
why should I buy next year 英伟达 毛利率 过去五年 同比 ? , guidance overview
"""
WORDS = st.sampled_from(VOCABULARY.split())


@settings(max_examples=60, deadline=None)
@given(words=st.lists(WORDS, max_size=14))
def test_every_question_is_answered_in_a_few_turns_without_repeating_a_call(words: list[str]):
    """Whatever is asked, the planner ends, makes no call twice, and says who answered."""
    session = Session()
    answer = asyncio.run(session.ask(" ".join(words)))
    made = [(call.name, call.raw) for call in session.calls]
    assert len(made) == len(set(made))
    assert answer.rstrip().endswith("*")
