"""XML of filings, read without trust: no document type, no entities, no network, a bounded size."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dexter.data.filings.submission import is_submission, submitted_documents
from dexter.errors import ProviderError

if TYPE_CHECKING:
    from lxml import etree

MAX_BYTES = 48_000_000
"""The largest 13F tables have about 15 MB."""

_DECLARATIONS = re.compile(rb"<!\s*(?:DOCTYPE|ENTITY)|<\x00!\x00(?:D|E)|\x00<\x00!\x00(?:D|E)", re.IGNORECASE)
_WRAPPED = re.compile(rb"<XML>\s*(.*?)\s*</XML>", re.DOTALL | re.IGNORECASE)


def parse_xml(content: bytes, root: str, *, name: str) -> etree._Element:
    """The root element of an XML document of a filing.

    Args:
        content: The bytes as served, bare or in the SEC's wrapper.
        root: The local name the root must have, e.g. `ownershipDocument`.
        name: What to call the document in an error.

    Raises:
        ProviderError: Too large, not XML, another document, or one that declares a document type or entities.
    """
    from lxml import etree

    if is_submission(content):
        content = _wrapped_xml(content, root)
    if len(content) > MAX_BYTES:
        raise _refusal(f"{name} has {len(content) / 1e6:.0f} MB; XML of up to {MAX_BYTES / 1e6:.0f} MB is read")
    if _DECLARATIONS.search(content):
        raise _declares(name)
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True)
    try:
        element = etree.fromstring(content.strip(), parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise _refusal(f"{name} is not well-formed XML ({error})") from error
    if element.getroottree().docinfo.doctype:  # in a character set the bytes of which look otherwise
        raise _declares(name)
    found = etree.QName(element).localname
    if found != root:
        raise _refusal(f"{name} is a {found} document, not {root}")
    return element


def child_text(element: etree._Element | None, path: str) -> str:
    """The text at a path of local names (`issuer/issuerName`), on one line; '' where there is none."""
    found = find(element, path)
    return " ".join((found.text or "").split()) if found is not None else ""


def find(element: etree._Element | None, path: str) -> etree._Element | None:
    """The first element at a path of local names, in whatever namespace."""
    return None if element is None else element.find(_any_namespace(path))


def find_all(element: etree._Element | None, path: str) -> list[etree._Element]:
    """All elements at a path of local names, in whatever namespace."""
    return [] if element is None else element.findall(_any_namespace(path))


def _any_namespace(path: str) -> str:
    return "/".join(f"{{*}}{step}" for step in path.split("/"))


def _wrapped_xml(content: bytes, root: str) -> bytes:
    """The XML with that root in a complete submission; the first one where none has it."""
    found = [match[1] for document in submitted_documents(content) for match in _WRAPPED.finditer(document.content)]
    opening = re.compile(rb"<(?:\w+:)?" + root.encode() + rb"\b")
    return next((text for text in found if opening.search(text[:2000])), found[0] if found else b"")


def _declares(name: str) -> ProviderError:
    """No form of the SEC declares a document type: what does is an attack (entity expansion) or another file."""
    return _refusal(f"{name} declares a document type or entities, which no filing does; it was not read")


def _refusal(sentence: str) -> ProviderError:
    return ProviderError(
        "sec", f"{sentence}.", kind="bad_data", remedy="Ask for another filing, or open this one in a browser."
    )
