"""Index pages and exhibits."""

from __future__ import annotations

import pytest

from dexter.data.filings.document import read_document
from dexter.data.filings.exhibits import read_index
from dexter.errors import ProviderError
from tests.support.filings import given


def test_given_index_page() -> None:
    """The given 8-K: its dates, items, main document and the one exhibit that is not XBRL."""
    index = read_index(given("nvda-8-k-0001045810-26-000024-index.html"))
    assert (index.form, index.accession) == ("8-K", "0001045810-26-000024")
    assert (index.filed, index.period, index.items) == ("2026-03-06", "2026-03-02", ("5.02", "9.01"))
    assert index.main is not None
    assert index.main.name == "nvda-20260302.htm"
    assert [(e.type, e.name, e.size) for e in index.exhibits] == [
        ("EX-10.1", "formxex101xfy27variablecom.htm", 15048),
    ]


def test_press_release() -> None:
    """A press release is text and tables: its figures stand in rows with their periods."""
    text = read_document(given("BuckleInc.8-K.EX99.1.html")).text
    assert "net income for the fiscal quarter ended November 2, 2024 was $44.2 million" in text
    assert "|  | November 2, 2024 | October 28, 2023 | November 2, 2024 | October 28, 2023 |" in text
    assert "| NET INCOME | $44,172 | $51,762 | $118,270 | $140,338 |" in text
    assert "| Total assets | $976,270 | $889,810 | $921,207 |" in text


def test_complete_submission() -> None:
    """A complete submission, the only form of the nineties, is its own index."""
    content = (
        b"-----BEGIN PRIVACY-ENHANCED MESSAGE-----\nMIC-Info: RSA-MD5\n\n<SEC-DOCUMENT>0000950129-95-001652.txt\n"
        b"<SEC-HEADER>\nACCESSION NUMBER:\t\t0000950129-95-001652\nCONFORMED SUBMISSION TYPE:\t10-K\n"
        b"CONFORMED PERIOD OF REPORT:\t19951031\nFILED AS OF DATE:\t\t19951228\n</SEC-HEADER>\n"
        b"<DOCUMENT>\n<TYPE>10-K\n<SEQUENCE>1\n<TEXT>\nReport\n</TEXT>\n</DOCUMENT>\n"
        b"<DOCUMENT>\n<TYPE>EX-13\n<SEQUENCE>2\n<DESCRIPTION>ANNUAL REPORT\n<TEXT>\nPages\n</TEXT>\n</DOCUMENT>\n"
    )
    index = read_index(content)
    assert (index.form, index.filed, index.period) == ("10-K", "1995-12-28", "1995-10-31")
    assert [(d.type, d.description) for d in index.documents] == [("10-K", ""), ("EX-13", "ANNUAL REPORT")]
    assert [e.type for e in index.exhibits] == ["EX-13"]


@pytest.mark.parametrize("content", [b"", b"   ", b"<html></html>", b"{}", b"<table class='tableFile'><tr><td>x"])
def test_pages_without_documents(content: bytes) -> None:
    """A page that lists nothing is an error that names what to check."""
    with pytest.raises(ProviderError, match="lists no documents") as caught:
        read_index(content)
    assert "accession" in caught.value.remedy
