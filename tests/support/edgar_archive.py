"""EDGAR's archive over loopback: given documents under the addresses they have there."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TypeVar

from pytest_httpserver import HTTPServer

from dexter.data.filings.archive import FilingArchive
from dexter.data.response import Limits
from dexter.data.sec.client import EdgarUrls, sec_client
from dexter.data.sec.provider import SecProvider

Answer = TypeVar("Answer")


def ask(urls: EdgarUrls, question: Callable[[FilingArchive], Awaitable[Answer]]) -> Answer:
    """The answer of an archive at these addresses."""

    async def run() -> Answer:
        client = sec_client("Ada Test ada@example.org", limits=Limits(attempts=1, read_timeout=5))
        try:
            return await question(FilingArchive(client, SecProvider(client, urls), urls))
        finally:
            await client.aclose()

    return asyncio.run(run())


def serve_document(server: HTTPServer, cik: int, accession: str, name: str, content: bytes) -> None:
    """A document of a filing, or its index page."""
    path = f"/Archives/edgar/data/{cik}/{accession.replace('-', '')}/{name}"
    server.expect_request(path).respond_with_data(content, content_type="text/html")


def serve_filings(
    server: HTTPServer, cik: int, name: str, filings: Sequence[Mapping[str, str]], *, older: Sequence[str] = ()
) -> EdgarUrls:
    """A company with these filings (keys as in EDGAR's list), newest first, and pages with older ones."""
    body = {
        "cik": str(cik),
        "name": name,
        "tickers": [],
        "exchanges": [],
        "fiscalYearEnd": "1231",
        "filings": {"recent": columns(filings), "files": [{"name": page} for page in older]},
    }
    server.expect_request(f"/submissions/CIK{cik:010d}.json").respond_with_data(json.dumps(body))
    base = server.url_for("").rstrip("/")
    return EdgarUrls(base, base, base)


def columns(filings: Sequence[Mapping[str, str]]) -> dict[str, list[str]]:
    """Rows as the parallel columns of EDGAR's list."""
    names = ("accessionNumber", "form", "filingDate", "reportDate", "primaryDocument", "items")
    return {name: [filing.get(name, "") for filing in filings] for name in names}


def index_page(documents: Sequence[tuple[str, str]]) -> bytes:
    """An index page that lists documents by (type, file name)."""
    rows = "".join(
        f'<tr><td>{number}</td><td>{kind}</td><td><a href="/Archives/{name}">{name}</a></td>'
        f"<td>{kind}</td><td>1</td></tr>"
        for number, (kind, name) in enumerate(documents, 1)
    )
    return f'<html><body><table class="tableFile">{rows}</table></body></html>'.encode()
