from __future__ import annotations

import asyncio
import gzip
import itertools
import json
import zlib
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from dexter.data.cache import DiskCache
from dexter.data.http import HttpClient
from dexter.data.response import Limits
from dexter.errors import ProviderError
from tests.support.raw_server import raw_server

QUICK = Limits(max_bytes=1_000_000, read_timeout=0.3, total_timeout=0.8, attempts=2, first_wait=0.01, max_wait=5)


class Sleeps(list[float]):
    """Remembers how long it was asked to sleep, and does not."""

    async def __call__(self, seconds: float) -> None:
        self.append(seconds)


def client(limits: Limits = QUICK, **options: Any) -> HttpClient:
    options.setdefault("sleep", Sleeps())
    return HttpClient("acme", limits=limits, jitter=lambda: 0.0, **options)


def ask(http: HttpClient, url: str, **options: Any) -> Any:
    async def once() -> Any:
        try:
            return await http.get_json(url, **options)
        finally:
            await http.aclose()

    return asyncio.run(once())


def failure(http: HttpClient, url: str) -> ProviderError:
    with pytest.raises(ProviderError) as caught:
        ask(http, url)
    assert caught.value.provider == "acme"
    assert caught.value.remedy
    return caught.value


def test_numbers_arrive_with_the_digits_that_were_sent(httpserver: HTTPServer) -> None:
    """An integer stays an integer, a fraction is an exact decimal in its own digits."""
    httpserver.expect_request("/x").respond_with_data('{"a": 1.10, "b": 1, "c": 0.1, "d": 12345678901234567890}')
    found = ask(client(), httpserver.url_for("/x"))
    assert [str(found[key]) for key in "abcd"] == ["1.10", "1", "0.1", "12345678901234567890"]
    assert isinstance(found["a"], Decimal)


@pytest.mark.parametrize(
    ("status", "kind", "requests"),
    [
        (400, "other", 1),
        (401, "auth", 1),
        (402, "billing", 1),
        (403, "auth", 1),
        (404, "not_found", 1),
        (429, "rate_limit", 2),
        (500, "unavailable", 2),
        (502, "unavailable", 2),
        (503, "unavailable", 2),
        (504, "unavailable", 2),
    ],
)
def test_a_status_becomes_an_error_with_vendor_kind_and_remedy(
    httpserver: HTTPServer, status: int, kind: str, requests: int
) -> None:
    """Only what another attempt may mend is asked again."""
    httpserver.expect_request("/x").respond_with_data("<html>no</html>", status=status)
    error = failure(client(), httpserver.url_for("/x"))
    assert (error.status, error.kind, len(httpserver.log)) == (status, kind, requests)
    assert str(status) in error.message
    assert error.message.startswith("acme ")


def test_the_vendors_own_remedy_wins(httpserver: HTTPServer) -> None:
    """A vendor knows better than the general advice what a 402 means there."""
    httpserver.expect_request("/x").respond_with_data("", status=402)
    error = failure(client(remedies={"billing": "Top up at acme.test."}), httpserver.url_for("/x"))
    assert error.remedy == "Top up at acme.test."


def test_a_failure_that_passes_is_asked_again(httpserver: HTTPServer) -> None:
    """One 503, then the answer."""
    httpserver.expect_ordered_request("/x").respond_with_data("", status=503)
    httpserver.expect_ordered_request("/x").respond_with_json({"ok": 1})
    assert ask(client(), httpserver.url_for("/x")) == {"ok": 1}


def test_retry_after_is_obeyed_up_to_the_cap(httpserver: HTTPServer) -> None:
    """Seconds and dates are waited for; a longer pause than the cap ends the attempts and is told."""
    now = datetime(2026, 3, 1, tzinfo=UTC)
    for after in ("2", format_datetime(now + timedelta(seconds=3), usegmt=True)):
        httpserver.expect_ordered_request("/x").respond_with_data("", status=429, headers={"Retry-After": after})
    httpserver.expect_ordered_request("/x").respond_with_json({})
    sleeps = Sleeps()
    limits = Limits(attempts=3, first_wait=0.01, max_wait=5)
    ask(client(limits, sleep=sleeps, now=lambda: now), httpserver.url_for("/x"))
    assert sleeps == [2.0, 3.0]

    httpserver.expect_ordered_request("/x").respond_with_data("", status=429, headers={"Retry-After": "600"})
    sleeps.clear()
    error = failure(client(limits, sleep=sleeps), httpserver.url_for("/x"))
    assert not sleeps
    assert "600 seconds" in error.remedy


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (b"<!DOCTYPE html><html></html>", "web page"),
        (b"", "empty"),
        (b"  \n", "empty"),
        (b'{"a": [1, 2', "cut off"),
        (b'{"a": NaN}', "not valid JSON"),
        (b'{"a": ' + b"9" * 5000 + b"}", "not valid JSON"),
        (b"[" * 100_000 + b"]" * 100_000, "not valid JSON"),
        (b'{"a": "\xff\xfe"}', "not valid JSON"),
        (b"null", "not JSON"),
    ],
)
def test_a_body_that_is_not_data_is_told_as_bad_data(httpserver: HTTPServer, body: bytes, says: str) -> None:
    """HTML with status 200, nothing, half an answer, numbers no one can mean: an error, never a guess."""
    httpserver.expect_request("/x").respond_with_data(body, content_type="application/json")
    error = failure(client(), httpserver.url_for("/x"))
    assert error.kind == "bad_data"
    assert says in error.message


def test_an_answer_cut_on_the_wire_is_told(httpserver: HTTPServer) -> None:
    """Fewer bytes than announced, and a gzip stream that stops in its middle."""
    short = b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{}"
    with raw_server([short]) as url:
        assert failure(client(), url).kind == "network"
    packed = gzip.compress(json.dumps(list(range(1000))).encode())[:200]
    httpserver.expect_request("/z").respond_with_data(packed, headers={"Content-Encoding": "gzip"})
    assert "cut off" in failure(client(), httpserver.url_for("/z")).message


@pytest.mark.parametrize("pack", [gzip.compress, zlib.compress])
def test_packed_answers_are_unpacked(httpserver: HTTPServer, pack: Any) -> None:
    """gzip and deflate, as servers send them."""
    encoding = "gzip" if pack is gzip.compress else "deflate"
    data = json.dumps({"n": list(range(5000))}).encode()
    httpserver.expect_request("/x").respond_with_data(pack(data), headers={"Content-Encoding": encoding})
    assert ask(client(), httpserver.url_for("/x"))["n"][-1] == 4999


def test_a_zip_bomb_is_refused_before_it_fills_the_memory(httpserver: HTTPServer) -> None:
    """200 MB in 200 kB: refused at the size limit; a bomb in a bomb is not even opened."""
    bomb = gzip.compress(b"0" * 200_000_000, 1)
    httpserver.expect_request("/one").respond_with_data(bomb, headers={"Content-Encoding": "gzip"})
    httpserver.expect_request("/two").respond_with_data(gzip.compress(bomb), headers={"Content-Encoding": "gzip, gzip"})
    limits = Limits(max_bytes=1_000_000, attempts=1)
    assert "1,000,000" in failure(client(limits), httpserver.url_for("/one")).message
    assert "not asked for" in failure(client(limits), httpserver.url_for("/two")).message


def test_an_endless_answer_ends() -> None:
    """A body without end stops at the size limit, a trickle at the time limit, silence at the read limit."""
    head = b"HTTP/1.1 200 OK\r\n\r\n"
    with raw_server(itertools.chain([head], itertools.repeat(b"x" * 65536))) as url:
        assert failure(client(Limits(max_bytes=1_000_000, attempts=1)), url).kind == "bad_data"
    with raw_server(itertools.chain([head], itertools.repeat(b"x")), pause=0.02) as url:
        assert failure(client(Limits(total_timeout=0.3, attempts=1)), url).kind == "timeout"
    with raw_server([b"HTTP/1.1 200 OK\r\n", b""], pause=2) as url:
        assert failure(client(Limits(read_timeout=0.2, attempts=1)), url).kind == "timeout"


def test_nobody_there_is_a_network_error() -> None:
    """A refused connection, and a base URL that is none."""
    assert failure(client(), "http://127.0.0.1:9").kind == "network"
    assert failure(client(), "ftp://127.0.0.1/x").kind == "not_configured"


def test_a_redirect_is_named_and_not_followed(httpserver: HTTPServer) -> None:
    """A key in a header must not travel to another host."""
    httpserver.expect_request("/x").respond_with_data("", status=301, headers={"Location": "https://other.test/"})
    error = failure(client(), httpserver.url_for("/x"))
    assert "https://other.test/" in error.remedy


def test_a_closed_gate_opens_no_connection(httpserver: HTTPServer) -> None:
    """Offline, or without a setting, the network is not touched."""

    def gate() -> None:
        raise ProviderError("acme", "acme is off.", kind="not_configured", remedy="Turn it on.")

    assert failure(client(gate=gate), httpserver.url_for("/x")).kind == "not_configured"
    assert not httpserver.log


def test_an_answer_is_kept_for_its_lifetime_and_a_stale_one_helps_in_need(
    httpserver: HTTPServer, tmp_path: Path
) -> None:
    """Fresh: no request. Old: asked again. Old and the source is down: the old one, marked stale."""
    answers = itertools.chain([Response('{"n": 1}'), Response('{"n": 2}')], itertools.repeat(Response("", 503)))
    httpserver.expect_request("/x").respond_with_handler(lambda _: next(answers))
    time = [1000.0]
    http = client(cache=DiskCache(tmp_path, clock=lambda: time[0]))

    async def steps() -> list[tuple[Any, bool]]:
        seen = []
        for later in (0, 60, 4000, 4000):
            time[0] += later
            response = await http.get(httpserver.url_for("/x"), kind="facts")
            seen.append((http.read_json(response)["n"], response.stale))
        await http.aclose()
        return seen

    assert asyncio.run(steps()) == [(1, False), (1, False), (2, False), (2, True)]


def test_a_web_page_in_place_of_data_is_never_kept(httpserver: HTTPServer, tmp_path: Path) -> None:
    """The next question asks again."""
    httpserver.expect_ordered_request("/x").respond_with_data("<html>busy</html>")
    httpserver.expect_ordered_request("/x").respond_with_json({"n": 1})
    cache = DiskCache(tmp_path)
    with pytest.raises(ProviderError):
        ask(client(cache=cache), httpserver.url_for("/x"), kind="facts")
    assert ask(client(cache=cache), httpserver.url_for("/x"), kind="facts") == {"n": 1}


def test_parameters_repeat_and_a_post_carries_json(httpserver: HTTPServer) -> None:
    """`item=[1, 7]` is sent as two parameters; a POST's answer is read like any other."""

    def echo(request: Request) -> Response:
        return Response(json.dumps({"items": request.args.getlist("item"), "sent": request.get_json(silent=True)}))

    httpserver.expect_request("/x").respond_with_handler(echo)
    assert ask(client(), httpserver.url_for("/x"), params={"item": ["1", "7"]})["items"] == ["1", "7"]
    http = client()

    async def post() -> Any:
        answer = await http.post_json(httpserver.url_for("/x"), {"limit": 5})
        await http.aclose()
        return answer

    assert asyncio.run(post())["sent"] == {"limit": 5}


def test_cancelling_closes_the_connection() -> None:
    """Ctrl-C while a vendor takes its time ends the request there, too; nobody waits for the answer."""

    async def main() -> bytes:
        asked, left = asyncio.Event(), asyncio.get_running_loop().create_future()

        async def never(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readuntil(b"\r\n\r\n")
            asked.set()
            left.set_result(await reader.read())
            writer.close()

        async with await asyncio.start_server(never, "127.0.0.1", 0) as server:
            port = server.sockets[0].getsockname()[1]
            http = client(Limits(read_timeout=60, total_timeout=60))
            asking = asyncio.create_task(http.get_json(f"http://127.0.0.1:{port}/slow"))
            await asked.wait()
            asking.cancel()
            with pytest.raises(asyncio.CancelledError):
                await asking
            end = await asyncio.wait_for(left, 20)
            await http.aclose()
        return bytes(end)

    assert asyncio.run(main()) == b""
