"""The recorded parts of EDGAR, served under EDGAR's own paths."""

from __future__ import annotations

import gzip
from functools import cache
from typing import Any

from pytest_httpserver import HTTPServer

from dexter.data.body import parse_json
from dexter.data.sec.client import EdgarUrls
from dexter.data.sec.facts import FactStore, fact_store
from tests.support.shared import shared

_PATHS = {"companyfacts": "/api/xbrl/companyfacts", "submissions": "/submissions"}


def recorded(path: str) -> bytes:
    """The bytes of a gzipped file among the recorded parts."""
    return gzip.decompress(shared(f"data/sec/{path}").read_bytes())


def serve(server: HTTPServer, *ciks: int, folders: tuple[str, ...] = ("companyfacts", "submissions")) -> EdgarUrls:
    """Serve the list of tickers, and of these companies what `folders` have of them."""
    server.expect_request("/files/company_tickers.json").respond_with_data(recorded("company_tickers.json.gz"))
    for cik in ciks:
        name = f"CIK{cik:010d}.json"
        for folder in folders:
            server.expect_request(f"{_PATHS[folder]}/{name}").respond_with_data(
                recorded(f"{folder}/{name}.gz"), content_type="application/json"
            )
    base = server.url_for("").rstrip("/")
    return EdgarUrls(base, base, base)


@cache
def cut_store(ticker: str) -> FactStore:
    """A company's facts cut to a few tags, which are newer than the full ones."""
    return fact_store(parse_json(recorded(f"companyfacts_cut/{ticker}.json.gz")))


@cache
def full_store(cik: int) -> FactStore:
    """A company's full facts."""
    return fact_store(parse_json(recorded(f"companyfacts/CIK{cik:010d}.json.gz")))


@cache
def merged_store(ticker: str) -> FactStore:
    """All facts that are recorded of a company: its cut ones, and the full ones where there are any."""
    data = parse_json(recorded(f"companyfacts_cut/{ticker}.json.gz"))
    full = shared("data/sec/companyfacts") / f"CIK{int(data['cik']):010d}.json.gz"
    return fact_store(merged(data, parse_json(gzip.decompress(full.read_bytes()))) if full.exists() else data)


def merged(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """Two responses for one company as one: the rows of `one` after those of `other`, which is changed."""
    facts = other["facts"]
    for taxonomy, tags in one["facts"].items():
        for tag, body in tags.items():
            units = facts.setdefault(taxonomy, {}).setdefault(tag, {"units": {}})["units"]
            for unit, rows in body["units"].items():
                units.setdefault(unit, []).extend(rows)
    return {**other, "facts": facts}
