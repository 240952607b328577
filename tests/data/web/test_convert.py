from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from dexter.data.response import Response
from dexter.data.web.charset import decode
from dexter.data.web.convert import convert, kind_of
from dexter.data.web.document import Document, UnreadableError
from dexter.data.web.fetching import Fetched
from dexter.data.web.pdf import pdf_document
from dexter.data.web.reading import read_page
from tests.support.pdf import make_pdf

URL = "https://a.example/x"


def read(body: bytes, media_type: str = "", charset: str = "", **options: Any) -> Document:
    cut = options.pop("cut", False)
    return asyncio.run(read_page(Fetched(Response(URL, body, media_type, charset), cut), **options))


@pytest.mark.parametrize(
    ("body", "declared", "text"),
    [
        ("naïve €".encode(), "", "naïve €"),
        ("naïve €".encode("cp1252"), "", "naïve €"),
        ("naïve €".encode("cp1252"), "iso-8859-1", "naïve €"),  # as browsers read it
        ("naïve €".encode("cp1252"), "utf-8", "naïve €"),  # a header that is wrong
        ("naïve €".encode(), "no-such-set", "naïve €"),
        (b"\xef\xbb\xbf" + "naïve".encode(), "iso-8859-1", "naïve"),  # the mark wins
        (b"\xff\xfe" + "naïve".encode("utf-16-le"), "", "naïve"),
        (b"\xfe\xff" + "naïve".encode("utf-16-be"), "utf-8", "naïve"),
        (b"\xff\xfe\x00\x00" + "naïve".encode("utf-32-le"), "", "naïve"),
        ("日本".encode("shift_jis"), "Shift_JIS", "日本"),
        (b"<meta charset=gb2312>" + "财报".encode("gb18030"), "", "<meta charset=gb2312>财报"),
        (
            b'<?xml version="1.0" encoding="euc-kr"?>' + "한국".encode("euc_kr"),
            "",
            '<?xml version="1.0" encoding="euc-kr"?>한국',
        ),
        (
            b'<meta http-equiv=x content="text/html; charset=koi8-r">' + "Да".encode("koi8-r"),
            "",
            '<meta http-equiv=x content="text/html; charset=koi8-r">Да',
        ),
        (b"<meta charset=utf-16>abc", "", "<meta charset=utf-16>abc"),  # it could not say so
        (b"+AGE-", "utf-7", "+AGE-"),  # a way round filters that no browser reads
        (b"abc", "base64", "abc"),
        (b"abc", "idna", "abc"),
        (b"abc", "undefined", "abc"),
        (b"abc", "unicode_escape", "abc"),
        (b"a\x81b", "utf-8", "a\ufffdb"),
        (b"", "", ""),
    ],
)
def test_the_character_set_is_found(body: bytes, declared: str, text: str) -> None:
    """By the mark, the header, the page itself, or the bytes; what can't be meant is not believed."""
    assert decode(body, declared)[0] == text


@pytest.mark.parametrize(
    ("body", "media_type", "kind"),
    [
        (b"%PDF-1.7 ...", "text/html", "pdf"),
        (b"", "application/pdf", "pdf"),
        (b"<p>x", "text/html", "html"),
        (b"<?xml version='1.0'?><html/>", "application/xhtml+xml", "html"),
        (b"  <!DOCTYPE html><p>x", "", "html"),
        (b"<html>", "text/plain", "html"),
        (b"<html>", "application/octet-stream", "html"),
        (b'{"a": "<p>"}', "application/json", "text"),
        (b"a,b\n", "text/csv", "text"),
        (b"<rss></rss>", "application/rss+xml", "text"),
        (b"words", "", "text"),
        (b"<!doctype html><title>What %PDF-1.7 is", "text/html", "html"),
        (b"<html>Log in", "application/pdf", "html"),
        (b'{"data": []}', "application/vnd.api+json", "text"),
        (b"a,b\n1,2\n", "application/vnd.ms-excel", "text"),
        ("words".encode("utf-16"), "text/plain", "text"),
    ],
)
def test_a_page_is_told_by_its_bytes_and_its_type(body: bytes, media_type: str, kind: str) -> None:
    """Servers often do not say what they send."""
    assert kind_of(Response(URL, body, media_type)) == kind


@pytest.mark.parametrize("media_type", ["image/png", "application/zip", "video/mp4", "application/octet-stream"])
def test_what_holds_no_text_is_refused_by_name(media_type: str) -> None:
    """A picture is not turned into nonsense."""
    with pytest.raises(UnreadableError, match=media_type):
        kind_of(Response(URL, b"\x89PNG\0\0", media_type))


@pytest.mark.parametrize(
    "text",
    [
        '{"revenue": 35082000000, "eps": 0.780}',
        "year,revenue\n2025,35082\n",
        "<feed><a>1</a></feed>",
        "plain\n\n\n text",
    ],
)
def test_data_stays_as_it_is(text: str) -> None:
    """Digits, order and white space of JSON, CSV and XML are the server's."""
    assert read(text.encode(), "application/json").text == text


def test_a_pdf_is_text_by_page() -> None:
    """Each page under its number, the title from its metadata."""
    body = make_pdf(["Annual report", "Revenue 35,082"], [], ["Net income (12)"], title="ACME 2025")
    document = read(body, "application/pdf")
    assert document.text == "[page 1]\nAnnual report\nRevenue 35,082\n\n[page 3]\nNet income (12)"
    assert document.title == "ACME 2025"
    assert document.notes == ("Without text (pictures or scans): page 2.",)


@pytest.mark.parametrize(
    ("body", "said"), [(b"%PDF-1.4 nothing", "broken"), (make_pdf([]), "no text"), (make_pdf(["x"])[:200], "broken")]
)
def test_a_pdf_that_gives_no_text_says_why(body: bytes, said: str) -> None:
    """Broken, or a scan."""
    with pytest.raises(UnreadableError, match=said):
        read(body, "application/pdf")


def test_a_pdf_that_takes_too_long_is_read_as_far_as_it_goes() -> None:
    """The pages that were read are there, and a note says which."""
    moments = iter([0.0, 1.0, 20.0])
    document = pdf_document(make_pdf(["one"], ["two"]), clock=lambda: next(moments))
    assert document.text == "[page 1]\none"
    assert "1 to 1 of 2" in document.notes[0]


def test_a_page_is_read_in_a_process_of_its_own() -> None:
    """The same document as in this one."""
    body = b"<title>t</title><meta name=date content=2025-01-02><p>one <a href=/y>two</a>"
    assert read(body, "text/html") == convert("html", body, url=URL)


def test_a_page_that_takes_too_long_is_given_up() -> None:
    """A hostile page cannot hold up a run: its process is ended."""
    with pytest.raises(UnreadableError, match="longer than"):
        read(b"<ul><li>" * 140_000, "text/html", seconds=0.3)


def test_the_process_has_no_keys_and_does_not_look_around(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Modules lying in the current folder are not run, the environment with its keys is not inherited."""
    (tmp_path / "json.py").write_text("raise SystemExit('taken over')")
    (tmp_path / "bs4.py").write_text("raise SystemExit('taken over')")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv("PYTHONSTARTUP", str(tmp_path / "json.py"))
    assert read(b"<p>fine", "text/html").text == "fine"


def test_a_page_that_was_cut_says_so() -> None:
    """What is missing is not passed off as not there."""
    assert "only its start" in read(b"words", "text/plain", cut=True).notes[0]


def test_a_document_survives_the_way_from_its_process() -> None:
    """All fields come back."""
    document = Document("text", "title", "2025-01-01", ("note",))
    assert Document.from_json(json.loads(json.dumps(document.to_json()))) == document
