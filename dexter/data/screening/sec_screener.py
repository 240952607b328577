"""Screens every company in EDGAR's frames: all that file in XBRL under US GAAP, by fiscal year."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from typing import Any

from dexter.data.company import Company
from dexter.data.derive import Column, CompanyFigures
from dexter.data.http import HttpClient
from dexter.data.metrics import metric_named, name_for_people
from dexter.data.provider import Capability, CompanyDirectory, Match, Screened, ScreenQuery
from dexter.data.screening.frame_cells import CompanyFrames
from dexter.data.screening.frames import Frames, fetch_frames, keys_for
from dexter.data.screening.industries import Industry, is_in_sector
from dexter.data.screening.judging import Figure, Judged, judge
from dexter.data.sec.client import EDGAR, NAME, EdgarUrls
from dexter.data.sec.concepts import RECIPES
from dexter.errors import ProviderError, ToolError
from dexter.results import Source

_FILED_BY_MONTH = 4  # annual reports of a calendar year are in by the end of March
_MOST_INDUSTRIES = 150  # companies whose industry is looked up, a request each


_NAMED = 5  # companies in a note
_PRICE = {"Close": "a price"}
_REMARK = (
    "Frames hold the value each company filed last. Companies under IFRS or in other currencies are not in them, nor"
    " are those whose annual report is not filed yet."
)


@dataclass(frozen=True)
class _Plan:
    """Which lines of which calendar years, the newest first."""

    concepts: tuple[str, ...]
    years: tuple[int, ...]


class SecScreener:
    """Builds each company's figures from frames and judges them all."""

    name = NAME
    capabilities: frozenset[Capability] = frozenset({"screen"})

    def __init__(
        self,
        client: HttpClient,
        directory: CompanyDirectory,
        today: Callable[[], date],
        urls: EdgarUrls = EDGAR,
    ) -> None:
        self._client = client
        self._directory = directory
        self._today = today
        self._urls = urls

    async def screen(self, query: ScreenQuery) -> Screened:
        """Every company that meets the criteria.

        Raises:
            ProviderError: a metric needs what frames do not have, a past day was asked for, or EDGAR did not answer.
            ToolError: too many companies are left to look up the industry of each.
        """
        plan = self._plan(query)
        frames = await fetch_frames(self._client, self._urls, keys_for(plan.concepts, plan.years))
        found = await asyncio.to_thread(_judged, frames, plan, query)
        matches: Sequence[Match] = found.matches
        notes: tuple[str, ...] = ()
        if query.sector:
            matches, notes = await self._in_sector(found.matches, query.sector)
        return Screened(
            universe=_universe(plan.years[0], found.judged + found.unjudged, frames),
            matches=tuple(self._named(match) for match in matches[: query.limit]),
            total=len(matches),
            judged=found.judged,
            unjudged=found.unjudged,
            sources=(_source(plan.years[0], frames),),
            notes=(*notes, _REMARK),
        )

    def _plan(self, query: ScreenQuery) -> _Plan:
        if query.as_of:
            raise _not_covered("has frames as of today only, not as of a past day", "Screen without `as_of`.")
        metrics = [metric_named(criterion.metric) for criterion in query.criteria]
        needs = [
            need
            for criterion, metric in zip(query.criteria, metrics, strict=True)
            for need in (metric.needs if metric else (criterion.metric,))
        ]
        concepts = tuple(dict.fromkeys(needs))
        unknown = [_PRICE.get(name) or name_for_people(name) for name in concepts if name not in RECIPES]
        if unknown:
            raise _not_covered(
                f"can't screen by what needs {' and '.join(unknown)}, which its frames do not have by fiscal year",
                "Screen by lines of the statements, margins, returns or growth, and ask get_market_data for prices.",
            )
        grows = any(metric and metric.group == "growth" for metric in metrics)
        newest = query.year or _newest_year(self._today())
        return _Plan(concepts, (newest, newest - 1) if grows else (newest,))

    async def _in_sector(self, matches: Sequence[Match], sector: str) -> tuple[list[Match], tuple[str, ...]]:
        """Those of the sector, and a word on those whose industry EDGAR does not tell."""
        if len(matches) > _MOST_INDUSTRIES:
            raise ToolError(
                f"{len(matches)} companies meet the criteria, and EDGAR tells the industry of one company at a time.",
                remedy=f"Add criteria until at most {_MOST_INDUSTRIES} are left, or leave out the sector.",
            )
        industries = await asyncio.gather(*(self._industry(match.company.cik or 0) for match in matches))
        of_sector = [
            replace(match, industry=industry.name)
            for match, industry in zip(matches, industries, strict=True)
            if industry and is_in_sector(industry, sector)
        ]
        untold = [match.company.name for match, industry in zip(matches, industries, strict=True) if not industry]
        note = f"EDGAR does not tell the industry of {', '.join(untold[:_NAMED])}{'…' if untold[_NAMED:] else ''}"
        return of_sector, (f"{note} ({len(untold)}), which meet the criteria but were left out.",) if untold else ()

    async def _industry(self, cik: int) -> Industry | None:
        """A company's industry; None where EDGAR does not tell it."""
        try:
            data: Any = await self._client.get_json(self._urls.submissions(cik), kind="submissions")
        except ProviderError as error:
            if error.kind == "not_found":
                return None
            raise
        code = str(data.get("sic") or "") if isinstance(data, dict) else ""
        return Industry(int(code), str(data.get("sicDescription") or "")) if code.isdecimal() else None

    def _named(self, match: Match) -> Match:
        """With the company as the directory knows it; one without a listed ticker stays with its number."""
        known = self._directory.resolve(f"CIK{match.company.cik:010d}")
        if len(known) != 1:
            return match
        figures = tuple(replace(cell, ticker=known[0].ticker) for cell in match.figures)
        return replace(match, company=known[0], figures=figures)


def _judged(frames: Frames, plan: _Plan, query: ScreenQuery) -> Judged:
    return judge(_companies(frames, plan), query)


def _companies(frames: Frames, plan: _Plan) -> Iterator[tuple[Company, Callable[[str], Figure]]]:
    for cik, name in frames.names.items():
        company = Company(f"CIK{cik}", name, cik)
        years = [tuple(CompanyFrames(frames, cik, year).cells(plan.concepts, company)) for year in plan.years]
        if years[0]:
            end = max(cell.period_end for cell in years[0])
            figures = CompanyFigures(company, [cell for cells in years for cell in cells])
            yield company, partial(_figure, figures, end)


def _figure(figures: CompanyFigures, end: str, name: str) -> Figure:
    return figures.figure(name, Column("annual", end))


def _universe(year: int, companies: int, frames: Frames) -> str:
    return (
        f"the {companies:,} companies with figures in EDGAR's frames of calendar {year} (fiscal years that lie mostly"
        f" in {year}; US GAAP, in dollars), as EDGAR had them at {frames.retrieved_at}"
    )


def _newest_year(today: date) -> int:
    """The newest calendar year whose annual reports are in."""
    return today.year - 1 if today.month >= _FILED_BY_MONTH else today.year - 2


def _source(year: int, frames: Frames) -> Source:
    return Source(
        "dataset",
        f"EDGAR frames of calendar {year}",
        url="https://www.sec.gov/search-filings/edgar-application-programming-interfaces",
        dataset="EDGAR frames",
        as_of=frames.retrieved_at[:10],
        retrieved_at=frames.retrieved_at,
    )


def _not_covered(what: str, remedy: str) -> ProviderError:
    return ProviderError(NAME, f"sec {what}.", kind="not_covered", remedy=remedy)
