"""One document of a filing: bytes of whatever kind to blocks of visible text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import unescape

from dexter.data.filings.blocks import Block, render
from dexter.data.filings.encoding import decode, without_utf16
from dexter.data.filings.furniture import without_furniture
from dexter.data.filings.html_text import html_blocks
from dexter.data.filings.plain_text import plain_blocks
from dexter.data.filings.submission import is_submission, submitted_documents
from dexter.errors import ProviderError

MAX_BYTES = 64_000_000
"""Larger documents are refused: the largest annual reports with inline XBRL have about 40 MB."""

_PARAGRAPHS = (b"<p>", b"<p ", b"<div", b"<td", b"<br", b"<li", b"<P>", b"<P ", b"<DIV", b"<TD", b"<BR", b"<LI")
_MARKUP = re.compile(
    rb"<\s*/?\s*(?:!doctype\s+html|html|head|body|font|span|center|hr|b|i|u|a|pre|div|p|br)\b[^>]*>", re.IGNORECASE
)
_INLINE_XBRL = b"xmlns:ix="
_TAG_A_LINE = 1 / 20  # a page whose lines have fewer tags than this is plain text in a wrapper of HTML
_HEAD = 50_000  # bytes within which HTML shows itself
_NOT_TEXT = (
    (b"%PDF", "a PDF"),
    (b"PK\x03\x04", "a ZIP archive"),
    (b"\x1f\x8b", "compressed data"),
    (b"GIF8", "a GIF image"),
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"\xd0\xcf\x11\xe0", "an Office file"),
)


@dataclass(frozen=True, slots=True)
class Document:
    """The visible text of a document. `form` is its type where the document itself names it, else ''."""

    blocks: tuple[Block, ...]
    form: str = ""
    notes: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The whole document as Markdown."""
        return render(self.blocks)


def read_document(content: bytes, *, name: str = "document") -> Document:
    """Read HTML, plain text, or the first document of a complete submission.

    Args:
        content: The bytes as served.
        name: What to call the document in an error.

    Raises:
        ProviderError: The bytes are no text, or more than `MAX_BYTES`.
    """
    _refuse(content, name)
    form = ""
    if is_submission(content):
        first = next(submitted_documents(content), None)
        form, content = (first.form, first.content) if first else ("", b"")
        _refuse(content, name)
    content = without_utf16(content).replace(b"\0", b"")  # a run of null bytes would be a million pieces of text
    raw = html_blocks(content) if _is_html(content) else plain_blocks(unescape(decode(_MARKUP.sub(b"", content))))
    blocks = tuple(without_furniture(raw))
    notes = () if blocks else (f"{name} holds no readable text.",)
    return Document(blocks, form, notes)


def _is_html(content: bytes) -> bool:
    """Whether tags, not line ends, part the paragraphs; old filings are plain text, some with a tag or two around."""
    head = content[:_HEAD]
    if _INLINE_XBRL in head:  # its hidden header may be thousands of lines without a paragraph
        return True
    tags = sum(content.count(tag) for tag in _PARAGRAPHS)
    return bool(_MARKUP.search(head)) and tags >= content.count(b"\n") * _TAG_A_LINE


def _refuse(content: bytes, name: str) -> None:
    if len(content) > MAX_BYTES:
        raise ProviderError(
            "sec",
            f"{name} has {len(content) / 1e6:.0f} MB; documents of up to {MAX_BYTES / 1e6:.0f} MB are read.",
            kind="bad_data",
            remedy="Open it in a browser, or search its text with search_filings.",
        )
    head = content[:1024].lstrip()
    for mark, kind in _NOT_TEXT:
        if head.startswith(mark):
            raise ProviderError(
                "sec",
                f"{name} is {kind}, not text.",
                kind="bad_data",
                remedy="Ask for another document of the filing.",
            )
