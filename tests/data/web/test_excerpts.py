from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dexter.data.web.excerpts import find_excerpts

TABLE = "| Item | 2025 |\n| --- | --- |\n" + "\n".join(f"| Row {i} | {i} |" for i in range(400))


def test_the_passage_with_the_words_comes_first_with_its_place() -> None:
    """The offset is where the passage stands in the text."""
    text = "\n\n".join([f"Filler paragraph number {i}. " * 20 for i in range(30)] + ["Inventories rose to 10 billion."])
    best = find_excerpts(text, "inventories")[0]
    assert "Inventories rose" in best.text
    assert text[best.offset :].startswith(best.text[:20])


def test_a_piece_of_a_long_table_keeps_the_header() -> None:
    """A row without its columns' names says nothing."""
    best = find_excerpts(TABLE, '"row 333"')[0]
    assert best.text.startswith("| Item | 2025 |\n| --- | --- |\n")
    assert "| Row 333 | 333 |" in best.text
    assert len(best.text) < 1_200


def test_data_on_one_line_is_searched_to_its_end() -> None:
    """Minified JSON has no paragraphs."""
    text = '{"a":"' + "filler " * 5_000 + 'ebitda margin"}'
    assert "ebitda" in find_excerpts(text, "ebitda")[0].text


def test_passages_of_a_pdf_name_their_page() -> None:
    """A reader can look it up."""
    text = "[page 1]\n" + "Letter. " * 200 + "\n\n[page 2]\n" + "Dividends were raised. " * 60
    assert find_excerpts(text, "dividends")[0].item == "2"


def test_nothing_found_is_nothing() -> None:
    """No passage without one of the words."""
    assert find_excerpts("one two three", "zymurgy") == []
    assert find_excerpts("", "x") == []


@given(st.text(alphabet="ab |-\n", max_size=6_000))
def test_every_passage_stands_where_it_says(text: str) -> None:
    """Whatever the shape of a text, offsets are true but for a table's repeated header."""
    for passage in find_excerpts(text, "a b ab ba aa bb aab aba", limit=50):
        last = passage.text.rstrip("\n").rpartition("\n")[2]
        assert last in text[passage.offset :]
