"""Which character set a page is in: a byte-order mark, the header, what the page says, else what the bytes allow."""

from __future__ import annotations

import codecs
import re

# UTF-32's little-endian mark begins with UTF-16's: it is asked for first.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_LOOKED_AT = 4096  # bytes within which a page says what it is in
_META = re.compile(rb"<meta[^>]{0,500}?charset\s*=\s*[\"']?\s*([\w.:-]{1,40})", re.IGNORECASE)
_XML = re.compile(rb"\A\s*<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([\w.:-]{1,40})[\"']", re.IGNORECASE)
_WIDER = {  # what browsers read under these names: a superset that pages really use
    "iso8859-1": "cp1252",
    "ascii": "cp1252",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "iso8859-9": "cp1254",
    "tis-620": "cp874",
}
_WIDE = frozenset({"utf-16", "utf-32"})  # a page can't be in these if it could say so in ASCII
_NOT_OF_PAGES = frozenset({"utf-7", "idna", "punycode", "unicode-escape", "raw-unicode-escape"})


def decode(body: bytes, declared: str = "") -> tuple[str, str]:
    """The text of a page without its mark, and the character set it was read in. What does not fit is replaced.

    `declared` is what the HTTP header says.
    """
    for mark, name in _MARKS:
        if body.startswith(mark):
            return body[len(mark) :].decode(name, "replace"), name
    for name in (_known(declared), _known(_in_page(body[:_LOOKED_AT]))):
        if name and (text := _fitting(body, name)) is not None:
            return text, name
    name = "utf-8" if _fits(body, "utf-8") else "cp1252"
    return body.decode(name, "replace"), name


def _in_page(start: bytes) -> str:
    match = _XML.search(start) or _META.search(start)
    name = match[1].decode("ascii", "ignore") if match else ""
    return "" if _known(name) in _WIDE else name


def _known(name: str) -> str:
    """The codec a name stands for; '' for one that is no codec of pages."""
    try:
        found = codecs.lookup(name.strip()).name
        b"a".decode(found, "replace")  # a codec of bytes, like base64, is no codec of text
    except (LookupError, ValueError):
        return ""
    return "" if found in _NOT_OF_PAGES else _WIDER.get(found, found)


def _fitting(body: bytes, name: str) -> str | None:
    """The text, if this set can be meant: a page that says it is UTF-8 and mostly is not, is something else."""
    if name == "utf-8" and not _fits(body, name):
        text = body.decode("utf-8", "replace")
        return text if text.count("\ufffd") <= len(text) // 500 else None
    return body.decode(name, "replace")


def _fits(body: bytes, name: str) -> bool:
    """Whether every byte fits; a character cut off at the end does not count against it."""
    decoder = codecs.getincrementaldecoder(name)()
    try:
        decoder.decode(body)
    except UnicodeError:
        return False
    return True
