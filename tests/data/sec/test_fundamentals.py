"""Rebuilds the recorded figures, which others read from the same filings, row by row."""

from __future__ import annotations

import csv
import sys
from collections import Counter
from decimal import Decimal
from functools import cache

from dexter.data.sec.concepts import RECIPES
from dexter.data.sec.facts import FactStore
from dexter.data.sec.recipe import qualified
from dexter.results import Cell
from tests.support.edgar import full_store, merged_store
from tests.support.shared import SHARED, shared
from tests.support.statements import ALL, cells

ROWS = "data/fundamentals.csv"
FIELDS = {
    "unit": "unit",
    "period_start": "period_start",
    "period_end": "period_end",
    "accession": "accession",
    "filed": "filed",
    "form": "form",
}
# What a derived row rests on besides revenue, assets and net income, by its wording.
PARTS = {
    "Revenues-CostOfRevenue": "CostOfRevenue",
    "Revenues-GrossProfit": "GrossProfit",
    "Assets-Equity": "StockholdersEquity",
}
Row = dict[str, str]


def rows() -> list[Row]:
    return list(csv.DictReader(shared(ROWS).read_text(encoding="utf-8").splitlines()))


@cache
def stores(ticker: str) -> tuple[FactStore, ...]:
    """The company's full facts, and all that is recorded of it; none where nothing is."""
    if not (SHARED / f"data/sec/companyfacts_cut/{ticker}.json.gz").exists():
        return ()
    merged = merged_store(ticker)
    full = SHARED / f"data/sec/companyfacts/CIK{merged.cik:010d}.json.gz"
    return (full_store(merged.cik), merged) if full.exists() else (merged,)


@cache
def rebuilt(ticker: str) -> tuple[dict[tuple[str, str], Cell], ...]:
    kind = "bank" if ticker == "JPM" else "operating"
    return tuple(
        {
            (found.concept, f"{found.fiscal_year} {found.fiscal_period}"): found
            for period in ("annual", "quarterly")
            for found in cells(store, period=period, kind=kind, statements=ALL, limit=20)
        }
        for store in stores(ticker)
    )


def is_derived(row: Row) -> bool:
    return row["derivation"].startswith("derived") or "split-adjusted" in row["derivation"]


def differences(row: Row, found: Cell) -> list[str]:
    wrong = [name for name, column in FIELDS.items() if getattr(found, name) != row[column]]
    if found.number != Decimal(row["value"]):
        wrong.append("value")
    if (found.derived is not None) != is_derived(row):
        wrong.append("derived")
    if is_derived(row) and found.derived != row["derivation"].removeprefix("derived "):
        wrong.append("wording")
    return wrong


def missing_part(row: Row) -> str:
    """Which fact of the row's is in no file; '' where all are there, so that the row must be equal."""
    if not stores(row["ticker"]):
        return f"no facts of {row['ticker']} are recorded"
    part = PARTS.get(row["derivation"].removeprefix("derived "))
    if row["tag"]:
        tags = [row["tag"]]
    elif part:
        tags = [way for way in RECIPES[part].ways if isinstance(way, str)]
    else:
        return ""
    span = (row["period_start"], row["period_end"])
    cover = row["tag"].startswith("dei:")
    measure = {"shares": "shares", "USD/shares": "per_share"}.get(row["unit"], "money")
    for store in stores(row["ticker"]):
        for tag in tags:
            series = store.series(qualified(tag), measure)
            filed = {fact.accession for facts in series.values() for fact in facts}
            ends = {end for _, end in series}
            if row["accession"] in filed and (
                cover or span in series or (row["derivation"] != "reported" and span[1] in ends)
            ):
                return ""
    return f"{row['ticker']}: {' or '.join(tags[:2])} of the filing is not in the files"


def test_every_recorded_figure_is_rebuilt_or_its_reason_told() -> None:
    """Equal in value, unit, start, end, label, filing and derivation; every other row lacks a source, which is named.

    The count of each kind is written to standard output (`pytest -rP`).
    """
    equal, wrong, reasons = Counter[str](), [], Counter[str]()
    for row in rows():
        place = (row["concept"], f"{row['fiscal_year']} {row['fiscal_period']}")
        found = [by_place[place] for by_place in rebuilt(row["ticker"]) if place in by_place]
        wrongs = [differences(row, each) for each in found]
        if any(not each for each in wrongs):
            equal["derived" if is_derived(row) else "as filed"] += 1
        elif reason := missing_part(row):
            reasons[reason] += 1
        else:
            wrong.append((row["ticker"], *place, row["value"], row["accession"], wrongs))
    sys.stdout.write(f"equal: {dict(equal)}, {equal.total()} in all\nnot rebuildable: {reasons.total()}\n")
    sys.stdout.writelines(f"  {count:4d} {reason}\n" for reason, count in reasons.most_common())
    assert not wrong
    assert equal["as filed"] >= 1030
    assert equal.total() + reasons.total() == 1684
