"""How people name periods, as patterns over text in lower case: English and Chinese."""

from __future__ import annotations

import re

MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
NUMBERS = {
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
NUM = (
    r"(\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|couple of|十二|[一二两三四五六七八九十])"
)
MONTH = r"(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
FISCAL = r"(?:fiscal\s+year|financial\s+year|fiscal|fy|calendar\s+year|calendar|cy|year)"
YEAR = r"['’]?((?:19|20)\d\d|\d\d)"
LONG_YEAR = r"((?:19|20)\d\d)"
OF = r"(?:\s*(?:of|in|for|,)\s*|[\s\-]*)(?:the\s+)?"
NEW = r"(?:last|past|latest|most\s+recent|recent|newest|trailing|previous|prior|preceding)"
FILL = r"(?:(?:reported|fiscal|full|financial|consecutive|available|completed|complete|calendar)\s+)*"

TTM = re.compile(
    rf"\b(?:ttm|ltm)\b|{NEW}[\s\-]+(?:twelve|12)[\s\-]+months?|\btrailing[\s\-]+(?:four|4)[\s\-]+quarters?"
    r"|(?:twelve|12)[\s\-]months?\s+trailing|\btrailing\b"
    r"|(?:滚动|过去|最近|近)的?\s*(?:12|十二)\s*个?月|滚动"
)
# Beside twelve months these say the same again.
FOUR_QUARTERS = re.compile(rf"{NEW}[\s\-]+{FILL}(?:four|4)[\s\-]+(?:fiscal\s+)?quarters?")
DAYS = (
    (re.compile(rf"{LONG_YEAR}-(\d\d)-(\d\d)\b"), (1, 2, 3)),
    (re.compile(rf"\b{MONTH}\s+(\d{{1,2}})(?:st|nd|rd|th)?,?\s+{LONG_YEAR}"), (3, 1, 2)),
    (re.compile(rf"\b(\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?{MONTH},?\s+{LONG_YEAR}"), (3, 2, 1)),
    (re.compile(rf"\b(\d{{1,2}})/(\d{{1,2}})/{LONG_YEAR}"), (3, 1, 2)),
    (re.compile(rf"{LONG_YEAR}\s*年\s*(\d{{1,2}})\s*月\s*(\d{{1,2}})\s*[日号]"), (1, 2, 3)),
    (re.compile(rf"\b{MONTH},?\s+(?:of\s+)?{LONG_YEAR}"), (2, 1)),
    (re.compile(rf"\b{MONTH}\s+quarter{OF}(?:{FISCAL}\s*)?{LONG_YEAR}"), (2, 1)),
    (re.compile(rf"{LONG_YEAR}\s*年\s*(\d{{1,2}})\s*月"), (1, 2)),
    (re.compile(rf"{LONG_YEAR}-(\d\d)\b(?!\d)"), (1, 2)),
)
QUARTERS = (
    (re.compile(rf"\bq([1-4]){OF}(?:{FISCAL}\s*)?{YEAR}\b"), 1, 2),
    (re.compile(rf"\b([1-4])q{OF}(?:{FISCAL}\s*)?{YEAR}\b"), 1, 2),
    (re.compile(rf"\b(?:{FISCAL}\s*)?{YEAR}['’]?s?[\s\-]*(?:fiscal\s+)?q([1-4])\b"), 2, 1),
    (
        re.compile(
            rf"\b(first|second|third|fourth|final|1st|2nd|3rd|4th)[\s\-]+(?:fiscal\s+)?quarter{OF}(?:its\s+)?(?:{FISCAL}\s*)?{YEAR}\b"
        ),
        1,
        2,
    ),
    (
        re.compile(
            rf"\b(?:{FISCAL}\s*)?{LONG_YEAR}['’]?s?\s+(first|second|third|fourth|1st|2nd|3rd|4th)[\s\-]+quarter"
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
HALVES = (
    (re.compile(rf"\b(?:h([12])|([12])h){OF}(?:{FISCAL}\s*)?{YEAR}\b"), "H"),
    (re.compile(rf"\b(first|second)[\s\-]+half{OF}(?:{FISCAL}\s*)?{YEAR}()\b"), "half"),
    (re.compile(rf"{LONG_YEAR}\s*(?:财年|年)?的?\s*(上|下)半(?:财)?年"), "zh"),
)
NINE_MONTHS = re.compile(rf"\bfirst\s+(?:nine\s+months|9\s+months|three\s+quarters){OF}(?:{FISCAL}\s*)?{YEAR}\b")
YEARS = (
    re.compile(rf"\b(?:fiscal\s+year|financial\s+year|fiscal|fy|calendar\s+year|calendar|cy|year)[\s\-]*{YEAR}\b"),
    re.compile(rf"{LONG_YEAR}\s*(?:财政年度|会计年度|财年|年度|年)"),
    re.compile(rf"(?<![\d.,$]){LONG_YEAR}(?![\d%])(?:\s+(?:fiscal|financial)\s+year)?"),
    re.compile(r"(?<=\bto )['’]?(\d\d)\b(?!\s*(?:quarter|year|month|%|percent|bps))|(?<=[\-–]['’])(\d\d)\b"),
)
BARE_QUARTER = (
    re.compile(r"\bq([1-4])\b"),
    re.compile(r"\b(first|second|third|fourth|final|1st|2nd|3rd|4th)[\s\-]+(?:fiscal\s+)?quarter"),
    re.compile(r"第?\s*([一二三四])\s*(?:财季|季度)"),
)
SHORT_RANGE = re.compile(r"(?<=\x00)\s*[\-–/]\s*(?:fy\s*)?['’]?(\d\d)\b")
COUNTS = (
    re.compile(rf"\b{NEW}\s+{NUM}\s+{FILL}(year|quarter|month)s?"),
    re.compile(rf"\b{NUM}[\s\-]+{FILL}(year|quarter)s?\b"),
    re.compile(rf"(?:过去|最近|近|前|最新)的?\s*{NUM}\s*个?(?:完整)?(年度|财年|财季|季度|年|季)"),
    re.compile(rf"{NUM}\s*个?(年度|财年|季度|年|季)(?:内|间|来|以来)"),
)
EACH_QUARTER = re.compile(r"\b(?:by|each|every|per)\s+quarter\b|\bquarterly\b|逐季|各季|每个?季")
DECADE = re.compile(rf"\b(?:{NEW}\s+)?decade\b|过去十年|近十年")
ONE = (
    (re.compile(rf"\b(?:{NEW}|current|this)\s+{FILL}quarter(?:ly)?\b"), "quarterly"),
    (re.compile(rf"\b(?:{NEW}|current|this)\s+{FILL}(?:year|annual)\b"), "annual"),
    (
        re.compile(r"上个?一?个?(?:财季|季度|季)|(?:最新|最近)的?一?个?(?:财季|季度|季)|[本当](?:财季|季度|季)"),
        "quarterly",
    ),
    (
        re.compile(r"去年|上年度|上个?一?个?(?:财年|年度|年)|(?:最新|最近)的?一?个?(?:财政年度|财年|年度|年)|今年"),
        "annual",
    ),
)
BASIS = (
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
CALENDAR = re.compile(r"\bcalendar\b|\bcy\s*\d|日历年|自然年|公历")
PART_WORDS = (
    (re.compile(r"\b(?:first\s+)?(?:nine|9)[\s\-]months?\b|\b9m\b|前三季度|前九个月"), "9M"),
    (re.compile(r"\bfirst[\s\-]half\b|\bh1\b|上半年"), "H1"),
    (re.compile(r"\bsecond[\s\-]half\b|\bh2\b|下半年"), "H2"),
)
AT_END = re.compile(r"(?:\bend\s+of|\bclose\s+of|\byear[\s\-]?end)\s*(?:the\s+)?(?:of\s+)?$")
AND_THE_YEAR_BEFORE = re.compile(
    r"\band\s+(?:in\s+|for\s+)?(?:the\s+)?(?:year\s+(?:before|earlier|prior)|(?:prior|previous|preceding)\s+year)|及上一?年"
)
AS_OF = re.compile(r"(?:\bas\s+(?:of|at|known\s+on)|\bknown\s+(?:on|by)|\bby)\s*(?:the\s+)?\x00|截[至止]\s*\x00")
FROM_TO = re.compile(r"\s*(?:to|through|thru|until|till|up\s+to|[-–—~]|至|到|直到)\s*(?:the\s+)?(?:end\s+of\s+)?")
SINCE = re.compile(r"(?:\bsince|自从?)\s*(?:the\s+)?(?:end\s+of\s+|start\s+of\s+)?$")
AND = re.compile(r"\s*(?:and|和|与)\s*")
BETWEEN = re.compile(r"(?:\bbetween|\bfrom|从)\s*$")
QUARTERS_PER_YEAR = 4
MONTHS_PER_QUARTER = 3
