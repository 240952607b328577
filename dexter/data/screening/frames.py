"""EDGAR's frames: one figure of every company for one calendar year or day, a request each."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Any, TypeVar

from dexter.data.sec.client import NAME, EdgarUrls
from dexter.data.sec.concepts import RECIPES
from dexter.data.sec.facts import Measure
from dexter.data.sec.recipe import Formula, Recipe
from dexter.errors import ProviderError

if TYPE_CHECKING:
    from dexter.data.http import HttpClient

T = TypeVar("T")

_AT_ONCE = 8
_UNITS: Mapping[Measure, str] = {"money": "USD", "per_share": "USD-per-shares", "shares": "shares", "pure": "pure"}


@dataclass(frozen=True, slots=True)
class FramePoint:
    """One company's figure. `start` is '' for one of a day."""

    start: str
    end: str
    value: Decimal
    accession: str


@dataclass(frozen=True)
class FrameKey:
    """Which frame: a tag of us-gaap in a measure, and its calendar period (`CY2025`, `CY2025Q4I`)."""

    tag: str
    measure: Measure
    period: str

    def path(self) -> str:
        """Its address below the base URL of EDGAR's data."""
        return f"/api/xbrl/frames/us-gaap/{self.tag}/{_UNITS[self.measure]}/{self.period}.json"


Frame = Mapping[int, FramePoint]


@dataclass(frozen=True)
class Frames:
    """Frames by key, the names of the companies in them, and when the oldest of them came from EDGAR."""

    points: Mapping[FrameKey, Frame]
    names: Mapping[int, str]
    retrieved_at: str

    def point(self, cik: int, key: FrameKey) -> FramePoint | None:
        """A company's figure; None where there is none."""
        return self.points.get(key, {}).get(cik)


def flow_period(year: int) -> str:
    """The fiscal years that lie mostly in a calendar year."""
    return f"CY{year}"


def balance_periods(year: int) -> tuple[str, ...]:
    """The days on which the fiscal years of `flow_period` may end: from June of the year to June of the next."""
    return tuple(f"CY{each}Q{quarter}I" for each, quarter in _quarters(year))


def _quarters(year: int) -> Iterator[tuple[int, int]]:
    yield from ((year, quarter) for quarter in (4, 3, 2))
    yield from ((year + 1, quarter) for quarter in (1, 2))


def keys_for(names: Iterable[str], years: Sequence[int]) -> tuple[FrameKey, ...]:
    """The frames that it takes to work out the lines `names`, and whatever their formulas rest on.

    Where no flow among them tells a company's own year, the balances of the calendar year's end are enough.
    """
    recipes = _recipes(names)
    days = len(balance_periods(0)) if any(recipe.kind != "balance" for recipe in recipes) else 1
    return tuple(dict.fromkeys(key for recipe in recipes for key in _keys(recipe, years, days)))


def tags_of(recipe: Recipe) -> tuple[str, ...]:
    """Its tags of us-gaap, preferred ones first; frames of other taxonomies are in other currencies."""
    return tuple(way for way in recipe.ways if isinstance(way, str) and ":" not in way)


def _keys(recipe: Recipe, years: Sequence[int], days: int) -> Iterator[FrameKey]:
    for tag in tags_of(recipe):
        for year in years:
            periods = balance_periods(year)[:days] if recipe.kind == "balance" else (flow_period(year),)
            yield from (FrameKey(tag, recipe.measure, period) for period in periods)


def _recipes(names: Iterable[str]) -> list[Recipe]:
    found: dict[str, Recipe] = {}
    waiting = list(names)
    while waiting:
        name = waiting.pop().rstrip("?")
        if name in found or name not in RECIPES:
            continue
        found[name] = RECIPES[name]
        formulas = [way for way in RECIPES[name].ways if isinstance(way, Formula)]
        waiting += [part for way in formulas for part in (*way.plus, *way.minus, *way.unless)]
    return list(found.values())


async def fetch_frames(client: HttpClient, urls: EdgarUrls, keys: Sequence[FrameKey]) -> Frames:
    """All of these frames; one that does not exist is empty, for no company uses that tag.

    Raises:
        ProviderError: any of the others could not be had: a screen over a part would be wrong without looking so.
    """
    room = asyncio.Semaphore(_AT_ONCE)

    async def one(key: FrameKey) -> tuple[Frame, dict[int, str], str]:
        async with room:
            try:
                response = await client.get(urls.data.rstrip("/") + key.path(), kind="frames")
            except ProviderError as error:
                if error.kind == "not_found":
                    return {}, {}, ""
                raise
            data = await asyncio.to_thread(client.read_json, response)
        try:
            return (*_read(data), response.retrieved_at)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            client.forget(response)
            raise ProviderError(
                NAME, "sec sent a frame of an unknown shape.", kind="bad_data", remedy="Check `sec.data_url`."
            ) from error

    read = await _all(one(key) for key in keys)
    names = {cik: name for _, known, _ in read for cik, name in known.items()}
    retrieved = min((at for _, _, at in read if at), default="")
    return Frames(dict(zip(keys, (frame for frame, _, _ in read), strict=True)), names, retrieved)


async def _all(work: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    """Everything, or the first error; what is still under way then is given up."""
    tasks = [asyncio.ensure_future(each) for each in work]
    try:
        return await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _read(data: Any) -> tuple[dict[int, FramePoint], dict[int, str]]:
    """The rows that make sense; a broken one costs only itself."""
    points: dict[int, FramePoint] = {}
    names: dict[int, str] = {}
    rows = data["data"]
    if not isinstance(rows, list):
        raise TypeError("no list of rows")
    for row in rows:
        if not isinstance(row, dict):
            continue
        cik, value, end = row.get("cik"), row.get("val"), str(row.get("end") or "")
        if isinstance(cik, int) and isinstance(value, int | Decimal) and not isinstance(value, bool) and _is_day(end):
            points[cik] = FramePoint(str(row.get("start") or ""), end, Decimal(value), str(row.get("accn") or ""))
            names[cik] = str(row.get("entityName") or "")
    return points, names


def _is_day(text: str) -> bool:
    try:
        return bool(date.fromisoformat(text))
    except ValueError:
        return False
