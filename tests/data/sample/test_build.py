from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

import pytest

from dexter.data.sample.build import HERE, TICKERS_FILE, build, main
from tests.support.shared import shared

FILES = ("companies.csv", "figures.csv", "filings.csv", "prices.csv")


def read(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture
def rebuilt(tmp_path: Path) -> Path:
    main([str(shared("data")), "--into", str(tmp_path)])
    return tmp_path


def test_the_same_sources_give_the_same_bytes(rebuilt: Path) -> None:
    """What is in the package is what the given folder builds, to the byte."""
    for name in FILES:
        assert (rebuilt / name).read_bytes() == (HERE / name).read_bytes(), name
    assert (rebuilt / TICKERS_FILE.name).read_bytes() == TICKERS_FILE.read_bytes()


def test_every_given_figure_is_kept_with_its_filing(rebuilt: Path) -> None:
    """No row of the source is lost, changed or doubled on the way into the package."""
    filings = {row["accession"]: row for row in read(rebuilt / "filings.csv")}
    columns = read(rebuilt / "figures.csv")[0].keys() | {"form", "filed"}
    kept = [{**row, **filings[row["accession"]]} for row in read(rebuilt / "figures.csv")]
    given = read(shared("data/fundamentals.csv"))

    def counted(rows: list[dict[str, str]]) -> Counter[tuple[str, ...]]:
        return Counter(tuple(row[column] for column in sorted(columns)) for row in rows)

    assert counted(kept) == counted(given)
    assert len(kept) == 1684


def test_the_closes_are_the_last_of_each_month(rebuilt: Path) -> None:
    """Every month of the source has its last close, and the very last day is among them."""
    closes = [row for row in read(rebuilt / "prices.csv") if row["ticker"] == "NVDA"]
    given = read(shared("data/prices/NVDA.csv"))
    assert closes[-1] == {"ticker": "NVDA", "date": "2026-03-20", "close": "172.7"}
    assert [row["date"][:7] for row in closes] == sorted({row["Date"][:7] for row in given})
    assert all(max(day["Date"] for day in given if day["Date"][:7] == row["date"][:7]) == row["date"] for row in closes)


def test_the_package_data_stays_small() -> None:
    """Everything read at run time is under a megabyte."""
    assert sum((HERE / name).stat().st_size for name in FILES) + TICKERS_FILE.stat().st_size < 1_000_000


def test_sources_that_contradict_themselves_are_refused(tmp_path: Path) -> None:
    """One filing with two dates is an error that names it, not a choice made in silence."""
    lines = shared("data/fundamentals.csv").read_text(encoding="utf-8").splitlines()
    broken = [lines[0], lines[1], lines[1].replace("2024-02-21", "2024-02-22")]
    (tmp_path / "fundamentals.csv").write_text("\n".join(broken), encoding="utf-8")
    with pytest.raises(ValueError, match="0001045810-24-000029"):
        build(tmp_path, tmp_path / "out", tmp_path / "tickers.tsv")
