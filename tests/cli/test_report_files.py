"""Answers as files: a report by the file's ending, a run as a page."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

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
