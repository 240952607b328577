"""Which runs of a list are wanted: by date, model, company, how they ended."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from dexter.errors import UsageError
from dexter.scratchpad.runs import RunSummary

STATUSES = ("answered", "incomplete", "failed", "interrupted", "terminated", "hung up", "running", "cut off")
_AGE = re.compile(r"(\d{1,5})([hdw])")
_HOURS = {"h": 1, "d": 24, "w": 24 * 7}

FindTickers = Callable[[str], frozenset[str]]
"""The tickers of the companies a question speaks of."""


@dataclass(frozen=True)
class Wanted:
    """What a run must be; '' and None: anything. Days are ISO (YYYY-MM-DD) in UTC, both inclusive."""

    since: str = ""
    until: str = ""
    model: str = ""
    status: str = ""
    ticker: str = ""

    def __post_init__(self) -> None:
        for day in filter(None, (self.since, self.until)):
            _check_day(day)
        if self.status and _spoken(self.status) not in STATUSES:
            raise UsageError(f"No run ends {self.status!r}.", remedy=f"Known: {', '.join(STATUSES)}.")

    def takes(self, run: RunSummary, find_tickers: FindTickers) -> bool:
        """Whether a run is wanted."""
        day = run.started[: len("2026-11-30")]
        return (
            (not self.since or day >= self.since)
            and (not self.until or day <= self.until)
            and self.model.casefold() in run.model.casefold()
            and (not self.status or _spoken(run.status) == _spoken(self.status))
            and (not self.ticker or self.ticker.upper() in find_tickers(run.question))
        )


def _spoken(status: str) -> str:
    return status.replace("_", " ").replace("-", " ").casefold()


def _check_day(day: str) -> None:
    try:
        good = date.fromisoformat(day).isoformat() == day
    except ValueError:
        good = False
    if not good:
        raise UsageError(f"{day!r} is no day.", remedy="Write it like 2026-11-30.")


def before(age: str, now: datetime) -> datetime:
    """The moment that lies an age such as `30d`, `12h` or `8w` before `now`.

    Raises:
        UsageError: it is no age.
    """
    match = _AGE.fullmatch(age.strip())
    if match is None:
        raise UsageError(f"{age!r} is no age.", remedy="Write it like 30d, 12h or 8w.")
    return now.astimezone(UTC) - timedelta(hours=int(match[1]) * _HOURS[match[2]])


def is_older(run: RunSummary, moment: datetime) -> bool:
    """Whether a run's file was last written to before a moment. One that is being worked on is not."""
    return run.status != "running" and run.path.stat().st_mtime < moment.timestamp()


def tickers_in(question: str) -> frozenset[str]:
    """The tickers of the listed companies that a question surely or likely speaks of."""
    from dexter.data.identity.mentions import find_companies
    from dexter.data.sample.directory import packaged_directory

    mentions = find_companies(question, packaged_directory())
    return frozenset(
        company.ticker.upper() for mention in mentions if mention.certainty != "unsure" for company in mention.companies
    )
