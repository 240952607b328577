"""Documents of whatever kind to visible text."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import given as each
from hypothesis import settings
from hypothesis import strategies as st

from dexter.data.filings import document
from dexter.data.filings.document import read_document
from dexter.data.filings.inline_xbrl import read_facts
from dexter.data.filings.items import read_items
from dexter.errors import ProviderError
from tests.support.filings import given


def page(body: str) -> str:
    """The text of a page with that body."""
    return read_document(f"<html><head><title>T</title></head><body>{body}</body></html>".encode()).text


def test_hidden_text_stays_hidden() -> None:
    """The inline-XBRL header, display:none, scripts and the page title are no text of the filing."""
    hidden = (
        '<div style="DISPLAY : none"><ix:header><ix:hidden>0001045810</ix:hidden></ix:header></div>'
        "<ix:header>header</ix:header><script>var a</script><style>p{}</style><p hidden>x</p>"
    )
    assert page(f"{hidden}<p>Seen</p>") == "Seen"
    raw = given("nvda-10-k-2025-02-26.html.gz")
    assert b"<ix:hidden>" in raw
    text = read_document(raw).text
    assert text.startswith("UNITED STATES")
    assert "iso4217:USD" not in text
    assert "0001045810" not in text


def test_plain_text_in_a_wrapper_of_html() -> None:
    """Lines make the paragraphs of plain text, whatever few tags stand around it; a long hidden header is no text."""
    lines = (
        "Item 5.      Other Events\n\nInformation relating to the\ndistributions &amp; losses.\n\n" + "line\n\n" * 30
    )
    text = read_document(f"<html><body><div>{lines}</div></body></html>".encode()).text
    assert text.startswith("Item 5. Other Events\n\nInformation relating to the distributions & losses.")
    header = "<ix:header>" + "<xbrli:context>\n</xbrli:context>\n" * 500 + "</ix:header>"
    tagged = f'<html xmlns:ix="http://www.xbrl.org/2013/inlineXBRL"><body>{header}<p>One\n\ntwo.</p></body></html>'
    assert read_document(tagged.encode()).text == "One two."


def test_no_page_furniture_in_given_filings() -> None:
    """No page number, running head or link to the contents is left between the paragraphs."""
    for name in ("nvda-10-k-2025-02-26.html.gz", "aapl-10-k-2024-11-01.html.gz", "ibm-10-k-2025-02-25.html.gz"):
        paragraphs = [block.text for block in read_document(given(name)).blocks if not block.is_row]
        assert [p for p in paragraphs if re.fullmatch(r"(?i)\d{1,3}|table of contents|apple inc\. \|.*\d+", p)] == []


def test_units_and_answers_are_no_furniture() -> None:
    """'In millions' and 'None.' at the top of many pages stay; a head on each of them goes, its number too."""
    pages = "".join(
        f"<p>ACME INC.</p><p>(in millions)</p><p>None.</p><p>Paragraph {chr(97 + n)}.</p><p>{n}</p>"
        '<hr style="page-break-after:always"/>'
        for n in range(6)
    )
    text = page(pages)
    assert text.count("(in millions)") == 6
    assert text.count("None.") == 6
    assert "ACME" not in text
    assert not re.search(r"^\d$", text, re.MULTILINE)


def test_paragraphs_torn_by_a_page_are_mended() -> None:
    """A sentence that goes on after a page break is one paragraph again."""
    long = "The company sells many things in many places and " * 5
    torn = f'<p>{long}in</p><p>7</p><hr style="page-break-after:always"/><p>particular in one of them.</p>'
    assert page(torn) == f"{long}in particular in one of them."


def test_table_columns() -> None:
    """Currency signs, brackets and spacer cells join their figures; headers that span columns are repeated."""
    table = (
        "<table><tr><td></td><td></td><td colspan='7'>Year Ended</td></tr>"
        "<tr><td></td><td></td><td colspan='3'>2025</td><td></td><td colspan='3'>2024</td></tr>"
        "<tr><td>Revenue</td><td></td><td>$</td><td>1,234</td><td></td><td></td><td>$</td><td>999</td><td></td></tr>"
        "<tr><td>Loss</td><td></td><td colspan='2'>(5</td><td>)</td><td></td><td colspan='2'>—</td><td></td></tr>"
        "<tr><td>Margin</td><td></td><td colspan='2'>7</td><td>%</td><td></td><td colspan='2'></td><td></td></tr>"
        "</table>"
    )
    assert page(table).splitlines() == [
        "|  | Year Ended | Year Ended |",
        "| --- | --- | --- |",
        "|  | 2025 | 2024 |",
        "| Revenue | $1,234 | $999 |",
        "| Loss | (5) | — |",
        "| Margin | 7% |  |",
    ]


def test_layout_tables_are_text() -> None:
    """Bullets, one-row tables and pages drawn as a table are paragraphs."""
    assert page("<table><tr><td>•</td><td>First</td></tr><tr><td>•</td><td>Second</td></tr></table>") == (
        "• First\n\n• Second"
    )
    assert page("<table><tr><td>Item 7.</td><td></td><td>Title</td></tr></table>") == "Item 7. Title"
    inner = "<table><tr><td>a</td><td>1</td></tr><tr><td>b</td><td>2</td></tr></table>"
    nested = f"<table><tr><td><p>One</p>{inner}</td></tr></table>"
    assert page(nested) == "One\n\n| a | 1 |\n| --- | --- |\n| b | 2 |"


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("Caf\u00e9 \u201cx\u201d".encode(), "Café “x”"),
        ("Caf\u00e9 \u201cx\u201d".encode("windows-1252"), "Café “x”"),
        (b"\xef\xbb\xbf" + "Café".encode(), "Café"),
        ("\ufeffCafé".encode("utf-16-le"), "Café"),
        (b"<?xml version='1.0' encoding='ASCII'?><html><body>Caf\xc3\xa9</body></html>", "Café"),
        (b"<p>Company&#146;s &#147;plan&#148; &#151; 5&nbsp;%</p>", "Company’s “plan” — 5 %"),
        (b"<p>a &lt; b &amp;amp; &bogus; \x00c</p>", "a < b &amp; &bogus; c"),
    ],
)
def test_character_sets(content: bytes, text: str) -> None:
    """The bytes decide, not what is declared; old numeric entities mean Windows-1252."""
    assert read_document(content).text.replace("\ufffd", "") == text


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"%PDF-1.7 ...", "is a PDF"),
        (b"PK\x03\x04rest", "is a ZIP archive"),
        (b"\x1f\x8b\x08", "is compressed data"),
        (b"\x89PNG\r\n", "is a PNG image"),
        (b"<DOCUMENT>\n<TYPE>GRAPHIC\n<TEXT>\n%PDF-1.4\n</TEXT>", "is a PDF"),
    ],
)
def test_what_is_no_text(content: bytes, said: str) -> None:
    """A file of another kind is refused with what it is."""
    with pytest.raises(ProviderError, match=said) as caught:
        read_document(content, name="Exhibit 99.1")
    assert "Exhibit 99.1" in caught.value.message
    assert caught.value.remedy


def test_too_large() -> None:
    """Beyond the limit a document is refused with its size and the limit."""
    with pytest.raises(ProviderError, match="has 65 MB; documents of up to 64 MB are read"):
        read_document(b" " * 65_000_000)
    assert document.MAX_BYTES == 64_000_000


@pytest.mark.parametrize("content", [b"", b"   \n", b"<html><body></body></html>", b"<!-- never closed <p>a</p>"])
def test_nothing_to_read(content: bytes) -> None:
    """An empty exhibit has no blocks and a note that says so."""
    found = read_document(content, name="Exhibit 99.2")
    assert (found.text, found.notes) == ("", ("Exhibit 99.2 holds no readable text.",))
    items = read_items(found, "10-K").items
    assert {item.status for item in items} == {"missing"}


@pytest.mark.parametrize(
    "body",
    [
        "<div>" * 100_000 + "deep",
        "<table>" * 3_000 + "<tr><td>deep",
        "<td>deep</td>" * 50_000,
        '<table><tr><td colspan="999999999999">deep</td><td rowspan="-3">b</td></tr></table>' * 200,
        "<p " + "a=1 " * 100_000 + ">deep</p>",
        "<!DOCTYPE html [<!ENTITY a 'b'>]>&a;deep" * 100,
        f"deep{'&' * 200_000}",
        "<b><i><p>deep</b></i><table><p>x<tr>y<td>z</table></td></tr></p>",
        "<ix:nonFraction name='a'>deep" * 20_000,
        "deep</body></html><p>after the end</p>",
        "<p>Item 1. Business</p><p>deep</p><p>Item 2. Properties</p><p>PART II</p>" * 1500,
        "<table>" + "<tr><td>Item 1.</td><td>deep</td><td>3</td></tr>" * 3000 + "</table>",
        f"<table><tr>{'<td>deep</td>' * 3000}</tr><tr>{'<td colspan=3>b</td>' * 3000}</tr></table>",
        f"<p>Item 1. Business{' .' * 100_000}</p>deep",
        "<table>" + ("<tr>" + "<td rowspan=65534>deep</td>" * 50 + "</tr>") * 300 + "</table>",
        "<p><a href='#i'>7</a></p>" * 20_000 + "<p id='i'>deep</p>" * 20_000,
        f"<p>{'Item 1. ' * 50_000}deep</p>",
        f"<p>Item 1. {'A - ' * 50_000}deep</p>",
    ],
)
def test_hostile_markup(body: str) -> None:
    """Deep, broken and boundless markup is read as far as it goes, in bounded time."""
    found = read_document(f"<html><body>{body}".encode())
    assert "deep" in found.text
    read_items(found, "10-K")
    read_facts(f"<html><body>{body}".encode())


tags = st.sampled_from(
    [
        "<p>",
        "</p>",
        "<table>",
        "</table>",
        "<tr>",
        "<td>",
        "</td>",
        "<br>",
        "<div>",
        "</div>",
        "<pre>",
        "</pre>",
        "<li>",
    ]
) | (
    st.sampled_from(
        ["<td colspan=2>", "<hr style='page-break-before:always'>", "Item 1. ", "Business", "PART II", "\n"]
    )
    | st.sampled_from([" text ", "7", "$", ")", "%", "<", "&", "\x00"])
)


@settings(max_examples=150, deadline=None)
@each(st.lists(tags, max_size=40))
def test_any_markup(pieces: list[str]) -> None:
    """No order of tags and text makes reading fail, and what is read is read again the same."""
    content = "".join(pieces).encode()
    found = read_document(content)
    assert found == read_document(content)
    assert found.text == found.text.strip("\n")
    for form in ("10-K", "10-Q", "8-K", "20-F", "S-1", "DEF 14A", "40-F", "6-K", "unknown"):
        assert read_items(found, form).items is not None


@pytest.mark.long
@pytest.mark.parametrize("seed", range(40))
def test_damaged_filings(seed: int) -> None:
    """A given filing cut, doubled and scrambled at random places is still read, as far as it is whole."""
    rng = random.Random(seed)  # noqa: S311 - a seed that can be named
    content = bytearray(given("nvda-8-k-20260302.htm" if seed % 2 else "nvda-10-q-2025-08-27.html.gz"))
    for _ in range(rng.randint(1, 30)):
        at, length = rng.randrange(len(content)), rng.randint(1, 2000)
        content[at : at + length] = rng.choice(
            [b"", bytes(content[at : at + length]) * 2, rng.randbytes(length), b"<" * length]
        )
    found = read_document(bytes(content))
    assert found.blocks or found.notes
    read_items(found, "8-K" if seed % 2 else "10-Q")
