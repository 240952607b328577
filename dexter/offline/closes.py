"""Which closing prices a question means: prices go by the calendar, whatever a company's fiscal year."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Sequence

from dexter.offline.when import FULL_YEAR, Label, When
from dexter.results import Cell

_MONTHS = {"annual": 12, "quarterly": 3, "ttm": 12}
_LAST_MONTH = {"Q1": 3, "Q2": 6, "Q3": 9, "Q4": 12, "H1": 6, "H2": 12, "9M": 9, FULL_YEAR: 12}
_FIRST_MONTH = {"Q1": 1, "Q2": 4, "Q3": 7, "Q4": 10, "H1": 1, "H2": 7, "9M": 1, FULL_YEAR: 1}


def chosen_closes(when: When, closes: Sequence[Cell]) -> list[Cell]:
    """Of `closes`, newest first, those that are meant; all of them where nothing was said.

    Days and months give one close each; periods all closes from the eve of the first to the end of the last.
    """
    if when.ends:
        return _on_days(when.ends, closes)
    if when.labels and when.at_end:
        return _on_days(
            [f"{label.year}-{_LAST_MONTH[label.period]:02d}" for label in when.labels if label.year], closes
        )
    if when.labels:
        return _in_labels(when.labels, closes, since=when.since)
    if when.basis:
        months = _MONTHS[when.basis] * (when.newest or 1)
        return list(closes[: months + 1])
    return list(closes)


def priced_on(when: When) -> str:
    """The last day (ISO) of what is named, on which multiples are to rest; '' where nothing is."""
    ends = [day if len(day) > len("YYYY-MM") else _month_end(day) for day in when.ends]
    ends += [_month_end(_last_month(label)) for label in when.labels if label.year]
    return max(ends, default="")


def _last_month(label: Label) -> str:
    return f"{label.year}-{_LAST_MONTH[label.period]:02d}"


def _month_end(month: str) -> str:
    year, number = (int(part) for part in month.split("-"))
    return f"{month}-{monthrange(year, number)[1]}"


def _on_days(days: Sequence[str], closes: Sequence[Cell]) -> list[Cell]:
    """The last close on or before each day, or in each month."""
    found = {
        close.period_end: close
        for day in days
        if (close := next((cell for cell in closes if cell.period_end <= day + "~"), None))
    }
    return [found[day] for day in sorted(found, reverse=True)]


def _in_labels(labels: Sequence[Label], closes: Sequence[Cell], *, since: bool) -> list[Cell]:
    dated = [label for label in labels if label.year]
    if not dated:
        return list(closes)
    first = min(f"{label.year}-{_FIRST_MONTH[label.period]:02d}" for label in dated)
    last = "9999" if since else max(map(_last_month, dated))
    inside = [cell for cell in closes if first <= cell.period_end[:7] <= last]
    eve = next((cell for cell in closes if cell.period_end[:7] < first), None)
    return [*inside, *([eve] if eve and inside else [])]
