"""A link says where it leads."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from dexter.ui.addresses import is_misleading
from dexter.ui.markdown import AnswerMarkdown
from dexter.ui.page.markdown import answer_html, link_html

EVIL = "https://evil.example/x"


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("https://www.sec.gov", EVIL),
        ("www.sec.gov/ix", EVIL),
        ("see SEC.GOV for it", EVIL),
        ("the filing", "https://www.sec.gov@evil.example/"),
        ("sec.gov", "https://sec.gov.evil.example/"),
        ("x", "https://[broken"),
    ],
)
def test_a_link_that_leads_elsewhere_is_told(text: str, url: str) -> None:
    """In a terminal with links and on the page, its address stands behind it."""
    assert is_misleading(text, url)
    screen = io.StringIO()
    Console(file=screen, width=200, force_terminal=True).print(AnswerMarkdown(f"[{text}](<{url}>)", hyperlinks=True))
    told = url.removeprefix("https://").split("/")[0]
    assert told in screen.getvalue().split("\x1b\\")[-1] or "broken" in url
    assert f" ({url})" in link_html(url, text)
    if "broken" not in url:
        assert told in answer_html(f"[{text}](<{url}>)").split("</a>")[1]


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("10-K filed 2026-02-25", "https://www.sec.gov/Archives/1.htm"),
        ("https://www.sec.gov/x", "https://www.sec.gov/x"),
        ("sec.gov", "https://www.sec.gov/x"),
        ("NVDA 26.0 billion, e.g. 10.5 %", "https://www.sec.gov/x"),
    ],
)
def test_an_honest_link_stays_as_it_is(text: str, url: str) -> None:
    """Most links name no host, or their own."""
    assert not is_misleading(text, url)
    assert link_html(url, text).endswith("</a>")
