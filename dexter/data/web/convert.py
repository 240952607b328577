"""From the bytes of a page to a document. HTML and PDF are read in a process of their own, see `child.py`."""

from __future__ import annotations

import re

from dexter.data.response import Response
from dexter.data.web.charset import decode
from dexter.data.web.document import Document, Kind, UnreadableError, visible
from dexter.data.web.html import html_document
from dexter.data.web.pdf import pdf_document

_LOOKED_AT = 1024
_HTML = re.compile(rb"<!doctype\s+html|<(?:html|head|body|title|script|meta|table|div|p|h1|a)[\s>]", re.IGNORECASE)
_HTML_TYPES = ("text/html", "application/xhtml+xml")
_NO_TEXT = ("image/", "audio/", "video/", "font/", "application/zip", "application/gzip")
_WIDE_MARKS = (b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")


def kind_of(response: Response) -> Kind:
    """What a page is: by its first bytes, then by what its server says.

    Raises:
        UnreadableError: it is no text, and no PDF.
    """
    start, media = response.body[:_LOOKED_AT], response.media_type
    is_markup = start.lstrip().startswith(b"<")
    if not is_markup and (b"%PDF-" in start or media == "application/pdf"):
        return "pdf"
    is_wide = start.startswith(_WIDE_MARKS) or response.charset.lower().startswith(("utf-16", "utf-32"))
    if media.startswith(_NO_TEXT) or (b"\0" in start and not is_wide):
        raise UnreadableError(f"it is {media or 'binary data'}, which holds no text to read")
    if media in _HTML_TYPES or (is_markup and media == "application/pdf"):
        return "html"
    says_nothing = media in ("", "application/octet-stream", "text/plain") and _HTML.search(start.lstrip()[:256])
    return "html" if says_nothing and is_markup else "text"


def convert(kind: Kind, body: bytes, charset: str = "", url: str = "") -> Document:
    """The document in a page's bytes. Data (JSON, CSV, XML, plain text) stays as it is.

    Raises:
        UnreadableError: it can't be read.
    """
    if kind == "pdf":
        return pdf_document(body)
    text, _ = decode(body, charset)
    return html_document(text, url) if kind == "html" else Document(visible(text))
