from __future__ import annotations

import asyncio
import gzip
import os
import shutil
import ssl
import subprocess
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import httpcore
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dexter.data.web.fetching import Fetched, Fetcher, FetchLimits, content_type
from dexter.data.web.network import PublicNetwork
from dexter.data.web.refusal import RefusedUrlError
from dexter.errors import ProviderError
from tests.support.wire_server import Reply, WireServer

PUBLIC = "93.184.216.34"
QUICK = FetchLimits(max_bytes=10_000, timeout_s=2.0, redirects=3)


class Names:
    """A resolver: answers of a name in order, the last one again; `asked` keeps what was looked up."""

    def __init__(self, **names: list[list[str]]) -> None:
        self._names = {name.replace("_", "."): answers for name, answers in names.items()}
        self.asked: list[str] = []

    async def __call__(self, host: str, port: int) -> Sequence[str]:
        self.asked.append(host)
        answers = self._names.get(host)
        if not answers:
            raise OSError(f"no such name: {host}")
        return answers.pop(0) if len(answers) > 1 else answers[0]


class Crossed(httpcore.AnyIOBackend):
    """A network that leads every connection to this machine, as a router under foreign control would."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def connect_tcp(self, host: str, port: int, *rest: Any, **options: Any) -> httpcore.AsyncNetworkStream:
        self.asked.append(host)
        return await super().connect_tcp("127.0.0.1", port, *rest, **options)


def page(body: bytes = b"hello", status: int = 200, **headers: str) -> Reply:
    named = {"content-type": "text/plain", **{name.replace("_", "-"): value for name, value in headers.items()}}
    return Reply(status, named, (body,))


def sent_to(url: str, status: int = 302) -> Reply:
    return page(b"", status, location=url)


def port_of(server: WireServer) -> int:
    return int(server.url.rpartition(":")[2])


def fetch(replies: list[Reply], path: str = "/", **options: Any) -> tuple[Fetched | ProviderError, WireServer]:
    """Fetch from a server that is called site.example, whose name leads to loopback and is allowed."""

    async def run() -> tuple[Fetched | ProviderError, WireServer]:
        async with WireServer(replies) as server:
            allowed = {f"site.example:{port_of(server)}"}
            names = options.pop("names", None) or Names(site_example=[["127.0.0.1"]])
            options.setdefault("limits", QUICK)
            network = PublicNetwork(allowed, resolve=names, inner=options.pop("inner", None))
            fetcher = Fetcher(allowed, network=network, **options)
            url = path if "://" in path else f"http://site.example:{port_of(server)}{path}"
            try:
                return await fetcher.fetch(url.replace("PORT", str(port_of(server)))), server
            except ProviderError as error:
                return error, server

    return asyncio.run(run())


def fetched(replies: list[Reply], path: str = "/", **options: Any) -> Fetched:
    found, _ = fetch(replies, path, **options)
    assert isinstance(found, Fetched), found
    return found


def failed(replies: list[Reply], path: str = "/", **options: Any) -> ProviderError:
    found, _ = fetch(replies, path, **options)
    assert isinstance(found, ProviderError), found
    assert found.remedy
    return found


def test_a_page_is_fetched_with_its_type_and_time() -> None:
    """What is known of a page comes with it."""
    moment = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
    found = fetched([page(content_type="text/HTML; charset=ISO-8859-1")], now=lambda: moment)
    response = found.response
    assert (response.body, response.media_type, response.charset) == (b"hello", "text/html", "iso-8859-1")
    assert response.retrieved_at == "2026-03-01T12:00:00Z"
    assert not found.cut


def test_nothing_of_the_user_is_sent() -> None:
    """No key, cookie, referrer or user name goes to a fetched host, and a cookie it sets does not come back."""
    _, server = fetch([page(b"", 302, location="/b", set_cookie="id=1"), page()])
    assert len(server.requests) == 2
    for request in server.requests:
        assert set(request.headers) == {"host", "user-agent", "accept", "accept-language", "accept-encoding"}


@pytest.mark.parametrize(
    "url", ["http://site.example:8080/x", "http://site.example/x", "http://[2606:4700::1111]:8080/x"]
)
def test_the_host_is_named_as_in_the_address(url: str) -> None:
    """With its port where it has one, and an IPv6 address in brackets."""
    seen: list[bytes] = []

    class Told(httpcore.AsyncMockStream):
        def get_extra_info(self, info: str) -> Any:
            return ("2606:4700::1111" if "[" in url else PUBLIC, 80) if info == "server_addr" else None

        async def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ASYNC109 - httpcore's signature
            seen.append(buffer)

    class Wire(httpcore.AsyncMockBackend):
        async def connect_tcp(self, *_: Any, **__: Any) -> httpcore.AsyncNetworkStream:
            return Told([b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi"])

    network = PublicNetwork(resolve=Names(site_example=[[PUBLIC]]), inner=Wire([]))
    assert asyncio.run(Fetcher(network=network).fetch(url)).response.body == b"hi"
    assert f"Host: {url.split('/')[2]}\r\n".encode() in b"".join(seen)


def test_a_url_with_a_key_in_it_is_refused_unsent() -> None:
    """A model that was talked into it cannot send a key, nor can a redirect."""
    assert "key" in failed([page()], "/?k=sk-123", secret=lambda text: "sk-123" in text).message
    assert "key" in failed([page()], "/?k=%73k-123", secret=lambda text: "sk-123" in text).message
    found, server = fetch([sent_to("/?k=sk-123"), page()], secret=lambda text: "sk-123" in text)
    assert isinstance(found, RefusedUrlError)
    assert "sk-123" not in found.message
    assert len(server.requests) == 1


@pytest.mark.parametrize("addresses", [["127.0.0.1"], ["10.1.2.3"], ["::1"], ["169.254.169.254"], ["fe80::1%1"]])
def test_a_name_that_leads_inside_is_refused(addresses: list[str]) -> None:
    """A public name with an inner address is what DNS rebinding looks like."""
    names = Names(evil_example=[addresses])
    found, server = fetch([page()], "http://evil.example:PORT/", names=names)
    assert isinstance(found, RefusedUrlError)
    assert addresses[0].partition("%")[0] in found.message
    assert not server.requests


@pytest.mark.parametrize("answers", [[PUBLIC, "127.0.0.1"], ["127.0.0.1", PUBLIC], ["2606:2800:220:1::1", "::1"]])
def test_one_inner_address_among_public_ones_refuses_all(answers: list[str]) -> None:
    """A name that could lead inside on the second try is not tried at all."""
    crossed = Crossed()
    found, _ = fetch([page()], "http://evil.example:PORT/", names=Names(evil_example=[answers]), inner=crossed)
    assert isinstance(found, RefusedUrlError)
    assert crossed.asked == []


def test_a_name_is_looked_up_once_and_its_checked_address_is_used() -> None:
    """A resolver that says public first and loopback then gets no second question, and the name is not used again."""
    names, crossed = Names(evil_example=[[PUBLIC], ["127.0.0.1"]]), Crossed()
    found, server = fetch([page()], "http://evil.example:PORT/", names=names, inner=crossed)
    assert names.asked == ["evil.example"]
    assert crossed.asked == [PUBLIC]
    assert isinstance(found, RefusedUrlError)  # and the connection ended on loopback: its peer is checked, too
    assert "ended at 127.0.0.1" in found.message
    assert not server.requests


def test_a_resolver_that_changes_its_mind_between_hops_is_refused() -> None:
    """Each hop is looked up and checked anew: public at first, loopback after the redirect."""

    async def run() -> tuple[ProviderError, int, list[str]]:
        async with (
            WireServer([page()]) as inner,
            WireServer([sent_to(f"http://flip.example:{port_of(inner)}/")]) as outer,
        ):
            allowed = {f"site.example:{port_of(outer)}"}
            names = Names(site_example=[["127.0.0.1"]], flip_example=[["127.0.0.1"]])
            fetcher = Fetcher(allowed, limits=QUICK, network=PublicNetwork(allowed, resolve=names))
            with pytest.raises(ProviderError) as caught:
                await fetcher.fetch(f"http://site.example:{port_of(outer)}/")
            return caught.value, len(inner.requests), names.asked

    error, requests, asked = asyncio.run(run())
    assert isinstance(error, RefusedUrlError)
    assert requests == 0
    assert asked == ["site.example", "flip.example"]


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize(
    "target",
    [
        "http://127.0.0.1:PORT/",
        "http://127.1:PORT/",
        "http://2130706433:PORT/",
        "http://[::ffff:127.0.0.1]:PORT/",
        "http://[::1]:PORT/",
        "http://169.254.169.254/latest/meta-data/",
        "http://localhost:PORT/",
        "//127.0.0.1:PORT/",
        "\\\\127.0.0.1:PORT/",
        "http://user:pw@site.example:PORT/",
        "http://0x7f000001:PORT/",
        "https://10.0.0.1/",
        "file:///etc/passwd",
        "gopher://127.0.0.1:6379/_x",
        "data:text/plain,x",
        "javascript:alert(1)",
        "http://inside.example:PORT/",
        "http://[::1/",
        "//[x/",
        "http://exa\u212bmple.example\u2100/".encode().decode("latin-1"),
    ],
)
def test_no_redirect_leads_inside(status: int, target: str) -> None:
    """A hop is checked as the first address is."""

    async def run() -> tuple[ProviderError, int]:
        async with WireServer([page()]) as server:
            port = port_of(server)
            server.replies = [sent_to(target.replace("PORT", str(port)), status), page(b"secret")]
            allowed = {f"site.example:{port}"}
            names = Names(site_example=[["127.0.0.1"]], inside_example=[["127.0.0.1"]])
            fetcher = Fetcher(allowed, limits=QUICK, network=PublicNetwork(allowed, resolve=names))
            with pytest.raises(ProviderError) as caught:
                await fetcher.fetch(f"http://site.example:{port}/")
            return caught.value, len(server.requests)

    error, requests = asyncio.run(run())
    assert isinstance(error, RefusedUrlError)
    assert requests == 1


def test_a_chain_of_redirects_is_followed_and_told() -> None:
    """Relative targets and such beyond ASCII; what was asked first is known."""
    found = fetched([sent_to("/b?x=1"), sent_to("c/ä".encode().decode("latin-1")), page(b"there")])
    assert found.response.body == b"there"
    assert found.response.url.endswith("/c/ä")
    assert [hop.rpartition("/")[2] for hop in found.hops] == ["", "b?x=1"]


def test_a_space_in_a_redirect_is_encoded() -> None:
    """Servers send it, and browsers follow."""
    assert fetched([sent_to("/a page"), page(b"there")]).response.url.endswith("/a%20page")


def test_a_circle_of_redirects_ends() -> None:
    """The limit counts."""
    found, server = fetch([sent_to("/again")])
    assert isinstance(found, ProviderError)
    assert "more than 3 times" in found.message
    assert len(server.requests) == 4


@pytest.mark.parametrize("variable", ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "all_proxy"])
def test_proxy_variables_change_nothing(monkeypatch: pytest.MonkeyPatch, variable: str) -> None:
    """A proxy would look names up itself; a request that reached it would have gone round every check."""
    monkeypatch.setenv(variable, "http://127.0.0.1:9/")
    monkeypatch.setenv("NO_PROXY", "")
    assert os.environ[variable]
    assert fetched([page()]).response.body == b"hello"
    assert isinstance(
        failed([page()], "http://inside.example:PORT/", names=Names(inside_example=[["127.0.0.1"]])), RefusedUrlError
    )


def test_a_page_over_the_limit_is_cut_and_says_so() -> None:
    """Also one that is small while packed: no more is unpacked than is kept."""
    bomb = gzip.compress(b"0" * 50_000_000)
    for reply in (page(b"x" * 50_000), page(bomb, content_encoding="gzip")):
        found = fetched([reply])
        assert found.cut
        assert len(found.response.body) == QUICK.max_bytes


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (page(b"x", content_encoding="br"), "packed"),
        (page(gzip.compress(gzip.compress(b"x")), content_encoding="gzip, gzip"), "packed"),
        (page(b"no gzip", content_encoding="gzip"), "unpack"),
        (page(gzip.compress(b"x" * 999)[:-9], content_encoding="gzip"), "cut off"),
        (Reply(200, {"content-type": "text/plain"}, (b"half",), ending="cut"), "could not be read"),
        (Reply(200, {}, (b"half",), ending="stall"), "took"),
        (Reply(hang=True), "took"),
        (Reply(200, {}, tuple(b"x" for _ in range(100)), pause_s=0.1), "longer than"),
        (page(b"", 404), "HTTP 404"),
        (page(b"", 403), "HTTP 403"),
        (page(b"", 429), "HTTP 429"),
        (page(b"", 500), "HTTP 500"),
        (page(b"", 304), "HTTP 304"),
        (page(b"", 302), "HTTP 302"),
    ],
)
def test_what_is_no_page_is_an_error_that_says_so(reply: Reply, said: str) -> None:
    """Faults of servers and connections become a sentence with a remedy, in bounded time."""
    limits = FetchLimits(max_bytes=10_000, timeout_s=0.4, redirects=3)
    assert said in failed([reply], limits=limits).message


def test_a_host_without_an_address_is_said() -> None:
    """A mistyped name is not a riddle."""
    assert "no address" in failed([page()], "http://nowhere.example/").message


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """A certificate that signs itself, for site.example, and its key."""
    if shutil.which("openssl") is None:
        pytest.skip("making a certificate needs openssl, which is not on this machine")
    folder = tmp_path_factory.mktemp("tls")
    paths = (str(folder / "cert.pem"), str(folder / "key.pem"))
    options = ["-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=site.example"]
    names = ["-addext", "subjectAltName=DNS:site.example", "-out", paths[0], "-keyout", paths[1]]
    subprocess.run(["openssl", "req", *options, *names], check=True, capture_output=True)
    return paths


def fetch_with_tls(certificate: tuple[str, str], host: str) -> tuple[str, list[str | None]]:
    """What came of an https fetch, and the names the server was asked for."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate)
    seen: list[str | None] = []
    context.sni_callback = lambda _socket, name, _context: seen.append(name)

    async def run() -> str:
        async with WireServer([page()], tls=context) as server:
            allowed = {f"{host}:{port_of(server)}"}
            names = Names(site_example=[["127.0.0.1"]], other_example=[["127.0.0.1"]])
            network = PublicNetwork(allowed, resolve=names)
            fetcher = Fetcher(allowed, limits=QUICK, network=network)
            try:
                return (await fetcher.fetch(f"https://{host}:{port_of(server)}/")).response.body.decode()
            except ProviderError as error:
                return error.message

    return asyncio.run(run()), seen


def test_tls_is_about_the_name_although_the_connection_is_to_an_address(
    certificate: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server hears the name, and its certificate must be of that name; SSL_CERT_FILE says whom to believe."""
    monkeypatch.setenv("SSL_CERT_FILE", certificate[0])
    assert fetch_with_tls(certificate, "site.example") == ("hello", ["site.example"])
    said, seen = fetch_with_tls(certificate, "other.example")
    assert "mismatch" in said.lower()
    assert seen == ["other.example"]


def test_an_unknown_authority_is_refused(certificate: tuple[str, str]) -> None:
    """Certificates are checked."""
    assert "certificate" in fetch_with_tls(certificate, "site.example")[0].lower()


@given(st.text(max_size=80))
def test_any_content_type_is_read(header: str) -> None:
    """Headers are as wild as pages."""
    media, charset = content_type(header)
    assert media == media.lower()
    assert charset == charset.lower()
