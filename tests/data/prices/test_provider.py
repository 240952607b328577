"""What holds for every vendor of prices, asked over a loopback socket in its own shape."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from pytest_httpserver import HTTPServer

from dexter.data.company import Company
from dexter.data.provider import PriceQuery, Prices, StockSplit
from dexter.errors import ProviderError
from tests.support.price_vendors import COIN, NOW, NVDA, PATHS, VENDORS, answer, ask, provider, serve, yahoo

CLOSES = [("2026-11-25", 180.5), ("2026-11-27", 182.0)]
every_vendor = pytest.mark.parametrize("vendor", VENDORS)


def refusal(server: HTTPServer, vendor: str, **query: Any) -> ProviderError:
    with pytest.raises(ProviderError) as caught:
        ask(server, vendor, **query)
    assert caught.value.provider == vendor
    assert caught.value.remedy
    return caught.value


@every_vendor
def test_closes_come_with_day_currency_and_source(httpserver: HTTPServer, vendor: str) -> None:
    """Each close has its own day, the history its currency, and the source says who gave it and of when."""
    serve(httpserver, vendor, CLOSES)
    found = ask(httpserver, vendor, start="2026-11-01")
    assert [(point.date, float(point.close)) for point in found.points] == CLOSES
    assert found.currency == "USD"
    (source,) = found.sources
    assert (source.kind, source.dataset) == ("market", vendor)
    assert source.as_of >= "2026-11-27"
    assert source.retrieved_at


@pytest.mark.parametrize("vendor", ["financialdatasets", "yahoo"])
def test_the_newest_price_has_its_time(httpserver: HTTPServer, vendor: str) -> None:
    """A quote is a price and a moment in UTC."""
    serve(httpserver, vendor, CLOSES)
    quote = ask(httpserver, vendor, latest=True).quote
    assert quote is not None
    assert (float(quote.price), quote.time[:10], quote.time[-1]) == (187.25, "2026-11-30", "Z")


@every_vendor
def test_a_past_day_has_no_quote(httpserver: HTTPServer, vendor: str) -> None:
    """As of a day, nothing of today is shown, and no close after it."""
    serve(httpserver, vendor, CLOSES)
    found = ask(httpserver, vendor, start="2026-11-01", as_of="2026-11-26")
    assert found.quote is None
    assert [point.date for point in found.points] == ["2026-11-25"]


@every_vendor
def test_a_day_that_goes_on_has_no_close(httpserver: HTTPServer, vendor: str) -> None:
    """While the exchange is open the last bar is a price of the moment, no close."""
    more = {"closes_at": "2026-11-30T21:00:00"} if vendor == "yahoo" else {}
    serve(httpserver, vendor, [*CLOSES, ("2026-11-30", 187.0)], **more)
    open_still = datetime(2026, 11, 30, 17, 0, tzinfo=UTC)
    found = ask(httpserver, vendor, now=open_still, start="2026-11-01")
    assert [point.date for point in found.points] == ["2026-11-25", "2026-11-27"]


@every_vendor
def test_a_month_ends_on_its_own_last_day(httpserver: HTTPServer, vendor: str) -> None:
    """Months and weeks are made of days, so that every close keeps its day."""
    serve(httpserver, vendor, [("2026-10-29", 1.0), ("2026-10-30", 2.0), ("2026-11-23", 3.0), ("2026-11-27", 4.0)])
    months = ask(httpserver, vendor, start="2026-10-01", interval="month").points
    assert [(point.date, float(point.close)) for point in months] == [("2026-10-30", 2.0), ("2026-11-27", 4.0)]
    weeks = ask(httpserver, vendor, start="2026-10-01", interval="week").points
    assert [point.date for point in weeks] == ["2026-10-30", "2026-11-27"]


@every_vendor
def test_an_old_price_says_how_old(httpserver: HTTPServer, vendor: str) -> None:
    """A vendor that lags, or a share no longer traded, is told from a price of today."""
    old = {"time": "2026-10-02T20:00:00"} if vendor == "yahoo" else {}
    httpserver.expect_request("/prices/snapshot/").respond_with_json(
        {"snapshot": {"price": 9, "time": "2026-10-02T20:00:00Z"}}
    )
    httpserver.expect_request(PATHS[vendor]).respond_with_json(answer(vendor, [("2026-10-02", 9.0)], **old))
    assert "NVDA: the newest price there is 59 days old (of 2026-10-02)." in ask(httpserver, vendor).notes


STATUSES = [
    (400, "other"),
    (401, "auth"),
    (402, "billing"),
    (403, "auth"),
    (404, "not_covered"),
    (429, "rate_limit"),
    (500, "unavailable"),
    (503, "unavailable"),
]


@every_vendor
@pytest.mark.parametrize(("status", "kind"), STATUSES)
def test_a_refusal_names_vendor_status_and_remedy(httpserver: HTTPServer, vendor: str, status: int, kind: str) -> None:
    """So that the next source is asked, and the reader knows why."""
    httpserver.expect_request(PATHS[vendor]).respond_with_json({"error": "no"}, status=status)
    error = refusal(httpserver, vendor)
    assert error.kind == kind
    assert error.status == (None if status == 404 else status)


@every_vendor
def test_a_vendor_that_asks_for_patience_gets_it_or_is_named(httpserver: HTTPServer, vendor: str) -> None:
    """A short Retry-After is waited for, a long one is told."""
    httpserver.expect_ordered_request(PATHS[vendor]).respond_with_data("", 429, headers={"Retry-After": "0"})
    httpserver.expect_ordered_request(PATHS[vendor]).respond_with_json(answer(vendor, CLOSES))
    patient = provider(httpserver, vendor, attempts=2)
    assert asyncio.run(patient.prices(PriceQuery(NVDA, start="2026-11-01", end="2026-11-29"))).points
    httpserver.clear()
    httpserver.expect_request(PATHS[vendor]).respond_with_data("", 429, headers={"Retry-After": "3600"})
    assert "3600 seconds" in refusal(httpserver, vendor).remedy


@every_vendor
@pytest.mark.parametrize(
    "body",
    ["", "not json", "<html><body>Just a moment…</body></html>", '{"prices": [', "[]", "{}", "null", '{"a": NaN}'],
)
def test_an_answer_of_another_shape_is_no_price(httpserver: HTTPServer, vendor: str, body: str) -> None:
    """Garbage, a web page with status 200, a cut answer: an error with the vendor's name."""
    httpserver.expect_request(PATHS[vendor]).respond_with_data(body, content_type="text/html")
    assert refusal(httpserver, vendor).kind == "bad_data"


@every_vendor
@pytest.mark.parametrize("close", [None, 0, -3.5, "n/a", True, 1e30, "NaN", "Infinity", [], {}])
def test_what_is_no_price_is_no_point(httpserver: HTTPServer, vendor: str, close: Any) -> None:
    """Missing, zero, negative, endless: left out, never shown as a number."""
    closes: list[Any] = [("2026-11-25", 180.5), ("2026-11-27", close)]
    httpserver.expect_request(PATHS[vendor]).respond_with_json(answer(vendor, closes))
    found = ask(httpserver, vendor, start="2026-11-01", end="2026-11-29")
    assert [point.date for point in found.points] == ["2026-11-25"]


@every_vendor
def test_an_empty_list_is_no_success(httpserver: HTTPServer, vendor: str) -> None:
    """Nothing there: the error says of whom and when, and the next source is asked."""
    httpserver.expect_request(PATHS[vendor]).respond_with_json(answer(vendor, [], **_no_price(vendor)))
    httpserver.expect_request("/prices/snapshot/").respond_with_json({"snapshot": {}})
    assert refusal(httpserver, vendor).kind == "not_covered"


def _no_price(vendor: str) -> dict[str, Any]:
    return {"price": None} if vendor == "yahoo" else {}


@pytest.mark.parametrize("vendor", ["twelvedata", "yahoo"])
def test_another_companys_prices_are_refused(httpserver: HTTPServer, vendor: str) -> None:
    """TOTDY is not TOT: what the vendor says it is of must be what was asked for."""
    httpserver.expect_request(PATHS[vendor]).respond_with_json(answer(vendor, CLOSES, symbol="NVDQ"))
    assert refusal(httpserver, vendor).kind == "bad_data"


@pytest.mark.parametrize(("path", "kept"), [("/prices/", 0), ("/prices/snapshot/", 2)])
def test_a_price_under_another_ticker_is_not_taken(httpserver: HTTPServer, path: str, kept: int) -> None:
    """A snapshot of another company leaves the closes; a history of another is refused, and nothing of it is kept."""
    other = {"/prices/": {"prices": []}, "/prices/snapshot/": {"snapshot": {}}}
    closes = answer("financialdatasets", CLOSES)
    snapshot = {"snapshot": {"ticker": "NVDA", "price": 1, "time": "2026-11-30T20:59:00Z"}}
    for each, body in (("/prices/", closes), ("/prices/snapshot/", snapshot)):
        wrong = {"ticker": "NVDQ"} if each == "/prices/" else {"snapshot": snapshot["snapshot"] | {"ticker": "NVDQ"}}
        httpserver.expect_request(each).respond_with_json((other[each] | body | wrong) if each == path else body)
    if not kept:
        assert refusal(httpserver, "financialdatasets").kind == "bad_data"
        return
    found = ask(httpserver, "financialdatasets")
    assert (found.quote, len(found.points)) == (None, kept)
    assert any("NVDQ" in note for note in found.notes)


@pytest.mark.parametrize("vendor", ["financialdatasets", "yahoo"])
@pytest.mark.parametrize("time", ["2096-10-02T20:00:00", "2026-10-02T20:00:00"])
def test_a_quote_of_the_future_or_older_than_a_close_is_none(httpserver: HTTPServer, vendor: str, time: str) -> None:
    """A wrong clock gives no newest price, and neither does a snapshot that stood still; the closes stay."""
    if vendor == "yahoo":
        httpserver.expect_request(PATHS[vendor]).respond_with_json(yahoo(CLOSES, time=time))
    else:
        httpserver.expect_request("/prices/").respond_with_json(answer(vendor, CLOSES))
        snapshot = {"ticker": "NVDA", "price": 9, "time": f"{time}Z"}
        httpserver.expect_request("/prices/snapshot/").respond_with_json({"snapshot": snapshot})
    found = ask(httpserver, vendor)
    assert found.quote is None
    assert len(found.points) == 2
    assert not any("days old" in note for note in found.notes)


@every_vendor
def test_a_close_of_a_day_to_come_is_none(httpserver: HTTPServer, vendor: str) -> None:
    """What has not been traded has no close."""
    serve(httpserver, vendor, [*CLOSES, ("2027-11-30", 999.0)])
    assert [point.date for point in ask(httpserver, vendor).points] == ["2026-11-25", "2026-11-27"]


@pytest.mark.parametrize("vendor", ["twelvedata", "yahoo"])
def test_the_vendors_currency_is_kept_and_none_is_guessed(httpserver: HTTPServer, vendor: str) -> None:
    """Euros stay euros; without a currency there is no price, never dollars by default."""
    httpserver.expect_request(PATHS[vendor]).respond_with_json(answer(vendor, CLOSES, currency="EUR"))
    assert ask(httpserver, vendor).currency == "EUR"
    httpserver.clear()
    httpserver.expect_request(PATHS[vendor]).respond_with_json(answer(vendor, CLOSES, currency=None))
    assert refusal(httpserver, vendor).kind == "bad_data"


@pytest.mark.parametrize("vendor", ["twelvedata", "yahoo"])
@pytest.mark.parametrize(("said", "currency"), [("GBp", "GBP"), ("GBX", "GBP"), ("ZAc", "ZAR"), ("ILA", "ILS")])
def test_hundredths_become_whole_units(httpserver: HTTPServer, vendor: str, said: str, currency: str) -> None:
    """London, Johannesburg and Tel Aviv quote in hundredths, whoever tells it: never a hundred times the price."""
    httpserver.expect_request(PATHS[vendor]).respond_with_json(answer(vendor, [("2026-11-27", 950.25)], currency=said))
    found = ask(httpserver, vendor)
    assert (found.currency, found.points[0].close, found.points[0].open) == (currency, "9.5025", "9.5025")


@pytest.mark.parametrize("vendor", ["twelvedata", "yahoo"])
@pytest.mark.parametrize("said", ["usd", "Dollars", "US$", "USDT", 840, ["USD"]])
def test_what_is_no_currency_is_none(httpserver: HTTPServer, vendor: str, said: Any) -> None:
    """Only a code of three capitals, or a name the vendor is known to use: nothing is made into one."""
    httpserver.expect_request(PATHS[vendor]).respond_with_json(answer(vendor, CLOSES, currency=said))
    assert refusal(httpserver, vendor).kind == "bad_data"


def test_pence_become_pounds(httpserver: HTTPServer) -> None:
    """London quotes in hundredths: a price of 950 GBp is 9.50 GBP."""
    chart = yahoo([("2026-11-27", 950.25)], currency="GBp", price=951)
    httpserver.expect_request(PATHS["yahoo"]).respond_with_json(chart)
    found = ask(httpserver, "yahoo", latest=True)
    assert (found.currency, found.points[0].close, found.quote and found.quote.price) == ("GBP", "9.5025", "9.51")


def test_single_precision_shows_no_made_up_digits(httpserver: HTTPServer) -> None:
    """227.52000427246094 was 227.52."""
    httpserver.expect_request(PATHS["yahoo"]).respond_with_json(yahoo([("2026-11-27", 227.52000427246094)]))
    assert ask(httpserver, "yahoo").points[0].close == "227.52"


def test_the_free_source_says_what_it_is(httpserver: HTTPServer) -> None:
    """Free, unofficial, perhaps delayed."""
    serve(httpserver, "yahoo", CLOSES)
    assert "unofficial" in ask(httpserver, "yahoo").notes[0]


@pytest.mark.parametrize("code", [401, 404, 429])
def test_an_error_inside_a_success_is_an_error(httpserver: HTTPServer, code: int) -> None:
    """Twelve Data tells failures in the body of an answer with status 200."""
    httpserver.expect_request(PATHS["twelvedata"]).respond_with_json({"code": code, "status": "error", "message": "x"})
    error = refusal(httpserver, "twelvedata")
    assert error.kind == {401: "auth", 404: "not_covered", 429: "rate_limit"}[code]


def test_yahoo_without_result_says_so(httpserver: HTTPServer) -> None:
    """Its own words are passed on, cut short."""
    httpserver.expect_request(PATHS["yahoo"]).respond_with_json(
        {"chart": {"result": None, "error": {"code": "Not Found", "description": "delisted"}}}
    )
    assert refusal(httpserver, "yahoo").kind == "not_covered"


@pytest.mark.parametrize("vendor", ["financialdatasets", "yahoo"])
def test_coins_have_prices_in_their_pairs_currency(httpserver: HTTPServer, vendor: str) -> None:
    """BTC-USD is asked where coins are, and is in dollars."""
    path = {"financialdatasets": "/crypto/prices/", "yahoo": "/v8/finance/chart/BTC-USD"}[vendor]
    more = {"symbol": "BTC-USD", "kind": "CRYPTOCURRENCY"} if vendor == "yahoo" else {}
    httpserver.expect_request(path).respond_with_json(
        answer(vendor, [("2026-11-29", 91000.5)], **more) | {"ticker": "BTC-USD"}
    )
    httpserver.expect_request("/crypto/prices/snapshot/").respond_with_json(
        {"snapshot": {"price": 92000, "time": "2026-11-30T21:59:00Z"}}
    )
    found = ask(httpserver, vendor, COIN)
    assert (found.currency, found.points[-1].close, bool(found.quote)) == ("USD", "91000.5", True)


def test_a_coin_at_twelve_data(httpserver: HTTPServer) -> None:
    """It is asked as a pair and answers with the pair's currency."""
    rows = [{"datetime": "2026-11-29", "close": "91000.5"}]
    meta = {"symbol": "BTC/USD", "currency_base": "Bitcoin", "currency_quote": "US Dollar"}
    httpserver.expect_request(PATHS["twelvedata"]).respond_with_json({"meta": meta, "values": rows, "status": "ok"})
    assert ask(httpserver, "twelvedata", COIN).currency == "USD"
    assert httpserver.log[0][0].args["symbol"] == "BTC/USD"


def test_a_class_of_shares_in_each_vendors_spelling(httpserver: HTTPServer) -> None:
    """BRK-B is BRK.B at Twelve Data, and both are tried at Financial Datasets."""
    brk = Company("BRK-B", "Berkshire Hathaway", 1067983)
    httpserver.expect_request("/time_series").respond_with_json(answer("twelvedata", CLOSES, symbol="BRK.B"))
    assert ask(httpserver, "twelvedata", brk).points
    httpserver.expect_request("/prices/", query_string=None).respond_with_json({"prices": []})
    httpserver.expect_request("/prices/snapshot/").respond_with_json({"snapshot": {}})
    with pytest.raises(ProviderError):
        ask(httpserver, "financialdatasets", brk)
    asked = [request.args["ticker"] for request, _ in httpserver.log if request.path == "/prices/"]
    assert asked == ["BRK-B", "BRK.B"]


def test_pages_are_followed_but_never_to_another_address(httpserver: HTTPServer) -> None:
    """The key goes where it belongs only, and no page is lost."""
    first = answer("financialdatasets", CLOSES[:1]) | {"next_page_url": httpserver.url_for("/more")}
    second = answer("financialdatasets", CLOSES[1:]) | {"next_page_url": "http://elsewhere.test/x"}
    httpserver.expect_request("/prices/").respond_with_json(first)
    httpserver.expect_request("/more").respond_with_json(second)
    found = ask(httpserver, "financialdatasets", start="2026-11-01", end="2026-11-29")
    assert len(found.points) == 2


def test_a_snapshot_that_fails_leaves_the_closes(httpserver: HTTPServer) -> None:
    """The newest price is missing, and the note says why."""
    httpserver.expect_request("/prices/").respond_with_json(answer("financialdatasets", CLOSES))
    httpserver.expect_request("/prices/snapshot/").respond_with_data("", status=402)
    found = ask(httpserver, "financialdatasets")
    assert found.quote is None
    assert len(found.points) == 2
    assert any("No price of today" in note and "402" in note for note in found.notes)


@pytest.mark.parametrize("time", [None, "", "soon", "2026-11-30T20:59:00", 10**30])
def test_a_price_without_its_time_is_none(httpserver: HTTPServer, time: Any) -> None:
    """No moment, or one without a zone: no quote."""
    httpserver.expect_request("/prices/").respond_with_json(answer("financialdatasets", CLOSES))
    httpserver.expect_request("/prices/snapshot/").respond_with_json({"snapshot": {"price": 187, "time": time}})
    assert ask(httpserver, "financialdatasets").quote is None


def test_splits_since_the_day_are_taken_out_of_closes_as_of_it(httpserver: HTTPServer) -> None:
    """As of March 2024 NVIDIA was traded at 900, whatever the vendor's series in today's shares says."""
    chart = yahoo([("2024-03-28", 90.35), ("2026-11-27", 182.0)], splits=[("2024-06-10", 10, 1)])
    httpserver.expect_request(PATHS["yahoo"]).respond_with_json(chart)
    then = ask(httpserver, "yahoo", start="2024-03-01", as_of="2024-03-31")
    assert (then.points[0].close, then.splits) == ("903.5", ())
    today = ask(httpserver, "yahoo", start="2024-03-01")
    assert (today.points[0].close, today.splits) == ("90.35", (StockSplit(Fraction(10), "2024-06-10"),))


def test_a_split_seen_makes_the_history_new(httpserver: HTTPServer, tmp_path: Path) -> None:
    """A kept history in old shares is dropped when the newest days show other closes for days both have."""
    before = [("2026-11-02", 1800.0), ("2026-11-25", 1805.0)]
    after = [("2026-11-02", 180.0), ("2026-11-25", 180.5), ("2026-11-27", 182.0)]
    query = PriceQuery(NVDA, start="2026-11-01", end="2026-11-29")

    def asked(minutes: int) -> Prices:
        at = NOW + timedelta(minutes=minutes)
        return asyncio.run(provider(httpserver, "yahoo", now=at, cache=tmp_path).prices(query))

    httpserver.expect_request(PATHS["yahoo"]).respond_with_json(yahoo(before))
    assert [point.close for point in asked(0).points] == ["1800", "1805"]
    httpserver.clear()
    httpserver.expect_request(PATHS["yahoo"]).respond_with_json(yahoo(after, splits=[("2026-11-27", 10, 1)]))
    kept = asked(2)
    assert [point.close for point in kept.points] == ["1800", "1805"]
    renewed = asked(10)
    assert [point.close for point in renewed.points] == ["180", "180.5", "182"]
    assert any("split was seen" in note for note in renewed.notes)
    assert renewed.splits == (StockSplit(Fraction(10), "2026-11-27"),)


def test_a_kept_history_gets_its_newest_days(httpserver: HTTPServer, tmp_path: Path) -> None:
    """Without a split only the last days are asked for again."""
    query = PriceQuery(NVDA, start="2026-11-01")
    httpserver.expect_request(PATHS["yahoo"]).respond_with_json(yahoo(CLOSES[:1]))
    asyncio.run(provider(httpserver, "yahoo", cache=tmp_path).prices(query))
    httpserver.clear()
    httpserver.expect_request(PATHS["yahoo"]).respond_with_json(yahoo(CLOSES))
    later = NOW + timedelta(minutes=30)
    found = asyncio.run(provider(httpserver, "yahoo", now=later, cache=tmp_path).prices(query))
    assert [point.date for point in found.points] == ["2026-11-25", "2026-11-27"]
    assert len(httpserver.log) == 1
