"""A PDF as text, page by page."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import TYPE_CHECKING

from dexter.data.web.document import Document, UnreadableError, joined, tidy
from dexter.text import one_line

if TYPE_CHECKING:
    import pypdfium2

_LONGEST_TITLE = 300
_HYPHENS = ("\ufffe\r\n", "\ufffe\n", "\x02\r\n", "\x02\n", "\ufffe", "\x02")  # a word broken at a line's end


def pdf_document(body: bytes, *, seconds: float = 15.0, clock: Callable[[], float] = time.monotonic) -> Document:
    """The document a PDF is: each page under a line with its number.

    What is not read after `seconds` is left out, and a note says so.

    Raises:
        UnreadableError: it is no PDF, needs a password, or holds no text.
    """
    import pypdfium2

    try:
        file = pypdfium2.PdfDocument(body)
    except pypdfium2.PdfiumError as error:
        why = "it needs a password" if "password" in str(error).lower() else "the PDF is broken"
        raise UnreadableError(why) from error
    with closing(file):
        pages = list(_pages(file, clock() + seconds, clock))
        total, title = len(file), _title(file)
    if not any(pages):
        raise UnreadableError("the PDF holds no text: it may be a scan, or a picture of one")
    return Document(joined(_numbered(pages)), title, notes=tuple(_notes(pages, total)))


def _pages(file: pypdfium2.PdfDocument, deadline: float, clock: Callable[[], float]) -> Iterator[str]:
    for number in range(len(file)):
        if clock() > deadline:
            return
        yield _page(file, number)


def _page(file: pypdfium2.PdfDocument, number: int) -> str:
    """A page's text; '' for a page that can't be read."""
    import pypdfium2

    try:
        with closing(file[number]) as page, closing(page.get_textpage()) as text_page:
            text = text_page.get_text_bounded()
    except pypdfium2.PdfiumError:
        return ""
    for hyphen in _HYPHENS:
        text = text.replace(hyphen, "")
    return tidy(text)


def _title(file: pypdfium2.PdfDocument) -> str:
    return tidy(one_line(file.get_metadata_dict().get("Title", "")))[:_LONGEST_TITLE]


def _numbered(pages: list[str]) -> Iterator[str]:
    return (f"[page {number}]\n{text}" for number, text in enumerate(pages, 1) if text)


def _notes(pages: list[str], total: int) -> Iterator[str]:
    if len(pages) < total:
        yield f"Only pages 1 to {len(pages)} of {total} were read: reading took too long."
    if empty := [str(number) for number, text in enumerate(pages, 1) if not text]:
        shown = ", ".join(empty[:10]) + (" …" if len(empty) > 10 else "")  # noqa: PLR2004 - enough to show
        yield f"Without text (pictures or scans): page {shown}."
