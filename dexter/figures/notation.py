"""How scales, currencies and units are written, in English and Chinese."""

from __future__ import annotations

import re
from collections.abc import Mapping

from dexter.figures.numbers import Unit

# Powers of ten by the word, in lower case.
SCALES: Mapping[str, int] = {
    **dict.fromkeys(("trillion", "trillions", "tn", "trn"), 12),
    **dict.fromkeys(("billion", "billions", "bn", "bln"), 9),
    **dict.fromkeys(("million", "millions", "mn", "mln", "mm", "mio"), 6),
    **dict.fromkeys(("thousand", "thousands"), 3),
    "万亿": 12,
    "兆": 12,
    "千亿": 11,
    "百亿": 10,
    "十亿": 9,
    "亿": 8,
    "千万": 7,
    "百万": 6,
    "十万": 5,
    "万": 4,
    "千": 3,
}
# Letters are scales only where they stand at the number itself, or after a currency.
SCALE_LETTERS: Mapping[str, int] = {"t": 12, "b": 9, "m": 6, "k": 3}

CURRENCIES: Mapping[str, str] = {
    **dict.fromkeys(("us$", "$", "usd", "u.s. dollars", "us dollars", "dollars", "dollar", "美元", "美金"), "USD"),
    **dict.fromkeys(("hk$", "hkd", "港元", "港币"), "HKD"),
    **dict.fromkeys(("€", "eur", "euros", "euro", "欧元"), "EUR"),
    **dict.fromkeys(("£", "gbp", "pounds", "英镑"), "GBP"),
    **dict.fromkeys(("rmb", "cny", "yuan", "元", "人民币"), "CNY"),
    **dict.fromkeys(("jpy", "yen", "日元", "日圆"), "JPY"),
    **dict.fromkeys(("nt$", "twd", "新台币"), "TWD"),
    **dict.fromkeys(("c$", "cad"), "CAD"),
    **dict.fromkeys(("a$", "aud"), "AUD"),
    **dict.fromkeys(("s$", "sgd"), "SGD"),
    **dict.fromkeys(("r$", "brl"), "BRL"),
    **dict.fromkeys(("₹", "inr"), "INR"),
    **dict.fromkeys(("₩", "krw"), "KRW"),
    "chf": "CHF",
    "sek": "SEK",
    "dkk": "DKK",
    "nok": "NOK",
    "¥": "",
    "￥": "",
}

# A unit by how it is written after a number, and the power of ten by which the number is read.
UNITS: Mapping[str, tuple[Unit, int]] = {
    **dict.fromkeys(("%", "percent", "per cent", "pct"), ("percent", -2)),
    **dict.fromkeys(("percentage points", "percentage point", "个百分点", "百分点"), ("points", -2)),
    **dict.fromkeys(("pp", "ppt", "ppts", "pps", "%-points", "% points"), ("points", -2)),
    **dict.fromkeys(("basis points", "basis point", "bps", "bp", "个基点", "基点"), ("points", -4)),
    **dict.fromkeys(("×", "x", "times", "-fold", "fold", "倍"), ("times", 0)),
    **dict.fromkeys(("shares", "common shares", "diluted shares", "basic shares", "股"), ("shares", 0)),
}

PER_SHARE = re.compile(
    r"\s*(?:/\s*(?:share|sh|股)\b|per\s+(?:(?:diluted|basic|common|ordinary)\s+)*(?:share|ADS)\b|a share\b|每股)",
    re.IGNORECASE,
)


def alternatives(words: Mapping[str, object]) -> str:
    """The words as the inside of a pattern, the longest first; Latin words end where a word ends."""
    ordered = sorted(words, key=len, reverse=True)
    return "|".join(
        re.escape(word) + (r"(?![A-Za-z])" if word[-1].isascii() and word[-1].isalpha() else "") for word in ordered
    )
