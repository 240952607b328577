"""The periods that a text names, in English and Chinese."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from dexter.figures.exclusions import MONTH
from dexter.figures.periods import Period, Relation


@dataclass(frozen=True)
class PeriodMention:
    """A period at `text[start:end]`."""

    period: Period
    start: int
    end: int


_CENTURY = 2000
_MONTH_NAMES = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_ORDINALS: Mapping[str, int] = {
    **dict(zip(("first", "second", "third", "fourth"), (1, 2, 3, 4), strict=True)),
    **dict(zip(("1st", "2nd", "3rd", "4th"), (1, 2, 3, 4), strict=True)),
    **dict(zip("一二三四", (1, 2, 3, 4), strict=True)),
    **{str(number): number for number in (1, 2, 3, 4)},
}
_SPANS: Mapping[str, str] = {
    **dict.fromkeys(("three", "3", "三"), "Q"),
    **dict.fromkeys(("six", "6", "六"), "6M"),
    **dict.fromkeys(("nine", "9", "九", "三季度"), "9M"),
    **dict.fromkeys(("twelve", "12", "十二"), "TTM"),
}

_DAY = (
    rf"(?:(?:19|20)\d\d-\d\d-\d\d|{MONTH}\s+\d{{1,2}}(?:st|nd|rd|th)?,?\s+(?:19|20)\d\d"
    rf"|\d{{1,2}}\s+{MONTH},?\s+(?:19|20)\d\d|(?:19|20)\d\d\s*年\s*\d{{1,2}}\s*月\s*\d{{1,2}}\s*日)"
)
_MONTH_AND_YEAR = rf"(?:{MONTH},?\s+(?:19|20)\d\d|(?:19|20)\d\d\s*年\s*\d{{1,2}}\s*月|(?:19|20)\d\d-\d\d(?![-\d]))"
_YEAR = r"(?P<year>'?(?:(?:19|20)\d\d|\d\d))(?!\d|[,.]\d|\s?%)"
_FISCAL = r"(?:(?:FY|CY)\s*|(?:fiscal|calendar)(?:\s+year)?\s+)"
_ENDED = (
    rf"(?:\s*[(（,，]?\s*(?:that\s+|which\s+|period\s+)?(?:ended|ending|ends?|to|through|as of|截至|截止|止于)"
    rf"(?:\s+on)?\s*:?\s*(?P<ended>{_DAY}|{_MONTH_AND_YEAR})(?:止|结束)?[)）]?)?"
)
_ORDINAL = r"(?P<ordinal>first|second|third|fourth|1st|2nd|3rd|4th)"
_CHINESE_YEAR = r"(?P<year>(?:19|20)?\d\d)\s*(?:财年|财政年度|会计年度|年度|年)(?!\s*\d{1,2}\s*月)"
# A year without any word beside it: no part of a number, no amount.
_BARE_YEAR = (
    r"(?<![\d$€£¥.,#/-])(?P<year>(?:19|20)\d\d)"
    r"(?!\d|[,.]\d|-\d|/\d|\s?(?:%|×|x\b|million|billion|trillion|bn\b|[亿万元月]))"
)

# Without any of these there is no period.
_MAY_NAME_ONE = re.compile(r"\d|year|quarter|month|half|TTM|LTM|[年季月]", re.IGNORECASE)

Build = Callable[[re.Match[str]], Period]


def find_periods(text: str) -> tuple[PeriodMention, ...]:
    """Every period named, in order. What one pattern has read, no later one reads again."""
    if not _MAY_NAME_ONE.search(text):
        return ()
    found: list[PeriodMention] = []
    lower = text.lower()
    for pattern in _PATTERNS:
        for mention in pattern.find(text, lower):
            if all(mention.end <= other.start or mention.start >= other.end for other in found):
                found.append(mention)
    return tuple(sorted(found, key=lambda mention: mention.start))


def day_of(text: str) -> str:
    """An ISO day of a date in words or digits; '' where it is none."""
    numbers = [int(digits) for digits in re.findall(r"\d+", text)]
    month = next((at for at, name in enumerate(_MONTH_NAMES, 1) if name in text.lower()), 0)
    if month:
        year, day = max(numbers), min(numbers)
    elif len(numbers) == 3:  # noqa: PLR2004 - year, month, day
        year, month, day = numbers
    else:
        return ""
    return f"{year:04d}-{month:02d}-{day:02d}"


def _month_of(text: str) -> str:
    numbers = [int(digits) for digits in re.findall(r"\d+", text)]
    month = next((at for at, name in enumerate(_MONTH_NAMES, 1) if name in text.lower()), 0) or numbers[-1]
    return f"{numbers[0]:04d}-{month:02d}"


def _part(match: re.Match[str], name: str) -> str:
    return (match.groupdict().get(name) or "").strip().lower()


def _year(match: re.Match[str]) -> int | None:
    digits = (_part(match, "year") or _part(match, "short")).lstrip("'")
    if not digits:
        return None
    return int(digits) + (_CENTURY if int(digits) < 100 else 0)  # noqa: PLR2004 - two digits


def _ended(match: re.Match[str]) -> str:
    said = _part(match, "ended")
    if not said:
        return ""
    return _month_of(said) if re.fullmatch(_MONTH_AND_YEAR, said, re.IGNORECASE) else day_of(said)


def _quarter(match: re.Match[str]) -> Period:
    said = _part(match, "quarter") or _part(match, "quarter_first") or str(_ORDINALS[_part(match, "ordinal")])
    return Period(f"Q{said}", _year(match), _ended(match))


def _half(match: re.Match[str]) -> Period:
    said = _part(match, "half") or {"上": "1", "下": "2"}.get(_part(match, "chinese"), "")
    return Period(f"H{said or _ORDINALS[_part(match, 'ordinal')]}", _year(match))


def _fiscal_year(match: re.Match[str]) -> Period:
    return Period("FY", _year(match), _ended(match))


def _months(match: re.Match[str]) -> Period:
    return Period(_SPANS[_part(match, "months")], _year(match), _ended(match))


def _to_a_day(match: re.Match[str]) -> Period:
    return Period("FY" if "year" in _part(match, "what") else "Q", None, _ended(match))


def _quarter_of_month(match: re.Match[str]) -> Period:
    """A quarter by the month in which it ends: `the September quarter of 2025`."""
    year = _part(match, "year") or _part(match, "of") or "-"
    month = next(at for at, name in enumerate(_MONTH_NAMES, 1) if name in _part(match, "month"))
    return Period("Q", None, f"{year}-{month:02d}")


def _related(relation: Relation) -> Build:
    return lambda _match: Period(relation=relation)


_COUNTS = {"two": 2, "three": 3, "four": 4, "five": 5, "两": 2, "三": 3, "四": 4, "五": 5}


def _years_before(match: re.Match[str]) -> Period:
    said = _part(match, "count") or _part(match, "ago")
    return Period(relation="year_before", steps=_COUNTS.get(said) or int(said))


@dataclass(frozen=True)
class _Pattern:
    """How texts name a kind of period. Only where one of the `hints` stands, in lower case, is it looked for."""

    pattern: re.Pattern[str]
    build: Build
    hints: tuple[str, ...]

    def find(self, text: str, lower: str) -> Iterator[PeriodMention]:
        """Every one of its kind, in order."""
        if any(hint in lower for hint in self.hints):
            for match in self.pattern.finditer(text):
                yield PeriodMention(self.build(match), *match.span())


_YEAR_HINTS, _QUARTER_HINTS = ("year", "年"), ("quarter", "季")


def _pattern(text: str, build: Build, *hints: str) -> _Pattern:
    return _Pattern(re.compile(text, re.IGNORECASE), build, hints)


_PATTERNS: tuple[_Pattern, ...] = (
    _pattern(rf"截至\s*(?P<ended>{_DAY})\s*的\s*{_CHINESE_YEAR}", _fiscal_year, "截至"),
    _pattern(rf"{_CHINESE_YEAR}\s*Q(?P<quarter>[1-4])(?![0-9A-Za-z]){_ENDED}", _quarter, "年"),
    _pattern(
        r"\b(?P<count>two|three|four|five|[2-5])\s+years\s+(?:earlier|ago|before|prior)|(?P<ago>[两三四五2-5])年前",
        _years_before,
        "years",
        "年前",
    ),
    _pattern(
        r"\b(?:a|one)\s+year\s+(?:later|after(?:wards?)?)\b|\b(?:twelve|12)\s+months\s+later|\bthe\s+(?:following|next)\s+(?:fiscal\s+)?year"
        r"|\bthe\s+year\s+after\b|次年|翌年|一年后",
        _related("year_after"),
        *_YEAR_HINTS,
        "months later",
    ),
    _pattern(
        r"\b(?:a|one)\s+quarter\s+later|\bthree\s+months\s+later|\bthe\s+(?:following|next|subsequent)\s+quarter"
        r"|\bthe\s+quarter\s+after\b|下一?季度|次季",
        _related("quarter_after"),
        *_QUARTER_HINTS,
        "months later",
    ),
    _pattern(
        r"\b(?:the\s+)?(?:same|comparable|corresponding)\s+(?:quarter|period)\s+(?:of|in)\s+(?:19|20)\d\d"
        r"|\b(?:the\s+)?(?:same|comparable|corresponding)\s+(?:quarter|period)(?:\s+(?:of|in))?\s+(?:the\s+)?(?:last|prior|previous|a)\s+year"
        r"(?:\s+(?:ago|earlier))?|\b(?:a|one)\s+year\s+(?:earlier|ago|before|prior|previously)|\b(?:twelve|12)\s+months\s+(?:earlier|ago|before|prior|previously)|\byear[-\s](?:ago|earlier)\b"
        r"|\b(?:the\s+)?(?:prior|previous|preceding|last)[-\s](?:fiscal\s+)?year(?:'s)?(?:\s+(?:period|quarter))?"
        r"|\bthe\s+year\s+(?:before|earlier|prior)|去年同期|上年同期|上一财年|上一年度|上一年|去年|上年",
        _related("year_before"),
        *_YEAR_HINTS,
        "months",
        "same",
        "comparable",
        "corresponding",
    ),
    _pattern(
        r"\b(?:the\s+)?(?:prior|previous|preceding|last)\s+quarter|\bthe\s+quarter\s+(?:before|earlier)|\b(?:a|one)\s+quarter\s+(?:earlier|ago|before)|\bthree\s+months\s+(?:earlier|ago|before)|上一?季度|上一?财季",
        _related("quarter_before"),
        *_QUARTER_HINTS,
        "months",
    ),
    _pattern(
        rf"\b(?:{_FISCAL}'?(?P<short>\d\d)|{_FISCAL}?(?P<year>(?:19|20)\d\d))(?:'s)?[\s,-]*"
        rf"(?:Q(?P<quarter>[1-4])\b|{_ORDINAL}[-\s](?:fiscal\s+)?quarter){_ENDED}",
        _quarter,
        "q",
    ),
    _pattern(
        rf"(?<![A-Za-z0-9])F?(?:Q(?P<quarter>[1-4])|(?P<quarter_first>[1-4])Q)(?![A-Za-z0-9]{{3}}[A-Za-z])"
        rf"(?:\s*(?:of\s+|in\s+|,\s*)?{_FISCAL}?{_YEAR})?{_ENDED}",
        _quarter,
        "q",
    ),
    _pattern(
        rf"\b{_ORDINAL}[-\s](?:fiscal\s+)?quarter\b(?:'s)?(?:\s+(?:(?:of|in)\s+)?(?:the\s+)?{_FISCAL}?{_YEAR})?{_ENDED}",
        _quarter,
        "quarter",
    ),
    _pattern(
        rf"(?:{_CHINESE_YEAR}\s*)?第?(?P<ordinal>[一二三四1-4])(?:财季|季度)(?!\s*(?:累计|合计)){_ENDED}",
        _quarter,
        "季",
    ),
    _pattern(rf"\b{_ORDINAL}[-\s]half\b(?:\s+(?:of|in)\s+{_FISCAL}?{_YEAR})?", _half, "half"),
    _pattern(rf"\b(?:H(?P<half>[12])\s*{_FISCAL}?{_YEAR}|[12]H\s*{_FISCAL}?(?:(?:19|20)\d\d|\d\d)\b)", _half, "h"),
    _pattern(rf"(?:{_CHINESE_YEAR}\s*)?(?P<chinese>[上下])半年", _half, "半年"),
    _pattern(
        rf"\b(?:(?:trailing|last|past|latest|rolling|previous)[-\s]+)?(?P<months>three|six|nine|twelve|3|6|9|12)[-\s]months?\b"
        rf"(?:\s+period)?(?:\s+(?:of|in)\s+{_FISCAL}?{_YEAR})?{_ENDED}",
        _months,
        "month",
    ),
    _pattern(rf"(?:{_CHINESE_YEAR}\s*)?(?:前|头)(?P<months>三季度|六|九|十二)个?月?", _months, "前", "头"),
    _pattern(rf"\b(?:TTM|LTM)\b{_ENDED}", lambda match: Period("TTM", None, _ended(match)), "tm"),
    _pattern(
        rf"(?:\b(?:trailing|last|past)\s+four\s+quarters|(?:过去|近|最近|滚动)?(?:十二|12)\s*个月|最近四个季度){_ENDED}",
        lambda match: Period("TTM", None, _ended(match)),
        "four quarters",
        "月",
        "四个季度",
    ),
    _pattern(
        rf"\b(?P<what>(?:fiscal\s+)?year|quarter)\s+(?:that\s+)?(?:ended|ending|to)\s+(?P<ended>{_DAY}|{_MONTH_AND_YEAR})",
        _to_a_day,
        "year",
        "quarter",
    ),
    _pattern(
        rf"\b(?P<month>{MONTH})(?:\s+(?P<year>(?:19|20)\d\d))?\s+quarter\b(?:\s+(?:of|in)\s+(?P<of>(?:19|20)\d\d))?",
        _quarter_of_month,
        "quarter",
    ),
    _pattern(rf"\b{_FISCAL}{_YEAR}{_ENDED}", _fiscal_year, "y", "fiscal", "calendar"),
    _pattern(rf"{_CHINESE_YEAR}{_ENDED}", _fiscal_year, "财", "会计", "年"),
    _pattern(_DAY, lambda match: Period(end=day_of(match.group())), "19", "20"),
    _pattern(_MONTH_AND_YEAR, lambda match: Period(end=_month_of(match.group())), "19", "20"),
    _pattern(_BARE_YEAR, lambda match: Period("", _year(match)), "19", "20"),
)
