"""One page over the guarded network: no proxies, cookies, credentials or keys; limits on size, time and redirects."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.message import Message
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote, urljoin, urlsplit

from dexter.data.body import BodyError, read_start
from dexter.data.failures import failure, status_failure
from dexter.data.response import Response
from dexter.data.web.location import Location, locate, setting_name
from dexter.data.web.refusal import RefusedUrlError
from dexter.errors import ProviderError

if TYPE_CHECKING:
    import httpcore

    from dexter.data.web.network import PublicNetwork

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_SUCCESS = range(200, 300)
_ERRORS = range(400, 600)
_HEADERS = (
    ("User-Agent", "Mozilla/5.0 (compatible; Dexter; research agent)"),
    ("Accept", "text/html,application/xhtml+xml,application/pdf,application/json,text/*;q=0.9,*/*;q=0.5"),
    ("Accept-Language", "en,*;q=0.5"),
    ("Accept-Encoding", "gzip, deflate"),
)
_REMEDIES = {
    "auth": "The site wants a login or refuses programs; look for the same text elsewhere.",
    "billing": "The site wants to be paid; look for the same text elsewhere.",
    "not_found": "Check the address, or search for the page.",
    "other": "Check the address, or look for the same text elsewhere.",
    "bad_data": "Look for the same text elsewhere.",
    "network": "Check the address and the network. Proxy variables are not used for pages.",
}


@dataclass(frozen=True)
class FetchLimits:
    """What one page may cost: bytes unpacked, seconds with all redirects, and how many of those."""

    max_bytes: int = 20_000_000
    timeout_s: float = 20.0
    redirects: int = 5


@dataclass(frozen=True)
class Fetched:
    """A page as it came. `cut`: it was larger than allowed and only its start is here. `hops`: the URLs before."""

    response: Response
    cut: bool = False
    hops: Sequence[str] = ()


class Fetcher:
    """Fetches pages from public hosts, and from those that are allowed by name.

    Args:
        allowed: `host` or `host:port` of hosts that may be inner ones.
        secret: whether a text holds something that must not leave, like a key.
        network: what connects; None is the real one.
        now: for the time of retrieval.
    """

    def __init__(
        self,
        allowed: Collection[str] = (),
        *,
        limits: FetchLimits | None = None,
        secret: Callable[[str], bool] = lambda _text: False,
        network: PublicNetwork | None = None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._allowed = frozenset(map(setting_name, allowed))
        self._limits = limits or FetchLimits()
        self._secret = secret
        self._network = network
        self._now = now

    def locate(self, url: str) -> Location:
        """Where a URL leads, if it may be fetched.

        Raises:
            RefusedUrlError: it may not.
        """
        location = locate(url, self._allowed)
        if any(map(self._secret, (url, unquote(url), location.url))):
            raise RefusedUrlError(f"{location.scheme}://{location.host}/…", "it holds one of your keys")
        return location

    async def fetch(self, url: str) -> Fetched:
        """The page at a URL, redirects followed; every hop is checked as the first.

        Raises:
            RefusedUrlError: the URL, or one it leads to, must not be fetched.
            ProviderError: there is no page, or not within the limits.
        """
        location = self.locate(url)
        try:
            async with asyncio.timeout(self._limits.timeout_s), self._pool() as pool:
                return await self._follow(pool, location)
        except TimeoutError as error:
            raise _failure(location, f"took longer than {self._limits.timeout_s:g} seconds", "timeout") from error

    async def _follow(self, pool: httpcore.AsyncConnectionPool, location: Location) -> Fetched:
        hops: list[str] = []
        while True:
            found = await self._get(pool, location)
            if isinstance(found, Fetched):
                return Fetched(found.response, found.cut, tuple(hops))
            hops.append(location.url)
            if len(hops) > self._limits.redirects:
                raise _failure(location, f"sent the request on more than {self._limits.redirects} times", "other")
            location = self.locate(_joined(location.url, found))

    async def _get(self, pool: httpcore.AsyncConnectionPool, location: Location) -> Fetched | str:
        """The page, or where it is said to be."""
        import httpcore

        patience = dict.fromkeys(("connect", "read", "write", "pool"), self._limits.timeout_s)
        try:
            async with pool.stream(
                "GET", _encoded(location.url), headers=_headers(location), extensions={"timeout": patience}
            ) as answer:
                return await self._read(location, answer)
        except httpcore.TimeoutException as error:
            raise _failure(location, "took too long to answer", "timeout") from error
        except (httpcore.NetworkError, httpcore.ProtocolError) as error:
            raise _failure(location, f"could not be read ({_said(error)})", "network") from error
        except (httpcore.UnsupportedProtocol, UnicodeError) as error:
            raise RefusedUrlError(location.url, "it is not a URL") from error
        except BodyError as error:
            raise _failure(location, str(error), "bad_data") from error

    async def _read(self, location: Location, answer: httpcore.Response) -> Fetched | str:
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in answer.headers}
        if answer.status in _REDIRECTS and headers.get("location"):
            return _as_sent(headers["location"])
        if answer.status not in _SUCCESS:
            raise _status_failure(location, answer.status)
        chunks = answer.aiter_stream()
        body, cut = await read_start(chunks, headers.get("content-encoding", ""), self._limits.max_bytes)
        media_type, charset = content_type(headers.get("content-type", ""))
        stamp = self._now().astimezone(UTC).replace(microsecond=0).isoformat().replace("+00:00", "Z")
        return Fetched(Response(location.url, body, media_type, charset, stamp), cut)

    def _pool(self) -> httpcore.AsyncConnectionPool:
        import httpcore
        import httpx

        from dexter.data.web.network import PublicNetwork

        return httpcore.AsyncConnectionPool(
            ssl_context=httpx.create_ssl_context(),  # honours SSL_CERT_FILE
            network_backend=self._network or PublicNetwork(self._allowed),
        )


def content_type(header: str) -> tuple[str, str]:
    """Media type and character set of a `Content-Type` header, both in lower case; '' where it does not say."""
    if not header.strip():
        return "", ""
    message = Message()
    message["content-type"] = header.replace("\r", " ").replace("\n", " ")
    return message.get_content_type() if "/" in header else "", message.get_content_charset("")


def _headers(location: Location) -> list[tuple[bytes, bytes]]:
    host = urlsplit(location.url).netloc  # httpcore leaves out the brackets of an IPv6 address
    return [(name.encode(), value.encode()) for name, value in (("Host", host), *_HEADERS)]


def _encoded(url: str) -> str:
    """The URL in ASCII; what is percent-encoded already stays."""
    return quote(url, safe="%/:=&?~#+!$,;'@()*[]|{}^`\"<>")


def _as_sent(location: str) -> str:
    """A redirect's target; some servers send UTF-8 where only ASCII may stand."""
    try:
        return location.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return location


def _joined(base: str, target: str) -> str:
    """The redirect's target as a whole address; a space in it, which servers send, is encoded as browsers do.

    Raises:
        RefusedUrlError: it is no URL.
    """
    try:
        return urljoin(base, target.strip().replace(" ", "%20"))
    except ValueError as error:
        raise RefusedUrlError(target, "it is not a URL") from error


def _said(error: Exception) -> str:
    return str(error) or type(error).__name__


def _status_failure(location: Location, status: int) -> ProviderError:
    if status in _ERRORS:
        return status_failure(location.host, status, remedies=_REMEDIES)
    return _failure(location, f"gave no page (HTTP {status})", "other", status)


def _failure(location: Location, what: str, kind: str, status: int | None = None) -> ProviderError:
    return failure(location.host, what, kind=kind, status=status, remedies=_REMEDIES)
