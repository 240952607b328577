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


def parseable(content: bytes) -> tuple[bytes, str]:
    """The bytes without a byte-order mark, and their encoding: utf-8 or windows-1252 (UTF-16 is rewritten)."""
    for mark, name in _MARKS:
        if content.startswith(mark):
            rest = content[len(mark) :]
            return (
                rest if name == "utf-8" else rest.decode(name, errors="replace").encode("utf-8", "replace")
            ), "utf-8"
    return content, "utf-8" if _is_utf8(content) else "windows-1252"


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
