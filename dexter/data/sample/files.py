"""The sample's files as companies, cells and closes; each is read when it is first needed."""

from __future__ import annotations

import csv
from functools import cached_property
from pathlib import Path

from dexter.data.company import Company
from dexter.data.concepts import label_of
from dexter.data.provider import PricePoint
from dexter.data.screening.industries import Industry
from dexter.errors import ProviderError
from dexter.results import Cell

Row = dict[str, str]

PACKAGED = Path(__file__).parent

# How the sources word a derivation, and how every formula is written here.
_DERIVATIONS = {
    "YTD-prior YTD": "year to date − year to date of the quarter before",
    "net income/diluted weighted shares": "NetIncome / WeightedSharesDiluted",
    "Q4 net income/(4*FY-sum(Q1..Q3) diluted shares)": (
        "NetIncome of Q4 / (4 × WeightedSharesDiluted of the year − those of Q1 to Q3)"
    ),
    "Revenues-GrossProfit": "Revenues − GrossProfit",
    "Revenues-CostOfRevenue": "Revenues − CostOfRevenue",
    "Assets-Equity": "TotalAssets − StockholdersEquity",
}


class SampleFiles:
    """What `build` wrote into `folder`. Every method raises `ProviderError` (bad_data) where a file is damaged."""

    def __init__(self, folder: Path = PACKAGED) -> None:
        self._folder = folder

    @cached_property
    def companies(self) -> tuple[Company, ...]:
        """The companies in the sample, by ticker."""
        rows = self._rows("companies.csv")
        try:
            return tuple(Company(**{**row, "cik": int(row["cik"])}) for row in rows)  # type: ignore[arg-type]
        except (TypeError, ValueError, KeyError) as error:
            raise self._damaged("companies.csv", error) from error

    def cells(self, ticker: str, company: Company) -> list[Cell]:
        """Every figure kept under `ticker`, as cells of `company`: another share class of it has the same figures."""
        try:
            return [_cell(row, self._filings[row["accession"]], company) for row in self._figures[ticker]]
        except (TypeError, ValueError, KeyError) as error:
            raise self._damaged("figures.csv", error) from error

    def closes(self, ticker: str) -> tuple[PricePoint, ...]:
        """The closes of that ticker, oldest first; empty where there are none."""
        return tuple(self._closes.get(ticker, ()))

    @cached_property
    def last_day(self) -> str:
        """The day of the newest close."""
        return max(points[-1].date for points in self._closes.values())

    @cached_property
    def industries(self) -> dict[str, Industry]:
        """Each company's industry by ticker, kept by hand."""
        rows = self._rows("industries.csv")
        try:
            return {row["ticker"]: Industry(int(row["sic"]), row["industry"]) for row in rows}
        except (TypeError, ValueError, KeyError) as error:
            raise self._damaged("industries.csv", error) from error

    @cached_property
    def _figures(self) -> dict[str, list[Row]]:
        by_ticker: dict[str, list[Row]] = {}
        for row in self._rows("figures.csv"):
            by_ticker.setdefault(row["ticker"], []).append(row)
        return by_ticker

    @cached_property
    def _filings(self) -> dict[str, Row]:
        return {row["accession"]: row for row in self._rows("filings.csv")}

    @cached_property
    def _closes(self) -> dict[str, list[PricePoint]]:
        closes: dict[str, list[PricePoint]] = {}
        for row in self._rows("prices.csv"):
            closes.setdefault(row["ticker"], []).append(PricePoint(row["date"], row["close"]))
        return closes

    def _rows(self, file: str) -> list[Row]:
        try:
            with (self._folder / file).open(encoding="utf-8", newline="") as lines:
                return list(csv.DictReader(lines))
        except (OSError, UnicodeDecodeError, csv.Error) as error:
            raise self._damaged(file, error) from error

    def _damaged(self, file: str, error: Exception) -> ProviderError:
        return ProviderError(
            "sample",
            f"The sample's file {self._folder / file} can't be read ({type(error).__name__}: {error}).",
            kind="bad_data",
            remedy="Install dexter again.",
        )


def _cell(row: Row, filing: Row, company: Company) -> Cell:
    derived, detail = _how(row["derivation"])
    return Cell(
        ticker=company.ticker,
        company=company.name,
        concept=row["concept"],
        label=label_of(row["concept"]),
        value=row["value"],
        unit=row["unit"],
        currency=company.currency if row["unit"].startswith(company.currency) else "",
        fiscal_year=int(row["fiscal_year"]),
        fiscal_period=row["fiscal_period"],
        period_start=row["period_start"],
        period_end=row["period_end"],
        derived=derived,
        form=filing["form"],
        accession=filing["accession"],
        filed=filing["filed"],
        source=", ".join(filter(None, (_qualified(row["tag"]), detail))),
        provenance="sample",
    )


def _how(derivation: str) -> tuple[str | None, str]:
    """A row's derivation as (how it was computed or None, what else is known of where it stands)."""
    if derivation.startswith("derived "):
        how = derivation.removeprefix("derived ")
        return _DERIVATIONS.get(how, how), ""
    if "split-adjusted" in derivation:
        return derivation, ""
    return None, "" if derivation == "reported" else derivation


def _qualified(tag: str) -> str:
    return tag if ":" in tag or not tag else f"us-gaap:{tag}"
