"""13F holdings."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given as each
from hypothesis import strategies as st

from dexter.data.filings.holdings import (
    CoverPage,
    Holding,
    holdings_report,
    in_dollars,
    positions,
    read_cover,
    read_table,
    with_amendments,
)
from dexter.errors import ProviderError
from tests.support.shared import shared

COVER = CoverPage("13F-HR", "Acme Capital", 7, "2024-03-31")


def table() -> bytes:
    """The given information table: 255 lines."""
    return shared("data/sec/xml/13F-HR.infotable.xml").read_bytes()


def test_given_table() -> None:
    """Each line of the given table with its value in dollars; bonds apart from shares."""
    lines = read_table(table(), filed="2023-02-10")
    assert len(lines) == 255
    assert lines[0].issuer == "3M CO"
    assert (lines[0].value, lines[0].quantity, lines[0].kind) == (Decimal(409469), Decimal(2334), "SH")
    assert sum(line.kind == "PRN" for line in lines) == 3
    assert sum(line.value or 0 for line in lines) == 350_153_407


def test_unit_follows_the_day_of_filing() -> None:
    """Values filed before 3 January 2023 are in thousands; shown in dollars either way, and said."""
    assert [in_dollars(day) for day in ("2023-01-02", "2023-01-03")] == [False, True]
    old = read_table(table(), filed="2022-11-14")
    assert old[0].value == 409_469_000
    assert "Stated in thousands" in holdings_report(COVER, old, accession="a", filed="2022-11-14").notes[0]
    assert any("wrong unit" in note for note in holdings_report(COVER, old, accession="a", filed="2022-11-14").notes)


def test_given_cover_page() -> None:
    """Manager, period and totals of the given cover page."""
    cover = read_cover(shared("data/sec/xml/metlife.13F-HR.primarydoc.xml").read_bytes())
    assert (cover.manager, cover.cik, cover.period) == ("METLIFE INC", 1099219, "2021-12-31")
    assert (cover.entries, cover.total, cover.amendment) == (6, Decimal(11_019_796), "")
    assert cover.other_managers[1] == "METROPOLITAN LIFE INSURANCE CO/NY"


def test_cover_and_table_are_compared() -> None:
    """A count or total that the lines do not give is said."""
    lines = read_table(table(), filed="2023-02-10")
    cover = replace(COVER, entries=254, total=Decimal(1))
    notes = holdings_report(cover, lines, accession="a", filed="2023-02-10").notes
    assert notes[1:] == (
        "The cover page counts 254 lines, the table has 255.",
        "The cover page states a total of $1, the lines add up to $350,153,407.",
    )


def test_options_are_kept_apart() -> None:
    """Puts and calls on a share are not the share."""
    share = Holding("ACME", "COM", "1", Decimal(10), Decimal(1))
    found = positions([share, replace(share, option="put", value=Decimal(30)), share])
    assert [(p.option, p.value, p.quantity) for p in found] == [("put", 30, 1), ("", 20, 2)]


def test_amendments() -> None:
    """A restatement replaces the report, new holdings are added to it."""
    line = Holding("ACME", "COM", "1", Decimal(10), Decimal(1))
    original = holdings_report(COVER, [line], accession="a", filed="2024-05-10")
    restated = holdings_report(
        replace(COVER, amendment="RESTATEMENT", amendment_number=1), [line, line], accession="b", filed="2024-05-12"
    )
    added = holdings_report(
        replace(COVER, amendment="NEW HOLDINGS", amendment_number=2), [line], accession="c", filed="2024-06-01"
    )
    merged = with_amendments([added, original, restated])
    assert merged.total == 30
    assert any("Restated by the amendment of 2024-05-12" in note for note in merged.notes)
    assert any("added by the amendment of 2024-06-01" in note for note in merged.notes)


@each(
    st.lists(
        st.builds(
            Holding,
            issuer=st.just("X"),
            title=st.just("COM"),
            cusip=st.sampled_from("abc"),
            value=st.none() | st.decimals(0, 1000, places=0),
            quantity=st.none() | st.decimals(0, 1000, places=0),
            option=st.sampled_from(["", "put"]),
        )
    )
)
def test_adding_up_loses_nothing(lines: list[Holding]) -> None:
    """However lines are spread over a security, the total stays, and unknown stays unknown."""
    found = positions(lines)
    assert sum(p.value or 0 for p in found) == sum(line.value or 0 for line in lines)
    assert len({(p.cusip, p.option) for p in found}) == len(found)
    known = {(line.cusip, line.option) for line in lines if line.value is not None}
    assert {(p.cusip, p.option) for p in found if p.value is not None} == known


def test_bombs_are_refused() -> None:
    """A billion laughs costs nothing and says why it was not read."""
    laughs = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 12))
    bomb = f'<!DOCTYPE x [<!ENTITY l0 "ha">{laughs}]><informationTable>&l11;</informationTable>'
    with pytest.raises(ProviderError, match="declares a document type or entities"):
        read_table(bomb.encode(), filed="2024-01-01")
    deep = b"<informationTable>" + b"<a>" * 100_000 + b"</a>" * 100_000 + b"</informationTable>"
    with pytest.raises(ProviderError, match="not well-formed"):
        read_table(deep, filed="2024-01-01")
