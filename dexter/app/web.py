"""The web as it is configured: who searches it, and what may be fetched. Imported only where a socket may be opened."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AsyncExitStack
from typing import Any

from dexter.app.outside import Setup
from dexter.data.web.fetching import Fetcher, FetchLimits
from dexter.data.web.outgoing import KnownUrls
from dexter.data.web.search.provider import DdgsSearch, SearchProvider, VendorSearch, vendor_client
from dexter.data.web.search.vendors import VENDORS
from dexter.tools.tool import Tool
from dexter.tools.web_fetch import web_fetch_tool
from dexter.tools.web_search import web_search_tool


def web_tools(setup: Setup, cap: int, stack: AsyncExitStack) -> Sequence[Tool[Any]]:
    """Search and fetching. Connections are closed with `stack`."""

    def secret(text: str) -> bool:
        return setup.config.keys.redact(text) != text

    fetcher = open_fetcher(setup, secret)
    known = KnownUrls(fetcher.locate)
    return (
        web_search_tool(tuple(open_search(setup, stack)), known, secret),
        web_fetch_tool(fetcher, known, setup.settings.context, cap),
    )


def open_fetcher(setup: Setup, secret: Callable[[str], bool]) -> Fetcher:
    """What fetches pages; a URL with something secret in it is refused."""
    web = setup.settings.web
    return Fetcher(
        web.allowed_hosts,
        limits=FetchLimits(web.max_bytes, web.timeout_s),
        secret=secret,
        now=setup.outside.now,
    )


def open_search(setup: Setup, stack: AsyncExitStack) -> Iterator[SearchProvider]:
    """Those that have a key, an address or their library, in the configured order."""
    search, keys = setup.settings.search, setup.config.keys
    addresses = {name: getattr(search, f"{name}_url") for name in VENDORS}
    for name in search.providers:
        vendor = VENDORS.get(name)
        if vendor is None:
            if name == DdgsSearch.name and DdgsSearch.is_installed():
                yield DdgsSearch()
            continue
        key = keys.get(name) if vendor.key_header else None
        if addresses[name] and (key or not vendor.key_header):
            client = vendor_client(vendor, key)
            stack.push_async_callback(client.aclose)
            yield VendorSearch(vendor, client, addresses[name])
