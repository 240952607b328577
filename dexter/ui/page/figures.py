"""The figures of an answer on a page: marked in its text, and as rows that say where each comes from."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from html import escape
from typing import Any

from dexter.figures.check import CheckedFigure, FigureCheck
from dexter.ui.literal import literal
from dexter.ui.page.html import as_markup
from dexter.ui.page.markdown import answer_html, link_html


def answer_with_figures(text: str, check: FigureCheck, results: AbstractSet[int], prefix: str = "") -> str:
    """The answer as HTML, each figure linked to the result it comes from; to its row where that is not on the page.

    `prefix` begins the names of the rows.
    """
    figures = sorted(check.figures, key=lambda figure: figure.start)
    places = {id(figure): at for at, figure in enumerate(check.figures, 1)}

    def mark(at: int, html: str) -> str:
        figure = figures[at]
        target = f"r{figure.result}" if figure.result in results else f"{prefix}f{places[id(figure)]}"
        title = escape(
            literal(" · ".join(filter(None, (figure.status.replace("_", " "), _of(figure), _origin(figure)))))
        )
        return f'<a class="figure {figure.status}" href="#{target}" title="{title}">{html}</a>'

    return answer_html(text, [(figure.start, figure.end) for figure in figures], mark)


def figure_row(figure: CheckedFigure, results: AbstractSet[int]) -> Mapping[str, Any]:
    """A figure as a row: what it is of, its status, and its origin. `results` are those on the page."""
    on_page = figure.result in results
    url = figure.source.url if figure.source else ""
    origin = _origin(figure)
    return {
        "text": figure.text,
        "of": _of(figure),
        "status": figure.status,
        "result": figure.result if on_page else 0,
        "target": f"r{figure.result}",
        "origin": as_markup(link_html(url, origin)) if figure.status != "not_found" else origin,
        "how": figure.how,
        "untrusted": figure.untrusted,
    }


def _of(figure: CheckedFigure) -> str:
    return " ".join(filter(None, (figure.company, figure.concept, figure.period)))


def _origin(figure: CheckedFigure) -> str:
    if figure.status == "not_found":
        return f"nearest: {figure.nearest.text}" if figure.nearest else "nothing like it in the results"
    source = figure.source
    return " ".join(filter(None, (source.title, source.accession))) if source else ""
