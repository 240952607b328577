from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dexter.data.web.address import parse_address, why_not_public
from dexter.data.web.location import locate, setting_name
from dexter.data.web.refusal import RefusedUrlError

# Each leads to an inner address for some reader of URLs, resolver or kernel.
INNER = [
    # loopback, as it is usually written and otherwise
    "http://127.0.0.1/",
    "http://127.0.0.1:8080/admin",
    "http://127.255.255.254/",
    "http://127.1/",
    "http://127.0.1/",
    "http://0/",
    "http://0.0.0.0/",
    "http://0.0.0.0:9200/",
    "http://2130706433/",
    "http://0x7f000001/",
    "http://0x7f.0x0.0x0.0x1/",
    "http://0x7f.1/",
    "http://017700000001/",
    "http://0177.0.0.1/",
    "http://0177.0.0.01/",
    "http://00000000177.0.0.1/",
    "http://127.0.0.0x1/",
    "http://4294967297/",
    "http://127.0.0.1./",
    "http://%31%32%37.0.0.1/",
    "http://①②⑦.⓪.⓪.①/",
    "http://１２７.0.0.1/",  # fullwidth
    "http://127。0。0。1/",  # ideographic full stops
    "http://localhost/",
    "http://LOCALHOST/",
    "http://localhost./",
    "http://localhost.localdomain/",
    "http://a.localhost/",
    "http://loc\u00adalhost/",
    "http://[::1]/",
    "http://[0:0:0:0:0:0:0:1]/",
    "http://[0000::0001]:80/",
    "http://[::]/",
    "http://[::1%25lo]/",
    # IPv4 inside IPv6
    "http://[::ffff:127.0.0.1]/",
    "http://[::ffff:7f00:1]/",
    "http://[0:0:0:0:0:ffff:7f00:1]/",
    "http://[::ffff:0:127.0.0.1]/",
    "http://[::127.0.0.1]/",
    "http://[64:ff9b::127.0.0.1]/",
    "http://[64:ff9b::7f00:1]/",
    "http://[64:ff9b::a9fe:a9fe]/",
    "http://[64:ff9b:1::7f00:1]/",
    "http://[2002:7f00:1::]/",
    "http://[2002:a9fe:a9fe::]/",
    "http://[2001:0:7f00:1::]/",
    "http://[2600:1:2:3:0:5efe:7f00:1]/",
    # private, link-local, metadata, shared, multicast, reserved
    "http://10.0.0.1/",
    "http://10.255.255.255/",
    "http://172.16.0.1/",
    "http://172.31.255.255/",
    "http://192.168.1.1/",
    "http://169.254.169.254/latest/meta-data/",
    "http://2852039166/latest/meta-data/",
    "http://0xa9fea9fe/",
    "http://0251.0376.0251.0376/",
    "http://[::ffff:a9fe:a9fe]/",
    "http://[fd00:ec2::254]/",
    "http://metadata.google.internal/computeMetadata/v1/",
    "http://168.63.129.16/",
    "http://100.64.0.1/",
    "http://100.127.255.255/",
    "http://192.0.0.192/",
    "http://198.18.0.1/",
    "http://192.0.2.1/",
    "http://203.0.113.9/",
    "http://224.0.0.1/",
    "http://239.255.255.250:1900/",
    "http://240.0.0.1/",
    "http://255.255.255.255/",
    "http://[fe80::1]/",
    "http://[fc00::1]/",
    "http://[fdff::1]/",
    "http://[fec0::1]/",
    "http://[ff02::1]/",
    "http://[100::1]/",
    "http://[2001:db8::1]/",
    # names of inner networks
    "http://wiki/",
    "http://printer.local/",
    "http://jira.corp/",
    "http://vault.internal/",
    "http://router.home.arpa/",
    # readers disagree on where the host is
    "http://example.com\\@127.0.0.1/",
    "http://127.0.0.1\\@example.com/",
    "http://example.com@127.0.0.1/",
    "http://user:secret@example.com/",
    "http://127.0.0.1#@example.com/",
    "http://127.0.0.1:80:80/",
    "http://example.com:80@127.0.0.1/",
    "http:// 127.0.0.1/",
    "http://127.0.0.1\t/",
    "http://exam\nple.com/",
    "http://\u200b127.0.0.1/",
    "http:///127.0.0.1/",
    "http://[127.0.0.1]/",
    "http://[::1/",
    "http://::1/",
    # other schemes and services
    "file:///etc/passwd",
    "gopher://127.0.0.1:6379/_FLUSHALL",
    "ftp://example.com/x",
    "dict://127.0.0.1:11211/",
    "data:text/html,x",
    "javascript:alert(1)",
    "unix:///var/run/docker.sock",
    "//127.0.0.1/",
    "127.0.0.1",
    "http://example.com:22/",
    "http://example.com:25/",
    "http://example.com:0/",
    "http://example.com:99999/",
    "http://example.com:٨٠/",
    "http://",
    "http://.",
    "http://a..b.com/",
    "http://" + "a" * 64 + ".com/",
    "http://example.com/" + "a" * 5_000,
]


@pytest.mark.parametrize("url", INNER)
def test_no_notation_of_an_inner_address_is_fetched(url: str) -> None:
    """Whatever form an address that is not public takes, it is refused before a name is looked up."""
    with pytest.raises(RefusedUrlError) as refused:
        locate(url)
    assert refused.value.remedy
    assert "secret" not in refused.value.message


def test_there_are_many_notations() -> None:
    """The issue asks for sixty at least."""
    assert len(set(INNER)) >= 100


@pytest.mark.parametrize(
    ("address", "what"),
    [
        ("127.0.0.1", "this machine"),
        ("169.254.169.254", "metadata"),
        ("10.0.0.1", "private"),
        ("100.64.0.1", "carrier"),
        ("224.0.0.1", "multicast"),
        ("::1", "this machine"),
        ("fe80::1", "link-local"),
        ("::ffff:10.0.0.1", "10.0.0.1 in disguise: a private"),
        ("::ffff:8.8.8.8", "written as IPv6"),
        ("64:ff9b::10.0.0.1", "10.0.0.1 in disguise: a private"),
        ("2002:a00:1::", "6to4"),
        ("2600::5efe:a00:1", "ISATAP"),
    ],
)
def test_what_an_address_is_instead_of_public_is_said(address: str, what: str) -> None:
    """A person who meant it knows why it is refused."""
    parsed = parse_address(address)
    assert parsed is not None
    assert what in why_not_public(parsed)


@pytest.mark.parametrize(
    ("url", "asked"),
    [
        ("https://www.sec.gov/x?y=z#part", "https://www.sec.gov/x?y=z"),
        ("HTTP://Example.COM:80", "http://example.com/"),
        ("https://example.com.:443/a", "https://example.com/a"),
        ("http://example.com:8080/a", "http://example.com:8080/a"),
        ("https://bücher.example/ä", "https://xn--bcher-kva.example/ä"),
        ("http://93.184.216.34/", "http://93.184.216.34/"),
        ("http://[2606:2800:220:1:248:1893:25C8:1946]/", "http://[2606:2800:220:1:248:1893:25c8:1946]/"),
        ("  https://a_b.example.org/ ", "https://a_b.example.org/"),
    ],
)
def test_a_public_address_is_asked_for_in_one_form(url: str, asked: str) -> None:
    """Case, default ports, final dots and fragments do not make another page."""
    assert locate(url).url == asked


@pytest.mark.parametrize("name", ["127.0.0.1", "127.0.0.1:9000", "wiki:9000", "[::1]:9000"])
def test_a_host_that_is_named_is_allowed_and_no_other(name: str) -> None:
    """A setting lets one host or one port of it through, not its neighbours."""
    host = name if name.startswith("[") or ":" in name else f"{name}:9000"
    assert locate(f"http://{host}/x", {name}).port == 9000
    for other in ("http://127.0.0.2:9000/", "http://127.0.0.1:9001/", "http://wiki:9001/", "http://[::1]:9001/"):
        if name != "127.0.0.1":
            with pytest.raises(RefusedUrlError):
                locate(other, {name})


@pytest.mark.parametrize(
    ("setting", "name"), [("[::1]", "::1"), (" Wiki.Corp. ", "wiki.corp"), ("[::1]:9000", "[::1]:9000"), ("[x]", "[x]")]
)
def test_a_setting_names_a_host_as_people_write_it(setting: str, name: str) -> None:
    """Brackets, case and a final dot make no other host; nothing else is made of it."""
    assert setting_name(setting) == name


@given(st.ip_addresses(v=4))
def test_an_ipv4_address_is_judged_alike_in_every_dress(address: object) -> None:
    """Mapped into IPv6 it is never fetched; behind NAT64 exactly where it may be fetched itself."""
    mapped, nat64 = parse_address(f"::ffff:{address}"), parse_address(f"64:ff9b::{address}")
    assert mapped is not None
    assert nat64 is not None
    assert why_not_public(mapped)
    assert bool(why_not_public(nat64)) == bool(why_not_public(address))  # type: ignore[arg-type]


@given(st.ip_addresses())
def test_what_the_standard_library_calls_inner_is_never_public(address: object) -> None:
    """Our tables are at least as strict as Python's."""
    if not address.is_global or address.is_multicast:  # type: ignore[attr-defined]
        assert why_not_public(address) or str(address).startswith("64:ff9b::")  # type: ignore[arg-type]


@given(st.text(max_size=60))
def test_any_text_is_located_or_refused(text: str) -> None:
    """No text makes it stumble, and what is located names a host."""
    for url in (text, f"http://{text}/", f"https://example.com/{text}"):
        try:
            assert locate(url).host
        except RefusedUrlError:
            continue
