"""Which URLs may be fetched at all, before any name is looked up."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit, urlunsplit

from dexter.data.web.address import parse_address, why_not_public
from dexter.data.web.refusal import RefusedUrlError

_LONGEST = 4_000
_PORTS = {"http": 80, "https": 443}
_FIRST_FREE_PORT = 1024  # those below are other services: mail, files, remote shells
# What readers of URLs disagree about: some cut there, some skip it, some turn it into a slash.
_DISPUTED = re.compile(r"[\x00-\x20\x7f-\xa0\\\u2028\u2029\ufeff\ud800-\udfff]")
_LABEL = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)")
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
_INNER = ("localhost", "local", "internal", "intranet", "lan", "home", "corp", "private", "home.arpa", "localdomain")


@dataclass(frozen=True)
class Location:
    """A URL that may be asked for: `host` in lower case, ASCII, without a final dot; `port` always a number."""

    url: str
    scheme: str
    host: str
    port: int


def allowed_names(host: str, port: int) -> tuple[str, str]:
    """How a setting may name a host: alone, or with its port."""
    return (host, f"{_shown(host)}:{port}")


def setting_name(text: str) -> str:
    """A setting's name of a host as `allowed_names` has it: without a final dot, an address without its brackets."""
    name = text.strip().lower().removesuffix(".")
    address = name.removeprefix("[").removesuffix("]")
    return address if name == f"[{address}]" and parse_address(address) else name


def _shown(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def locate(text: str, allowed: Collection[str] = ()) -> Location:
    """The location of a URL. Its fragment is left out.

    Args:
        text: the URL.
        allowed: hosts, as `host` or `host:port`, that may be named although they are not public.

    Raises:
        RefusedUrlError: it is not http or https, holds a password, names no public host, or is written in a way that
            others may read differently.
    """
    text = text.strip()
    if len(text) > _LONGEST:
        raise RefusedUrlError(text, f"it has more than {_LONGEST:,} characters")
    if _DISPUTED.search(text):
        raise RefusedUrlError(text, "it holds a space, a backslash or a control character")
    parts = _split(text)
    host, port = _host(text, parts), _port(text, parts)
    location = Location(_rebuilt(parts, host, port), parts.scheme.lower(), host, port)
    if not any(name in allowed for name in allowed_names(host, port)):
        _check_port(text, port, location.scheme)
        _check_host(text, host)
    return location


def _split(text: str) -> SplitResult:
    try:
        parts = urlsplit(text)
    except ValueError as error:
        raise RefusedUrlError(text, "it is not a URL") from error
    if parts.scheme.lower() not in _PORTS:
        raise RefusedUrlError(text, "only http:// and https:// addresses are fetched")
    if "@" in parts.netloc:
        hidden = text.replace(parts.netloc.rpartition("@")[0], "…")
        raise RefusedUrlError(hidden, "it holds a user name or password", remedy="Leave out what stands before the @.")
    return parts


def _port(text: str, parts: SplitResult) -> int:
    try:
        port = parts.port
    except ValueError as error:
        raise RefusedUrlError(text, "its port is not a number") from error
    return _PORTS[parts.scheme.lower()] if port is None else port


def _host(text: str, parts: SplitResult) -> str:
    """The host in ASCII; an IPv6 address in its shortest form."""
    host = parts.hostname or ""
    if "[" in parts.netloc or ":" in host:
        address = parse_address(host)
        if address is None or "%" in host:
            raise RefusedUrlError(text, "its host is not an address")
        return str(address)
    host = _ascii(text, host).removesuffix(".")
    if not host or len(host) > 253 or not all(_LABEL.fullmatch(label) for label in host.split(".")):  # noqa: PLR2004 - DNS's own limit
        raise RefusedUrlError(text, "its host is not a name")
    return host


def _ascii(text: str, host: str) -> str:
    """An international name as it is asked for. Letters that stand for others (fullwidth, ligatures) are refused."""
    if host.isascii():
        return host.lower()
    import idna

    try:
        return idna.encode(host.lower()).decode("ascii")
    except (idna.IDNAError, UnicodeError) as error:
        raise RefusedUrlError(text, "its host holds signs that no name has") from error


def _check_port(text: str, port: int, scheme: str) -> None:
    if port != _PORTS[scheme] and (port < _FIRST_FREE_PORT and port not in _PORTS.values()):
        raise RefusedUrlError(text, f"port {port} is not one of web servers")


def _check_host(text: str, host: str) -> None:
    """Refuse what can be seen to be no public host; the address itself is checked when a connection is made."""
    address = parse_address(host)
    if address is not None:
        if why := why_not_public(address):
            raise RefusedUrlError(text, f"{host} is {why}")
        return
    labels = host.split(".")
    if _NUMBER.fullmatch(labels[-1]):
        raise RefusedUrlError(text, "its host is an address in an unusual notation")
    if len(labels) == 1 or any(host == inner or host.endswith(f".{inner}") for inner in _INNER):
        raise RefusedUrlError(text, f"{host} is a name of this machine or of an inner network")


def _rebuilt(parts: SplitResult, host: str, port: int) -> str:
    shown = _shown(host)
    netloc = shown if port == _PORTS[parts.scheme.lower()] else f"{shown}:{port}"
    return urlunsplit((parts.scheme.lower(), netloc, parts.path or "/", parts.query, ""))
