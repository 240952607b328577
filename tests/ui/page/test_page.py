"""The page of a run, without a browser: what stands on it, how large it gets, and that nothing gets through."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dexter.events import (
    Answered,
    ContextUsed,
    Event,
    ModelCall,
    ModelResponded,
    RunFinished,
    StageRan,
    ToolFinished,
    ToolStarted,
)
from dexter.ui.page.chart import drawing
from dexter.ui.page.content import PageTurn
from dexter.ui.page.markdown import answer_html
from dexter.ui.page.render import render_page
from dexter.ui.page.timeline import Record
from dexter.usage import Usage
from tests.support.events import ANSWER, STARTED
from tests.support.pages import a_page, page_of


def whole(_number: int, most: int) -> str:
    return ("revenue 130,497 " * 10_000)[:most]


def test_question_answer_figures_and_sources_are_on_it() -> None:
    """With and without the timeline."""
    for page in (render_page(a_page()), render_page(a_page(), Record(whole))):
        text = unescape(re.sub(r"<[^>]+>", "", page))
        assert "compare NVDA vs AMD" in text
        assert "62.4 %" in text
        assert "this is FY2024" in text
        assert 'href="https://www.sec.gov/intc"' in page


def test_a_report_has_no_script_and_no_timeline() -> None:
    """What `ask --output` writes is the answer; there is nothing to fold."""
    report = render_page(a_page())
    assert "<script" not in report
    assert "Timeline" not in report


def test_the_page_asks_the_network_for_nothing() -> None:
    """No address is loaded: links apart, nothing on it has one; the policy allows nothing."""
    page = render_page(a_page(), Record(whole))
    assert not re.search(r"<(?:link|img|script src|iframe)|@import|url\(", page)
    assert "default-src 'none'" in unescape(page)


def test_every_turn_of_the_timeline_is_on_it() -> None:
    """One that only answers, too; one that broke off before anything is told as that."""
    called = [(1, ModelCall("h", 9)), (1, ToolStarted("c1", "calculate", {}))]
    events: list[tuple[int, Event]] = [(0, STARTED), *called, (2, ModelCall("h", 9))]
    cut_off = render_page(page_of(events), Record(whole))
    answered = render_page(page_of([*events, (2, Answered(ANSWER, True, (), ()))]), Record(whole))
    assert "Turn 2" in cut_off
    assert "Neither a call nor text." in cut_off
    assert "Turn 2" in answered
    assert "No call: the answer." in answered
    assert "Neither a call nor text." not in answered


def hundred_turns(count: int = 100) -> list[tuple[int, Event]]:
    events: list[tuple[int, Event]] = [(0, STARTED)]
    for turn in range(1, count + 1):
        calls = [(f"c{turn}-{n}", turn * 4 + n) for n in range(4)]
        events += [(turn, ModelCall("h", 1_000 * turn)), (turn, ContextUsed(1_000 * turn, 95_000, 128_000))]
        events += [(turn, ModelResponded("text " * 80, ({"call": "c"},), "tool_use", Usage(1_000 * turn), "0.01", 1.0))]
        events += [(turn, ToolStarted(call, "web_fetch", {"url": "https://example.org/" * 4})) for call, _ in calls]
        events += [(turn, ToolFinished(c, r, "ok", 20_000, 5_000, 0.2, (), "web_fetch")) for c, r in calls]
        events += [(turn, StageRan("microcompact", 90_000, 50_000, {}))]
    return [*events, (count, Answered(ANSWER, True, (), ())), (count, RunFinished("answered", 0, Usage(), "0"))]


def test_a_run_of_a_hundred_turns_is_under_two_megabytes() -> None:
    """Four results of 20,000 characters a turn: previews, not wholes."""
    page = render_page(page_of(hundred_turns()), Record(whole))
    assert 200_000 < len(page.encode()) < 2_000_000
    assert page.count('class="turn"') == 100


def test_of_a_very_long_run_the_middle_is_left_out_and_that_is_said() -> None:
    """The first hundred and the last four hundred turns of 700."""
    page = render_page(page_of(hundred_turns(700)), Record(whole))
    assert page.count('class="turn"') == 500
    assert "200 turns between are left out here" in page


@given(st.text(max_size=300), st.lists(st.tuples(st.integers(0, 300), st.integers(1, 9)), max_size=5))
def test_no_tag_of_the_answers_own_survives(text: str, places: list[tuple[int, int]]) -> None:
    """Whatever the text and wherever its figures: only the tags that Markdown makes, and no marker is left."""
    spans = sorted((start, start + length) for start, length in places)
    html = answer_html(text, spans, lambda _at, shown: f"<b>{shown}</b>")
    assert not re.search("[\ue000\ue001\ue002]", html)
    names = set(re.findall(r"</?([a-z0-9]+)", html))
    assert names <= {
        *("p", "b", "em", "strong", "code", "pre", "a", "ul", "ol", "li", "blockquote", "hr", "br"),
        *("h1", "h2", "h3", "h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td"),
    }
    assert "javascript:" not in "".join(re.findall(r'href="([^"]*)"', html))


@pytest.mark.parametrize(
    ("text", "figure", "expected"),
    [
        ("Sales were **$26.0B**.", "$26.0B", "<strong>[$26.0B]</strong>"),
        ("|a|b|\n|-|-:|\n|x|12.5 %|", "12.5 %", '<td class="right">[12.5 %]</td>'),
        ("`26.0`", "26.0", "<code>[26.0]</code>"),
        ("(1,234) & more", "(1,234)", "[(1,234)] &amp; more"),
    ],
)
def test_a_figure_is_marked_where_it_stands(text: str, figure: str, expected: str) -> None:
    """In prose, in bold, in a cell, in code."""
    at = text.index(figure)
    assert expected in answer_html(text, [(at, at + len(figure))], lambda _at, shown: f"[{shown}]")


def test_a_figure_in_an_address_leaves_the_address_alone() -> None:
    """A link whose text or address has a number still leads where it did."""
    text = "[10-K](https://example.org/26.0)"
    html = answer_html(text, [(text.index("26.0"), len(text) - 1)], lambda _at, shown: f"<b>{shown}</b>")
    assert 'href="https://example.org/26.0"' in html


@given(st.lists(st.integers(0, 2_000_000), min_size=1, max_size=700), st.integers(0, 200_000))
def test_every_bar_is_inside_the_drawing(sizes: list[int], threshold: int) -> None:
    """Few turns or many, empty or huge: the picture has a few hundred bars at most, none outside."""
    chart = drawing([PageTurn(number, "", size) for number, size in enumerate(sizes, 1)], threshold)
    if not any(sizes):
        assert chart is None
        return
    assert chart is not None
    assert len(chart.bars) <= 240
    assert all(0 <= bar.y <= bar.y + bar.height <= 200 and 0 <= bar.x <= 800 for bar in chart.bars)
    assert max(bar.height for bar in chart.bars) > 0


def test_the_page_of_a_broken_run_says_so() -> None:
    """No answer: that is said, and why."""
    from tests.support.events import failing_run

    page = render_page(page_of((1, event) for event in failing_run()), Record(whole))
    assert "There is none" in page
    assert "The key was refused." in page


def test_templates_are_part_of_the_package() -> None:
    """They lie in the package, where a wheel takes them along."""
    import dexter.ui.page

    folder = Path(dexter.ui.page.__file__).parent / "templates"
    assert {path.name for path in folder.iterdir()} == {"page.html", "page.css", "page.js"}
