"""Reads the periods a question names: labels, the newest few, twelve months, days, in English and Chinese.

Only what is said is read here; `spans.py` finds the periods of a company that it means.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from dexter.data.provider import Period
from dexter.figures.lexicon import Mention, blanked
from dexter.offline import period_patterns as patterns
from dexter.offline.when import FULL_YEAR, NOT_SAID, Label, When


@dataclass
class _Found:
    """What has been read so far, and the text without it."""

    text: str
    when: When = NOT_SAID
    labels: list[tuple[Mention, Label]] = field(default_factory=list)

    def take(self, pattern: re.Pattern[str], use: Callable[[re.Match[str]], None]) -> None:
        """Hand every match to `use` and blank it out."""
        matches = list(pattern.finditer(self.text))
        for match in matches:
            use(match)
        self.text = blanked(self.text, (Mention("", *match.span()) for match in matches))

    def note(self, **changes: object) -> None:
        self.when = replace(self.when, **changes)  # type: ignore[arg-type]


def read_when(text: str) -> tuple[When, str]:
    """The periods named in a text in lower case, and the text without them."""
    found = _Found(text)
    found.note(calendar=bool(patterns.CALENDAR.search(text)))
    found.take(patterns.TTM, lambda _: found.note(basis="ttm"))
    if found.when.basis == "ttm":
        found.take(patterns.FOUR_QUARTERS, lambda _: None)
    _read_days(found)
    _read_labels(found)
    _read_counts(found)
    for pattern, basis in patterns.BASIS:
        found.take(pattern, lambda _, basis=basis: found.note(basis=found.when.basis or basis))  # type: ignore[misc]
    _settle_labels(found, text)
    if found.when.calendar and found.when.labels and all(label.period == FULL_YEAR for label in found.when.labels):
        found.note(basis="ttm")
    return found.when, found.text


def _read_days(found: _Found) -> None:
    days: list[tuple[int, str]] = []
    for pattern, order in patterns.DAYS:
        found.take(pattern, lambda match, order=order: days.append((match.start(), _day(match, order))))  # type: ignore[misc]
    ends = tuple(day for _, day in sorted(days))
    as_of = ends[0] if len(ends) == 1 and len(ends[0]) > len("YYYY-MM") and patterns.AS_OF.search(found.text) else ""
    found.note(ends=ends, as_of=as_of)


def _day(match: re.Match[str], order: Sequence[int]) -> str:
    parts = [match.group(group) for group in order]
    numbers = [patterns.MONTHS.index(part[:3]) + 1 if part[:3] in patterns.MONTHS else int(part) for part in parts]
    return "-".join([str(numbers[0]), *(f"{number:02d}" for number in numbers[1:])])


def _read_labels(found: _Found) -> None:
    def add(match: re.Match[str], label: Label) -> None:
        found.labels.append((Mention("", *match.span()), label))

    for pattern, kind in patterns.HALVES:
        found.take(pattern, lambda match, kind=kind: add(match, _half(match, kind)))  # type: ignore[misc]
    found.take(patterns.NINE_MONTHS, lambda match: add(match, Label(_year(match.group(1)), "9M")))
    for pattern, quarter, year in patterns.QUARTERS:
        found.take(
            pattern,
            lambda match, quarter=quarter, year=year: add(  # type: ignore[misc]
                match, Label(_year(match.group(year)), f"Q{_number(match.group(quarter))}")
            ),
        )
    for pattern in patterns.YEARS:
        found.take(pattern, lambda match: add(match, Label(_year(match.group(1) or match.group(match.lastindex or 1)))))
    found.take(patterns.SHORT_RANGE, lambda match: found.labels.append((_said(match), Label(_year(match.group(1))))))
    for pattern, part in patterns.PART_WORDS:
        found.take(pattern, lambda _, part=part: _make_parts(found, part))  # type: ignore[misc]
    for pattern in patterns.BARE_QUARTER:
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
    for pattern in patterns.COUNTS:
        found.take(pattern, lambda match: _use_count(found, _number(match.group(1)), match.group(2)))
    found.take(patterns.DECADE, lambda _: found.note(newest=10, basis="annual"))
    for pattern, basis in patterns.ONE:
        found.take(pattern, lambda _, basis=basis: _use_newest(found, basis))  # type: ignore[misc]


def _use_newest(found: _Found, basis: Period) -> None:
    """The newest year or quarter; "each quarter of this year" means four of them."""
    if basis == "annual" and patterns.EACH_QUARTER.search(found.text):
        found.note(newest=patterns.QUARTERS_PER_YEAR, basis="quarterly")
    else:
        found.note(newest=found.when.newest or 1, basis=basis)


def _use_count(found: _Found, count: int, unit: str) -> None:
    if unit == "month":
        found.note(newest=max(1, count // patterns.MONTHS_PER_QUARTER), basis="quarterly")
    elif unit.startswith("quarter") or "季" in unit:
        found.note(newest=count, basis="quarterly")
    elif re.search(r"\bquarter(?:ly|s)?\b|季", found.text):
        found.note(newest=count * patterns.QUARTERS_PER_YEAR, basis="quarterly")
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
    before, between, after = text[: first.start], text[first.end : last.start], text[last.end :].lstrip()
    a_range = patterns.FROM_TO.fullmatch(between) or (
        patterns.BETWEEN.search(before) and patterns.AND.fullmatch(between)
    )
    through = len(labels) == 2 and bool(a_range)  # noqa: PLR2004 - a range has two ends
    since = bool(patterns.SINCE.search(before)) or after.startswith(("以来", "onward", "起"))
    at_end = bool(patterns.AT_END.search(before)) or after.startswith(("底", "末", "year-end", "year end"))
    found.note(labels=tuple(labels), through=through, since=since and not through, at_end=at_end)
    if found.when.basis is None:
        found.note(basis=_basis_of(labels))


def with_year_before(when: When, text: str) -> When:
    """The periods with those a year before them, where a text in lower case asks for "2024 and the year before"."""
    if not patterns.AND_THE_YEAR_BEFORE.search(text):
        return when
    return replace(when, labels=tuple(near for label in when.labels for near in (_year_before(label), label)))


def _year_before(label: Label) -> Label:
    return replace(label, year=label.year - 1) if label.year else label


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
    return int(said) if said.isdecimal() else patterns.NUMBERS[said]
