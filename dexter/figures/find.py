"""Numbers in text: those with a unit, currency, percent sign or scale; in a table's cell bare ones too."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import pairwise

from dexter.figures.exclusions import excluded_spans, is_year
from dexter.figures.notation import CURRENCIES, PER_SHARE, SCALE_LETTERS, SCALES, UNITS, alternatives
from dexter.figures.numbers import Hedge, Number, Unit

# One character for one: spans stay true.
_SAME_LENGTH = str.maketrans("０１２３４５６７８９％．（）＋－−﹣＄\u00a0\u2009\u202f", "0123456789%.()+---$   ")
_MAX_DIGITS = 60

_DIGITS = re.compile(r"(?<![\d.,#_])(?:\d{1,3}(?:,\d{3})+(?![\d])|\d+)(?:\.\d+)?(?!\d)")
_CURRENCY = alternatives(CURRENCIES)
_BEFORE = re.compile(
    rf"(?P<open>\()?(?:(?<![A-Za-z0-9)%])(?P<sign>[-+–—](?!\s)|负|negative\s|minus\s))?\s?"
    rf"(?:(?<![A-Za-z])(?P<currency>{_CURRENCY})\s?(?P<inner>\()?(?P<late>[-+–])?)?$",
    re.IGNORECASE,
)
_AFTER = re.compile(
    rf"(?P<close>\))?(?:(?P<letter>[TBMK])(?![A-Za-z])|[\s-]?(?P<scale>{alternatives(SCALES)}))?"
    rf"(?P<late>\))?(?:\s?(?P<unit>{alternatives(UNITS)})|\s?(?P<currency>{_CURRENCY})"
    rf"(?:\s(?P<last>{alternatives(SCALES)}))?)?",
    re.IGNORECASE,
)
_TAIL = 24
_SHARES_LATER = re.compile(r"\s?(?:common |diluted |basic |ordinary |outstanding )*shares\b", re.IGNORECASE)
_PER_SHARE_BEFORE = re.compile(r"每股[^\d，。；]{0,8}$")
_HEDGE_WORDS: Mapping[Hedge, str] = {
    "about": r"\babout|\baround|\bapprox(?:imately|\.)?|\broughly|\bcirca|~|≈|大约|约|左右",
    "over": r"\bmore than|\bover|\babove|\bat least|\bexceed(?:s|ed|ing)?|\btopp(?:ed|ing)|\bcrossed"
    r"|\bsurpass(?:ed|ing)|\bpassed|超过|突破|逾|高达",
    "under": r"\bnearly|\balmost|\bclose to|\bjust under|\bless than|\bbelow|将近|接近|不到",
}
_HEDGES = {hedge: re.compile(rf"(?:{words})[\s$€£]*$", re.IGNORECASE) for hedge, words in _HEDGE_WORDS.items()}
_RANGE = re.compile(r"\s*(?:[-–—~～至到]|to|and|or|和)\s*(?:[+$€£]|US\$)?", re.IGNORECASE)
_ENCLOSED = re.compile(r"\s*[$€£¥]?\s?\([^()]*\)[\s*†‡§¶%]*(?:\[\d+\])?\s*")


@dataclass(frozen=True)
class _Reading:
    """The digits of a number and what stands around them."""

    digits: re.Match[str]
    before: re.Match[str] | None
    after: re.Match[str] | None

    def part(self, name: str, side: str = "after") -> str:
        """A named part beside the digits in lower case, or ''."""
        match = self.after if side == "after" else self.before
        return ((match and match[name]) or "").lower()


def find_numbers(text: str, *, bare: bool = False) -> tuple[Number, ...]:
    """The figures of a text in order: numbers with a unit, with `bare` those without one, too, but no years.

    Never figures: years, dates, names of forms and items, ids (`#7`), accession numbers, addresses, list numbering.
    """
    numbers = _every_number(text, text.translate(_SAME_LENGTH))
    return tuple(number for number in numbers if _has_unit(number) or (bare and not is_year(number.text)))


def find_in_cell(text: str) -> tuple[Number, ...]:
    """The figures of a table's cell: its own number, with a unit or without, and what else has a unit.

    A number in parentheses is negative there.
    """
    plain = text.translate(_SAME_LENGTH)
    return tuple(_in_cell(plain, _every_number(text, plain)))


def _every_number(text: str, plain: str) -> Sequence[Number]:
    if not any(character.isdigit() for character in plain):
        return ()
    return tuple(_with_ranges(plain, list(_all_numbers(text, plain))))


def _has_unit(number: Number) -> bool:
    return number.unit != "plain" or number.scaled


def _in_cell(plain: str, numbers: Sequence[Number]) -> Iterator[Number]:
    for index, number in enumerate(numbers):
        if index == 0 and number.value > 0 and _ENCLOSED.fullmatch(plain):
            yield replace(number, value=-number.value)
        elif _has_unit(number) or (index == 0 and not is_year(number.text)):
            yield number


def _all_numbers(text: str, plain: str) -> Iterator[Number]:
    excluded = list(excluded_spans(plain))
    at = 0
    for digits in _DIGITS.finditer(plain):
        while at < len(excluded) and excluded[at][1] <= digits.start():
            at += 1
        if at < len(excluded) and excluded[at][0] < digits.end():
            continue
        number = _read(text, plain, digits)
        if number:
            yield number


def _read(text: str, plain: str, digits: re.Match[str]) -> Number | None:
    tail = plain[max(0, digits.start() - _TAIL) : digits.start()]
    reading = _Reading(digits, _BEFORE.search(tail), _AFTER.match(plain, digits.end()))
    if len(digits.group()) > _MAX_DIGITS or not _stands_alone(plain, tail, reading):
        return None
    currency = reading.part("currency", "before") or reading.part("currency")
    scale = _scale(reading, has_currency=bool(currency))
    if scale is None:
        return None
    unit, power = _unit(plain, tail, reading, has_currency=bool(currency))
    start, end = _span(plain, reading, unit)
    exponent = scale + power
    value = Decimal(digits.group().replace(",", "")).scaleb(exponent)
    decimals = len(digits.group().partition(".")[2])
    return Number(
        start,
        end,
        text[start:end],
        -value if _is_negative(reading) else value,
        Decimal(1).scaleb(exponent - decimals),
        unit,
        CURRENCIES.get(currency, ""),
        scaled=any(reading.part(name) for name in ("scale", "letter", "last")),
        signed=bool(reading.part("sign", "before") or reading.part("late", "before")),
        hedge=_hedge(tail[: len(tail) - (digits.start() - start)]),
    )


def _stands_alone(plain: str, tail: str, reading: _Reading) -> bool:
    """No part of a word: `Q3`, `A100`, `5G`, `Covid-19`, `1st`."""
    currency = reading.part("currency", "before")
    before = tail[-1:]
    if before.isascii() and before.isalpha() and not currency:
        return False
    signed = reading.part("sign", "before") or reading.part("late", "before")
    if before == "-" and not signed and tail[-2:-1].isascii() and tail[-2:-1].isalpha():
        return False
    end = reading.after.end() if reading.after else reading.digits.end()
    following = plain[end : end + 1]
    return not (end == reading.digits.end() and following.isascii() and (following.isalpha() or following == "_"))


def _scale(reading: _Reading, *, has_currency: bool) -> int | None:
    """The power of ten that is written; None where a letter makes it something else (3M, 4K)."""
    letter = reading.part("letter")
    if not letter:
        word = reading.part("scale") or reading.part("last")
        return SCALES[word] if word else 0
    if not has_currency and (letter == "k" or reading.digits.group() == "3"):
        return None
    return SCALE_LETTERS[letter]


def _unit(plain: str, tail: str, reading: _Reading, *, has_currency: bool) -> tuple[Unit, int]:
    word = reading.part("unit")
    if word:
        return UNITS[word]
    end = reading.after.end() if reading.after else reading.digits.end()
    if has_currency:
        per_share = PER_SHARE.match(plain, end) or _PER_SHARE_BEFORE.search(tail)
        return ("per_share" if per_share else "money"), 0
    if reading.part("scale") and _SHARES_LATER.match(plain, end):
        return "shares", 0
    return "plain", 0


def _span(plain: str, reading: _Reading, unit: Unit) -> tuple[int, int]:
    """From sign or currency to scale or unit."""
    before = reading.before.group().lstrip() if reading.before else ""
    end = reading.after.end() if reading.after else reading.digits.end()
    if not _in_parentheses(reading):
        before = before.removeprefix("(").lstrip()
        end -= plain[end - 1] == ")"
    start = reading.digits.start() - len(before)
    if unit == "per_share" and (per_share := PER_SHARE.match(plain, end)):
        end = per_share.end()
    return start, end


def _is_negative(reading: _Reading) -> bool:
    """A minus, or parentheses that only accounts put around a number: $(1,234), (1,234) million, (12.5)%."""
    if any(reading.part(name, "before") in ("-", "–", "—", "负", "negative ", "minus ") for name in ("sign", "late")):
        return True
    return _in_parentheses(reading)


def _in_parentheses(reading: _Reading) -> bool:
    """Whether there are parentheses that mean minus."""
    if not reading.part("close"):
        return False
    if reading.part("inner", "before"):
        return True
    return bool(reading.part("open", "before")) and any(reading.part(name) for name in ("scale", "letter", "unit"))


def _hedge(tail: str) -> Hedge:
    return next((hedge for hedge, words in _HEDGES.items() if words.search(tail)), "")


def _with_ranges(plain: str, numbers: Sequence[Number]) -> Iterable[Number]:
    """In `10–12 %` and `$10 to $12 billion` the first number has the unit and scale of the second."""
    found = list(numbers)
    for index, (left, right) in enumerate(pairwise(numbers)):
        if is_year(left.text) or not _RANGE.fullmatch(plain[left.end : right.start]):
            continue
        if left.unit in ("plain", "money"):
            found[index] = _like(found[index], right)
        if found[index].currency and right.unit == "plain":
            found[index + 1] = replace(right, unit="money", currency=found[index].currency)
    return found


def _like(left: Number, right: Number) -> Number:
    """The first number of a range with what only the second one says."""
    if left.scaled or (left.unit == "money" and right.unit not in ("money", "plain")):
        return left
    power = _power(right)
    unit = right.unit if left.unit == "plain" else left.unit
    return replace(
        left,
        value=left.value.scaleb(power),
        step=left.step.scaleb(power),
        unit=unit,
        currency=left.currency or right.currency,
        scaled=right.scaled,
    )


def _power(number: Number) -> int:
    """The power of ten between the digits as written and the value."""
    match = _DIGITS.search(number.text.translate(_SAME_LENGTH))
    decimals = len(match.group().partition(".")[2]) if match else 0
    return number.step.adjusted() + decimals
