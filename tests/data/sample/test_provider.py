from __future__ import annotations

import asyncio
import csv
import shutil
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from dexter.data.company import Company
from dexter.data.periods import fiscal_quarter, fiscal_year, span_of
from dexter.data.provider import PriceQuery, Prices, StatementQuery, Statements
from dexter.data.sample.build import HERE
from dexter.data.sample.files import SampleFiles
from dexter.data.sample.provider import SampleProvider
from dexter.errors import ProviderError
from dexter.results import Cell

FILES = SampleFiles()
COMPANIES = {company.ticker: company for company in FILES.companies}
NVDA = COMPANIES["NVDA"]


def statements(query: StatementQuery, folder: Path = HERE) -> Statements:
    return asyncio.run(SampleProvider(folder).statements(query))


def prices(query: PriceQuery) -> Prices:
    return asyncio.run(SampleProvider().prices(query))


def only(cells: tuple[Cell, ...], concept: str) -> list[Cell]:
    return [cell for cell in cells if cell.concept == concept]


def test_a_figure_comes_with_everything_a_reader_needs_to_check_it() -> None:
    """Value, unit, period, tag and filing of NVIDIA's revenue of fiscal 2026 are as the 10-K has them."""
    (cell,) = statements(StatementQuery(NVDA, concepts=("Revenues",), limit=1)).cells
    assert cell == Cell(
        ticker="NVDA",
        company="NVIDIA CORP",
        concept="Revenues",
        label="Revenue",
        value="215938000000",
        unit="USD",
        currency="USD",
        fiscal_year=2026,
        fiscal_period="FY",
        period_start="2025-01-27",
        period_end="2026-01-25",
        form="10-K",
        accession="0001045810-26-000021",
        filed="2026-02-25",
        source="us-gaap:Revenues",
        provenance="sample",
    )


def test_every_row_becomes_a_cell_with_a_number_a_filing_and_the_label_its_dates_give() -> None:
    """All 1,684 rows are readable, and their fiscal labels are those of the period rules."""
    cells = [cell for company in FILES.companies for cell in FILES.cells(company.ticker, company)]
    assert len(cells) == 1684
    for cell in cells:
        end = date.fromisoformat(cell.period_end)
        assert cell.number.is_finite()
        assert cell.accession
        assert cell.filed
        if cell.fiscal_period == "FY":
            assert fiscal_year(end) == cell.fiscal_year
        else:
            label = f"{cell.fiscal_period} FY{cell.fiscal_year}"
            assert fiscal_quarter(end, COMPANIES[cell.ticker].fiscal_year_end).label == label
        if cell.period_start:
            expected = "year" if cell.fiscal_period == "FY" else "quarter"
            assert span_of(date.fromisoformat(cell.period_start), end) == expected


def test_the_newest_periods_come_first_and_no_more_than_asked() -> None:
    """Four quarters of the income statement: newest first in every line, lines in statement order."""
    found = statements(StatementQuery(NVDA, ("income",), "quarterly", 4))
    assert list(dict.fromkeys(cell.concept for cell in found.cells)) == [
        "Revenues",
        "CostOfRevenue",
        "GrossProfit",
        "ResearchAndDevelopment",
        "OperatingIncome",
        "NetIncome",
        "EPSDiluted",
    ]
    labels = [f"{cell.fiscal_period} {cell.fiscal_year}" for cell in only(found.cells, "Revenues")]
    assert labels == ["Q1 2027", "Q4 2026", "Q3 2026", "Q2 2026"]


def test_derived_values_are_marked_and_filed_ones_are_not() -> None:
    """The fourth quarter is year less nine months and says so; the third was filed."""
    found = statements(StatementQuery(NVDA, period="quarterly", concepts=("NetIncome",))).cells
    derived = {cell.fiscal_period: cell.derived for cell in found}
    assert derived["Q4"] == "year to date − year to date of the quarter before"
    assert derived["Q3"] is None


def test_a_hole_is_named_and_not_filled() -> None:
    """Microsoft's R&D is not in the sample: no cell, and a note that says so."""
    found = statements(StatementQuery(COMPANIES["MSFT"], concepts=("Revenues", "ResearchAndDevelopment")))
    assert not only(found.cells, "ResearchAndDevelopment")
    assert found.notes == ("Not in the sample for MSFT: R&D expense.",)


def test_nothing_at_all_is_an_error_not_an_empty_answer() -> None:
    """JPMorgan has no operating income here, and asking for that alone fails with the reason."""
    with pytest.raises(ProviderError, match="Not in the sample for JPM: Operating income") as caught:
        statements(StatementQuery(COMPANIES["JPM"], concepts=("OperatingIncome",)))
    assert caught.value.kind == "not_covered"


def test_an_unknown_company_is_told_what_there_is_and_what_others_need() -> None:
    """The error lists the sample's companies and names the provider for the rest."""
    with pytest.raises(ProviderError, match="COIN is not in the bundled sample, which has AAPL, AMD") as caught:
        statements(StatementQuery(Company("COIN", "Coinbase", 1679788)))
    assert "sec.contact" in caught.value.remedy


def test_share_classes_have_the_same_statements() -> None:
    """GOOG gets Alphabet's figures under its own ticker, but no other class's price."""
    goog = replace(COMPANIES["GOOGL"], ticker="GOOG")
    query = StatementQuery(COMPANIES["GOOGL"])
    values = [cell.value for cell in statements(query).cells]
    other = statements(replace(query, company=goog)).cells
    assert [cell.value for cell in other] == values
    assert {cell.ticker for cell in other} == {"GOOG"}
    with pytest.raises(ProviderError, match="GOOG is not in the bundled sample"):
        prices(PriceQuery(goog))


def test_as_of_nothing_filed_later_is_used_and_what_is_left_out_is_said() -> None:
    """On 2026-03-20 NVIDIA's first quarter of fiscal 2027 had not been filed."""
    found = statements(StatementQuery(NVDA, ("income", "balance"), "quarterly", 8, as_of="2026-03-20"))
    assert max(cell.filed for cell in found.cells) <= "2026-03-20"
    assert max(cell.period_end for cell in found.cells) == "2026-01-25"
    assert "in the sample only as filed later" in found.notes[0]


def test_trailing_twelve_months_are_the_year_as_filed_or_four_quarters() -> None:
    """AMD to 2026-03-28: 34,639 + 10,253 − 7,438; to the year's end: the year itself."""
    found = statements(StatementQuery(COMPANIES["AMD"], period="ttm", concepts=("Revenues",), limit=2)).cells
    assert [(cell.period_end, cell.value) for cell in found] == [
        ("2026-03-28", "37454000000"),
        ("2025-12-27", "34639000000"),
    ]
    assert found[0].derived == "sum of the quarters Q2 FY2025 to Q1 FY2026"
    assert found[0].period_start == "2025-03-30"
    assert found[1].derived == "fiscal year 2025"


def test_twelve_months_with_a_quarter_missing_are_not_made_up() -> None:
    """Tesla's quarters have holes: only its fiscal year gives twelve months."""
    found = statements(StatementQuery(COMPANIES["TSLA"], period="ttm", concepts=("NetIncome",), limit=9)).cells
    assert [cell.period_end for cell in found] == ["2024-12-31", "2023-12-31", "2022-12-31"]


def test_the_value_first_filed_is_refused_since_the_sample_does_not_keep_it() -> None:
    """Giving the latest value instead would be a wrong figure."""
    with pytest.raises(ProviderError, match="not the one first filed"):
        statements(StatementQuery(NVDA, vintage="first"))


def test_closes_are_month_ends_and_the_last_day() -> None:
    """25 closes from March 2024, the last of 2026-03-20, with what they are adjusted for."""
    found = prices(PriceQuery(NVDA))
    assert (len(found.points), found.points[0].date, found.points[-1].date) == (25, "2024-03-28", "2026-03-20")
    assert found.points[-1].close == "172.7"
    assert found.adjusted == "splits"
    assert found.sources[0].as_of == "2026-03-20"


@pytest.mark.parametrize(
    ("query", "last"),
    [
        (PriceQuery(NVDA, as_of="2025-06-15"), "2025-05-30"),
        (PriceQuery(NVDA, end="2025-12-31", as_of="2025-06-15"), "2025-05-30"),
        (PriceQuery(NVDA, start="2025-01-01", end="2025-03-31"), "2025-03-31"),
    ],
)
def test_closes_after_the_end_or_the_as_of_day_are_not_used(query: PriceQuery, last: str) -> None:
    """The earlier of both days is the limit."""
    assert prices(query).points[-1].date == last


def test_a_range_without_closes_says_which_days_there_are() -> None:
    """Nothing in the range is an error with the range that would work."""
    with pytest.raises(ProviderError, match="from 2024-03-28 to 2026-03-20"):
        prices(PriceQuery(NVDA, end="2023-12-31"))


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    for path in HERE.glob("*.csv"):
        shutil.copy(path, tmp_path)
    return tmp_path


def test_an_edited_copy_changes_exactly_that_figure(copy: Path) -> None:
    """The data folder is an argument, and every value comes from it."""
    query = StatementQuery(NVDA, limit=5)
    before = {(cell.concept, cell.fiscal_year): cell.value for cell in statements(query).cells}
    path = copy / "figures.csv"
    path.write_text(path.read_text(encoding="utf-8").replace("215938000000", "215938000001"), encoding="utf-8")
    after = {(cell.concept, cell.fiscal_year): cell.value for cell in statements(query, copy).cells}
    assert dict(after.items() - before.items()) == {("Revenues", 2026): "215938000001"}


@pytest.mark.parametrize("damage", ["ticker,concept\nNVDA,Revenues\n", "\x00", "ticker\n", ""])
def test_a_damaged_file_is_named_and_no_traceback(copy: Path, damage: str) -> None:
    """Whatever is in the file, the error says which file and how to mend it."""
    (copy / "figures.csv").write_text(damage, encoding="utf-8")
    with pytest.raises(ProviderError, match=r"figures\.csv") as caught:
        statements(StatementQuery(NVDA), copy)
    assert caught.value.kind == "bad_data"


def test_a_missing_file_is_named(copy: Path) -> None:
    """The same for a file that is not there."""
    (copy / "filings.csv").unlink()
    with pytest.raises(ProviderError, match=r"filings\.csv"):
        statements(StatementQuery(NVDA), copy)


def test_companies_carry_exchange_currency_and_year_end() -> None:
    """Every company has what each result opens with."""
    with (HERE / "companies.csv").open(encoding="utf-8", newline="") as file:
        assert len(list(csv.DictReader(file))) == len(COMPANIES) == 12
    assert all(c.name and c.cik and c.exchange and c.currency and c.fiscal_year_end for c in COMPANIES.values())
    assert COMPANIES["JPM"].kind == "bank"
