"""What became of the figures of an answer, for a person: one line under it, or all of them with their sources."""

from __future__ import annotations

from collections.abc import Iterator

from dexter.figures.check import CheckedFigure, FigureCheck
from dexter.figures.judge import STATUSES
from dexter.results import Source
from dexter.ui.literal import literal_line
from dexter.ui.words import counted

_SHOWN = 8
_MARKS = dict(zip(STATUSES, "✓=✗?", strict=True))


def summary_lines(check: FigureCheck) -> Iterator[str]:
    """How many figures were found, and those that were not, each with the nearest thing the run says."""
    if check.figures:
        yield check.line()
    missing = check.not_found
    yield from (f"not found: {_named(figure)}{_instead(figure)}" for figure in missing[:_SHOWN])
    if len(missing) > _SHOWN:
        yield f"and {counted(len(missing) - _SHOWN, 'more figure')} not found"


def list_lines(check: FigureCheck) -> Iterator[str]:
    """Every figure in the order of the answer: status, what it is of, and where it comes from or what is nearest."""
    if not check.figures:
        yield "The answer has no figures."
        return
    width = max(len(status) for status in STATUSES)
    for figure in check.figures:
        status = figure.status.replace("_", " ")
        yield f"{_MARKS[figure.status]} {status:<{width}} {_named(figure)}{_instead(figure) or _origin(figure)}"
    yield check.line()


def _named(figure: CheckedFigure) -> str:
    of = " ".join(filter(None, (figure.company, figure.concept, figure.period)))
    return literal_line(f"{figure.text} ({of})" if of else figure.text)


def _instead(figure: CheckedFigure) -> str:
    if figure.status != "not_found":
        return ""
    return literal_line(f" — {figure.nearest.text}" if figure.nearest else " — nothing like it in the results")


def _origin(figure: CheckedFigure) -> str:
    """`← #3, NVIDIA CORP 10-K 0001045810-26-000021; GrossProfit / Revenues; untrusted`."""
    where = ", ".join(filter(None, (f"#{figure.result}" if figure.result else "", _source(figure.source))))
    parts = (where, figure.how, "untrusted: anybody may have written it" if figure.untrusted else "")
    told = "; ".join(filter(None, parts))
    return literal_line(f" ← {told}") if told else ""


def _source(source: Source | None) -> str:
    return " ".join(filter(None, (source.title, source.accession or source.url))) if source else ""
