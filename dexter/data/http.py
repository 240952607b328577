"""One HTTP client for every data source: patient, bounded, cached, and with errors a person can act on."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import urlencode

from dexter.data.body import BodyError, check_json_shape, check_not_empty, parse_json, read_body
from dexter.data.failures import (
    RETRIED_KINDS,
    RETRIED_STATUSES,
    failure,
    retry_after_seconds,
    status_failure,
)
from dexter.data.response import DEFAULT_LIMITS, Limits, Response
from dexter.errors import ProviderError

if TYPE_CHECKING:
    import httpx

    from dexter.data.cache import DiskCache, Kind

_SUCCESS = range(200, 300)
_REDIRECT = range(300, 400)


class Limiter(Protocol):
    """Something to wait for before each request."""

    async def acquire(self) -> None:
        """Return once a request may be sent."""
        ...


def _allow() -> None:
    """The default `gate`: nothing stands against a request."""


class HttpClient:
    """Asks one vendor.

    Args:
        provider: the vendor's name, as errors show it.
        headers: sent with every request.
        cache: where answers with a `kind` are kept; None keeps nothing.
        limiter: waited for before each request.
        gate: called before the network is used; raises where it may not be (offline, a setting missing). What is
            cached is given without asking it.
        remedies: what to do, by kind of error, where the vendor's own advice differs from the general one.
        transport: the `httpx` transport; None is the real network with the usual proxy and certificate variables.
    """

    def __init__(
        self,
        provider: str,
        *,
        headers: Mapping[str, str] | None = None,
        limits: Limits = DEFAULT_LIMITS,
        cache: DiskCache | None = None,
        limiter: Limiter | None = None,
        gate: Callable[[], None] = _allow,
        remedies: Mapping[str, str] | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        jitter: Callable[[], float] = random.random,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self.provider = provider
        self._headers = dict(headers or {})
        self._limits = limits
        self._cache = cache
        self._limiter = limiter
        self._gate = gate
        self._remedies = dict(remedies or {})
        self._transport = transport
        self._sleep = sleep
        self._jitter = jitter
        self._now = now
        self._client: httpx.AsyncClient | None = None

    async def get(
        self,
        url: str,
        *,
        params: Mapping[str, Any] | None = None,
        kind: Kind | None = None,
        check: Callable[[bytes], None] = check_not_empty,
    ) -> Response:
        """The answer to a GET, from the cache where one of this `kind` is fresh enough.

        `check` looks at the body before it is accepted and cached; it raises `BodyError`. A list as a parameter's
        value is sent as a repeated parameter.

        Raises:
            ProviderError: no usable answer after all attempts, and no older one in the cache.
        """
        full = f"{url}?{urlencode(params, doseq=True)}" if params else url
        entry = await asyncio.to_thread(self._cache.get, full, kind) if self._cache and kind else None
        if entry and entry.fresh:
            return Response(full, entry.body, entry.media_type, entry.charset, entry.retrieved_at)
        try:
            response = await self._ask("GET", full, check=check)
        except ProviderError as error:
            if entry and error.kind in RETRIED_KINDS:
                return Response(full, entry.body, entry.media_type, entry.charset, entry.retrieved_at, stale=True)
            raise
        if self._cache and kind:
            await asyncio.to_thread(self._cache.put, full, response)
        return response

    async def get_json(self, url: str, *, params: Mapping[str, Any] | None = None, kind: Kind | None = None) -> Any:
        """The answer to a GET as JSON with exact numbers, see `dexter.data.body.parse_json`.

        Raises:
            ProviderError: as `get`, and of kind `bad_data` where the answer is not JSON.
        """
        return self.read_json(await self.get(url, params=params, kind=kind, check=check_json_shape))

    async def post_json(self, url: str, payload: Mapping[str, Any]) -> Any:
        """The answer to a POST of `payload` as JSON. Never cached."""
        return self.read_json(await self._ask("POST", url, payload=payload, check=check_json_shape))

    def read_json(self, response: Response) -> Any:
        """The body of a response of this vendor as JSON; what can't be read is forgotten by the cache."""
        try:
            return parse_json(response.body)
        except BodyError as error:
            self.forget(response)
            raise self._failure(str(error), kind="bad_data") from error

    def forget(self, response: Response) -> None:
        """Drop an answer from the cache: it was no use, or is no longer true."""
        if self._cache:
            self._cache.drop(response.url)

    async def aclose(self) -> None:
        """Close the connections; the client opens new ones when it is used again."""
        client, self._client = self._client, None
        if client:
            await client.aclose()

    async def _ask(
        self,
        method: str,
        url: str,
        *,
        payload: Mapping[str, Any] | None = None,
        check: Callable[[bytes], None] = check_not_empty,
    ) -> Response:
        self._gate()
        for attempt in range(1, self._limits.attempts + 1):
            try:
                return await self._ask_once(method, url, payload, check)
            except _Retry as retry:
                wait = self._wait(attempt, retry.after)
                if wait is None or attempt == self._limits.attempts:
                    raise retry.error from retry.__cause__
            await self._sleep(wait)
        raise AssertionError("unreachable: the last attempt returns or raises")

    def _wait(self, attempt: int, asked: float | None) -> float | None:
        """Seconds until the next attempt; None where the vendor asks for more patience than there is."""
        if asked is not None and asked > self._limits.max_wait:
            return None
        backoff = self._limits.first_wait * 2.0 ** (attempt - 1) * (1 + self._jitter() / 4)
        return min(max(backoff, asked or 0.0), self._limits.max_wait)

    async def _ask_once(
        self, method: str, url: str, payload: Mapping[str, Any] | None, check: Callable[[bytes], None]
    ) -> Response:
        import httpx

        if self._limiter:
            await self._limiter.acquire()
        try:
            async with (
                asyncio.timeout(self._limits.total_timeout),
                self._open().stream(method, url, json=payload) as answer,
            ):
                self._refuse_status(answer)
                body = await read_body(
                    answer.aiter_raw(), answer.headers.get("content-encoding", ""), self._limits.max_bytes
                )
            check(body)
        except BodyError as error:
            failed = self._failure(str(error), kind="bad_data", status=answer.status_code)
            raise (_Retry(failed) if error.transient else failed) from error
        except (httpx.TimeoutException, TimeoutError) as error:
            raise _Retry(self._failure("took too long to answer", kind="timeout")) from error
        except (httpx.InvalidURL, httpx.UnsupportedProtocol) as error:
            raise self._failure(
                f"can't be asked at {url}", kind="not_configured", remedy="Mend its base URL in the settings."
            ) from error
        except httpx.HTTPError as error:
            raise _Retry(self._failure(f"could not be reached ({type(error).__name__})", kind="network")) from error
        return self._response(url, answer, body)

    def _refuse_status(self, answer: httpx.Response) -> None:
        status = answer.status_code
        if status in _SUCCESS:
            return
        location = answer.headers.get("location", "") if status in _REDIRECT else ""
        error = status_failure(self.provider, status, location=location, remedies=self._remedies)
        if status not in RETRIED_STATUSES:
            raise error
        after = retry_after_seconds(answer.headers.get("retry-after"), self._now())
        if after is not None and after > self._limits.max_wait:
            error.remedy = f"It asks for {after:.0f} seconds of patience; try again after that."
        raise _Retry(error, after)

    def _response(self, url: str, answer: httpx.Response, body: bytes) -> Response:
        media_type = answer.headers.get("content-type", "").partition(";")[0].strip().lower()
        stamp = self._now().astimezone(UTC).replace(microsecond=0).isoformat().replace("+00:00", "Z")
        return Response(url, body, media_type, answer.charset_encoding or "", stamp)

    def _open(self) -> httpx.AsyncClient:
        import httpx

        if self._client is None:
            limits = self._limits
            self._client = httpx.AsyncClient(
                headers={**self._headers, "Accept-Encoding": "gzip, deflate"},
                timeout=httpx.Timeout(limits.read_timeout, connect=limits.connect_timeout),
                transport=self._transport,
            )
        return self._client

    def _failure(self, what: str, *, kind: str, status: int | None = None, remedy: str = "") -> ProviderError:
        return failure(self.provider, what, kind=kind, status=status, remedy=remedy, remedies=self._remedies)


class _Retry(Exception):  # noqa: N818 - a decision, not a fault
    """An attempt failed in a way that another may mend; `after` is the pause the vendor asked for."""

    def __init__(self, error: ProviderError, after: float | None = None) -> None:
        super().__init__(str(error))
        self.error = error
        self.after = after
