"""Rebuilds the packaged data files from a folder of sources: `python -m dexter.data.sample.build FROM [--into DIR]`.

FROM holds `fundamentals.csv`, `prices/TICKER.csv` (Date and Close among the columns, oldest first) and
`sec/company_tickers.json.gz`. The same sources give the same bytes. What no source tells (exchange, kind of company)
is kept by hand in `listings.csv`.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import io
import json
from collections.abc import Iterable, Sequence
from pathlib import Path

Row = dict[str, str]

HERE = Path(__file__).parent
TICKERS_FILE = HERE.parent / "identity" / "tickers.tsv"

COMPANY_COLUMNS = ("ticker", "name", "cik", "exchange", "currency", "fiscal_year_end", "kind")
FILING_COLUMNS = ("accession", "form", "filed")
FIGURE_COLUMNS = (
    "ticker",
    "concept",
    "fiscal_year",
    "fiscal_period",
    "period_start",
    "period_end",
    "value",
    "unit",
    "tag",
    "derivation",
    "accession",
)
PRICE_COLUMNS = ("ticker", "date", "close")
_QUARTERS = ("Q1", "Q2", "Q3", "Q4", "FY")


def build(sources: Path, sample: Path = HERE, tickers: Path = TICKERS_FILE) -> None:
    """Write the sample's files into the folder `sample` and the list of tickers into the file `tickers`.

    Raises:
        OSError, KeyError, ValueError: a source is missing or not of its shape; nothing is guessed.
    """
    rows = _read_csv(sources / "fundamentals.csv")
    sample.mkdir(parents=True, exist_ok=True)
    _write_csv(sample / "figures.csv", FIGURE_COLUMNS, sorted(rows, key=_figure_order))
    _write_csv(sample / "filings.csv", FILING_COLUMNS, _filings(rows))
    _write_csv(sample / "companies.csv", COMPANY_COLUMNS, _companies(rows, _read_csv(HERE / "listings.csv")))
    _write_csv(sample / "prices.csv", PRICE_COLUMNS, _month_end_closes(sources / "prices"))
    tickers.parent.mkdir(parents=True, exist_ok=True)
    tickers.write_text(_ticker_lines(sources / "sec" / "company_tickers.json.gz"), encoding="utf-8")


def _figure_order(row: Row) -> tuple[str, str, str, int]:
    return row["ticker"], row["concept"], row["period_end"], _QUARTERS.index(row["fiscal_period"])


def _filings(rows: Sequence[Row]) -> list[Row]:
    """One row an accession number; the form and day a figure names must agree with every other's."""
    filings: dict[str, Row] = {}
    for row in rows:
        filing = {column: row[column] for column in FILING_COLUMNS}
        if filings.setdefault(row["accession"], filing) != filing:
            raise ValueError(f"fundamentals.csv gives two forms or dates for the filing {row['accession']}")
    return [filings[accession] for accession in sorted(filings)]


def _companies(rows: Sequence[Row], listings: Sequence[Row]) -> list[Row]:
    listed = {listing["ticker"]: listing for listing in listings}
    first_rows = {row["ticker"]: row for row in reversed(rows)}
    return [
        {
            "ticker": ticker,
            "name": row["company"],
            "cik": row["cik"],
            "exchange": listed[ticker]["exchange"],
            "currency": _currency(rows, ticker),
            "fiscal_year_end": _newest_year_end(rows, ticker),
            "kind": listed[ticker]["kind"],
        }
        for ticker, row in sorted(first_rows.items())
    ]


def _currency(rows: Sequence[Row], ticker: str) -> str:
    currencies = {row["unit"] for row in rows if row["ticker"] == ticker and "shares" not in row["unit"]}
    if len(currencies) != 1:
        raise ValueError(f"fundamentals.csv has {ticker} in {sorted(currencies)}: one currency is expected")
    return currencies.pop()


def _newest_year_end(rows: Sequence[Row], ticker: str) -> str:
    ends = (row["period_end"] for row in rows if row["ticker"] == ticker and row["fiscal_period"] == "FY")
    return max(ends)[len("YYYY-") :]


def _month_end_closes(folder: Path) -> list[Row]:
    """The last close of each month, and so also the very last one."""
    return [
        {"ticker": path.stem, "date": row["Date"], "close": row["Close"]}
        for path in sorted(folder.glob("*.csv"))
        for row in {row["Date"][: len("YYYY-MM")]: row for row in _read_csv(path)}.values()
    ]


def _ticker_lines(source: Path) -> str:
    """Ticker, CIK and name by tabs, in the order of the source, which is by size."""
    entries = json.loads(gzip.decompress(source.read_bytes())).values()
    return "".join(f"{entry['ticker']}\t{entry['cik_str']}\t{entry['title'].strip()}\n" for entry in entries)


def _read_csv(path: Path) -> list[Row]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _write_csv(path: Path, columns: Sequence[str], rows: Iterable[Row]) -> None:
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    path.write_text(text.getvalue(), encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> None:
    """The command behind `make sample FROM=…`."""
    parser = argparse.ArgumentParser(prog="python -m dexter.data.sample.build", description="Rebuild the sample.")
    parser.add_argument("sources", type=Path, metavar="FROM", help="folder with fundamentals.csv, prices/ and sec/")
    parser.add_argument("--into", type=Path, help="write here instead of into the package")
    options = parser.parse_args(arguments)
    if options.into:
        build(options.sources, options.into, options.into / TICKERS_FILE.name)
    else:
        build(options.sources)


if __name__ == "__main__":
    main()
