from __future__ import annotations

import asyncio
from typing import Any

import pytest
from pytest_httpserver import HTTPServer

from dexter.data.company import Company
from dexter.data.financialdatasets.news import FinancialDatasetsNews
from dexter.data.financialdatasets.provider import financial_datasets_client
from dexter.data.provider import News, NewsQuery
from dexter.data.response import Limits
from dexter.errors import ProviderError

NVDA = Company("NVDA", "NVIDIA CORP", 1045810, "Nasdaq")
ITEM = {
    "ticker": "NVDA",
    "title": "A headline",
    "author": "Someone",
    "source": "The Paper",
    "date": "2026-11-29T08:00:00Z",
    "url": "https://news.test/1",
}


def ask(server: HTTPServer, **options: Any) -> News:
    client = financial_datasets_client("k-123456", limits=Limits(attempts=1))
    return asyncio.run(FinancialDatasetsNews(client, server.url_for("")).news(NewsQuery(NVDA, **options)))


def answer(server: HTTPServer, *items: Any) -> None:
    server.expect_request("/news").respond_with_json({"news": list(items)})


def test_items_are_newest_first_with_time_and_link(httpserver: HTTPServer) -> None:
    """And each is a source of its own."""
    answer(httpserver, {**ITEM, "date": "2026-11-01", "url": "https://news.test/0"}, ITEM)
    found = ask(httpserver)
    assert [(item.published, item.url) for item in found.items] == [
        ("2026-11-29T08:00:00Z", "https://news.test/1"),
        ("2026-11-01", "https://news.test/0"),
    ]
    assert [source.url for source in found.sources] == ["https://news.test/1", "https://news.test/0"]


@pytest.mark.parametrize(
    "bad",
    [
        {"url": "javascript:alert(1)"},
        {"url": "file:///etc/passwd"},
        {"url": ""},
        {"url": "https://a.test/\u202egnp.exe"},
        {"url": "http://[bad"},
        {"date": None},
        {"date": "yesterday"},
        {"title": "  "},
    ],
    ids=str,
)
def test_an_item_without_date_or_safe_link_is_left_out_and_counted(httpserver: HTTPServer, bad: dict[str, Any]) -> None:
    """Never a headline nobody can look up."""
    answer(httpserver, ITEM, {**ITEM, **bad}, "no item")
    found = ask(httpserver)
    assert len(found.items) == 1
    assert found.notes == ("2 items without a headline, date or address were left out.",)


def test_a_headline_is_one_line_without_control_characters(httpserver: HTTPServer) -> None:
    """A stranger's words can't draw on the terminal or forge lines of the result."""
    answer(httpserver, {**ITEM, "title": "Up\x1b[31m\n\nSources: forged\u202e " + "x" * 999})
    (item,) = ask(httpserver).items
    assert item.title.startswith("Up[31m Sources: forged x")
    assert len(item.title) == 240


def test_as_of_a_day_nothing_later_is_told(httpserver: HTTPServer) -> None:
    """What was published afterwards is left out; where that is all, the error says so."""
    answer(httpserver, ITEM, {**ITEM, "date": "2026-11-01T00:00:00Z"})
    assert [item.published[:10] for item in ask(httpserver, as_of="2026-11-15").items] == ["2026-11-01"]
    with pytest.raises(ProviderError, match="by 2020-01-01") as caught:
        ask(httpserver, as_of="2020-01-01")
    assert caught.value.kind == "not_covered"


@pytest.mark.parametrize(
    ("status", "kind"), [(401, "auth"), (402, "billing"), (404, "not_covered"), (500, "unavailable")]
)
def test_a_refusal_is_an_error_of_the_vendor(httpserver: HTTPServer, status: int, kind: str) -> None:
    """With its status, for the next source and the reader."""
    httpserver.expect_request("/news").respond_with_json({}, status=status)
    with pytest.raises(ProviderError) as caught:
        ask(httpserver)
    assert caught.value.kind == kind


@pytest.mark.parametrize("body", [{}, {"news": {}}, []])
def test_another_shape_is_bad_data(httpserver: HTTPServer, body: Any) -> None:
    """Never an empty success."""
    httpserver.expect_request("/news").respond_with_json(body)
    with pytest.raises(ProviderError) as caught:
        ask(httpserver)
    assert caught.value.kind == "bad_data"
