"""Which character set a filing is in.

What a filing declares can't be trusted: the common inline-XBRL tool writes `encoding='ASCII'` over UTF-8 text, and old
filings declare nothing and hold Windows-1252. So bytes decide: a byte-order mark, else valid UTF-8, else Windows-1252.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator

_UTF16 = ((codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_CHUNK = 1 << 20


def without_utf16(content: bytes) -> bytes:
    """The content, in UTF-8 if it was in UTF-16."""
    for mark, name in _UTF16:
        if content.startswith(mark):
            return content[len(mark) :].decode(name, errors="replace").encode("utf-8", "replace")
    return content


def utf8_chunks(content: bytes) -> Iterator[bytes]:
    """The content as UTF-8, piece by piece so that a large document is not held twice.

    What can't be decoded becomes U+FFFD: a parser would stop at the first such byte.
    """
    start = len(codecs.BOM_UTF8) if content.startswith(codecs.BOM_UTF8) else 0
    is_utf8 = _is_utf8(content, start)
    for at in range(start, len(content), _CHUNK):
        chunk = content[at : at + _CHUNK]
        yield chunk if is_utf8 else chunk.decode("windows-1252", "replace").encode("utf-8")


def decode(content: bytes) -> str:
    """The content as text."""
    return b"".join(utf8_chunks(content)).decode("utf-8", errors="replace")


def _is_utf8(content: bytes, start: int) -> bool:
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for at in range(start, len(content), _CHUNK):
            decoder.decode(content[at : at + _CHUNK])
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True
