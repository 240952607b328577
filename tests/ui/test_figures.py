"""The figures of an answer as a person reads them: one line and what is wrong, or the whole list."""

from __future__ import annotations

from dexter.figures.check import CheckedFigure, FigureCheck
from dexter.figures.nearest import Nearest
from dexter.results import Source
from dexter.ui.figures import list_lines, summary_lines

FILING = Source("filing", "NVIDIA CORP 10-K", accession="0001045810-26-000021")
FOUND = CheckedFigure(0, 6, "$215.9", "found", "NVDA", "Revenues", "FY2026", 1, FILING)
DERIVED = CheckedFigure(9, 14, "65.5%", "derived", "NVDA", "Revenues", "FY2026", 1, how="growth of Revenues")
WRONG = CheckedFigure(
    20, 26, "$130.5", "not_found", "NVDA", "Revenues", "FY2026", nearest=Nearest("this is FY2025", result=1)
)
FROM_THE_WEB = CheckedFigure(30, 34, "$5.1", "found", result=4, source=Source("web", "A\x1b[31m page"), untrusted=True)
LOOSE = CheckedFigure(40, 43, "12%", "unchecked")


def test_under_an_answer_stand_one_line_and_what_was_not_found() -> None:
    """The counts, then each figure that is wrong with the nearest thing the run says."""
    assert list(summary_lines(FigureCheck((FOUND, DERIVED, WRONG)))) == [
        "Figures: 1 found · 1 derived · 1 not found · 0 unchecked",
        "not found: $130.5 (NVDA Revenues FY2026) — this is FY2025",
    ]


def test_an_answer_without_figures_has_nothing_under_it() -> None:
    """No line says that nothing was counted."""
    assert list(summary_lines(FigureCheck())) == []
    assert list(list_lines(FigureCheck())) == ["The answer has no figures."]


def test_many_wrong_figures_are_counted() -> None:
    """A few stand there, the rest is a number."""
    lines = list(summary_lines(FigureCheck((WRONG,) * 20)))
    assert len(lines) == 10
    assert lines[-1] == "and 12 more figures not found"


def test_the_list_names_the_source_of_every_figure() -> None:
    """In order, with result, filing, derivation; what only the web says is marked; nothing reaches the terminal raw."""
    *lines, last = list_lines(FigureCheck((FOUND, DERIVED, WRONG, FROM_THE_WEB, LOOSE)))
    assert lines == [
        "✓ found     $215.9 (NVDA Revenues FY2026) ← #1, NVIDIA CORP 10-K 0001045810-26-000021",
        "= derived   65.5% (NVDA Revenues FY2026) ← #1; growth of Revenues",
        "✗ not found $130.5 (NVDA Revenues FY2026) — this is FY2025",
        "✓ found     $5.1 ← #4, A␛[31m page; untrusted: anybody may have written it",
        "? unchecked 12%",
    ]
    assert "1 of them said by web pages only" in last
