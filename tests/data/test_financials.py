from __future__ import annotations

import asyncio
import math
import re
import shutil
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from dexter.data.export import csv_text, json_text
from dexter.data.financials import FinancialsRequest, get_financials
from dexter.data.identity.directory import Directory
from dexter.data.metrics import METRICS
from dexter.data.provider import Capability, StatementProvider, StatementQuery, Statements
from dexter.data.sample.build import HERE
from dexter.data.sample.provider import SampleProvider
from dexter.errors import ProviderError, ToolError
from dexter.results import Attempt, Cell, ToolResult

SAMPLE = SampleProvider()
DIRECTORY = Directory(SAMPLE.companies)
DOZEN = (
    *("revenue", "cost of revenue", "gross profit", "R&D", "operating income", "net income"),
    *("EPS", "operating cash flow", "capex", "FCF", "gross margin", "revenue growth"),
)


def ask(request: FinancialsRequest, *providers: StatementProvider) -> ToolResult:
    return asyncio.run(get_financials(request, providers or (SAMPLE,), DIRECTORY))


@dataclass
class Broken:
    """A provider that always fails in the same way."""

    error: ProviderError
    name: str = "vendor"
    capabilities: frozenset[Capability] = field(default=frozenset({"statements"}))

    async def statements(self, query: StatementQuery) -> Statements:
        raise self.error


def values(result: ToolResult) -> dict[tuple[str, str, str], str]:
    return {(cell.ticker, cell.concept, cell.period_end): cell.value for cell in result.cells}


def test_the_result_opens_with_who_it_is_and_says_units_and_period_ends_once() -> None:
    """Company, ticker, exchange, currency, fiscal year end; then a table in millions, newest period first."""
    lines = ask(FinancialsRequest(("nvidia",), concepts=("revenue", "EPS"), limit=2)).text.splitlines()
    assert lines[:6] == [
        "NVDA · NVIDIA CORP · Nasdaq · USD · fiscal year ends 01-25",
        "|USD million|FY2026|FY2025|",
        "|-|-|-|",
        "|period end|2026-01-25|2025-01-26|",
        "|Revenue|215,938|130,497|",
        "|Diluted EPS (USD/shares)|4.90|2.94|",
    ]


def test_every_filing_is_listed_once() -> None:
    """Sources name form, accession number and day, once for all figures of a filing."""
    result = ask(FinancialsRequest(("AMD",), period="quarterly", limit=2))
    assert result.text.splitlines()[-1] == (
        "Sources AMD [sample]: 10-Q 0000002488-26-000076 (2026-05-06); 10-K 0000002488-26-000018 (2026-02-04)"
    )
    assert {source.accession for source in result.sources} == {cell.accession for cell in result.cells}


def test_derived_values_are_marked_and_explained() -> None:
    """A fourth quarter carries a mark that says how it was computed, a filed quarter none."""
    text = ask(FinancialsRequest(("NVDA",), concepts=("net income",), period="quarterly", limit=3)).text
    assert "|Net income|58,321|42,960*|31,910|" in text
    assert "* derived: year to date − year to date of the quarter before" in text


def _tokens(text: str) -> int:
    """More than any tokenizer makes of it: three digits a token, four letters, every sign its own."""
    runs = re.findall(r"\d+|[A-Za-z]+|\S", text)
    return sum(math.ceil(len(run) / (3 if run.isdigit() else 4)) for run in runs)


def test_a_comparison_of_two_companies_over_four_quarters_is_lean() -> None:
    """A dozen rows each, within 1,500 tokens, sources and definitions included."""
    result = ask(FinancialsRequest(("NVDA", "AMD"), concepts=DOZEN, period="quarterly", limit=4))
    assert len(result.cells) == 2 * 12 * 4
    assert _tokens(result.text) <= 1_500


def test_exact_values_on_request() -> None:
    """Every digit, in plain units."""
    text = ask(FinancialsRequest(("NVDA",), concepts=("revenue", "EPS"), limit=1, exact=True)).text
    assert "|USD|FY2026|" in text
    assert "|Revenue|215,938,000,000|" in text
    assert "|Diluted EPS (USD/shares)|4.9|" in text


def test_growth_has_its_base_though_it_is_not_shown() -> None:
    """One column of growth is computed from a year that is fetched but not listed."""
    result = ask(FinancialsRequest(("NVDA",), concepts=("revenue growth",), limit=1))
    assert [cell.derived for cell in result.cells] == ["Revenues / Revenues of FY2025 − 1"]
    assert "65.47%" in result.text


def test_a_loss_makes_growth_not_meaningful_and_the_reason_is_told() -> None:
    """Intel's net income came from a loss: n.m., with why, and no number in the cells."""
    result = ask(FinancialsRequest(("INTC",), concepts=("net income growth",), limit=1))
    assert "|Net income growth, year on year|n.m.|" in result.text
    assert "n.m. (INTC): Net income of the year before is negative" in result.text
    assert result.cells == ()
    assert result.data["unavailable"][0]["why"] == "not_meaningful"


def test_holes_are_holes() -> None:
    """A quarter without total assets shows a dash and says that it is unknown."""
    text = ask(FinancialsRequest(("TSLA",), ("balance",), period="quarterly", limit=4)).text
    assert "|Total assets|128,567|122,070|–|106,618|" in text
    assert "–: not in the data, unknown rather than zero" in text


def test_lines_without_any_figure_are_named_apart_from_those_that_do_not_apply() -> None:
    """A bank has no gross profit; its interest expense is only not in the sample."""
    text = ask(FinancialsRequest(("JPM",))).text
    assert re.search(
        r"^JPM: no figures here for .*Interest expense.*; not applicable: .*Gross profit", text, re.MULTILINE
    )


def test_one_unknown_company_does_not_spoil_the_others() -> None:
    """The answer is partial; the entry says what the sample has and which provider has the rest."""
    result = ask(FinancialsRequest(("NVDA", "COIN")))
    assert result.status == "partial"
    (error,) = result.data["errors"]
    assert error["asked"] == "COIN"
    assert "not in the bundled sample, which has AAPL, AMD" in error["error"]
    assert "sec.contact" in error["error"]
    assert {cell.ticker for cell in result.cells} == {"NVDA"}


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("SPY", "a fund files no income statement"),
        ("^VIX", "an index has no financial statements"),
        ("BTC-USD", "not applicable to a crypto asset"),
        ("General", "could be GE"),
        ("Foo Bar Unheard", "No company is known as"),
        ("ZZZZZ", "not in the bundled sample"),
    ],
)
def test_what_has_no_statements_says_why(asked: str, said: str) -> None:
    """Funds, indices, coins, the ambiguous and the unknown each get their own sentence."""
    result = ask(FinancialsRequest((asked,)))
    assert result.status == "error"
    assert said in result.text


def test_a_provider_that_fails_is_named_and_the_next_one_answers() -> None:
    """A vendor without credit falls through to the sample, and the result keeps both."""
    vendor = Broken(ProviderError("vendor", "The vendor wants payment (402).", status=402, kind="billing"))
    result = ask(FinancialsRequest(("NVDA",)), vendor, SAMPLE)
    assert result.status == "ok"
    assert list(result.tried) == [Attempt("vendor", 402, "The vendor wants payment (402)."), Attempt("sample")]


@dataclass
class Segments:
    """A provider of segments and nothing else."""

    name: str = "segmented"
    capabilities: frozenset[Capability] = field(default=frozenset({"segments"}))

    async def statements(self, query: StatementQuery) -> Statements:
        cell = replace(
            Cell("NVDA", "Revenues: Data Center", "193737000000", "USD", 2026, "FY", "2025-01-27", "2026-01-25"),
            currency="USD",
            label="Revenue, Data Center",
        )
        return Statements(query.company, (cell,))


def test_segments_come_from_whoever_has_them() -> None:
    """Below the statement asked for with them, or alone."""
    both = ask(FinancialsRequest(("NVDA",), ("income", "segments"), limit=1), SAMPLE, Segments())
    assert "|Revenue|215,938|" in both.text
    assert "|Revenue, Data Center|193,737|" in both.text
    alone = ask(FinancialsRequest(("NVDA",), ("segments",), limit=1), SAMPLE, Segments())
    assert [cell.concept for cell in alone.cells] == ["Revenues: Data Center"]


def test_no_segments_are_a_note_beside_a_statement_and_an_error_alone() -> None:
    """The sample has none, and says so either way."""
    both = ask(FinancialsRequest(("NVDA",), ("income", "segments"), limit=1))
    assert both.status == "ok"
    assert both.notes == ("NVDA: No segments. No configured provider offers this.",)
    assert ask(FinancialsRequest(("NVDA",), ("segments",), limit=1)).status == "error"


def test_when_all_fail_all_are_told_with_their_remedies() -> None:
    """Every provider's reason and what would mend it stand in the error."""
    vendor = Broken(ProviderError("vendor", "No key.", kind="auth", remedy="Set VENDOR_KEY."))
    text = ask(FinancialsRequest(("COIN",)), vendor, SAMPLE).text
    assert "vendor: No key." in text
    assert "sample: COIN is not in the bundled sample" in text
    assert "Set VENDOR_KEY." in text


def test_as_of_excludes_what_was_filed_later_and_says_so() -> None:
    """In January 2026 NVIDIA's fiscal 2026 had not been filed."""
    result = ask(FinancialsRequest(("NVDA",), as_of="2026-01-31"))
    assert all(cell.filed <= "2026-01-31" for cell in result.cells)
    assert "As of 2026-01-31: nothing filed later is used." in result.notes


def test_editing_one_cell_changes_exactly_what_rests_on_it(tmp_path: Path) -> None:
    """NVIDIA's revenue of fiscal 2026, one dollar more: itself, and the metrics that need revenue, of that year."""
    for path in HERE.glob("*.csv"):
        shutil.copy(path, tmp_path)
    figures = tmp_path / "figures.csv"
    figures.write_text(figures.read_text(encoding="utf-8").replace("215938000000", "215938000001"), encoding="utf-8")
    request = FinancialsRequest(("NVDA", "AMD"), ("income", "balance", "cash_flow", "ratios"), limit=3)
    before, after = values(ask(request)), values(ask(request, SampleProvider(tmp_path)))
    changed = {key for key in before if before[key] != after[key]}
    dependent = {metric.name for metric in METRICS if "Revenues" in metric.needs}
    there = {concept for _, concept, _ in before}
    assert changed == {("NVDA", name, "2026-01-25") for name in (dependent | {"Revenues"}) & there}
    assert len(changed) >= 8


@pytest.mark.parametrize(
    ("request_", "said"),
    [
        (FinancialsRequest(()), "0 tickers"),
        (FinancialsRequest(tuple("ABCDEFGHIJK")), "11 tickers"),
        (FinancialsRequest(("NVDA",), limit=0), "limit is 0"),
        (FinancialsRequest(("NVDA",), as_of="yesterday"), "as_of is 'yesterday'"),
        # Python reads these as dates, but they sort after every day of their year.
        (FinancialsRequest(("NVDA",), as_of="20230601"), "as_of is '20230601'"),
        (FinancialsRequest(("NVDA",), as_of="2023-W22-4"), "as_of is '2023-W22-4'"),
        (FinancialsRequest(("NVDA",), concepts=("vibes",)), "No line or ratio is called 'vibes'"),
        (FinancialsRequest(("NVDA",), concepts=("P/E",)), "P/E, trailing needs a price: get_market_data gives it"),
        (
            FinancialsRequest(("NVDA",), concepts=("ROE",), period="quarterly"),
            "Return on equity is given for annual and ttm periods only",
        ),
    ],
)
def test_a_wrong_request_says_what_is_wrong_and_what_would_work(request_: FinancialsRequest, said: str) -> None:
    """An error the model can act on."""
    with pytest.raises(ToolError, match=re.escape(said)) as caught:
        ask(request_)
    assert caught.value.remedy


def test_an_unknown_word_among_known_ones_is_noted() -> None:
    """The known lines are answered."""
    result = ask(FinancialsRequest(("NVDA",), concepts=("revenue", "vibes"), limit=1))
    assert result.notes == ("No line or ratio is called 'vibes'.",)
    assert len(result.cells) == 1


def test_the_same_company_by_two_names_is_answered_once_each_as_asked() -> None:
    """Blanks and repetitions of a ticker do not double the answer."""
    assert len(ask(FinancialsRequest(("NVDA", " NVDA ", "NVDA"), limit=1, concepts=("revenue",))).cells) == 1


def test_cells_are_exported_whole_for_scripts() -> None:
    """CSV and JSON carry every field and every digit, and the CSV reads back as the same cells."""
    import csv
    import io
    import json

    cells = ask(FinancialsRequest(("NVDA",), ("income", "ratios"), limit=2)).cells
    rows = list(csv.DictReader(io.StringIO(csv_text(cells))))
    read = [{key: value for key, value in row.items() if value} for row in rows]
    assert read == [{key: str(value) for key, value in cell.to_json().items()} for cell in cells]
    assert [Cell.from_json(row) for row in json.loads(json_text(cells))] == list(cells)
