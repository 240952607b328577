"""The packaged lists: the tickers the SEC knew in April 2026, other names for some, and words that are tickers too."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import get_args

from dexter.data.company import Company, CompanyKind
from dexter.data.identity.names import spoken

PACKAGED = Path(__file__).parent

_FUND = re.compile(r"\b(?:ETF|ETN|FUND)S?\b", re.IGNORECASE)
KINDS: tuple[CompanyKind, ...] = get_args(CompanyKind)
# Over-the-counter receipts and foreign shares: five letters ending in Y or F.
_OVER_THE_COUNTER = re.compile(r"[A-Z]{4}[FY]")


@dataclass(frozen=True)
class Alias:
    """Another way to say a ticker: a former ticker, a short name, an index, a coin. `note` is for the answer."""

    said: str
    ticker: str
    cik: str = ""
    name: str = ""
    kind: str = ""
    note: str = ""


class Listing:
    """Tickers by spelling, by CIK and by rank (0 is the largest). `known` companies replace what the list says."""

    def __init__(self, known: Iterable[Company] = (), folder: Path = PACKAGED) -> None:
        self._folder = folder
        self._known = {company.cik: company for company in known if company.cik}

    def company(self, ticker: str) -> Company | None:
        """The company of a ticker in canonical spelling, or None."""
        alias = self._instruments.get(ticker)
        row = self._rows.get(ticker)
        if alias and (alias.kind or row is None):
            return _instrument(alias)
        return self._listed(ticker, *row[1:]) if row else None

    def is_known(self, company: Company) -> bool:
        """Whether it is one of the companies handed in: there are figures of it at hand."""
        return company.cik in self._known

    def rank(self, ticker: str) -> int:
        """How far down the list by size the ticker's company stands; one past the end where it is not listed."""
        row = self._rows.get(ticker)
        return self._ranks[row[1]] if row else len(self._rows)

    def classes(self, cik: int) -> tuple[str, ...]:
        """The tickers of a company, the usual one first."""
        return self._tickers.get(cik, ())

    @property
    def tickers(self) -> Iterable[tuple[str, str]]:
        """Every ticker with its company's name as filed, largest first."""
        return ((ticker, name) for ticker, (_, _, name) in self._rows.items())

    @property
    def names(self) -> Iterable[tuple[int, str]]:
        """Every company once, largest first: CIK and name as filed."""
        return ((cik, self._rows[tickers[0]][2]) for cik, tickers in self._tickers.items())

    @cached_property
    def aliases(self) -> dict[str, Alias]:
        """Aliases by what is said, in the form `spoken` gives."""
        with (self._folder / "aliases.csv").open(encoding="utf-8", newline="") as lines:
            return {spoken(row["said"]): Alias(**row) for row in csv.DictReader(lines)}

    @cached_property
    def words(self) -> dict[str, str]:
        """Words that are not to be taken for a ticker or name at sight, each with its kind.

        `word`: an English word and a ticker. `frequent`: a ticker in capitals only. `jargon`: a term of finance first.
        `everyday`: a word that company names begin with.
        """
        with (self._folder / "words.csv").open(encoding="utf-8", newline="") as lines:
            return {row["word"]: row["kind"] for row in csv.DictReader(lines)}

    @cached_property
    def _instruments(self) -> dict[str, Alias]:
        """What is no row of the list, or wrongly described there: funds, indices, coins, tickers no longer traded."""
        return {alias.ticker: alias for alias in self.aliases.values() if alias.name}

    @cached_property
    def _rows(self) -> dict[str, tuple[int, int, str]]:
        """Ticker → place in the list, CIK, name."""
        with (self._folder / "tickers.tsv").open(encoding="utf-8") as lines:
            parts = (line.rstrip("\n").split("\t") for line in lines)
            return {ticker: (place, int(cik), name) for place, (ticker, cik, name) in enumerate(parts)}

    @cached_property
    def _ranks(self) -> dict[int, int]:
        ranks: dict[int, int] = {}
        for place, cik, _ in self._rows.values():
            ranks.setdefault(cik, place)
        return ranks

    @cached_property
    def _tickers(self) -> dict[int, tuple[str, ...]]:
        by_cik: dict[int, list[str]] = {}
        for ticker, (_, cik, _) in self._rows.items():
            by_cik.setdefault(cik, []).append(ticker)
        return {cik: tuple(sorted(tickers, key=_unusual)) for cik, tickers in by_cik.items()}

    def _listed(self, ticker: str, cik: int, name: str) -> Company:
        known = self._known.get(cik)
        if known:
            return replace(known, ticker=ticker)
        return Company(ticker, name, cik, kind="fund" if _FUND.search(name) else "operating")


def _unusual(ticker: str) -> bool:
    """Sorts receipts, preferred shares and warrants behind; the order of the list decides the rest."""
    return bool(_OVER_THE_COUNTER.fullmatch(ticker)) or len(ticker.partition("-")[2]) > 1


def _instrument(alias: Alias) -> Company:
    return Company(
        ticker=alias.ticker,
        name=alias.name,
        cik=int(alias.cik) if alias.cik else None,
        kind=next(kind for kind in KINDS if kind == alias.kind),
        notes=(alias.note,) if alias.note else (),
    )
