"""Whether an answer to a blind question is right: by the figures it shows, or by what it declines."""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from tests.support.shown_figures import (
    Figure,
    Period,
    body_of,
    companies_in,
    figures_in,
    in_line,
    lines_in,
    without_notes,
)

Cell = dict[str, Any]
Question = dict[str, Any]

_FEWEST_DIGITS = 3
# Tickers that are English words are looked for as they are written, everything else in any case.
_WORDS = {"ALL", "NOW", "COST"}
_DECLINES = re.compile(
    r"\b(?:not|no|none|cannot|n/a|n\.m|missing|unavailable|isn't|can't|only|forecasts?)\b|没有|不|无法|未|无",
    re.IGNORECASE,
)
_MOST = re.compile(
    r"\b(?:highest|higher|largest|larger|biggest|most|more|best|fastest|top)\b|最高|高于|由高到低", re.IGNORECASE
)
_LEAST = re.compile(
    r"\b(?:lowest|lower|smallest|least|less|cheapest|cheaper|worst)\b|最低|低于|由低到高", re.IGNORECASE
)


def problems(question: Question, answer: str, filed: Iterable[tuple[str, Decimal]] = ()) -> list[str]:
    """What is wrong with the answer; empty if it is right. `filed` are the sample's figures by company."""
    if not question["answerable"]:
        return _problems_declining(question, answer, frozenset(filed))
    tries = [_problems_stating(group, answer) for group in (question, *question.get("alternatives", ()))]
    return [] if any(not found for found in tries) else tries[0]


def _problems_stating(group: Question, answer: str) -> list[str]:
    shown = figures_in(answer)
    missing = [cell for cell in group["cells"] if not any(states(figure, cell) for figure in shown)]
    found = [f"not stated: {named(cell)} = {Decimal(cell['value']):.6g}" for cell in missing]
    if not found and "winner" in group and not names_winner(group, answer):
        found.append(f"does not say that it is {group['winner']}")
    return found


def named(cell: Cell) -> str:
    """What a cell is, for a person."""
    return f"{cell['ticker']} {cell['concept']} {cell['fiscal_period']} {cell['fiscal_year'] or cell['period_end']}"


def states(figure: Figure, cell: Cell) -> bool:
    """Whether a number of the answer is that value, by that company and period."""
    return _equal(figure, cell) and _of_its_company(figure, cell) and _of_its_period(figure, cell)


def _equal(figure: Figure, cell: Cell) -> bool:
    """Equal at the digits shown: at least three, all there are, or whole basis points of a change."""
    expected = Decimal(cell["value"])
    precise = figure.digits >= _FEWEST_DIGITS or figure.value == expected
    basis_points = cell["concept"].endswith("Change") and figure.step <= Decimal("0.0001")
    return (precise or basis_points) and abs(figure.value - expected) <= figure.step / 2


def _of_its_company(figure: Figure, cell: Cell) -> bool:
    if cell["concept"].endswith("Gap"):
        return {cell["ticker"], cell["versus"]} <= figure.by.companies_around
    return cell["ticker"] in figure.by.companies


def _of_its_period(figure: Figure, cell: Cell) -> bool:
    if "from_year" in cell:
        both: set[Period] = {("FY", str(cell["from_year"])), ("FY", str(cell["fiscal_year"]))}
        return both <= figure.by.periods_around
    if cell["concept"].endswith("Gap"):
        return bool(figure.by.periods_around & accepted_periods(cell))
    return any(_is_period(reading, cell) for reading in figure.by.periods)


def _is_period(reading: frozenset[Period], cell: Cell) -> bool:
    """Named as the cell's period, and by no other day than the one it ends."""
    days = {period for period in reading if period[0] == "day"}
    return bool(reading & accepted_periods(cell)) and (not days or ("day", cell["period_end"]) in days)


def accepted_periods(cell: Cell) -> set[Period]:
    """How a cell's period may be written."""
    kind, day = cell["fiscal_period"], ("day", cell["period_end"])
    if kind in {"TTM", "close"}:
        return {(kind,), day}
    return {(kind, str(cell["fiscal_year"])), day}


def names_winner(group: Question, answer: str) -> bool:
    """Whether a sentence that ranks by the winner's figure puts the winner where it belongs."""
    direction, _, metric = group["winner_by"].partition(":")
    winners = [c for c in group["cells"] if group["winner"] in (c["ticker"], f"FY{c['fiscal_year']}")]
    cells = [cell for cell in winners if cell["concept"] == metric]
    asked, other = (_MOST, _LEAST) if direction == "max" else (_LEAST, _MOST)
    if group["winner"].startswith("FY"):
        return any(_year_is_named(line, asked, cells) for line in lines_in(without_notes(answer)))
    return any(_company_leads(line, asked, other, cells) for line in lines_in(without_notes(answer)))


def _company_leads(line: str, asked: re.Pattern[str], other: re.Pattern[str], cells: list[Cell]) -> bool:
    """First in a line that ranks the way asked, or last in one that ranks the other way."""
    companies = [ticker for _, ticker in companies_in(line)]
    stated = any(_equal(figure, cell) for figure in in_line(line, frozenset()) for cell in cells)
    if not companies or not stated:
        return False
    winner = cells[0]["ticker"]
    return bool(asked.search(line) and companies[0] == winner) or bool(other.search(line) and companies[-1] == winner)


def _year_is_named(line: str, asked: re.Pattern[str], cells: list[Cell]) -> bool:
    """The first number after the superlative is the winner's, of the winner's year."""
    for superlative in asked.finditer(line):
        after = [figure for figure in in_line(line, frozenset()) if figure.place > superlative.end()]
        if after and any(_equal(after[0], cell) and _of_its_period(after[0], cell) for cell in cells):
            return True
    return False


def _problems_declining(question: Question, answer: str, filed: frozenset[tuple[str, Decimal]]) -> list[str]:
    text = body_of(answer)
    found = [f"invents {figure.value:f}: {figure.by.words}" for figure in _invented(question, answer, filed)]
    if not any(mentions(text, word) for word in question["must_mention"]):
        found.append("mentions none of " + ", ".join(question["must_mention"]))
    if not _DECLINES.search(text):
        found.append("does not say that anything is missing")
    return found


def mentions(text: str, word: str) -> bool:
    """Whether a whole word stands in the text."""
    bounded = rf"(?<![A-Za-z0-9]){re.escape(word)}(?![A-Za-z0-9])"
    return bool(re.search(bounded, text, 0 if word in _WORDS else re.IGNORECASE))


def _invented(question: Question, answer: str, filed: frozenset[tuple[str, Decimal]]) -> list[Figure]:
    """Numbers for what was asked that no company asked about has filed; where no company is known, any number."""
    tickers = question.get("tickers", [])
    own = [value for ticker, value in filed if ticker in tickers]
    shown = [figure for figure in figures_in(answer) if figure.has_unit]
    if tickers:
        shown = [figure for figure in shown if any(mentions(figure.by.words, word) for word in question["asked"])]
    return [figure for figure in shown if not any(abs(figure.value - value) <= figure.step / 2 for value in own)]
