"""A company that files what a test wants it to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from dexter.data.sec.facts import FactStore, fact_store

Figures = Mapping[tuple[str, str, str], int | str]  # (tag, first day or '', last day) to value


class Filer:
    """Collects filings; `data` is what the SEC would send, `store` the same as a store of facts."""

    def __init__(self, currency: str = "USD", taxonomy: str = "us-gaap") -> None:
        self.currency = currency
        self.taxonomy = taxonomy
        self.rows: list[tuple[str, str, dict[str, Any]]] = []
        self._filings = 0

    def file(self, form: str, filed: str, figures: Figures, *, unit: str = "") -> str:
        """File a report; the unit follows from the tag unless one is given. Returns the accession number."""
        self._filings += 1
        accession = f"{1:010d}-{filed[2:4]}-{self._filings:06d}"
        for (tag, start, end), value in figures.items():
            number = Decimal(value) if isinstance(value, str) else value
            row = {"end": end, "val": number, "accn": accession, "form": form, "filed": filed, "fy": 1, "fp": "FY"}
            self.rows.append((tag, unit or self._unit(tag), row | ({"start": start} if start else {})))
        return accession

    def data(self) -> dict[str, Any]:
        """The response for this company."""
        return facts_of(self.rows, self.taxonomy)

    def store(self) -> FactStore:
        """The store of all that was filed."""
        return fact_store(self.data())

    def _unit(self, tag: str) -> str:
        if "PerShare" in tag:
            return f"{self.currency}/shares"
        return "shares" if "Shares" in tag else self.currency


def facts_of(rows: Iterable[tuple[str, str, dict[str, Any]]], taxonomy: str = "us-gaap") -> dict[str, Any]:
    """A response with these rows in this order."""
    facts: dict[str, Any] = {}
    for tag, unit, row in rows:
        own, _, name = tag.rpartition(":")
        tags = facts.setdefault(own or taxonomy, {})
        tags.setdefault(name, {"units": {}})["units"].setdefault(unit, []).append(row)
    return {"cik": 1, "entityName": "Test Co", "facts": facts}


def days_after(day: str, days: int) -> str:
    """An ISO day so many days later."""
    return (date.fromisoformat(day) + timedelta(days=days)).isoformat()


QUARTER_ENDS = ("03-31", "06-30", "09-30", "12-31")


def calendar_year(filer: Filer, year: int, tag: str, quarters: tuple[int, int, int, int], **also: Figures) -> None:
    """A year as most file it: each quarter and the year to date in 10-Qs, only the whole year in the 10-K.

    `also` adds figures to the reports `q1`, `q2`, `q3` and `fy`.
    """
    january = f"{year}-01-01"
    starts = (january, f"{year}-04-01", f"{year}-07-01")
    for index, filed in enumerate((f"{year}-05-05", f"{year}-08-05", f"{year}-11-05")):
        end = f"{year}-{QUARTER_ENDS[index]}"
        figures: dict[tuple[str, str, str], int | str] = {(tag, starts[index], end): quarters[index]}
        figures[tag, january, end] = sum(quarters[: index + 1])
        filer.file("10-Q", filed, {**figures, **also.get(f"q{index + 1}", {})})
    filer.file("10-K", f"{year + 1}-02-20", {(tag, january, f"{year}-12-31"): sum(quarters), **also.get("fy", {})})
