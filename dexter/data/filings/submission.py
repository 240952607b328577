"""A complete submission (`<accession>.txt`, the only form before 2001) taken apart into its documents."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_DOCUMENT = re.compile(rb"<DOCUMENT>(.*?)(?:</DOCUMENT>|(?=<DOCUMENT>)|\Z)", re.DOTALL | re.IGNORECASE)
_FIELD = re.compile(rb"<(TYPE|SEQUENCE|FILENAME|DESCRIPTION)>([^\r\n<]*)", re.IGNORECASE)
_TEXT = re.compile(rb"<TEXT>(.*?)(?:</TEXT>|\Z)", re.DOTALL | re.IGNORECASE)
_WRAPPED = re.compile(rb"\s*(?:-----BEGIN PRIVACY|<SEC-DOCUMENT>|<SUBMISSION>|<DOCUMENT>)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class SubmittedDocument:
    """One document of a submission: `form` is its type (10-K, EX-99.1), `content` its bytes without the wrapper."""

    form: str
    filename: str
    description: str
    content: bytes


def is_submission(content: bytes) -> bool:
    """Whether the bytes are documents in the SEC's wrapper rather than one bare document."""
    return bool(_WRAPPED.match(content[:2000].lstrip(b"\xef\xbb\xbf")))


def submitted_documents(content: bytes) -> Iterator[SubmittedDocument]:
    """The documents in the order filed; the first is the main one."""
    for match in _DOCUMENT.finditer(content):
        text = _TEXT.search(match[1])
        head = match[1][: text.start()] if text else match[1]
        fields = {name.upper(): value.decode("latin-1").strip() for name, value in _FIELD.findall(head)}
        yield SubmittedDocument(
            form=fields.get(b"TYPE", ""),
            filename=fields.get(b"FILENAME", ""),
            description=fields.get(b"DESCRIPTION", ""),
            content=text[1] if text else b"",
        )
