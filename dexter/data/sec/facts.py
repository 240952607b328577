"""Every figure a company has filed in XBRL, each with the day it was filed; nothing is overwritten by a later one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, Literal, NamedTuple, TypeVar, cast

from dexter.data.sec.dates import day_number

Measure = Literal["money", "per_share", "shares", "pure"]
Span = tuple[str, str]  # first and last day (ISO); the first is '' for a figure at a point in time
Vintages = Sequence["Fact"]  # one figure as filed again and again, oldest filing first
Row = Mapping[str, Any]
Units = Mapping[str, Sequence[Row]]
T = TypeVar("T")

ANNUAL_FORMS = frozenset({"10-K", "10-K/A", "10-KT", "10-KT/A", "20-F", "20-F/A", "40-F", "40-F/A"})
INTERIM_FORMS = frozenset({"10-Q", "10-Q/A", "10-QT", "10-QT/A", "6-K", "6-K/A"})
#: Proxies and prospectuses round, and an 8-K may recast what no periodic report has: neither is read.
FORMS = ANNUAL_FORMS | INTERIM_FORMS

_CURRENCY = re.compile(r"[A-Z]{3}")
_LARGEST = 19  # digits before the point: more than any balance sheet has in any currency
_SMALLEST = -12
_FILING_LAG = 7  # days a period may end after its filing: some are dated to the end of the month
_CURRENCY_TAGS = ("Assets", "NetIncomeLoss", "ProfitLoss", "StockholdersEquity", "Equity", "Revenues", "Revenue")


class Fact(NamedTuple):
    """One figure in one filing. `tag` is qualified (`us-gaap:Revenues`); `start` is '' at a point in time."""

    tag: str
    unit: str
    start: str
    end: str
    value: Decimal
    accession: str
    form: str
    filed: str

    @property
    def span(self) -> Span:
        """First and last day."""
        return self.start, self.end


class FactStore:
    """The facts of one company by tag, measure and span. Built once, read by many questions.

    `currency` is the company's own; facts in another are translations for convenience and are not given.
    """

    def __init__(
        self, name: str, cik: int, currency: str, read: Callable[[str, Measure], Mapping[Span, Vintages]]
    ) -> None:
        self.name = name
        self.cik = cik
        self.currency = currency
        self._read = read
        self._known: dict[tuple[str, Measure], Mapping[Span, Vintages]] = {}
        self._ending: dict[tuple[str, Measure], Mapping[str, Sequence[Span]]] = {}
        self._results: dict[tuple[object, ...], Any] = {}

    def series(self, tag: str, measure: Measure) -> Mapping[Span, Vintages]:
        """Every span of a tag with its vintages; empty where the company does not use the tag."""
        key = (tag, measure)
        if key not in self._known:
            self._known[key] = self._read(tag, measure)
        return self._known[key]

    def ending(self, tag: str, measure: Measure, day: str) -> Sequence[Span]:
        """The spans of a tag, not points in time, that end on `day`; the ones more often filed first."""
        key = (tag, measure)
        if key not in self._ending:
            self._ending[key] = _by_end(self.series(tag, measure))
        return self._ending[key].get(day, ())

    def once(self, work: Callable[..., T], *arguments: str) -> T:
        """The result of `work` on this store, which is done the first time only."""
        key = (work, *arguments)
        if key not in self._results:
            self._results[key] = work(self, *arguments)
        return cast("T", self._results[key])

    def known_by(self, day: str) -> FactStore:
        """The same company without what was filed after `day` (ISO); '' is the store itself."""
        if not day:
            return self

        def read(tag: str, measure: Measure) -> Mapping[Span, Vintages]:
            return dict(_filed_by(day, self.series(tag, measure)))

        return FactStore(self.name, self.cik, self.currency, read)


def fact_store(data: Any) -> FactStore:
    """A store from one response of the SEC's companyfacts, parsed with exact decimals.

    Tags without units are left out, and rows that are no figures of a periodic report: other forms, broken or
    impossible dates, values that are no numbers or of an impossible size. The order and number of repetitions of rows
    make no difference.

    Raises:
        ValueError: the data has not the shape of company facts.
    """
    try:
        tags = {
            f"{taxonomy}:{tag}": body["units"]
            for taxonomy, bodies in data["facts"].items()
            for tag, body in bodies.items()
            if isinstance(body, Mapping) and isinstance(body.get("units"), Mapping)
        }
        # By way of text: 1e999999999 is a number that takes all memory as an integer.
        name, cik = str(data.get("entityName") or ""), int(str(data["cik"]))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ValueError("not the shape of company facts") from error
    currency = _own_currency(tags)

    def read(tag: str, measure: Measure) -> Mapping[Span, Vintages]:
        return _index(tag, _units_of(tags.get(tag, {}), measure, currency))

    return FactStore(name, cik, currency, read)


def measure_of(unit: str) -> Measure:
    """What a unit measures; filers write a ratio as `pure`, `Rate`, `Percent` or worse."""
    if _CURRENCY.fullmatch(unit):
        return "money"
    if "/" in unit:
        return "per_share"
    return "shares" if unit.lower() == "shares" else "pure"


def _units_of(units: Units, measure: Measure, currency: str) -> Iterator[tuple[str, Sequence[Row]]]:
    for unit, rows in units.items():
        foreign = measure in {"money", "per_share"} and unit.partition("/")[0] != currency
        if measure_of(unit) == measure and not foreign and isinstance(rows, list):
            yield unit, rows


def _own_currency(tags: Mapping[str, Units]) -> str:
    """The currency of most core figures, the one used latest on a tie: USD where there are none."""
    votes: dict[str, tuple[int, str]] = {}
    for tag in _CURRENCY_TAGS:
        for unit, rows in (*tags.get(f"us-gaap:{tag}", {}).items(), *tags.get(f"ifrs-full:{tag}", {}).items()):
            if measure_of(unit) == "money" and isinstance(rows, list):
                count, latest = votes.get(unit, (0, ""))
                ends = [str(row["end"]) for row in rows if isinstance(row, Mapping) and "end" in row]
                votes[unit] = (count + len(ends), max([latest, *ends]))
    return max(votes, key=lambda unit: (*votes[unit], unit), default="USD")


def _index(tag: str, units: Iterable[tuple[str, Sequence[Row]]]) -> Mapping[Span, Vintages]:
    spans: dict[Span, dict[tuple[str, str], Fact]] = {}
    for unit, rows in units:
        for row in rows:
            fact = _fact(tag, unit, row)
            if fact is None:
                continue
            filings = spans.setdefault((fact.start, fact.end), {})
            twin = filings.setdefault((fact.filed, fact.accession), fact)
            if twin is not fact:
                filings[fact.filed, fact.accession] = max(twin, fact, key=_exactness)
    return {span: [filings[key] for key in sorted(filings)] for span, filings in spans.items()}


def _exactness(fact: Fact) -> tuple[int, Decimal]:
    """Where one filing gives a figure twice, the one with more digits is it."""
    return len(fact.value.normalize().as_tuple().digits), fact.value


def _fact(tag: str, unit: str, row: Row) -> Fact | None:
    try:
        form, start, end = row["form"], row.get("start") or "", row["end"]
        accession, filed, value = row["accn"], row["filed"], _number(row["val"])
    except (KeyError, TypeError, AttributeError):
        return None
    if value is None or not all(isinstance(text, str) for text in (form, start, end, accession, filed)):
        return None
    if form not in FORMS or not _possible(start, end, filed):
        return None
    return Fact(tag, unit, start, end, value, accession, form, filed)


def _number(value: object) -> Decimal | None:
    if isinstance(value, Decimal):
        number = value
    elif isinstance(value, int) and not isinstance(value, bool):
        number = Decimal(value)
    else:
        return None
    size = number.adjusted() if number else 0
    return number if number.is_finite() and _SMALLEST <= size < _LARGEST else None


def _possible(start: str, end: str, filed: str) -> bool:
    last, day = day_number(end), day_number(filed)
    first = day_number(start) if start else 1
    return 0 < first < last + (not start) and last <= day + _FILING_LAG


def _by_end(series: Mapping[Span, Vintages]) -> Mapping[str, Sequence[Span]]:
    ends: dict[str, list[Span]] = {}
    for span in series:
        if span[0]:
            ends.setdefault(span[1], []).append(span)
    for spans in ends.values():
        spans.sort(key=lambda span: (-len(series[span]), span))
    return ends


def _filed_by(day: str, series: Mapping[Span, Vintages]) -> Iterator[tuple[Span, Vintages]]:
    for span, facts in series.items():
        known = tuple(fact for fact in facts if fact.filed <= day)
        if known:
            yield span, known
