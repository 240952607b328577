"""What looks like a figure and is none: dates, years, forms, items, ids, addresses, numbering."""

from __future__ import annotations

import re
from collections.abc import Iterator

MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sep(?:t(?:ember)?)?"
    r"|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\.?"
)

# Numbers that name a thing: the word before says so.
_NAMED = (
    r"Items?|Notes?|Exhibits?|Parts?|Sections?|Rules?|Topics?|ASC|ASU|IFRS|IAS|Levels?|Tiers?|Pages?|pp?\.|Figures?"
    r"|Tables?|Chapters?|Steps?|Footnotes?|No\.|Phases?|Series|Titles?|Articles?|Forms?|CIK|Class|Type|Schedules?"
    r"|Russell|Fortune|FTSE|STOXX|CSI|Dow|S&P|Nasdaq|NASDAQ|Nikkei|Version|v|Option|Scenario|Chart|Regulation"
)

# What numbers a point of a list, at the beginning of its line.
_NUMBERING = r"\s{0,8}(?:>\s*)?\(?\d{1,3}[.)]"
NUMBERING = re.compile(_NUMBERING)

# None may look far ahead from every place of a long unbroken run (a picture as text, a key): that takes hours.
_PATTERNS = (
    r"https?://[^\s)>\]|]+",
    r"www\.[^\s)>\]|]+",
    r"\]\([^)\n]{0,2000}\)",
    r"(?<![\w.+-])[\w.+-]+@[\w-]+\.\w+",
    r"\b\d{10}-\d{2}-\d{6}\b",
    r"\b(?:19|20)\d{2}[-/.](?:0?[1-9]|1[0-2])(?:[-/.](?:0?[1-9]|[12]\d|3[01]))?(?!\d|,\d)(?![-/.]\d)",
    r"\b\d{1,2}/\d{1,2}/\d{2,4}\b",
    rf"\b{MONTH}\s+\d{{1,2}}(?:st|nd|rd|th)?\b(?!,\d{{3}})(?:,?\s+(?:19|20)\d{{2}}\b)?",
    rf"\b\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?{MONTH}(?:,?\s+(?:19|20)\d{{2}}\b)?",
    rf"\b{MONTH},?\s+(?:19|20)\d{{2}}\b",
    r"(?:19|20)?\d{2}\s*(?:财年|财政年度|会计年度|年度|年)(?:\s*\d{1,2}\s*月(?:\s*\d{1,2}\s*日)?)?",
    r"\d{1,2}\s*月(?:\s*\d{1,2}\s*日)?",
    r"第\s*\d{1,3}\s*(?:季度|财季|季|号|条|项|章|页|名|位)",
    r"\b(?:10|8|6|20|40|11)-?[KQF](?:T|/A)?s?\b(?!\w)",
    r"\b13[DFG](?:-HR)?\b",
    r"\b(?:DEF|PRE)\s?14[AC]\b",
    r"\bS-\d\b",
    rf"\b(?:{_NAMED})[\s-]*(?:No\.\s*)?\d[\w.()-]*\w?",
    r"\b(?:Q[1-4]|H[12]|[1-4]Q|[12]H|FY|CY)\s?'?(?:(?:19|20)\d{2}|\d{2})(?!\d|,\d|\.\d)",
    r"\b(?:fiscal|calendar)(?:\s+year)?\s+'?(?:19|20)?\d{2}(?![\d,.%])",
    r"#\s?\d+",
    r"\[\d{1,3}\]",
    r"\b\d{1,2}:\d{2}(?::\d{2})?\b",
    r"\b\d+\.\d+\.\d+(?:\.\d+)*\b",
    rf"^{_NUMBERING}(?=\s)",
)
_EXCLUDED = re.compile("|".join(f"(?:{pattern})" for pattern in _PATTERNS), re.MULTILINE)

_YEAR = re.compile(r"(?:19|20)\d{2}")


def excluded_spans(text: str) -> Iterator[tuple[int, int]]:
    """Where the text has digits that are no figure, in order, none overlapping."""
    return (match.span() for match in _EXCLUDED.finditer(text))


def is_year(digits: str) -> bool:
    """Whether bare digits may be a year."""
    return bool(_YEAR.fullmatch(digits))
