"""The documents of a filing, from its index page or from the complete submission."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dexter.data.filings.submission import is_submission, submitted_documents
from dexter.errors import ProviderError

if TYPE_CHECKING:
    from lxml import etree

_COLUMNS = ("Seq", "Description", "Document", "Type", "Size")
_READABLE = (".htm", ".html", ".txt")


@dataclass(frozen=True, slots=True)
class FilingDocument:
    """One document. `type` is the form for the main one, `EX-99.1` and the like for exhibits; `size` in bytes."""

    sequence: int | None
    type: str
    name: str
    description: str = ""
    size: int | None = None

    @property
    def is_exhibit(self) -> bool:
        """Whether it is an exhibit (not the form itself, a picture, or XBRL data)."""
        return self.type.upper().startswith("EX-") and not self.type.upper().startswith("EX-101")

    @property
    def is_readable(self) -> bool:
        """Whether it is text that `read_document` can take."""
        return self.name.lower().endswith(_READABLE)


@dataclass(frozen=True, slots=True)
class FilingIndex:
    """A filing's index page: dates are ISO; `items` are the numbers an 8-K names, e.g. ('5.02', '9.01')."""

    form: str
    accession: str
    filed: str
    period: str
    items: tuple[str, ...]
    documents: tuple[FilingDocument, ...]

    @property
    def main(self) -> FilingDocument | None:
        """The form itself."""
        return next((document for document in self.documents if document.sequence == 1), None)

    @property
    def exhibits(self) -> tuple[FilingDocument, ...]:
        """The exhibits."""
        return tuple(document for document in self.documents if document.is_exhibit)


def read_index(content: bytes) -> FilingIndex:
    """Read `<accession>-index.html`, or the complete submission as its own index.

    Raises:
        ProviderError: The page lists no documents.
    """
    if is_submission(content):
        return _from_submission(content)
    from lxml import etree

    parser = etree.HTMLParser(encoding="utf-8")
    root = etree.fromstring(content, parser) if content.strip() else None
    documents = () if root is None else tuple(_documents(root))
    if root is None or not documents:
        raise ProviderError(
            "sec", "The filing's index page lists no documents.", kind="bad_data", remedy="Check the accession number."
        )
    info = dict(_info(root))
    accession = re.search(r"\d{10}-\d{2}-\d{6}", _text(root.find(".//div[@id='secNum']")))
    form = re.match(r"Form\s+(.+?)\s*(?:-\s|$)", _text(root.find(".//div[@id='formName']")))
    return FilingIndex(
        form=form[1] if form else documents[0].type,
        accession=accession[0] if accession else "",
        filed=info.get("Filing Date", "")[:10],
        period=info.get("Period of Report", "")[:10],
        items=tuple(re.findall(r"Item (\d{1,2}(?:\.\d{2})?):", info.get("Items", ""))),
        documents=documents,
    )


def _documents(root: etree._Element) -> Iterator[FilingDocument]:
    """The rows of the page's tables of files."""
    for row in root.iterfind(".//table[@class='tableFile']/tr"):
        cells = row.findall("td")
        if len(cells) != len(_COLUMNS):
            continue
        sequence, description, _, kind, size = (_text(cell) for cell in cells)
        link = cells[2].find(".//a")
        name = (link.get("href") or "").rstrip("/").rpartition("/")[2] if link is not None else ""
        if name and sequence.isdecimal():  # the complete submission itself has no number
            yield FilingDocument(int(sequence), kind, name, description, int(size) if size.isdecimal() else None)


def _info(root: etree._Element) -> Iterator[tuple[str, str]]:
    """The page's head: 'Filing Date', 'Period of Report', 'Items' and the like, each with its value."""
    for head in root.iterfind(".//div[@class='infoHead']"):
        value = head.getnext()
        if value is not None:
            yield _text(head), _text(value)


def _text(element: etree._Element | None) -> str:
    return "" if element is None else " ".join(" ".join(str(text) for text in element.itertext()).split())


def _from_submission(content: bytes) -> FilingIndex:
    head = content[:20_000].decode("latin-1")
    documents = tuple(
        FilingDocument(
            number, document.form, document.filename or f"{number}", document.description, len(document.content)
        )
        for number, document in enumerate(submitted_documents(content), 1)
    )
    if not documents:
        raise ProviderError("sec", "The submission holds no documents.", kind="bad_data", remedy="Check its number.")
    return FilingIndex(
        form=_header(head, "CONFORMED SUBMISSION TYPE") or documents[0].type,
        accession=_header(head, "ACCESSION NUMBER"),
        filed=_dashed(_header(head, "FILED AS OF DATE")),
        period=_dashed(_header(head, "CONFORMED PERIOD OF REPORT")),
        items=(),
        documents=documents,
    )


def _header(head: str, field: str) -> str:
    match = re.search(rf"{field}:[ \t]*(\S[^\r\n]*)", head)
    return match[1].strip() if match else ""


def _dashed(day: str) -> str:
    return f"{day[:4]}-{day[4:6]}-{day[6:8]}" if re.fullmatch(r"\d{8}", day) else ""
