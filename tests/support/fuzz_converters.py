"""Feeds mutated pages to the converters until a time or a count is reached.

python -m tests.support.fuzz_converters --seconds 600 --seed 1 --last FILE

Each input is written to FILE before it is read, so that it is there after a crash. An input that takes more than a
bounded time of this process, raises anything but `UnreadableError`, or gives text that is none ends the run with
status 1 and stays in FILE: put it into tests/data/web/found/.
"""

from __future__ import annotations

import argparse
import random
import signal
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FrameType

from dexter.data.response import Response
from dexter.data.web.convert import convert, kind_of
from dexter.data.web.document import UnreadableError
from dexter.data.web.excerpts import find_excerpts
from tests.support.pdf import make_pdf

MOST_SECONDS = 20  # of this process's own time for one input
_MOST_BYTES = 200_000
_HTML = b"""<!doctype html><html><head><title>T</title><meta charset=utf-8><base href="/b/"></head><body><main>
<h1>H</h1><p>Text <b>bold</b> <a href="/x?y=1#z">link</a>&nbsp;&euro;&#x20AC;</p><ul><li>one<ol><li>two</ol></ul>
<table><caption>C</caption><tr><th colspan=2>A<th>B<tr><td>$<td>1,234<td rowspan=2>(5)<tr><td>%<td>7</table>
<pre>a
 b</pre><blockquote>q</blockquote><img alt=i src=x><div style="display:none">hidden</div></main></body></html>"""
SEEDS: Sequence[tuple[str, bytes]] = (
    ("text/html", _HTML),
    ("text/html", b"<table>" + b"<tr><td>r<td>1<td>2</tr>" * 20 + b"</table>"),
    ("application/xhtml+xml", b'<?xml version="1.0" encoding="utf-8"?><html xmlns="x"><body><p>x</p></body></html>'),
    ("application/pdf", make_pdf(["Annual report", "Revenue 35,082"], [], ["Net (12)"], title="T")),
    ("application/pdf", make_pdf(*([f"page {n}", "x" * 60] for n in range(12)))),
    ("text/csv", b'year,"a ""b""",c\r\n2024,1.5,\xe2\x82\xac\r\n2025,,"x\ny"\r\n'),
    ("application/json", b'{"a": [1, 2.50, -3e10, null, true, "\\u20ac \\ud83d\\ude00"], "b": {"c": {}}}'),
    ("application/xml", b'<?xml version="1.0"?><!DOCTYPE r [<!ENTITY a "aa">]><r><a b="c">&a;</a><![CDATA[x]]></r>'),
    ("", "Ünïcode 日本 text\n\n\nwith gaps".encode("utf-16")),
)
CHARSETS = ("", "utf-8", "iso-8859-1", "utf-16", "shift_jis", "utf-7", "hz", "idna", "no-such", "x" * 50)
TOKENS = (
    *(b"<table>", b"<tr>", b"<td colspan=999999999>", b"<td rowspan=-1>", b"</table>", b"<div>", b"<ul><li>", b"<pre>"),
    *(
        b"<a href='http://[::1'>",
        b"<a href=//x>",
        b"<base href='\x00'>",
        b"<!--",
        b"-->",
        b"<![CDATA[",
        b"]]>",
        b"<?",
        b"<!",
    ),
    *(b"&#xD800;", b"&#0;", b"&#x110000;", b"&#99999999999;", b"&amp", b"<template>", b"<svg><style>", b"<frameset>"),
    *(b"<meta charset=utf-16>", b"<meta charset='x'>", b"<title>", b"<dexter-table>", b"<b><i><u>", b"<font size=0>"),
    *(
        b"\xff\xfe",
        b"\xfe\xff",
        b"\xef\xbb\xbf",
        b"\x00",
        b"\xed\xa0\x80",
        b"\xf4\x90\x80\x80",
        b"\x1b$B",
        b"\xe2\x80\xae",
    ),
    *(
        b"endobj",
        b"stream\n",
        b"/Length 999999999",
        b"/Kids [2 0 R]",
        b"/Count -1",
        b"xref\n0 99999999\n",
        b"%%EOF",
        b"<< /",
    ),
    *(b"{", b"[" * 500, b'"', b"\\u", b"1e999999", b"-", b",", b"\r", b"\n" * 50, b" " * 500, b"|", b"=" * 300),
    *(b"<!ENTITY b '&a;&a;&a;'>", b"<!DOCTYPE x SYSTEM 'file:///etc/passwd'>", b"[page 1]", b"\xc2\xad" * 100),
)


class TooSlowError(Exception):
    """One input took too long."""


def mutated(data: bytes, chance: random.Random) -> bytes:
    """The data after a few random changes."""
    for _ in range(chance.randint(1, 6)):
        data = chance.choice(_CHANGES)(data, chance)[:_MOST_BYTES]
    return data


def check(media_type: str, body: bytes, charset: str = "") -> None:
    """Read a page; whatever it is, it becomes text or is refused, in bounded time.

    Raises:
        AssertionError: the text is none that a model could be sent.
        TooSlowError: it took more than `MOST_SECONDS` of this process's time.
    """
    before = signal.signal(signal.SIGPROF, _too_slow)
    signal.setitimer(signal.ITIMER_PROF, MOST_SECONDS)
    try:
        _read(media_type, body, charset)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _read(media_type: str, body: bytes, charset: str) -> None:
    try:
        kind = kind_of(Response("https://a.example/x", body, media_type, charset))
        document = convert(kind, body, charset, "https://a.example/x")
    except UnreadableError:
        return
    for text in (document.text, document.title, *document.notes):
        text.encode()  # no half of a surrogate pair
        assert "\r" not in text
        assert "\x00" not in text
    for excerpt in find_excerpts(document.text, "revenue a 1 text"):
        assert 0 <= excerpt.offset <= len(document.text)


def _cut(data: bytes, chance: random.Random) -> bytes:
    start, end = _span(data, chance)
    return data[:start] + data[end:]


def _repeat(data: bytes, chance: random.Random) -> bytes:
    start, end = _span(data, chance)
    return data[:end] + data[start:end] * chance.choice((1, 2, 10, 300)) + data[end:]


def _insert(data: bytes, chance: random.Random) -> bytes:
    at = chance.randint(0, len(data))
    return data[:at] + chance.choice(TOKENS) * chance.choice((1, 1, 1, 5, 300)) + data[at:]


def _scramble(data: bytes, chance: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(chance.randint(1, 20) if changed else 0):
        changed[chance.randrange(len(changed))] = chance.randrange(256)
    return bytes(changed)


def _splice(data: bytes, chance: random.Random) -> bytes:
    other = chance.choice(SEEDS)[1]
    return data[: chance.randint(0, len(data))] + other[chance.randint(0, len(other)) :]


def _end(data: bytes, chance: random.Random) -> bytes:
    return data[: chance.randint(0, len(data))]


def _span(data: bytes, chance: random.Random) -> tuple[int, int]:
    start = chance.randint(0, len(data))
    return start, min(len(data), start + chance.choice((1, 4, 30, 400)))


_CHANGES: Sequence[Callable[[bytes, random.Random], bytes]] = (
    _cut,
    _repeat,
    _insert,
    _insert,
    _scramble,
    _splice,
    _end,
)


def _too_slow(_signal: int, _frame: FrameType | None) -> None:
    raise TooSlowError


def fuzz(seed: int, last: Path, *, seconds: float, count: int) -> int:
    """Run until the time or the count is reached; how many inputs were read."""
    chance, done, ends = random.Random(seed), 0, time.monotonic() + seconds  # noqa: S311 - it draws inputs, not keys
    while done < count and time.monotonic() < ends:
        media_type, data = chance.choice(SEEDS)
        body, charset = mutated(data, chance), chance.choice(CHARSETS)
        last.write_bytes(f"{media_type}\n{charset}\n".encode() + body)
        check(media_type, body, charset)
        done += 1
    return done


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--count", type=int, default=sys.maxsize)
    parser.add_argument("--last", type=Path, required=True)
    options = parser.parse_args()
    done = fuzz(options.seed, options.last, seconds=options.seconds, count=options.count)
    sys.stdout.write(f"{done} inputs read\n")


if __name__ == "__main__":
    main()
