"""The tools over EDGAR as a user configures it: a mirror on loopback serves the recorded files under EDGAR's paths."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from pytest_httpserver import HTTPServer

from dexter.app.providers import open_providers
from dexter.app.run_tool import run_tool
from dexter.app.toolbox import filing_tools, financial_tools
from dexter.errors import SettingsError, ToolError
from dexter.messages import ToolSpec
from dexter.results import ToolResult
from dexter.tools.registry import Registry
from tests.support.edgar import serve
from tests.support.price_vendors import yahoo
from tests.support.setups import make_setup

NVDA = 1045810


def call(folder: Path, environ: dict[str, str], name: str, **arguments: Any) -> ToolResult:
    setup = make_setup(folder, environ)

    async def run() -> ToolResult:
        async with AsyncExitStack() as stack:
            providers = open_providers(setup, stack)
            registry = Registry([*financial_tools(providers), *filing_tools(providers, setup, 50_000)])
            return await run_tool(registry, name, arguments, setup)

    return asyncio.run(run())


@pytest.fixture
def mirror(httpserver: HTTPServer) -> dict[str, str]:
    urls = serve(httpserver, NVDA)
    return {
        "DEXTER_SEC__CONTACT": "Test Person test@example.org",
        "DEXTER_SEC__DATA_URL": urls.data,
        "DEXTER_SEC__WWW_URL": urls.www,
        "DEXTER_SEC__SEARCH_URL": urls.search,
    }


def test_statements_come_from_edgar_first(tmp_path: Path, mirror: dict[str, str]) -> None:
    """With a contact, figures are the filed ones, with their accession, and the result says who answered."""
    result = call(tmp_path, mirror, "get_financials", tickers=["NVDA"], concepts=["Revenues"], limit=1)
    assert result.tried[-1].provider == "sec"
    assert result.cells[0].accession
    assert result.cells[0].provenance == "reported"


def test_without_a_contact_the_sample_answers_and_says_what_was_tried(tmp_path: Path) -> None:
    """A new user gets an answer, and the reason why it is not EDGAR's."""
    result = call(tmp_path, {}, "get_financials", tickers=["NVDA"], concepts=["Revenues"], limit=1)
    assert [attempt.provider for attempt in result.tried] == ["sec", "financialdatasets", "sample"]
    assert "contact" in result.tried[0].reason
    assert result.cells[0].value == "215938000000"


def test_the_configured_order_is_kept(tmp_path: Path, mirror: dict[str, str]) -> None:
    """`data.providers` decides who is asked first."""
    environ = {**mirror, "DEXTER_DATA__PROVIDERS": "sample,sec"}
    result = call(tmp_path, environ, "get_financials", tickers=["NVDA"], concepts=["Revenues"], limit=1)
    assert [attempt.provider for attempt in result.tried] == ["sample"]


def test_filings_are_listed_from_edgar(tmp_path: Path, mirror: dict[str, str]) -> None:
    """`read_filings` lists a company's filings with accession numbers."""
    result = call(tmp_path, mirror, "read_filings", ticker="nvidia", forms=["10-K"], filings=2)
    assert "10-K" in result.text
    assert result.sources[0].dataset == "EDGAR submissions"


def test_an_ambiguous_company_is_an_error_with_candidates(tmp_path: Path, mirror: dict[str, str]) -> None:
    """The model learns whom it could mean."""
    with pytest.raises(ToolError):
        call(tmp_path, mirror, "read_filings", ticker="no such company anywhere")


def test_offline_there_is_the_sample_alone(tmp_path: Path) -> None:
    """No tool is offered that would need a socket."""
    setup = make_setup(tmp_path, {"DEXTER_OFFLINE": "true"})

    async def names() -> list[str]:
        async with AsyncExitStack() as stack:
            providers = open_providers(setup, stack)
            assert [provider.name for provider in providers.statements] == ["sample"]
            return [tool.name for tool in (*financial_tools(providers), *filing_tools(providers, setup, 50_000))]

    assert asyncio.run(names()) == ["get_financials", "get_market_data", "stock_screener"]


FLAT = {"type", "description", "enum", "items", "properties", "required", "default"} | {
    "minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems",
}  # fmt: skip


def keys_of(schema: Any) -> set[str]:
    """Every keyword a schema uses; the names of properties are no keywords."""
    if isinstance(schema, list):
        return set().union(*map(keys_of, schema)) if schema else set()
    if not isinstance(schema, dict):
        return set()
    inner = [value for key, value in schema.items() if key not in ("properties", "default", "enum", "required")]
    properties = schema.get("properties", {})
    return set(schema) | keys_of(inner) | keys_of(list(properties.values()))


def test_every_tools_schema_is_in_the_subset_all_providers_take(tmp_path: Path) -> None:
    """No `$ref`, no `anyOf`, no free-form maps: what some provider refuses."""
    from dexter.app.toolbox import build_tools

    async def specs() -> tuple[ToolSpec, ...]:
        async with AsyncExitStack() as stack:
            return build_tools(make_setup(tmp_path), 200_000, tmp_path, stack).specs()

    for spec in asyncio.run(specs()):
        assert keys_of(spec.parameters) <= FLAT, spec.name
        assert spec.parameters["type"] == "object"
        assert spec.description


def test_as_first_filed_is_one_argument_away(tmp_path: Path, mirror: dict[str, str]) -> None:
    """NVIDIA's diluted EPS of FY2024 as first filed (11.93, before the split) and as filed last (1.19)."""

    def eps(vintage: str) -> str:
        result = call(
            tmp_path, mirror, "get_financials", tickers=["NVDA"], concepts=["EPSDiluted"], limit=5, vintage=vintage
        )
        return next(cell.value for cell in result.cells if cell.fiscal_year == 2024)

    assert eps("latest") == "1.19"
    assert eps("first") in {"11.93", "1.193"}


def test_a_tools_as_of_never_reaches_beyond_the_runs_own(tmp_path: Path, mirror: dict[str, str]) -> None:
    """With `--as-of`, no call can see what was filed later."""
    environ = {**mirror, "DEXTER_AS_OF": "2024-03-01"}
    result = call(
        tmp_path, environ, "get_financials", tickers=["NVDA"], concepts=["Revenues"], limit=1, as_of="2026-01-01"
    )
    assert result.cells[0].fiscal_year == 2024
    assert result.cells[0].filed <= "2024-03-01"


CHART = "/v8/finance/chart/NVDA"


def test_the_free_source_is_asked_only_where_it_is_named(tmp_path: Path, httpserver: HTTPServer) -> None:
    """By default nobody without a key is asked: the sample answers. Named in `market.providers`, Yahoo is."""
    day = datetime.now(UTC).date() - timedelta(days=1)
    httpserver.expect_request(CHART).respond_with_json(yahoo([(day.isoformat(), 187.5)]))
    address = {"DEXTER_MARKET__YAHOO_URL": httpserver.url_for(""), "DEXTER_DATA__PROVIDERS": "sample"}
    asked = {"tickers": ["NVDA"], "parts": ["quote"]}
    default = call(tmp_path / "a", address, "get_market_data", **asked)
    assert [attempt.provider for attempt in default.tried] == ["financialdatasets", "twelvedata", "sample"]
    assert not httpserver.log
    named = call(tmp_path / "b", {**address, "DEXTER_MARKET__PROVIDERS": "yahoo,sample"}, "get_market_data", **asked)
    assert [attempt.provider for attempt in named.tried] == ["yahoo"]
    assert "unofficial" in named.text


def test_a_vendor_that_fails_hands_over_to_the_next(tmp_path: Path, httpserver: HTTPServer) -> None:
    """Payment refused: the sample's close, with the vendor, its status and what to do in the text."""
    httpserver.expect_request("/prices/").respond_with_json({}, status=402)
    environ = {
        "DEXTER_FINANCIALDATASETS__BASE_URL": httpserver.url_for(""),
        "DEXTER_MARKET__PROVIDERS": "financialdatasets,sample",
        "FINANCIAL_DATASETS_API_KEY": "k-1234567890",
    }
    result = call(tmp_path, environ, "get_market_data", tickers=["NVDA"], parts=["quote"])
    assert [(attempt.provider, attempt.status) for attempt in result.tried] == [
        ("financialdatasets", 402),
        ("sample", None),
    ]
    assert "Prices are from sample." in result.text
    assert "HTTP 402" in result.text
    assert "k-1234567890" not in str(result)


def test_screens_follow_the_order_of_the_data_providers(tmp_path: Path) -> None:
    """`data.providers` decides, and the sample says it is one."""
    criteria = [{"metric": "GrossMargin", "op": "gt", "value": 0.5}]
    result = call(tmp_path, {"DEXTER_DATA__PROVIDERS": "sample"}, "stock_screener", criteria=criteria)
    assert [attempt.provider for attempt in result.tried] == ["sample"]
    assert "bundled sample" in result.text


def test_an_unknown_source_of_prices_is_a_settings_error(tmp_path: Path) -> None:
    """Not passed over in silence."""
    with pytest.raises(SettingsError, match=r"market\.providers"):
        make_setup(tmp_path, {"DEXTER_MARKET__PROVIDERS": "bloomberg"})
