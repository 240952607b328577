"""Connections to public addresses only. The check is made where the connection is, on the address that is used.

A name is looked up once, every address it has is checked, and the connection goes to a checked address: a resolver that
changes its mind in between changes nothing. The socket's own peer is checked too before a byte is sent. Nothing here
reads proxy variables: a proxy would look names up by itself, out of sight.

Imports httpcore: import it inside functions.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence

import httpcore

from dexter.data.web.address import Address, parse_address, why_not_public
from dexter.data.web.location import allowed_names
from dexter.data.web.refusal import RefusedUrlError

Resolve = Callable[[str, int], Awaitable[Sequence[str]]]
_Options = Iterable[httpcore.SOCKET_OPTION]


async def look_up(host: str, port: int) -> list[str]:
    """The addresses of a host by the system's resolver, in its order.

    Raises:
        OSError: it has none, or the resolver does not answer.
    """
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


class PublicNetwork(httpcore.AsyncNetworkBackend):
    """Connects to public addresses, and to hosts that were allowed by name.

    Args:
        allowed: `host` or `host:port` of hosts that may have any address.
        resolve: addresses of a host and port.
        inner: what makes the connections; gets an address instead of a name.
    """

    def __init__(
        self,
        allowed: Collection[str] = (),
        *,
        resolve: Resolve = look_up,
        inner: httpcore.AsyncNetworkBackend | None = None,
    ) -> None:
        self._allowed = allowed
        self._resolve = resolve
        self._inner = inner or httpcore.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - httpcore's signature
        local_address: str | None = None,
        socket_options: _Options | None = None,
    ) -> httpcore.AsyncNetworkStream:
        is_allowed = any(name in self._allowed for name in allowed_names(host, port))
        failure: Exception = httpcore.ConnectError(f"{host} has no address")
        for address in await self._checked(host, port, is_allowed=is_allowed):
            try:
                stream = await self._inner.connect_tcp(str(address), port, timeout, local_address, socket_options)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failure = error
                continue
            await _check_peer(stream, host, address, is_allowed=is_allowed)
            return stream
        raise failure

    async def sleep(self, seconds: float) -> None:
        await self._inner.sleep(seconds)

    async def _checked(self, host: str, port: int, *, is_allowed: bool) -> list[Address]:
        """The host's addresses; one that is not public refuses them all: it is how a guard is got round."""
        literal = parse_address(host)
        try:
            texts = [host] if literal else await self._resolve(host, port)
        except (OSError, UnicodeError) as error:
            raise httpcore.ConnectError(f"{host} has no address") from error
        addresses = [_parsed(host, text) for text in texts]
        for address in addresses:
            if not is_allowed:
                _check(host, address)
        return addresses


def _parsed(host: str, text: str) -> Address:
    address = parse_address(text)
    if address is None:
        raise RefusedUrlError(host, f"its name leads to {text!r}, which is no address")
    return address


def _check(host: str, address: Address) -> None:
    if why := why_not_public(address):
        leads = "it is" if str(address) == host else f"its name leads to {address},"
        raise RefusedUrlError(host, f"{leads} {why}")


async def _check_peer(stream: httpcore.AsyncNetworkStream, host: str, wanted: Address, *, is_allowed: bool) -> None:
    """Close and refuse a connection that does not end where it was meant to."""
    peer = stream.get_extra_info("server_addr")
    address = parse_address(str(peer[0])) if peer else None
    if is_allowed or (address == wanted and not why_not_public(address)):
        return
    await stream.aclose()
    raise RefusedUrlError(host, f"the connection to {wanted} ended at {address or 'no address'}")
