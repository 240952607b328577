"""Which periods a question speaks of: labels, the newest few, twelve months, days — in English and Chinese.

Only what is said is read here; which period of which company that is depends on its figures (`slots.py`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from dexter.data.provider import Period
from dexter.figures.lexicon import Mention, blanked

FULL_YEAR = "FY"
# Parts of a year that are no quarter: their quarters are added up.
PARTS: dict[str, tuple[str, ...]] = {"H1": ("Q1", "Q2"), "H2": ("Q3", "Q4"), "9M": ("Q1", "Q2", "Q3")}


@dataclass(frozen=True)
class Label:
    """A fiscal period by its name: `Label(2025, "Q3")`, `FY`, `H1`, `9M`. Without a year: the newest one there is."""

    year: int | None
    period: str = FULL_YEAR


@dataclass(frozen=True)
class When:
    """The periods a question names. All empty: it names none.

    `through`: from the first label to the last; `since`: from the first label on. `newest`: the newest so many.
    `ends` are days (YYYY-MM-DD) or months (YYYY-MM) on which a period ended or a price was taken. `at_end`:
    the last day of each label is meant. `calendar`: the labels are calendar ones.
    """

    basis: Period | None = None
    labels: tuple[Label, ...] = ()
    through: bool = False
    since: bool = False
    newest: int | None = None
    ends: tuple[str, ...] = ()
    at_end: bool = False
    calendar: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether nothing was said of any period."""
        return self == NOT_SAID

    @property
    def has_parts(self) -> bool:
        """Whether halves or nine months are meant."""
        return any(label.period in PARTS for label in self.labels)

    @property
    def is_series(self) -> bool:
        """Whether several periods in a row are meant."""
        return self.through or self.since or (self.newest or 0) > 1


NOT_SAID = When()


@dataclass
class _Found:
    """What has been read so far, and the text without it."""

    text: str
    when: When = field(default_factory=When)
    labels: list[tuple[Mention, Label]] = field(default_factory=list)

    def take(self, pattern: re.Pattern[str], use: Callable[[re.Match[str]], None]) -> None:
        """Hand every match to `use` and blank it out."""
        matches = list(pattern.finditer(self.text))
        for match in matches:
            use(match)
        self.text = blanked(self.text, (Mention("", *match.span()) for match in matches))

    def note(self, **changes: object) -> None:
        self.when = replace(self.when, **changes)  # type: ignore[arg-type]


_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_NUMBERS = {
    **dict(zip(("one", "two", "three", "four", "five", "six"), range(1, 7), strict=True)),
    **dict(zip(("seven", "eight", "nine", "ten", "eleven", "twelve"), range(7, 13), strict=True)),
    **dict(zip("一二三四五六七八九十", range(1, 11), strict=True)),
    "两": 2,
    "十二": 12,
    "couple of": 2,
    "first": 1,
    "second": 2,
    "third": 3,
    "fourth": 4,
    "final": 4,
    "1st": 1,
    "2nd": 2,
    "3rd": 3,
    "4th": 4,
}
_NUM = (
    r"(\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|couple of|十二|[一二两三四五六七八九十])"
)
_MONTH = r"(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_FISCAL = r"(?:fiscal\s+year|financial\s+year|fiscal|fy|calendar\s+year|calendar|cy|year)"
_YEAR = r"['’]?((?:19|20)\d\d|\d\d)"
_LONG_YEAR = r"((?:19|20)\d\d)"
_OF = r"(?:\s*(?:of|in|for|,)\s*|[\s\-]*)(?:the\s+)?"
_NEW = r"(?:last|past|latest|most\s+recent|recent|newest|trailing|previous|prior|preceding)"
_FILL = r"(?:(?:reported|fiscal|full|financial|consecutive|available|completed|complete|calendar)\s+)*"

_TTM = re.compile(
    rf"\b(?:ttm|ltm)\b|{_NEW}[\s\-]+(?:twelve|12)[\s\-]+months?|\btrailing[\s\-]+(?:four|4)[\s\-]+quarters?"
    r"|(?:twelve|12)[\s\-]months?\s+trailing|\btrailing\b"
    r"|(?:滚动|过去|最近|近)的?\s*(?:12|十二)\s*个?月|滚动"
)
_DAYS = (
    (re.compile(rf"{_LONG_YEAR}-(\d\d)-(\d\d)\b"), (1, 2, 3)),
    (re.compile(rf"\b{_MONTH}\s+(\d{{1,2}})(?:st|nd|rd|th)?,?\s+{_LONG_YEAR}"), (3, 1, 2)),
    (re.compile(rf"\b(\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH},?\s+{_LONG_YEAR}"), (3, 2, 1)),
    (re.compile(rf"\b(\d{{1,2}})/(\d{{1,2}})/{_LONG_YEAR}"), (3, 1, 2)),
    (re.compile(rf"{_LONG_YEAR}\s*年\s*(\d{{1,2}})\s*月\s*(\d{{1,2}})\s*[日号]"), (1, 2, 3)),
    (re.compile(rf"\b{_MONTH},?\s+(?:of\s+)?{_LONG_YEAR}"), (2, 1)),
    (re.compile(rf"{_LONG_YEAR}\s*年\s*(\d{{1,2}})\s*月"), (1, 2)),
    (re.compile(rf"{_LONG_YEAR}-(\d\d)\b(?!\d)"), (1, 2)),
)
_QUARTERS = (
    (re.compile(rf"\bq([1-4]){_OF}(?:{_FISCAL}\s*)?{_YEAR}\b"), 1, 2),
    (re.compile(rf"\b([1-4])q{_OF}(?:{_FISCAL}\s*)?{_YEAR}\b"), 1, 2),
    (re.compile(rf"\b(?:{_FISCAL}\s*)?{_YEAR}['’]?s?[\s\-]*(?:fiscal\s+)?q([1-4])\b"), 2, 1),
    (
        re.compile(
            rf"\b(first|second|third|fourth|final|1st|2nd|3rd|4th)[\s\-]+(?:fiscal\s+)?quarter{_OF}(?:its\s+)?(?:{_FISCAL}\s*)?{_YEAR}\b"
        ),
        1,
        2,
    ),
    (
        re.compile(
            rf"\b(?:{_FISCAL}\s*)?{_LONG_YEAR}['’]?s?\s+(first|second|third|fourth|1st|2nd|3rd|4th)[\s\-]+quarter"
        ),
        2,
        1,
    ),
    (
        re.compile(
            r"(\d{4}|\d\d)\s*(?:财政年度|财年|年度|年)?的?\s*(?:第\s*)?([一二三四1-4])\s*(?:个)?(?:财季|季度|季)"
        ),
        2,
        1,
    ),
    (re.compile(r"(\d{4}|\d\d)\s*(?:财政年度|财年|年度|年)的?\s*q([1-4])"), 2, 1),
)
_HALVES = (
    (re.compile(rf"\b(?:h([12])|([12])h){_OF}(?:{_FISCAL}\s*)?{_YEAR}\b"), "H"),
    (re.compile(rf"\b(first|second)[\s\-]+half{_OF}(?:{_FISCAL}\s*)?{_YEAR}()\b"), "half"),
    (re.compile(rf"{_LONG_YEAR}\s*(?:财年|年)?的?\s*(上|下)半(?:财)?年"), "zh"),
)
_NINE_MONTHS = re.compile(rf"\bfirst\s+(?:nine\s+months|9\s+months|three\s+quarters){_OF}(?:{_FISCAL}\s*)?{_YEAR}\b")
_YEARS = (
    re.compile(rf"\b(?:fiscal\s+year|financial\s+year|fiscal|fy|calendar\s+year|calendar|cy|year)[\s\-]*{_YEAR}\b"),
    re.compile(rf"{_LONG_YEAR}\s*(?:财政年度|会计年度|财年|年度|年)"),
    re.compile(rf"(?<![\d.,$]){_LONG_YEAR}(?![\d%])(?:\s+(?:fiscal|financial)\s+year)?"),
    re.compile(r"(?<=\bto )['’]?(\d\d)\b(?!\s*(?:quarter|year|month|%|percent|bps))|(?<=[\-–]['’])(\d\d)\b"),
)
_BARE_QUARTER = (
    re.compile(r"\bq([1-4])\b"),
    re.compile(r"\b(first|second|third|fourth|final|1st|2nd|3rd|4th)[\s\-]+(?:fiscal\s+)?quarter"),
    re.compile(r"第?\s*([一二三四])\s*(?:财季|季度)"),
)
_SHORT_RANGE = re.compile(r"(?<=\x00)\s*[\-–/]\s*(?:fy\s*)?['’]?(\d\d)\b")
_COUNTS = (
    re.compile(rf"\b{_NEW}\s+{_NUM}\s+{_FILL}(year|quarter|month)s?"),
    re.compile(rf"\b{_NUM}[\s\-]+{_FILL}(year|quarter)s?\b"),
    re.compile(rf"(?:过去|最近|近|前|最新)的?\s*{_NUM}\s*个?(?:完整)?(年度|财年|财季|季度|年|季)"),
    re.compile(rf"{_NUM}\s*个?(年度|财年|季度|年|季)(?:内|间|来|以来)"),
)
_DECADE = re.compile(rf"\b(?:{_NEW}\s+)?decade\b|过去十年|近十年")
_ONE = (
    (re.compile(rf"\b(?:{_NEW}|current|this)\s+{_FILL}quarter(?:ly)?\b"), "quarterly"),
    (re.compile(rf"\b(?:{_NEW}|current|this)\s+{_FILL}(?:year|annual)\b"), "annual"),
    (
        re.compile(r"上个?一?个?(?:财季|季度|季)|(?:最新|最近)的?一?个?(?:财季|季度|季)|[本当](?:财季|季度|季)"),
        "quarterly",
    ),
    (
        re.compile(r"去年|上年度|上个?一?个?(?:财年|年度|年)|(?:最新|最近)的?一?个?(?:财政年度|财年|年度|年)|今年"),
        "annual",
    ),
)
_BASIS = (
    (
        re.compile(r"\b(?:quarterly|by\s+quarter|(?:each|every|per)\s+quarter|quarter\s+by\s+quarter|quarters?)\b"),
        "quarterly",
    ),
    (
        re.compile(
            r"\b(?:annual|annually|yearly|by\s+(?:fiscal\s+)?year|(?:each|every|per)\s+(?:fiscal\s+)?year|year\s+by\s+year|full[\s\-]year|(?:fiscal\s+)?years|fiscal\s+year|year(?=\s+(?:that\s+)?end))\b"
        ),
        "annual",
    ),
    (re.compile(r"逐季|各季度?|每个?季度?|按季度?|季度|单季"), "quarterly"),
    (re.compile(r"逐年|每年|各年|历年|按年|年度|全年|财年"), "annual"),
)
_CALENDAR = re.compile(r"\bcalendar\b|\bcy\s*\d|日历年|自然年|公历")
_PART_WORDS = (
    (re.compile(r"\b(?:first\s+)?(?:nine|9)[\s\-]months?\b|\b9m\b|前三季度|前九个月"), "9M"),
    (re.compile(r"\bfirst[\s\-]half\b|\bh1\b|上半年"), "H1"),
    (re.compile(r"\bsecond[\s\-]half\b|\bh2\b|下半年"), "H2"),
)
_AT_END = re.compile(r"(?:\bend\s+of|\bclose\s+of|\byear[\s\-]?end)\s*(?:the\s+)?(?:of\s+)?$")
_FROM_TO = re.compile(r"\s*(?:to|through|thru|until|till|up\s+to|[-–—~]|至|到|直到)\s*(?:the\s+)?(?:end\s+of\s+)?")
_SINCE = re.compile(r"(?:\bsince|自从?)\s*(?:the\s+)?(?:end\s+of\s+|start\s+of\s+)?$")
_BETWEEN = re.compile(r"(?:\bbetween|\bfrom|从)\s*$")
_QUARTERS_PER_YEAR = 4
_MONTHS_PER_QUARTER = 3


def read_when(text: str) -> tuple[When, str]:
    """The periods named in a text in lower case, and the text without them."""
    found = _Found(text)
    found.note(calendar=bool(_CALENDAR.search(text)))
    found.take(_TTM, lambda _: found.note(basis="ttm"))
    _read_days(found)
    _read_labels(found)
    _read_counts(found)
    for pattern, basis in _BASIS:
        found.take(pattern, lambda _, basis=basis: found.note(basis=found.when.basis or basis))  # type: ignore[misc]
    _settle_labels(found, text)
    return found.when, found.text


def _read_days(found: _Found) -> None:
    days: list[tuple[int, str]] = []
    for pattern, order in _DAYS:
        found.take(pattern, lambda match, order=order: days.append((match.start(), _day(match, order))))  # type: ignore[misc]
    found.note(ends=tuple(day for _, day in sorted(days)))


def _day(match: re.Match[str], order: Sequence[int]) -> str:
    parts = [match.group(group) for group in order]
    numbers = [_MONTHS.index(part[:3]) + 1 if part[:3] in _MONTHS else int(part) for part in parts]
    return "-".join([str(numbers[0]), *(f"{number:02d}" for number in numbers[1:])])


def _read_labels(found: _Found) -> None:
    def add(match: re.Match[str], label: Label) -> None:
        found.labels.append((Mention("", *match.span()), label))

    for pattern, kind in _HALVES:
        found.take(pattern, lambda match, kind=kind: add(match, _half(match, kind)))  # type: ignore[misc]
    found.take(_NINE_MONTHS, lambda match: add(match, Label(_year(match.group(1)), "9M")))
    for pattern, quarter, year in _QUARTERS:
        found.take(
            pattern,
            lambda match, quarter=quarter, year=year: add(  # type: ignore[misc]
                match, Label(_year(match.group(year)), f"Q{_number(match.group(quarter))}")
            ),
        )
    for pattern in _YEARS:
        found.take(pattern, lambda match: add(match, Label(_year(match.group(1) or match.group(match.lastindex or 1)))))
    found.take(_SHORT_RANGE, lambda match: found.labels.append((_said(match), Label(_year(match.group(1))))))
    for pattern, part in _PART_WORDS:
        found.take(pattern, lambda _, part=part: _make_parts(found, part))  # type: ignore[misc]
    for pattern in _BARE_QUARTER:
        found.take(pattern, lambda match: add(match, Label(None, f"Q{_number(match.group(1))}")))


def _make_parts(found: _Found, part: str) -> None:
    """Say "nine-month revenue in 2025": the part is said away from its year."""
    found.labels = [(where, replace(label, period=part)) for where, label in found.labels]


def _said(match: re.Match[str]) -> Mention:
    """Where the group of a match stands."""
    return Mention("", *match.span(1))


def _half(match: re.Match[str], kind: str) -> Label:
    if kind == "H":
        return Label(_year(match.group(3)), f"H{match.group(1) or match.group(2)}")
    if kind == "half":
        return Label(_year(match.group(2)), f"H{_number(match.group(1))}")
    return Label(_year(match.group(1)), "H1" if match.group(2) == "上" else "H2")


def _read_counts(found: _Found) -> None:
    for pattern in _COUNTS:
        found.take(pattern, lambda match: _use_count(found, _number(match.group(1)), match.group(2)))
    found.take(_DECADE, lambda _: found.note(newest=10, basis="annual"))
    for pattern, basis in _ONE:
        found.take(pattern, lambda _, basis=basis: found.note(newest=found.when.newest or 1, basis=basis))  # type: ignore[misc]


def _use_count(found: _Found, count: int, unit: str) -> None:
    if unit == "month":
        found.note(newest=max(1, count // _MONTHS_PER_QUARTER), basis="quarterly")
    elif unit.startswith("quarter") or "季" in unit:
        found.note(newest=count, basis="quarterly")
    elif re.search(r"\bquarter(?:ly|s)?\b|季", found.text):
        found.note(newest=count * _QUARTERS_PER_YEAR, basis="quarterly")
    else:
        found.note(newest=count, basis="annual")


def _settle_labels(found: _Found, text: str) -> None:
    """Order the labels, give a bare quarter its neighbour's year, and see whether they are the ends of a range."""
    if not found.labels:
        return
    found.labels.sort(key=lambda pair: pair[0].start)
    mentions = [mention for mention, _ in found.labels]
    labels = _with_years([label for _, label in found.labels])
    first, last = mentions[0], mentions[-1]
    before, between = text[: first.start], text[first.end : last.start]
    through = len(labels) == 2 and bool(  # noqa: PLR2004 - a range has two ends
        _FROM_TO.fullmatch(between) or (_BETWEEN.search(before) and re.fullmatch(r"\s*(?:and|和|与)\s*", between))
    )
    since = bool(_SINCE.search(before)) or text[last.end :].lstrip().startswith(("以来", "onward", "起"))
    at_end = bool(_AT_END.search(before)) or text[last.end :].lstrip().startswith(("底", "末", "year-end", "year end"))
    found.note(labels=tuple(labels), through=through, since=since and not through, at_end=at_end)
    if found.when.basis is None:
        found.note(basis=_basis_of(labels))


def _with_years(labels: Iterable[Label]) -> list[Label]:
    """Bare quarters take the year of the next label, else of the one before; a bare year after one is its year."""
    settled = list(dict.fromkeys(labels))
    years = [label.year for label in settled]
    for index, label in enumerate(settled):
        if label.year is None:
            near = [*years[index + 1 :], *reversed(years[:index])]
            settled[index] = replace(label, year=next((year for year in near if year), None))
    borrowed = {label.year for label, year in zip(settled, years, strict=True) if year is None}
    return [label for label in settled if label.period != FULL_YEAR or label.year not in borrowed]


def _basis_of(labels: Sequence[Label]) -> Period:
    return "annual" if all(label.period == FULL_YEAR for label in labels) else "quarterly"


def _year(said: str) -> int:
    return int(said) if len(said) > 2 else 2000 + int(said)  # noqa: PLR2004 - two digits mean this century


def _number(said: str) -> int:
    return int(said) if said.isdecimal() else _NUMBERS[said]
