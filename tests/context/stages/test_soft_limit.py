from __future__ import annotations

from dataclasses import replace

import pytest

from dexter.context.similarity import jaccard, words
from dexter.context.stages.soft_limit import SoftLimit
from tests.support.stage_views import Script

STAGE = SoftLimit()


def _kinds(tool, arguments, **kwargs):
    """What the notice says after each single call, turn by turn."""
    script, reports, kinds = Script().q(), (), []
    for each in arguments:
        script.a(10, tool=tool, arguments=[each], **kwargs)
        result = STAGE(script.view, script.ctx(reports=reports))
        script.messages = list(result.messages)
        if result.report:
            reports = (*reports, result.report)
        kinds.append([(kind, before) for _, kind, before in result.report.warnings] if result.report else [])
    return kinds, script


def test_counts_are_told_when_they_are_new():
    """Third call close, fourth "3 times", fifth and sixth silence, seventh "6 times", then a repeat is similar."""
    tickers = ["NVDA", "AMD", "INTC", "QCOM", "MU", "TSM", "ASML", "NVDA"]
    kinds, script = _kinds("get_financials", [{"ticker": t} for t in tickers])
    assert kinds == [[], [], [("close", 2)], [("limit", 3)], [], [], [("limit", 6)], [("similar", 7)]]
    texts = [m.text for m in script.view if getattr(m, "kind", "") == "notice"]
    assert ["close" in texts[0], "called 3 times" in texts[1], "6 times" in texts[2]] == [True] * 3
    assert "very similar" in texts[3]


def test_counts_are_told_at_each_doubling_of_the_limit():
    """Before the third call, the fourth, the seventh and the thirteenth, not at every third."""
    kinds, _ = _kinds("get_financials", [{"ticker": f"T{i}"} for i in range(14)])
    told = [number for number, said in enumerate(kinds, 1) if said]
    assert told == [3, 4, 7, 13]


def test_another_quarter_is_not_the_same_query():
    """`Q3` is not `Q4`, though it has but two letters."""
    kinds, _ = _kinds("web_search", [{"query": "NVDA revenue Q3"}, {"query": "NVDA revenue Q4"}])
    assert kinds == [[], []]


def test_a_reworded_query_is_similar_once_a_pair():
    """Seven of ten words in common, order and punctuation aside, are a repeat; it is told in its own turn only."""
    queries = ["NVIDIA data center revenue growth outlook", "outlook: revenue growth, NVIDIA data-center!"]
    kinds, script = _kinds("web_search", [{"query": q} for q in queries])
    assert kinds == [[], [("similar", 1)]]
    assert "1 attempt left" in script.view[-1].text


def test_nothing_is_said_twice():
    """Running again in the same turn with the reports so far adds nothing."""
    script = Script().q().a(10, 10, 10)
    result = STAGE(script.view, script.ctx())
    assert result.report is not None
    again = STAGE(result.messages, script.ctx(reports=(result.report,)))
    assert again.messages is result.messages


def test_parallel_calls_count_one_by_one():
    """Four calls of one turn: the third is close, the fourth over; one notice says both."""
    script = Script().q().a(10, 10, 10, 10)
    result = STAGE(script.view, script.ctx())
    assert result.report.warnings == (("get_financials", "close", 2), ("get_financials", "limit", 3))
    assert len(result.messages) == len(script.view) + 1


def test_errors_count_too():
    """A failed call is a call."""
    kinds, _ = _kinds("get_financials", [{"ticker": t} for t in ("A", "B", "C", "D")], status="error")
    assert kinds[3] == [("limit", 3)]


@pytest.mark.parametrize("tool", ["calculate", "read_result"])
def test_some_tools_have_no_limit(tool):
    """Reading results again and calculating are never discouraged."""
    kinds, _ = _kinds(tool, [{"id": 1}] * 9)
    assert kinds == [[]] * 9


@pytest.mark.parametrize("name", ["ticker", "tickers", "period", "start_date", "fiscal_year", "as_of"])
def test_another_company_or_time_is_never_similar(name):
    """Equal words for another company or period are another question."""
    arguments = [{"query": "revenue by segment", name: "A"}, {"query": "revenue by segment", name: "B"}]
    assert _kinds("web_search", arguments)[0] == [[], []]


def test_the_same_words_with_another_page_size_are_similar():
    """Arguments that name neither company nor time do not make a query another one."""
    arguments = [{"query": "revenue by segment", "limit": 5}, {"query": "revenue by segment", "limit": 10}]
    assert _kinds("web_search", arguments)[0] == [[], [("similar", 1)]]


def test_unreadable_arguments_are_compared_as_they_were_sent():
    """Two calls with broken JSON of different text are not the same call."""
    kinds, _ = _kinds("get_financials", [None, None])
    assert kinds == [[], [("similar", 1)]]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("GM vs GE in Q3", {"gm", "ge", "q3"}),
        ("the price of NVDA", {"the", "price", "nvda"}),
        ("英伟达收入", {"英伟", "伟达", "达收", "收入"}),
        ("a 利 b", {"利"}),
        ("", set()),
    ],
)
def test_words_that_carry_meaning(text, expected):
    """Short words go unless they hold a digit or are in capitals; CJK text counts in pairs of characters."""
    assert words(text) == expected


def test_two_empty_sets_are_not_similar():
    """No words in common is not the same as no words."""
    assert jaccard(frozenset(), frozenset()) == 0


def test_chinese_queries_are_compared():
    """The same Chinese question with a word more is a repeat, another company is not."""
    same = [{"query": "英伟达数据中心业务收入增长"}, {"query": "英伟达数据中心业务的收入增长"}]
    other = [{"query": "英伟达收入"}, {"query": "超威收入"}]
    assert _kinds("web_search", same)[0] == [[], [("similar", 1)]]
    assert _kinds("web_search", other)[0] == [[], []]


def test_calls_of_earlier_turns_are_not_told_of_again():
    """Only this turn's calls can be news."""
    script = Script().q().a(10, 10, 10)
    ctx = script.ctx()
    assert STAGE(script.view, replace(ctx, turn=2)).report is None
