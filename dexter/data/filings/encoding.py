"""Which character set a filing is in.

What a filing declares can't be trusted: the common inline-XBRL tool writes `encoding='ASCII'` over UTF-8 text, and old
filings declare nothing and hold Windows-1252. So bytes decide: a byte-order mark, else valid UTF-8, else Windows-1252.
"""

from __future__ import annotations

import codecs

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_CHUNK = 1 << 20


def detect(content: bytes) -> tuple[str, int]:
    """The encoding and the length of its byte-order mark."""
    for mark, name in _MARKS:
        if content.startswith(mark):
            return name, len(mark)
    return ("utf-8" if _is_utf8(content) else "windows-1252"), 0


def _is_utf8(content: bytes) -> bool:
    # Chunk by chunk: decoding a document whole would hold it twice.
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for start in range(0, len(content), _CHUNK):
            decoder.decode(content[start : start + _CHUNK])
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def decode(content: bytes) -> str:
    """The text of `content`; what can't be decoded becomes U+FFFD, never an error."""
    name, mark = detect(content)
    return content[mark:].decode(name, errors="replace")
