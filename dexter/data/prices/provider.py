"""The one provider that asks any vendor: prices with their time, currency and what they are adjusted for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING

from dexter.data.prices.bars import Window, newest_price, spaced, unsplit, without_future
from dexter.data.prices.fetch import DAYS_BACK, BarSource, Fetched, Question, days_before
from dexter.data.prices.vendor import Vendor
from dexter.data.provider import Capability, PricePoint, PriceQuery, Prices
from dexter.errors import ProviderError
from dexter.results import Source

if TYPE_CHECKING:
    from dexter.data.http import HttpClient

_YEARS_BACK = 5  # of a history without a first day
_OLD_DAYS = 4  # a long weekend


class VendorPrices:
    """Quotes and histories of one vendor."""

    capabilities: frozenset[Capability] = frozenset({"prices"})

    def __init__(
        self,
        vendor: Vendor,
        client: HttpClient,
        base_url: str,
        *,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self.name = vendor.name
        self._vendor = vendor
        self._source = BarSource(vendor, client, base_url.rstrip("/"))
        self._now = now

    async def prices(self, query: PriceQuery) -> Prices:
        """The closes asked for and, unless a past day is meant, the newest price.

        Raises:
            ProviderError: no answer, one of another shape, or none with prices of that company in those days.
        """
        now = self._now()
        for ticker in self._vendor.spellings(query.company):
            found = await self._ask(ticker, query, now)
            if found and (found.bars.points or found.bars.quote):
                return self._prices(query, found, now)
        raise self._nothing(query)

    async def _ask(self, ticker: str, query: PriceQuery, now: datetime) -> Fetched | None:
        """What the vendor has under that ticker; None where it knows no such ticker."""
        window = _window(query, now.date())
        question = Question(ticker, query.company, window, now, "prices" if query.latest else "history")
        try:
            found = await self._source.fetch(question)
        except ProviderError as error:
            if error.kind == "not_found":
                return None
            raise
        found = found if _last_day(query) else await self._with_quote(found, question)
        return replace(found, bars=without_future(found.bars, now))

    async def _with_quote(self, found: Fetched, question: Question) -> Fetched:
        """With the newest price, where that is at an address of its own; that it is not to be had is no loss of all."""
        try:
            return replace(found, bars=await self._source.quote(question.ticker, question.company, found.bars))
        except ProviderError as error:
            if not found.bars.points:
                raise
            return replace(found, notes=(*found.notes, f"No price of today: {error.message}"))

    def _prices(self, query: PriceQuery, found: Fetched, now: datetime) -> Prices:
        bars, last_day = found.bars, _last_day(query)
        if not bars.currency:
            what = f"does not say in which currency its prices of {query.company.ticker} are"
            raise self._source.error(what, "bad_data")
        points = [point for point in bars.points if query.start <= point.date <= (last_day or "9")]
        later = [split for split in bars.splits or () if query.as_of and split.day > query.as_of]
        quote = None if last_day else newest_price(bars)
        if not points and not quote:
            raise self._nothing(query)
        newest = quote.time[:10] if quote else points[-1].date
        return Prices(
            company=replace(query.company, exchange=query.company.exchange or bars.exchange),
            currency=bars.currency,
            points=unsplit(spaced(points, query.interval), later),
            adjusted=self._vendor.adjusted,
            sources=(self._named(newest, found),),
            notes=(*self._vendor.remarks, *found.notes, *_age_note(query, newest, now), *_start_note(query, points)),
            quote=quote,
            splits=None if bars.splits is None else tuple(split for split in bars.splits if split not in later),
        )

    def _named(self, newest: str, found: Fetched) -> Source:
        retrieved = max((answer.retrieved_at for answer in found.answers), default="")
        vendor = self._vendor
        return Source("market", vendor.title, url=vendor.url, dataset=vendor.name, as_of=newest, retrieved_at=retrieved)

    def _nothing(self, query: PriceQuery) -> ProviderError:
        return self._source.error(f"has no prices of {query.company.ticker} for these days", "not_covered")


def _last_day(query: PriceQuery) -> str:
    """The last day whose prices may be used; '' where that is today."""
    return min(filter(None, (query.end, query.as_of)), default="")


def _window(query: PriceQuery, today: date) -> Window:
    """Always up to today, so that every split since is known; the days asked for are cut out afterwards."""
    last_day = _last_day(query)
    end = min(date.fromisoformat(last_day), today) if last_day else today
    if query.latest:
        return Window(days_before(end, DAYS_BACK), today)
    first = date.fromisoformat(query.start) if query.start else days_before(end, _YEARS_BACK * 365)
    return Window(min(first, today), today)


def _age_note(query: PriceQuery, newest: str, now: datetime) -> tuple[str, ...]:
    """A word on a price older than the day it stands for."""
    last_day = _last_day(query)
    meant = min(date.fromisoformat(last_day), now.date()) if last_day else now.date()
    days = (meant - date.fromisoformat(newest)).days
    if days <= _OLD_DAYS:
        return ()
    return (f"{query.company.ticker}: the newest price there is {days} days old (of {newest}).",)


def _start_note(query: PriceQuery, points: Sequence[PricePoint]) -> tuple[str, ...]:
    if query.latest or query.start or not points:
        return ()
    return (f"{query.company.ticker}: the history begins at most {_YEARS_BACK} years back; give `start` for more.",)
