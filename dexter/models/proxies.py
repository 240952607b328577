"""The proxy that the environment names, looked at before the libraries stumble over it."""

from __future__ import annotations

import urllib.request
from collections.abc import Mapping
from dataclasses import replace

from dexter.models.errors import classify, model_error

_KNOWN = ("http://", "https://", "socks5://", "socks5h://")
_READ = ("http", "https", "all")


def named_proxies() -> dict[str, str]:
    """The proxies that are set, by what they are for."""
    return {name: value for name, value in urllib.request.getproxies().items() if name in _READ}


def check_proxies(proxies: Mapping[str, str]) -> None:
    """Accept the proxies.

    Raises:
        ModelError: of a kind nobody here can speak; trying again would not help.
    """
    for name, address in proxies.items():
        if "://" in address and not address.lower().startswith(_KNOWN):
            variable, scheme = f"{name.upper()}_PROXY", address.partition("://")[0]
            remedy = f"{variable} may name a proxy by http://, https://, socks5:// or socks5h://."
            info = replace(classify("", status=400), remedy=remedy)
            raise model_error(info, f"{variable} names a proxy of a kind that is not known: {scheme}.")


def any_socks(proxies: Mapping[str, str]) -> bool:
    """Whether one of them is a SOCKS proxy."""
    return any(address.lower().startswith("socks") for address in proxies.values())
