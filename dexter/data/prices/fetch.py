"""Gets a vendor's bars: page by page, from the cache where that is still true, anew where a split has happened."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Any

from dexter.data.body import check_json_shape
from dexter.data.company import Company
from dexter.data.prices.bars import Bars, ShapeError, Window, disagree, in_order
from dexter.data.prices.vendor import Vendor
from dexter.errors import ProviderError

if TYPE_CHECKING:
    from dexter.data.cache import Kind
    from dexter.data.http import HttpClient
    from dexter.data.response import Response

#: Days that hold a last close over any holidays.
DAYS_BACK = 12
_FRESH_S = 300.0
_MOST_PAGES = 200


@dataclass(frozen=True)
class Question:
    """Which days of what, in the vendor's spelling. `kind` says how long an answer stays true."""

    ticker: str
    company: Company
    window: Window
    now: datetime
    kind: Kind = "history"


@dataclass(frozen=True)
class Fetched:
    """Bars, the answers they came in, and what is to be said of them."""

    bars: Bars
    answers: tuple[Response, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class BarSource:
    """One vendor at its address."""

    vendor: Vendor
    client: HttpClient
    base_url: str

    async def fetch(self, question: Question) -> Fetched:
        """The bars of the window, up to its last day and true now.

        Raises:
            ProviderError: no usable answer.
        """
        found = await self._fetch(question)
        oldest = max((_age(answer, question.now) for answer in found.answers), default=0.0)
        stale = [answer for answer in found.answers if answer.stale]
        if stale:
            note = f"{self.vendor.name} could not be reached: its answer of {stale[0].retrieved_at} is shown."
            return replace(found, notes=(note,))
        if question.kind == "prices" or oldest <= _FRESH_S:
            return found
        return await self._with_newest_days(question, found)

    async def quote(self, ticker: str, company: Company, bars: Bars) -> Bars:
        """The bars with the newest price, where the vendor has that at an address of its own.

        Raises:
            ProviderError: no usable answer.
        """
        if self.vendor.ask_quote is None:
            return bars
        request = self.vendor.ask_quote(ticker, company)
        answer = await self.client.get_json(self.base_url + request.path, params=request.params, kind="prices")
        try:
            return replace(bars, quote=self.vendor.read_quote(answer, company))
        except ShapeError as error:
            raise self.error(f"sent a price of an unknown shape ({error})", "bad_data") from error

    async def _with_newest_days(self, question: Question, kept: Fetched) -> Fetched:
        """A kept history lacks the newest days. Where those differ in a day both have, a split lies between them."""
        window = question.window
        recent = Window(max(window.first, window.last - timedelta(days=DAYS_BACK)), window.last)
        tail = (await self._fetch(replace(question, window=recent, kind="prices"))).bars
        if not disagree(kept.bars.points, tail.points):
            merged = in_order((*kept.bars.points, *tail.points))
            return replace(kept, bars=replace(tail, points=merged, splits=kept.bars.splits))
        for answer in kept.answers:
            self.client.forget(answer)
        note = f"{question.company.ticker}: a split was seen, so the whole history was fetched anew."
        return replace(await self._fetch(question), notes=(note,))

    async def _fetch(self, question: Question) -> Fetched:
        request = self.vendor.ask(question.ticker, question.company, question.window)
        url, params = self.base_url + request.path, request.params
        bars: Bars | None = None
        answers: list[Response] = []
        while url:
            if len(answers) >= _MOST_PAGES:
                raise self.error("sends this history in too many pages; ask for a shorter one", "bad_data")
            page, response, following = await self._page(url, params, question)
            bars = replace(page, points=in_order((*bars.points, *page.points))) if bars else page
            answers.append(response)
            url, params = following, {}
        return Fetched(bars or Bars("", ()), tuple(answers))

    async def _page(self, url: str, params: Mapping[str, Any], question: Question) -> tuple[Bars, Response, str]:
        """One answer, and the address of the next page: '' at the end, or where it is elsewhere than the vendor."""
        response = await self.client.get(url, params=params, kind=question.kind, check=check_json_shape)
        answer = self.client.read_json(response)
        try:
            bars = self.vendor.read(answer, question.company, question.now)
        except ShapeError as error:
            self.client.forget(response)
            raise self.error(f"sent data of an unknown shape ({error})", "bad_data") from error
        except ProviderError:
            self.client.forget(response)
            raise
        following = self.vendor.next_page(answer)
        return bars, response, following if following.startswith(f"{self.base_url}/") and bars.points else ""

    def error(self, what: str, kind: str) -> ProviderError:
        """An error of this vendor in one sentence."""
        remedy = {
            "not_covered": "Check the ticker and the days; another source may have them.",
            "bad_data": "Check its address in the settings; the next source is asked meanwhile.",
        }[kind]
        return ProviderError(self.vendor.name, f"{self.vendor.name} {what}.", kind=kind, remedy=remedy)


def _age(response: Response, now: datetime) -> float:
    """Seconds since the bytes came from the vendor; 0 where that is not known."""
    try:
        return (now - datetime.fromisoformat(response.retrieved_at)).total_seconds()
    except ValueError:
        return 0.0


def days_before(day: date, days: int) -> date:
    """So many days before, as far as the calendar goes."""
    return date.fromordinal(max(1, day.toordinal() - days))
