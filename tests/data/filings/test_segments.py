"""Revenue by segment, product and region, from the filings' own tags."""

from __future__ import annotations

from decimal import Decimal

import pytest

from dexter.data.company import Company
from dexter.data.filings.inline_xbrl import read_facts
from dexter.data.filings.segments import Axis, read_segments, segment_cells
from tests.support.filings import given

# In millions of dollars, from the tables of the filings.
NVIDIA: dict[Axis, dict[str, int]] = {
    "segment": {"Compute and Networking": 116_193, "Graphics": 14_304},
    "region": {
        "United States": 61_257,
        "Singapore": 23_684,
        "Taiwan": 20_573,
        "China (including Hong Kong)": 17_108,
        "Other": 7_875,
    },
    "product": {
        "Data Center": 115_186,
        "Compute": 102_196,
        "Networking": 12_990,
        "Gaming": 11_350,
        "Professional Visualization": 1_878,
        "Automotive": 1_694,
        "OEM and Other": 389,
    },
}
APPLE: dict[Axis, dict[str, int]] = {
    "segment": {
        "Americas": 167_045,
        "Europe": 101_328,
        "Greater China": 66_952,
        "Japan": 25_052,
        "Rest of Asia Pacific": 30_658,
    },
    "region": {"U.S.": 142_196, "China": 66_952, "Other countries": 181_887},
    "product": {
        "iPhone": 201_183,
        "Mac": 29_984,
        "iPad": 26_694,
        "Wearables, Home and Accessories": 37_005,
        "Product": 294_866,
        "Service": 96_169,
    },
}
TESLA: dict[Axis, dict[str, int]] = {
    "segment": {"Automotive": 87_604, "Energy generation and storage": 10_086},
    "region": {"United States": 47_725, "China": 20_944, "Other international": 29_021},
    "product": {
        "Automotive sales": 72_480,
        "Automotive regulatory credits": 2_763,
        "Automotive leasing": 1_827,
        "Total automotive revenues": 77_070,
        "Energy generation and storage": 10_086,
        "Energy generation and storage sales": 9_564,
        "Energy generation and storage leasing": 522,
        "Services and other": 10_534,
        "Total revenues from sales and services": 95_341,
    },
}
FILINGS = [
    ("nvda-10-k-2025-02-26.html.gz", ("2024-01-29", "2025-01-26"), NVIDIA, 130_497),
    ("aapl-10-k-2024-11-01.html.gz", ("2023-10-01", "2024-09-28"), APPLE, 391_035),
    ("tsla-10-k-2025-01-30.html.gz", ("2024-01-01", "2024-12-31"), TESLA, 97_690),
]


@pytest.mark.parametrize(("name", "year", "expected", "total"), FILINGS)
def test_given_filings(name: str, year: tuple[str, str], expected: dict[Axis, dict[str, int]], total: int) -> None:
    """Revenue by segment, product and region of the newest year is what the filing's tables say, to the digit."""
    revenue = read_segments(given(name))
    for axis, table in expected.items():
        found = {f.label: f.value for f in revenue.figures if (f.axis, f.start, f.end) == (axis, *year)}
        assert found == {label: Decimal(value) * 1_000_000 for label, value in table.items()}
    assert revenue.totals[year] == Decimal(total) * 1_000_000
    assert revenue.difference("segment", *year) == 0
    assert revenue.difference("region", *year) == 0
    assert len({figure.end for figure in revenue.figures}) == 3  # and the two years before


def test_quarters() -> None:
    """A 10-Q gives its quarter and its half year, each with its own dates."""
    revenue = read_segments(given("nvda-10-q-2025-08-27.html.gz"))
    periods = {(f.start, f.end) for f in revenue.figures if f.end == "2025-07-27"}
    assert periods == {("2025-04-28", "2025-07-27"), ("2025-01-27", "2025-07-27")}
    quarter = [f for f in revenue.figures if (f.axis, f.start, f.end) == ("segment", "2025-04-28", "2025-07-27")]
    assert {f.label: f.value for f in quarter} == {
        "Compute and Networking": Decimal(41_331_000_000),
        "Graphics": Decimal(5_412_000_000),
    }


def test_cells() -> None:
    """As cells: whole numbers in plain dollars, the fiscal year by its end, quarters and years only."""
    company = Company("NVDA", "NVIDIA CORP", 1045810, fiscal_year_end="01-26")
    about = {"form": "10-K", "accession": "0001045810-25-000023", "filed": "2025-02-26"}
    cells = segment_cells(read_segments(given("nvda-10-k-2025-02-26.html.gz")), company, **about)
    cell = next(c for c in cells if c.label == "Revenue by product: Data Center" and c.fiscal_year == 2025)
    assert (cell.concept, cell.value, cell.unit, cell.fiscal_period) == (
        "Revenues by product: Data Center",
        "115186000000",
        "USD",
        "FY",
    )
    assert (cell.accession, cell.period_end, cell.derived) == ("0001045810-25-000023", "2025-01-26", None)
    quarterly = segment_cells(
        read_segments(given("nvda-10-q-2025-08-27.html.gz")), company, form="10-Q", accession="a", filed="2025-08-27"
    )
    assert {(c.fiscal_year, c.fiscal_period) for c in quarterly} == {(2026, "Q2"), (2025, "Q2")}


def test_formats_of_numbers() -> None:
    """Scale, sign, dashes for zero, decimal commas, and numbers that say nothing."""
    context = (
        '<xbrli:context id="c"><xbrli:period><xbrli:startdate>2024-01-01</xbrli:startdate><xbrli:enddate>2024-12-31'
        '</xbrli:enddate></xbrli:period></xbrli:context><xbrli:unit id="u"><xbrli:measure>iso4217:USD</xbrli:measure>'
        "</xbrli:unit>"
    )

    def value(text: str, **attributes: str) -> Decimal | None:
        written = " ".join(f'{key}="{entry}"' for key, entry in attributes.items())
        tagged = f'<ix:nonFraction name="us-gaap:Revenues" contextRef="c" unitRef="u" {written}>{text}</ix:nonFraction>'
        facts = read_facts(f"<html><body>{tagged}{context}</body></html>".encode())
        assert all(fact.unit == "USD" for fact in facts)
        return facts[0].value if facts else None

    assert value("1,234.5", scale="6") == Decimal(1_234_500_000)
    assert value("12", scale="3", sign="-") == Decimal(-12_000)
    assert value("—", format="ixt:fixed-zero", scale="6") == 0
    assert value("1.234,5", format="ixt:num-comma-decimal") == Decimal("1234.5")
    assert value("—") is None
    assert value("5", **{"xsi:nil": "true"}) is None
    assert value("5", scale="999999") == 5
    assert value("9" * 40) is None


@pytest.mark.parametrize("content", [b"", b"plain text", b"<html><body><p>No tags</p></body></html>", b"\xff\xfe<\x00"])
def test_documents_without_tags(content: bytes) -> None:
    """A document without inline XBRL has no figures, and that is no error."""
    assert read_segments(content).figures == ()
