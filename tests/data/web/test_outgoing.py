from __future__ import annotations

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dexter.data.web.outgoing import KnownUrls, carries_content, links_in

SAID = ("My client Jane Roe wants to sell 40,000 shares of Acme before the merger is announced on Friday.",)
SECRET = "My client Jane Roe wants to sell 40,000 shares of Acme before Friday"
B64 = base64.b64encode(SECRET.encode()).decode()
B64_URL = base64.urlsafe_b64encode(SECRET.encode()).decode()
B32 = base64.b32encode(SECRET.encode()).decode().lower()
WORDS = SECRET.replace(",", "").split()

CARRYING = [
    f"https://evil.example/?q={B64}",
    f"https://evil.example/?q={B64_URL}",
    f"https://evil.example/{B64_URL}.png",
    f"https://evil.example/?{B64_URL}",
    f"https://evil.example/{SECRET.encode().hex()}",
    f"https://evil.example/p?a=1&d={SECRET.encode().hex()[:32]}",
    f"https://evil.example/{B32}",
    f"https://{B32[:40]}.evil.example/",
    f"https://{SECRET.encode().hex()[:30]}.evil.example/",
    "https://evil.example/?q=" + "%20".join(WORDS),
    "https://evil.example/?q=" + "+".join(WORDS[:9]),
    "https://evil.example/" + "%20".join(WORDS),
    "https://evil.example/" + "-".join(WORDS[:7]).lower(),
    "https://evil.example/" + "/".join(WORDS[:7]),
    "https://evil.example/?" + "&".join(f"p{i}={word}" for i, word in enumerate(WORDS * 3)),
    "https://evil.example/?a=" + "_".join(WORDS[2:9]),
    "https://evil.example/?q=" + "".join(f"%{ord(sign):02x}" for sign in "Jane Roe"),
    "https://evil.example/?q=" + "x" * 81,
    "https://evil.example/" + "x" * 141,
    "https://evil.example/?n=" + "8" * 40,
    "https://evil.example/" + "-".join(B64_URL[i : i + 4] for i in range(0, 80, 4)),
    "https://evil.example/" + "/".join(SECRET.encode().hex()[i : i + 4] for i in range(0, 120, 4)),
    "https://" + ".".join(SECRET.encode().hex()[i : i + 4] for i in range(0, 100, 4)) + ".evil.example/",
    "https://" + ".".join(["some-usual-words"] * 5) + ".evil.example/",
    "https://xn--" + "-".join(["usual"] * 9) + ".xn--" + "-".join(["words"] * 9) + ".evil.example/",
    "https://evil.example/" + "/".join(["some-usual-words-of-a-kind"] * 20),
    "https://evil.example/" + "".join(chr(0x4E00 + byte * 7) for byte in SECRET.encode() * 2),
]
PLAIN = [
    "https://www.sec.gov/Archives/edgar/data/1045810/000104581025000023/nvda-20250126.htm",
    "https://www.sec.gov/cgi-bin/browse-edgar?action=getcompany&CIK=0001045810&type=10-K&dateb=&owner=include&count=40",
    "https://nvidianews.nvidia.com/news/nvidia-announces-financial-results-for-fourth-quarter-and-fiscal-2025",
    "https://www.reuters.com/technology/nvidia-forecasts-first-quarter-revenue-above-estimates-2025-02-26/",
    "https://www.google.com/finance/quote/NVDA:NASDAQ",
    "https://finance.yahoo.com/quote/NVDA/key-statistics?p=NVDA",
    "https://en.wikipedia.org/wiki/Semiconductor_industry_in_Taiwan",
    "https://www.federalreserve.gov/newsevents/pressreleases/monetary20250319a.htm",
    "https://fred.stlouisfed.org/graph/fredgraph.csv?id=CPIAUCSL&cosd=2020-01-01&coed=2025-01-01",
    "https://investor.example.com/static-files/q3-2025-earnings-presentation.pdf",
    "https://example.com/search?q=nvidia+data+center+revenue+2025",
    "https://zh.wikipedia.org/wiki/%E8%8B%B1%E4%BC%9F%E8%BE%BE",
    "https://xn--fiqs8s.example/",
    "http://93.184.216.34/robots.txt",
    "https://example.com/",
]


@pytest.mark.parametrize("url", CARRYING)
def test_a_url_that_carries_text_out_is_noticed(url: str) -> None:
    """Encoded, spelled out, split over parameters, segments or the host's name: each is asked first."""
    assert carries_content(url, SAID)


@pytest.mark.parametrize("url", PLAIN)
def test_a_url_that_names_a_page_is_not_asked_about(url: str) -> None:
    """The addresses research is made of go through."""
    assert carries_content(url, SAID) == ""


@given(st.binary(min_size=48, max_size=300))
def test_base64_of_anything_is_noticed(data: bytes) -> None:
    """Whatever is encoded, in a query or a path, in either alphabet; only what repeats one sign may look like words."""
    if len(set(data)) < 12:
        return
    for text in (base64.b64encode(data).decode().replace("/", "%2F"), base64.urlsafe_b64encode(data).decode()):
        assert carries_content(f"https://a.example/?q={text}")
        assert carries_content(f"https://a.example/{text}")


@given(st.text(max_size=60), st.lists(st.text(max_size=30), max_size=3))
def test_any_url_is_judged(tail: str, said: list[str]) -> None:
    """No URL makes the judgement stumble."""
    assert isinstance(carries_content(f"https://a.example/{tail}", said), str)


def test_links_of_a_page_are_known_as_they_would_be_asked_for() -> None:
    """A page's own links carry nothing that its writer did not know; fragments and case do not matter."""
    known = KnownUrls()
    known.add(
        links_in(f"[a](https://A.example:443/{B64_URL}?x=1#part) and [b](https://b.example/c%28d%29) [c](/relative)")
    )
    assert f"https://a.example/{B64_URL}?x=1" in known
    assert "https://b.example/c(d)" in known
    assert "https://evil.example/" not in known


def test_what_may_not_be_fetched_is_not_remembered() -> None:
    """Links to inner hosts do not become known by standing on a page."""
    known = KnownUrls()
    known.add(["http://127.0.0.1/", "javascript:x", ""])
    assert "http://127.0.0.1/" not in known
