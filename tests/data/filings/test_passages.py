"""Passages that match a query."""

from __future__ import annotations

from functools import cache

from hypothesis import given as each
from hypothesis import settings
from hypothesis import strategies as st

from dexter.data.filings.blocks import Block
from dexter.data.filings.document import read_document
from dexter.data.filings.items import Item, Items, read_items
from dexter.data.filings.passages import find_passages
from tests.support.filings import given


@cache
def nvidia() -> Items:
    """The items of the given 10-K of NVIDIA."""
    return read_items(read_document(given("nvda-10-k-2025-02-26.html.gz")), "10-K")


def test_the_right_place_comes_first() -> None:
    """A question about revenue by market finds that table, with the item and the position where it stands."""
    best = find_passages(
        nvidia().items, "revenue by market: Data Center, Gaming, Professional Visualization, Automotive"
    )
    table = next(passage for passage in best[:4] if "| Gaming | 11,350 |" in passage.text)
    assert table.item.key in {("II", "7"), ("IV", "15")}
    insider = find_passages(nvidia().items, "where are the company's headquarters located")
    assert any(passage.item.key == ("I", "2") for passage in insider[:3])


def test_quoted_phrases_count() -> None:
    """A phrase in quotes outweighs its words elsewhere."""
    best = find_passages(nvidia().items, '"pursuant to the Cooperation Agreement" OR "Blackwell architecture"')
    assert "blackwell architecture" in best[0].text.lower()


def test_nothing_found() -> None:
    """Words the filing does not have give no passage at all."""
    assert find_passages(nvidia().items, "zymurgy quokka") == []
    assert find_passages(nvidia().items, "the of and") == []
    assert find_passages((), "revenue") == []


paragraphs = st.lists(
    st.text(alphabet="ab cd\n", max_size=40) | st.text("xyz ", min_size=500, max_size=3000), max_size=12
)


@settings(max_examples=60)
@each(paragraphs, st.text(alphabet="abcdxyz ", max_size=8))
def test_positions_are_true(texts: list[str], query: str) -> None:
    """Whatever the text, the offset of a passage is where it begins in the item."""
    item = Item("I", "1", "Business", tuple(Block(text) for text in texts), "text")
    for passage in find_passages([item], query, limit=50):
        head = passage.text.split("\n\n", 1)[0][:200]
        assert item.text[passage.offset :].startswith(head)
        assert passage.score > 0
