"""Which addresses belong to the public internet. What is not known to be public is not.

The tables are IANA's registries of special-purpose addresses, written out here because the standard library's answer
changes between versions of Python.
"""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

Address = IPv4Address | IPv6Address

_SPECIAL_4: tuple[tuple[str, str], ...] = (
    ("0.0.0.0/8", "this network"),
    ("10.0.0.0/8", "a private network"),
    ("100.64.0.0/10", "a carrier's inner network"),
    ("127.0.0.0/8", "this machine"),
    ("169.254.0.0/16", "a link-local address, where clouds keep their metadata"),
    ("172.16.0.0/12", "a private network"),
    ("192.0.0.0/24", "reserved for protocols"),
    ("192.0.2.0/24", "reserved for documentation"),
    ("192.31.196.0/24", "reserved for protocols"),
    ("192.52.193.0/24", "reserved for protocols"),
    ("192.88.99.0/24", "a relay of 6to4"),
    ("192.168.0.0/16", "a private network"),
    ("192.175.48.0/24", "reserved for protocols"),
    ("198.18.0.0/15", "reserved for measurements"),
    ("198.51.100.0/24", "reserved for documentation"),
    ("203.0.113.0/24", "reserved for documentation"),
    ("224.0.0.0/4", "a multicast address"),
    ("240.0.0.0/4", "reserved"),
    ("168.63.129.16/32", "a cloud's metadata"),
)
# Of IPv6 only 2000::/3 is in use on the internet; these are its parts that are not.
_SPECIAL_6: tuple[tuple[str, str], ...] = (
    ("2001::/23", "reserved for protocols (Teredo, ORCHID)"),
    ("2001:db8::/32", "reserved for documentation"),
    ("2002::/16", "6to4, which hides an IPv4 address"),
    ("2620:4f:8000::/48", "reserved for protocols"),
    ("3fff::/20", "reserved for documentation"),
)
_NETWORKS_4 = tuple((IPv4Network(text), what) for text, what in _SPECIAL_4)
_NETWORKS_6 = tuple((IPv6Network(text), what) for text, what in _SPECIAL_6)
_GLOBAL_6 = IPv6Network("2000::/3")
_NAT64 = IPv6Network("64:ff9b::/96")
_ISATAP = 0x5EFE
_NAMED_6: tuple[tuple[IPv6Network, str], ...] = (
    (IPv6Network("::1/128"), "this machine"),
    (IPv6Network("fc00::/7"), "a private network"),
    (IPv6Network("fe80::/10"), "a link-local address"),
    (IPv6Network("ff00::/8"), "a multicast address"),
)


def parse_address(text: str) -> Address | None:
    """The address a text is in its usual notation, with or without a zone; None for anything else."""
    try:
        return ip_address(text)
    except ValueError:
        return None


def why_not_public(address: Address) -> str:
    """What an address is instead of a public one, as a clause; '' for a public one."""
    if isinstance(address, IPv4Address):
        return next((what for network, what in _NETWORKS_4 if address in network), "")
    if address.ipv4_mapped is not None:
        return _hidden(address.ipv4_mapped) or "an IPv4 address written as IPv6"
    if address in _NAT64:
        # What the resolver of a network without IPv4 gives for hosts that have only that.
        return _hidden(IPv4Address(int(address) & 0xFFFFFFFF))
    if address in _GLOBAL_6:
        return _special_6(address)
    return next((what for network, what in _NAMED_6 if address in network), "not an address of the internet")


def _special_6(address: IPv6Address) -> str:
    what = next((what for network, what in _NETWORKS_6 if address in network), "")
    if not what and (int(address) >> 32) & 0xFCFFFFFF == _ISATAP:
        return "ISATAP, which hides an IPv4 address"
    return what


def _hidden(address: IPv4Address) -> str:
    what = why_not_public(address)
    return f"{address} in disguise: {what}" if what else ""
