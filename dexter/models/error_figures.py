"""The figures an error states: how much was sent, how much is allowed, how long to wait.

Read only where the kind is known to be about size or rate, so that a column number is never taken for a token count.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

# "128k", "200,000", "1_048_576"; not the "2024" of "2024-10-21" nor a version.
_N = r"(?<![\w.-])(\d[\d,_]*(?:\.\d+)?[km]?)(?!\d|[\w]*-\d)"


def _any(*patterns: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern.replace("{N}", _N)) for pattern in patterns)


# Everything that counts against the limit, in the order of trust.
_TOTAL = _any(
    r"(?:for )?a total of(?: at least)? {N}",
    r"{N}\W{0,3}(?:tokens?|bytes|characters)?\W{0,3}>=?\W{0,3}(?:n_ctx\W{1,3})?\d",
    r"n_(?:prompt_tokens|keep)\W{1,4}{N}",
    r"requested(?: tokens| about)?\W{1,3}{N}(?! (?:\w+ )?(?:output|completion))",
    r"(?:resulted in|contains|has|current length is|current\W|received|got(?: a string with length)?"
    r"|keep the first|used)"
    r"(?: at least| about)? {N}(?! (?:output|draft|in the))",
    r"(?:count|prompt|request|input|tokens|size|length)(?: of| is)? ?\(?{N}(?: (?:tokens|bytes))?\)? ?(?:exceed"
    r"|is (?:longer|greater|larger|too))",
    r"too long: {N}",
    r"(?:count|length|size) (?:is|was|of) {N}(?: tokens)?,? (?:but|while|and)",
    r"{N} tokens(?: long)?\b[^.;]{0,30}?(?:more|longer|larger|greater) than",
    r"your (?:prompt|request|input|messages?)(?: is| was| of|\W) {N}",
)
# Input alone, where output room was asked for beside it.
_INPUT = _any(
    r"{N} (?:`?inputs`? tokens|input tokens(?! per)|in (?:the|your) (?:messages|prompt|input))",
    r"{N} \+ \d",
    r"> \d[\d,]* - {N}",
    r"given\W{1,3}{N}",
)
_OUTPUT = _any(
    r"{N} (?:output tokens|(?:in|for) the (?:completion|output)|completion tokens|`?max_new_tokens`?)",
    r"\d \+ {N}",
    r"{N} > \d[\d,]* - \d",
)
_LIMIT = _any(
    r"\d \+ \d[\d,]* > {N}",
    r"\d > {N} - \d",
    r"max(?:imum)? (?:\w+ ){0,3}?(?:length|len|tokens|size|window|limit)(?: limit)? ?(?:is|of|:|=)? ?(?:only )?\(?{N}",
    r"(?:context|ctx)[ _-]?(?:length|window|size|limit|budget) ?(?:is|of|limit|limit is|:)? ?(?:only )?\(?{N}",
    r"n_ctx\W{1,4}{N}",
    r"{N}[ -]tokens? (?:context|window)",
    r">=?\W{0,3}{N}",
    r"(?:allowed|<=|at most|less than|fewer than|cannot exceed|up to|maximum of|max of|max size:?|limit is"
    r"|limited to) \(?{N}",
    r"\[\d+, ?{N}\]",
    r"limit(?:ed)?(?: of| for this model is)?[\s:=]{1,3}{N}",  # not "exceeds limit (2013)", which is an error code
    r"{N} (?:maximum|limit|max)\b",
    r"max(?:imum)?(?: organization| project)? ?(?:rpm|tpm|tpd|rpd)?\W{1,3}{N}",
    r"{N} (?:input |output )?(?:tokens|requests) per",
)
# Numbers that are sizes: not statuses, error codes, waits, ports, money or parts of a name.
_SIZE = re.compile(
    r"(?<![\w.$:/#-])(?<!code )(?<!status )(?<!error )(\d[\d,_]*\d(?:\.\d+)?[km]?)\b(?!>|\.\d|[\w.]*-\d)"
    r"(?! ?(?:ms|s|sec|seconds?|min|minutes?|hours?|days?|%|status|error|requests?|images?|items|usd|[kmg]i?b)\b)"
    r"( ?(?:\w+ )?(?:tokens?|characters|bytes))?"
)
_BOUND = re.compile(
    r"(?:max\w*|limit\w*|at most|up to|only|<=?|(?:less|fewer|more|larger|longer|greater) than|window|context|allow\w*"
    r"|take|handle|supports?|accepts?|exceed\w*|over|ctx|capacity|cap|budget|erlaubt|上限|最大|限制)\W+(?:\w+\W+){0,5}$"
)
_FOR_ANSWER = re.compile(r"(?:output|completion|generat\w+|answer)\W+(?:\w+\W+){0,2}$")
_BARE_LEAST = 1_000  # a smaller number without its unit may be a status or a count of anything

_RETRY_AFTER = re.compile(
    r"(?:retry|retrying|again|wait|reset|resets|available)\w*(?: after| in| for| at least)? "
    r"((?:\d+(?:\.\d+)? ?(?:ms|milliseconds?|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?"
    r"|d)(?![a-z]) ?(?:and )?)+)"
    r"|retrydelay\W{1,4}(\d+(?:\.\d+)?s)"
)
_DURATION = re.compile(r"(\d+(?:\.\d+)?) ?(ms|milli|s|m|h|d)")
_SECONDS = {"ms": 0.001, "milli": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86_400.0}
_DIGITS = 30  # no size has more; a text may
_SCALE = {"k": 1_000, "m": 1_000_000}


@dataclass(frozen=True)
class Figures:
    """What the text says was sent (`used`, of which `output` is room for the answer) and what is allowed (`limit`)."""

    used: int | None = None
    limit: int | None = None
    output: int | None = None


def read_figures(text: str) -> Figures:
    """Read the figures of a lower-cased message; None for each that is not there."""
    text = _plain_numbers(text)
    output = _first(_OUTPUT, text)
    given = _first(_INPUT, text)
    total = _first(_TOTAL, text)
    if given is not None and (total is None or total == given or _is_sum(text)):
        total = given + (output or 0)
    limit = _first(_LIMIT, text)
    return Figures(total, limit, output)


@dataclass(frozen=True)
class _Size:
    """A number that is a size, with what stands before it in its sentence; `bare`: in brackets, without its unit."""

    value: int
    before: str
    bare: bool

    @property
    def is_bound(self) -> bool:
        return bool(_BOUND.search(self.before))


def compare_sizes(sentences: Iterable[str]) -> Figures:
    """The sizes that are set against each other: of an overflow the larger was sent, the smaller is allowed.

    Of three, two may be the parts of what was sent. One alone is the limit if it is called one.
    """
    sizes = _sizes(sentences)
    measured = [size for size in sizes if not size.before.endswith(" by ")]  # not "exceeded by 512 tokens"
    bounds = [size for size in measured if size.is_bound]
    if len(measured) < len(sizes):
        return Figures(limit=bounds[0].value if bounds else None)
    match sizes:
        case [one]:
            return Figures(limit=one.value if one.is_bound and not one.bare else None)  # not "exceeds limit (2013)"
        case [one, other]:
            return Figures(max(one.value, other.value), min(one.value, other.value))
        case [_, _, last] if bounds and " + " in last.before:
            return _sum_against(bounds[-1], sizes)
    return Figures()


def _sizes(sentences: Iterable[str]) -> list[_Size]:
    found: dict[int, _Size] = {}
    for sentence in map(_plain_numbers, sentences):
        for number in _SIZE.finditer(sentence):
            value, before, unit = _number(number[1]), sentence[: number.start()], number[2]
            bare = before.endswith("(") and sentence[number.end() :].startswith(")")
            if value >= _BARE_LEAST or unit:
                found.setdefault(value, _Size(value, before, bare))
    return list(found.values())


def _sum_against(bound: _Size, sizes: list[_Size]) -> Figures:
    parts = [size for size in sizes if size is not bound]
    output = next((part.value for part in parts if _FOR_ANSWER.search(part.before)), None)
    return Figures(sum(part.value for part in parts), bound.value, output)


def read_retry_after(text: str) -> float | None:
    """Seconds to wait as the text states them ("try again in 1m30s"), or None."""
    found = _RETRY_AFTER.search(text)
    if not found:
        return None
    parts = _DURATION.findall(found.group(1) or found.group(2))
    return sum(float(amount) * _SECONDS[unit] for amount, unit in parts)


def _plain_numbers(text: str) -> str:
    """The text with "131.072 tokens", "131 072 tokens" and "32 MB" written out."""
    text = re.sub(r"(?<![\w.,-])(\d{1,3})[.\u00a0\u202f ](\d{3})(?= ?tokens?\b)", r"\1\2", text)
    return re.sub(r"\b(\d+) ?([kmg])i?b\b", lambda m: f"{int(m[1]) * 1_000 ** ('kmg'.index(m[2]) + 1)} bytes", text)


def _is_sum(text: str) -> bool:
    return bool(re.search(r"\d \+ \d[\d,]* >|\d > \d[\d,]* - \d", text))


def _first(patterns: tuple[re.Pattern[str], ...], text: str) -> int | None:
    for pattern in patterns:
        found = pattern.search(text)
        if found:
            return _number(found.group(1))
    return None


def _number(text: str) -> int:
    plain = text.replace(",", "").replace("_", "")[:_DIGITS]
    return round(float(plain.rstrip("km")) * _SCALE.get(plain[-1], 1))
