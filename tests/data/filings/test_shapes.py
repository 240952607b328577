"""Shapes that headings, contents and items have in filings of other years and other forms, each in small."""

from __future__ import annotations

import pytest

from dexter.data.filings.document import read_document
from dexter.data.filings.items import Items, read_items

LONG = "The company makes things and sells them to those who need them. " * 12
BEFORE = "<p>Item 2. Properties</p><p>We own land.</p>"
AFTER = "<p>Item 4. Mine Safety Disclosures</p><p>None.</p>"


def read(body: str, form: str = "10-K", *, filed: str = "") -> Items:
    """The items of a document with that body."""
    return read_items(read_document(f"<html><body>{body}</body></html>".encode()), form, filed=filed)


def texts(items: Items) -> dict[str, str]:
    """The text of each item that is there, by number (by part and number where a number comes twice)."""
    present = [item for item in items.items if item.status != "missing" and item.number != "signatures"]
    numbers = [item.number for item in present]
    return {i.number if numbers.count(i.number) == 1 else f"{i.part}.{i.number}": i.text for i in present}


@pytest.mark.parametrize(
    "heading",
    [
        "<p>Item 3. Legal Proceedings</p>",
        "<p>ITEM 3 - LEGAL PROCEEDINGS</p>",
        "<p>Item 3: Legal Proceedings:</p>",
        "<p>ITEM&nbsp;3.&#160;&#160;LEGAL&nbsp;PROCEEDINGS</p>",
        "<p><b>Item 3.</b></p><p><b>Legal Proceedings</b></p>",
        "<p><b>Item&#160;3.</b><br><b>Legal Proceedings</b></p>",
        "<h2>item 3. legal proceedings</h2>",
        "<p><font>I</font><font>TEM 3.</font> LEGAL PROCEEDINGS.</p>",
        "<table><tr><td>Item 3.</td><td>&nbsp;</td><td>Legal Proceedings</td></tr></table>",
        "<table><tr><td><p>Item</p></td><td><p>3.</p></td><td><p>Legal Proceedings</p></td></tr></table>",
        "<p>PART I, Item 3. Legal Proceedings</p>",
        "<p>Item 3(T). Legal Proceedings</p>",
        "<p>Item 3. <u>Certain Legal Matters</u></p>",
    ],
)
def test_headings(heading: str) -> None:
    """However a heading is dressed, the text after it is the item and the heading is no part of any text."""
    found = texts(read(f"{BEFORE}{heading}<p>{LONG}</p>{AFTER}"))
    assert found == {"2": "We own land.", "3": LONG.strip(), "4": "None."}


@pytest.mark.parametrize(
    ("paragraph", "text"),
    [
        ("Item 3. Legal Proceedings. None.", "None."),
        ("ITEM 3. LEGAL PROCEEDINGS – Not applicable", "Not applicable"),
        ("Item 3. Legal Proceedings. The company is a party to two suits.", "The company is a party to two suits."),
        ("Item 3. LEGAL PROCEEDINGS The company is a party to two suits.", "The company is a party to two suits."),
        (f"Item 3. Legal Proceedings. {LONG}", LONG.strip()),
        (f"Item 3. Suits Pending: {LONG}", LONG.strip()),
        ("Item 3. [Reserved]", "[Reserved]"),
    ],
)
def test_run_in_headings(paragraph: str, text: str) -> None:
    """Where the text begins in the heading's own paragraph, only the title is left out."""
    assert texts(read(f"{BEFORE}<p>{paragraph}</p>{AFTER}"))["3"] == text


@pytest.mark.parametrize(
    "line",
    [
        "Item 3 of this report says more about it.",
        "Item 3, “Legal Proceedings,” says more about it.",
        "“Item 3. Legal Proceedings” says more about it.",
        "See Item 3. Legal Proceedings.",
        "Item 3. Legal Proceedings, Item 7. Management’s Discussion and Analysis, and Item 8.",
        "Items 601 and 402 of Regulation S-K",
        "Item 99. Something else",
    ],
)
def test_sentences_are_no_headings(line: str) -> None:
    """A sentence that begins with an item's number does not open that item."""
    body = (
        f"<p>Item 1. Business</p><p>{LONG}</p><p>{line}</p><p>{LONG}</p>"
        "<p>Item 3. Legal Proceedings</p><p>Two suits.</p><p>Item 4. Mine Safety Disclosures</p><p>None.</p>"
    )
    found = texts(read(body))
    assert found["3"] == "Two suits."
    assert found["1"].count("The company makes things") == 24
    assert line in found["1"]


def test_a_heading_quoted_in_another_section_loses() -> None:
    """A line that looks exactly like a later heading does not take its place, though more text follows it."""
    body = (
        f"<p>Item 1. Business</p><p>{LONG}</p><p>Item 3. Legal Proceedings</p><p>{LONG}</p><p>Item 1A. Risk Factors</p>"
        f"<p>{LONG}</p><p>Item 2. Properties</p><p>Land.</p><p>Item 3. Legal Proceedings</p><p>Two suits.</p>"
        "<p>Item 4. Mine Safety Disclosures</p><p>None.</p>"
    )
    found = texts(read(body))
    assert found["3"] == "Two suits."
    assert found["1"].count("The company makes things") == 24


def test_several_items_in_one() -> None:
    """`Items 1 and 2` is both, and each says so."""
    items = read(
        f"<p>PART I</p><p>ITEMS 1 AND 2. BUSINESS AND PROPERTIES</p><p>{LONG}</p>"
        "<p>Item 3. Legal Proceedings</p><p>None.</p>"
    )
    one, two = items.find("1")[0], items.find("2")[0]
    assert one.text == two.text == LONG.strip()
    assert one.note.endswith("One section with Item 2.")
    assert items.find("Properties") == (one, two)


def test_parts_of_a_10_q_without_part_headings() -> None:
    """Titles tell the two Items 1, 2 and 4 of a 10-Q apart even where no part is named."""
    rows = [
        ("1", "Financial Statements"),
        ("2", "Management's Discussion and Analysis"),
        ("4", "Controls and Procedures"),
    ]
    rows += [
        ("1", "Legal Proceedings"),
        ("2", "Changes in Securities"),
        ("4", "Submission of Matters to a Vote of Security Holders"),
    ]
    body = "".join(f"<p>Item {number}. {title}</p><p>About {title}.</p>" for number, title in rows)
    assert texts(read(body, "10-Q")) == {
        f"{'I' if index < 3 else 'II'}.{number}": f"About {title}." for index, (number, title) in enumerate(rows)
    }


def test_parts_of_a_10_q_by_part_headings() -> None:
    """Titles of the company's own making are told apart by the part they stand in."""
    body = (
        f"<p>PART I — FINANCIAL INFORMATION</p><p>Item 1. Interim Report</p><p>{LONG}</p>"
        f"<p>Item 2. Our Quarter</p><p>{LONG}</p>"
        "<p>PART II — OTHER INFORMATION</p><p>Item 1. Suits</p><p>None.</p><p>Item 2. Shares</p><p>None.</p>"
    )
    assert {key: len(text) for key, text in texts(read(body, "10-Q")).items()} == {
        "I.1": len(LONG) - 1,
        "I.2": len(LONG) - 1,
        "II.1": 5,
        "II.2": 5,
    }


def test_index_of_links() -> None:
    """A report without item headings is read by the links of its cross-reference index, and says so."""
    index = "".join(
        f'<tr><td>Item {number}.</td><td><a href="#{target}">{title}</a></td><td>{page}</td></tr>'
        for number, title, target, page in (
            ("1", "Business", "a", "4-9"),
            ("1A", "Risk Factors", "b", "10"),
            ("7", "Management’s Discussion and Analysis", "c", "20, 31"),
            ("9B", "Other Information", "", "N/A"),
        )
    )
    sections = "".join(
        f'<h1 id="{target}">{name}</h1><p>{name}. {LONG}</p>'
        for target, name in zip("abc", ("What we do", "Dangers", "Our year"), strict=True)
    )
    for body in (f"<table>{index}</table>{sections}", f"{sections}<table>{index}</table>"):
        items = read(body)
        assert {n: t.split("\n")[0] for n, t in texts(items).items()} == {
            "1": "What we do",
            "1A": "Dangers",
            "7": "Our year",
        }
        assert "Found by the link" in items.find("7")[0].note
        missing = items.find("9B")[0]
        assert (missing.status, missing.note) == (
            "missing",
            "No heading of this item in the document, though its table of contents lists it.",
        )


def test_index_without_the_word_item() -> None:
    """An index whose rows begin with a bare number is read by its links too; other tables of numbers are left alone."""
    rows = (
        '<tr><td>1.</td><td>Business</td><td><a href="#a">4–36</a>, 120</td></tr>'
        '<tr><td>1A.</td><td>Risk Factors</td><td><a href="#b">49–63</a></td></tr>'
        "<tr><td>7.</td><td>Management’s Discussion and Analysis of Financial Condition and Results of Operations</td>"
        '<td><a href="#c">6</a></td></tr><tr><td>2.</td><td>Weighted average</td><td>7</td></tr>'
    )
    sections = "".join(f'<h1 id="{target}">Section {target}</h1><p>{LONG}</p>' for target in "abc")
    items = read(f"{sections}<table>{rows}</table>")
    assert {n: t.split("\n")[0] for n, t in texts(items).items()} == {
        "1": "Section a",
        "1A": "Section b",
        "7": "Section c",
    }
    assert "Weighted average" in items.find("7")[0].text


def test_headings_carried_to_the_next_page() -> None:
    """The heading of the open item, again on a later page, is no part of its text and no new section."""
    body = (
        f"<p>Item 1. Business</p><p>{LONG}</p><p>Item 1. Business (continued)</p><p>{LONG}</p>"
        "<p>ITEM 1. BUSINESS (Cont’d)</p><p>The end.</p><p>Item 2. Properties</p><p>Land.</p>"
    )
    found = texts(read(body))
    assert found["1"] == f"{LONG.strip()}\n\n{LONG.strip()}\n\nThe end."


def test_amendment() -> None:
    """An amendment has the items it amends; the others are not missing from it."""
    items = read(f"<p>PART III</p><p>Item 10. Directors, Executive Officers</p><p>{LONG}</p>", "10-K/A")
    assert [item.number for item in items.items] == ["10"]
    assert items.notes == ("An amendment holds only the items it amends.",)


def test_statements_after_the_discussion() -> None:
    """A report whose Item 2 comes before its Item 1 has both."""
    body = (
        f"<p>PART I</p><p>Item 2. Management’s Discussion and Analysis</p><p>{LONG}</p>"
        f"<p>Item 1. Financial Statements</p><p>{LONG * 2}</p><p>Item 4. Controls and Procedures</p><p>Effective.</p>"
    )
    assert {n: len(t) for n, t in texts(read(body, "10-Q")).items()} == {"2": 767, "1": 1535, "4": 10}


def test_contents_without_links() -> None:
    """A table of contents drawn with dots is none of the items, and the last one listed does not take what follows."""
    lines = (
        "Item 1. Business .......... 3|Item 1A. Risk Factors ........ 9|Item 2. Properties .......... 20|"
        "Item 3. Legal Proceedings 21"
    )
    contents = "".join(f"<p>{line}</p>" for line in lines.split("|"))
    body = (
        f"<p>TABLE OF CONTENTS</p>{contents}<p>{LONG * 3}</p><p>Item 1. Business</p><p>{LONG}</p>"
        f"<p>Item 1A. Risk Factors</p><p>{LONG}</p>"
        "<p>Item 2. Properties</p><p>Land.</p><p>Item 3. Legal Proceedings</p><p>None.</p>"
    )
    assert {n: len(t) for n, t in texts(read(body)).items()} == {
        "1": len(LONG) - 1,
        "1A": len(LONG) - 1,
        "2": 5,
        "3": 5,
    }


def test_text_of_the_nineties() -> None:
    """Plain text with page marks, centred headings, wrapped titles and a table drawn with spaces."""
    text = (
        "<SEC-DOCUMENT>0000000001-97-000001.txt : 19970328\n<DOCUMENT>\n<TYPE>10-K405\n<SEQUENCE>1\n<TEXT>\n\n"
        "                                     PART I\n\nITEM 1.  BUSINESS\n\n"
        '     Acme Corporation (the "Company") makes anvils.  It was founded in\n1920 and has\n'
        "<PAGE>   3\nsold them ever since.\n\n"
        "ITEM 4.  SUBMISSION OF MATTERS TO A VOTE OF SECURITY HOLDERS\n\n     None.\n\n"
        "                                    PART II\n\n"
        "ITEM 5.  MARKET FOR REGISTRANT'S COMMON EQUITY AND RELATED\n         STOCKHOLDER MATTERS\n\n"
        "     The stock trades on the New York Stock Exchange.\n\n<TABLE>\n<CAPTION>\n"
        "                     High      Low\n<S>                  <C>       <C>\n"
        "First quarter        $ 10      $  9\n</TABLE>\n\n"
        "ITEM 14.  EXHIBITS, FINANCIAL STATEMENT SCHEDULES, AND REPORTS ON FORM 8-K\n\n"
        "     (a) 1. Financial statements.\n\n"
        "                                   SIGNATURES\n\n     Pursuant to the requirements\n</TEXT>\n</DOCUMENT>\n"
    )
    items = read_items(read_document(text.encode("ascii")), "", filed="1997-03-28")
    found = texts(items)
    assert (
        found["1"]
        == 'Acme Corporation (the "Company") makes anvils. It was founded in 1920 and has\n\nsold them ever since.'
    )
    assert found["4"] == "None."
    assert found["5"].startswith("The stock trades on the New York Stock Exchange.\n\n```\n")
    assert "First quarter        $ 10      $  9" in found["5"]
    assert found["14"] == "(a) 1. Financial statements."
    assert items.find("14")[0].part == "IV"
    missing = {item.number for item in items.items if item.status == "missing"}
    assert missing == {"2", "3", "6", "7", "8", "9", "10", "11", "12", "13"}  # not 1A, 7A, 9A, 15: there were none yet


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("None.", "none"),
        ("Not applicable.", "not_applicable"),
        ("Not required for smaller reporting companies.", "not_required"),
        ("As a smaller reporting company, we are not required to provide this information.", "not_required"),
        ("The information is incorporated herein by reference to the Annual Report, pages 20 to 43.", "by_reference"),
        ("Incorporated by reference from the Proxy Statement.", "by_reference"),
        ("The information required by this item appears in the Notes to the statements, Part II, Item 8.", "elsewhere"),
        ("See Item 1A. Risk Factors, page 9.", "elsewhere"),
        ("[Reserved]", "reserved"),
        ("None of our directors bought or sold shares, except for Ms Doe, who sold a thousand in May.", "text"),
        (LONG, "text"),
        (f"{LONG} The rest is incorporated by reference to the Proxy Statement.", "text"),
        ("This shall not be deemed filed, nor shall it be deemed incorporated by reference in any filing.", "text"),
    ],
)
def test_statuses(text: str, status: str) -> None:
    """What stands in place of a section is said; a section that only mentions such words is a section."""
    item = read(f"<p>Item 7. Management’s Discussion and Analysis</p><p>{text}</p>").find("mda")[0]
    assert (item.status, item.text) == (status, " ".join(text.split()))
    assert bool(item.note) == (item.status != "text" or len(text) < 500 or "by reference" in text)


def test_foreign_annual_report() -> None:
    """A 20-F has its own items, 4A and 16K among them, and says that it was not tried on real ones."""
    rows = [("3", "Key Information"), ("4", "Information on the Company"), ("4A", "Unresolved Staff Comments")]
    rows += [
        ("5", "Operating and Financial Review and Prospects"),
        ("16K", "Cybersecurity"),
        ("18", "Financial Statements"),
    ]
    items = read("".join(f"<p>Item {n}. {title}</p><p>{LONG}</p>" for n, title in rows), "20-F/A", filed="2025-04-01")
    assert list(texts(items)) == [n for n, _ in rows]
    assert "not tried on real filings" in items.notes[-1]


def test_proxy_statement_and_prospectus() -> None:
    """Sections without numbers are found by their titles, proposals by theirs."""
    proxy = read(
        f"<p>Proposal 1 – Election of Directors</p><p>{LONG}</p><p>PROPOSAL NO. TWO: Say on Pay</p><p>{LONG}</p>"
        f"<p>Compensation Discussion and Analysis</p><p>{LONG}</p><p>Pay Versus Performance</p><p>{LONG}</p>",
        "DEF 14A",
    )
    assert set(texts(proxy)) == {
        "proposal 1",
        "proposal 2",
        "compensation discussion and analysis",
        "pay versus performance",
    }
    prospectus = read(
        f"<p>USE OF PROCEEDS</p><p>{LONG}</p><p>Risk Factors</p><p>{LONG}</p><p>PART II</p>"
        f"<p>Item 13. Other Expenses of Issuance and Distribution.</p><p>{LONG}</p>",
        "S-1/A",
    )
    assert set(texts(prospectus)) == {"use of proceeds", "risk factors", "13"}


def test_forms_without_items() -> None:
    """A 6-K, or a form nobody has heard of, is given whole."""
    for form in ("6-K", "XYZ-9"):
        items = read(f"<p>{LONG}</p>", form)
        assert [(item.number, item.status) for item in items.items] == [("document", "text")]
        assert "no numbered items" in items.notes[0]


@pytest.mark.parametrize(
    ("asked", "keys"),
    [
        ("1A", [("II", "1A")]),
        ("item 1a", [("II", "1A")]),
        ("Item 2", [("I", "2"), ("II", "2")]),
        ("Part II, Item 2", [("II", "2")]),
        ("I.2", [("I", "2")]),
        ("II 2", [("II", "2")]),
        ("risk factors", [("II", "1A")]),
        ("MD&A", [("I", "2")]),
        ("Item 77", []),
        ("", []),
    ],
)
def test_what_people_ask_for(asked: str, keys: list[tuple[str, str]]) -> None:
    """Numbers, parts, titles and nicknames; a number that comes twice gives both."""
    body = (
        f"<p>PART I</p><p>Item 2. Management's Discussion and Analysis</p><p>{LONG}</p>"
        f"<p>PART II</p><p>Item 1A. Risk Factors</p><p>{LONG}</p>"
        "<p>Item 2. Unregistered Sales of Equity Securities</p><p>None.</p>"
    )
    assert [item.key for item in read(body, "10-Q").find(asked) if item.status != "missing"] == keys
