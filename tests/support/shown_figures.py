"""Numbers in an answer's text, with the companies and periods they stand by: read from the Markdown alone.

Shares nothing with dexter, so that an answer is judged by what a reader sees.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

Period = tuple[str, ...]

_NAMES = {
    "AAPL": "AAPL|Apple|苹果",
    "AMD": "AMD|Advanced Micro Devices|超威",
    "AMZN": "AMZN|Amazon|亚马逊",
    "AVGO": "AVGO|Broadcom|博通",
    "GOOGL": "GOOGL?|Alphabet|Google|谷歌",
    "INTC": "INTC|Intel|英特尔",
    "JPM": "JPM|JPMorgan|摩根大通",
    "META": "META|Facebook",
    "MSFT": "MSFT|Microsoft|微软",
    "NVDA": "NVDA|Nvidia|英伟达",
    "TSLA": "TSLA|Tesla|特斯拉",
    "WMT": "WMT|Walmart|沃尔玛",
}
_COMPANY = re.compile(
    "|".join(rf"(?P<{ticker}>(?<![A-Za-z])(?:{names})(?![A-Za-z]))" for ticker, names in _NAMES.items()), re.IGNORECASE
)
_PERIOD = re.compile(
    r"(?P<quarter>Q[1-4]) (?:of )?(?:FY|fiscal )?(?P<of>\d{4})|(?P<zh_of>\d{4})(?:财年|年)(?P<zh_quarter>Q[1-4])"
    r"|(?:FY|fiscal (?:year )?)(?P<year>\d{4})|(?P<zh_year>\d{4})(?:财年|年)"
    r"|(?P<day>\d{4}-\d{2}-\d{2})|(?P<twelve>twelve months|TTM|十二个月)|(?P<close>at the last close|按最近收盘价)",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"(?P<sign>[-−+]?)\$?(?P<digits>\d[\d,]*(?:\.\d+)?)"
    r"(?P<unit>%|×|倍| ?(?:trillion|billion|million|bps|percentage points|个百分点|个基点)"
    r"|(?:万亿|亿|百万)?(?=美元|股)|)"
)
_NOT_FIGURES = re.compile(
    r"https?://\S+|`[^`]*`|10-[KQ]\b|\b\d-year\b|\d{4}-\d{2}-\d{2}|(?:FY|fiscal )\d{4}|\bQ[1-4]\b|\d{4}财?年"
)
_TABLE_SCALE = re.compile(r"\((?:[A-Z]{3} ?)?(trillion|billion|million|thousand|百万|亿)\)")
_SCALES = {
    "%": "0.01",
    "个百分点": "0.01",
    "percentage points": "0.01",
    "bps": "0.0001",
    "个基点": "0.0001",
    "thousand": "1e3",
    "million": "1e6",
    "百万": "1e6",
    "亿": "1e8",
    "billion": "1e9",
    "trillion": "1e12",
    "万亿": "1e12",
}
_MOST_COMPANIES_MEANT = 6
# Between a period and the day it ended.
_BESIDE = len(" ended on ")
_AFTER_THE_ANSWER = re.compile(r"^\*\*(?:Sources|来源)\*\*|^\*(?:Answered by|本答案)", re.MULTILINE)
_NOTES = re.compile(r"^\*\*(?:Notes|说明)\*\*", re.MULTILINE)


@dataclass(frozen=True)
class Standing:
    """What a number stands by: `words` are the heads of a table's cell, or the line; `around` is the line or table.

    `periods` are the ways to read its period: one in a table, what stands before it and what stands after in a line.
    """

    words: str
    companies: frozenset[str]
    periods: tuple[frozenset[Period], ...]
    companies_around: frozenset[str]
    periods_around: frozenset[Period]


@dataclass(frozen=True)
class Figure:
    """One number: its value, what its last digit is worth, how many digits it has, and its place in the line."""

    value: Decimal
    step: Decimal
    digits: int
    has_unit: bool
    place: int
    by: Standing


def body_of(answer: str) -> str:
    """The answer with its notes, without sources and the closing line."""
    return _AFTER_THE_ANSWER.split(answer)[0]


def without_notes(answer: str) -> str:
    """What is said before the notes."""
    return _NOTES.split(body_of(answer))[0]


def figures_in(answer: str) -> list[Figure]:
    """Every number said before the notes."""
    text = without_notes(answer)
    only = _only_company(text)
    found = [figure for table in tables_in(text) for figure in _in_table(table, only)]
    return found + [figure for line in lines_in(text) for figure in in_line(line, only)]


def lines_in(text: str) -> list[str]:
    """The lines that are not of a table."""
    return [line for line in text.splitlines() if line.strip() and not line.startswith("|")]


def tables_in(text: str) -> Iterator[list[list[str]]]:
    """Each table as rows of cells, without the rule under its head."""
    rows: list[list[str]] = []
    for line in [*text.splitlines(), ""]:
        if line.startswith("|"):
            if set(line) - set("|-: "):
                rows.append([cell.strip() for cell in line.strip("|").split("|")])
        elif rows:
            yield rows
            rows = []


def companies_in(text: str) -> list[tuple[int, str]]:
    """Companies named, each with its place."""
    return [(match.start(), str(match.lastgroup)) for match in _COMPANY.finditer(text)]


def periods_in(text: str) -> list[tuple[int, frozenset[Period]]]:
    """Periods named, each with the day said beside it and its place."""
    found: list[tuple[int, frozenset[Period]]] = []
    end = -_BESIDE
    for match in _PERIOD.finditer(text):
        beside = match.start() - end < _BESIDE
        before = found.pop() if beside else (match.start(), frozenset())
        found.append((before[0], before[1] | {_period(match)}))
        end = match.end()
    return found


def _period(match: re.Match[str]) -> Period:
    got = match.groupdict()
    if quarter := got["quarter"] or got["zh_quarter"]:
        return (quarter.upper(), str(got["of"] or got["zh_of"]))
    if year := got["year"] or got["zh_year"]:
        return ("FY", year)
    if got["day"]:
        return ("day", got["day"])
    return ("TTM",) if got["twelve"] else ("close",)


def _only_company(text: str) -> frozenset[str]:
    """The company an answer is about where it is one; lists of all there are name none."""
    lines = (_companies(line) for line in text.splitlines())
    named = frozenset().union(*(line for line in lines if len(line) <= _MOST_COMPANIES_MEANT))
    return named if len(named) == 1 else frozenset()


def _in_table(rows: list[list[str]], only: frozenset[str]) -> Iterator[Figure]:
    """Each number of a table by what heads and labels say of it."""
    for row in rows[1:]:
        for column, text in enumerate(row[1:], 1):
            if number := _NUMBER.fullmatch(text):
                scale = _TABLE_SCALE.search(f"{rows[0][column]} {row[0]}")
                yield _figure(number, scale[1] if scale else "", _in_cell(rows, row, column, only))


def _in_cell(rows: list[list[str]], row: list[str], column: int, only: frozenset[str]) -> Standing:
    """A cell belongs to its row's and column's heads and to the labels (names, periods, days) beside and above it."""
    words = " ".join((rows[0][0], rows[0][column], row[0]))
    labels = [cell for cell in (*row[1:], *(other[column] for other in rows[1:])) if not _NUMBER.fullmatch(cell)]
    near, whole = " ".join((words, *labels)), " ".join(" ".join(each) for each in rows)
    return Standing(words, _companies(near) or only, (_periods(near),), _companies(whole) or only, _periods(whole))


def in_line(line: str, only: frozenset[str]) -> Iterator[Figure]:
    """A number belongs to the nearest company, and to the period before it or the one after it."""
    masked = _NOT_FIGURES.sub(lambda match: "·" * len(match[0]), line)
    companies, periods = companies_in(line), periods_in(line)
    for number in _NUMBER.finditer(masked):
        place = number.start()
        nearest = [ticker for _, ticker in sorted(companies, key=lambda named: abs(named[0] - place))[:1]]
        before = [period for at, period in periods if at < place][-1:]
        after = [period for at, period in periods if at > place][:1]
        near = frozenset(nearest) or only, (*before, *after)
        yield _figure(number, "", Standing(line, *near, _companies(line) or only, _periods(line)))


def _companies(text: str) -> frozenset[str]:
    return frozenset(ticker for _, ticker in companies_in(text))


def _periods(text: str) -> frozenset[Period]:
    return frozenset().union(*(periods for _, periods in periods_in(text)))


def _figure(number: re.Match[str], scale: str, by: Standing) -> Figure:
    unit = number["unit"].strip() or scale
    factor = Decimal(_SCALES.get(unit, "1"))
    plain = number["digits"].replace(",", "")
    value = -Decimal(plain) if number["sign"] in {"-", "−"} else Decimal(plain)
    decimals = len(plain.partition(".")[2])
    return Figure(
        value=value * factor,
        step=Decimal(1).scaleb(-decimals) * factor,
        digits=len(plain.replace(".", "").lstrip("0")),
        has_unit=bool(unit) or "$" in number[0],
        place=number.start(),
        by=by,
    )
