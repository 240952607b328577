"""Answers as files: a report by the file's ending, a run as a page."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from dexter.events import Answered
from dexter.ui.report import ReportSink
from tests.support.events import STARTED, emitted
from tests.support.program import Home, make_home

QUESTION = "NVDA revenue FY2026"


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return make_home(tmp_path)


def test_a_report_has_answer_figures_and_sources(home: Home):
    """`.md` and `.html` hold all three, `.json` the object; other endings the answer alone."""
    for ending in ("md", "html", "json", "txt"):
        done = home.dexter("ask", "--offline", "-q", "-o", f"report.{ending}", QUESTION)
        assert (done.returncode, done.stdout) == (0, "")
    texts = {ending: (home.work / f"report.{ending}").read_text() for ending in ("md", "html", "json", "txt")}
    assert all("215,938" in text for text in texts.values())
    assert texts["md"].startswith(f"# {QUESTION}\n")
    assert "## Figures\n\nFigures: " in texts["md"]
    assert "0001045810-26-000021" in texts["md"].split("## Sources")[1]
    assert '<a class="figure found"' in texts["html"]
    assert json.loads(texts["json"])["figures"]
    assert "## Figures" not in texts["txt"]


def test_where_a_report_cannot_be_written(home: Home):
    """Told before anything is asked where that can be known; else the answer goes to standard output. No traceback."""
    for name in ("absent/r.html", ".", "x" * 300 + ".html"):
        done = home.dexter("ask", "--offline", "-q", "-o", name, QUESTION)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith("dexter: ")
        assert "Error" not in done.stderr
    full = home.dexter("ask", "--offline", "-q", "-o", "/dev/full", QUESTION)
    assert (full.returncode, "215,938" in full.stdout, "No space left" in full.stderr) == (1, True, True)
    assert len(home.scratchpads()) == 1


def test_a_report_takes_the_place_of_a_file_and_keeps_its_permissions(home: Home):
    """Also through a link, which stays one: who could not read it before cannot do so now."""
    (home.work / "private.md").write_text("old")
    (home.work / "private.md").chmod(0o600)
    (home.work / "link.md").symlink_to("private.md")
    assert home.dexter("ask", "--offline", "-q", "-o", "link.md", QUESTION).returncode == 0
    assert (home.work / "link.md").is_symlink()
    assert "215,938" in (home.work / "private.md").read_text()
    assert (home.work / "private.md").stat().st_mode & 0o777 == 0o600


def test_what_sources_are_called_makes_no_links(home: Home):
    """In a Markdown report a title is text, and an address ends where it does. An empty answer is said to be one."""
    hostile = {
        "kind": "web",
        "title": "a](javascript:alert(1))[b<img>",
        "url": "https://x.example/>) [y](javascript:1)",
    }
    sink = ReportSink(".md")
    for seq, event in enumerate((STARTED, Answered(" \n", True, (), (hostile,)))):
        sink(emitted(event, seq))
    text = sink.text()
    assert "*There is no text in this answer.*" in text
    tokens = MarkdownIt().parse(text)
    parts = [part for token in tokens for part in (token.children or ())]
    addresses = [str(part.attrs["href"]) for part in parts if part.type == "link_open"]
    assert addresses == ["https://x.example/%3E)%20%5By%5D(javascript:1)"]
    assert not any(part.type in ("html_inline", "image") for part in parts)


def test_a_dash_is_standard_output(home: Home):
    """As everywhere; no file of that name is written."""
    plain, dashed = (home.dexter("ask", "--offline", "-q", *more, QUESTION) for more in ((), ("-o", "-")))
    assert "215,938" in dashed.stdout
    assert dashed.stdout == plain.stdout
    assert not (home.work / "-").exists()


def test_a_run_becomes_a_page(home: Home):
    """`replay --html` writes one file; a place that can't be written is said before anything is read."""
    home.dexter("ask", "--offline", "-q", QUESTION)
    done = home.dexter("replay", "last", "--html", "run.html")
    assert done.returncode == 0, done.stderr
    page = (home.work / "run.html").read_text()
    assert page.startswith("<!doctype html>")
    assert 'id="r1"' in page
    assert home.dexter("replay", "last", "--html", "-").stdout == page
    assert not (home.work / "-").exists()
    refused = home.dexter("replay", "last", "--html", "absent/run.html")
    assert (refused.returncode, "absent" in refused.stderr) == (2, True)
