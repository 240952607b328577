"""Form 13F: what an institutional manager held at the end of a quarter."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import TYPE_CHECKING

from dexter.data.filings.amounts import decimal_or_none, is_true, iso_date
from dexter.data.filings.xml import child_text, find, find_all, parse_xml

if TYPE_CHECKING:
    from lxml import etree

DOLLARS_SINCE = "2023-01-03"
"""Filings from this day on state values in dollars; earlier ones in thousands of dollars."""

_PLAUSIBLE_PRICE = (Decimal(1), Decimal(5000))  # the median dollars a share of any real portfolio lie between


@dataclass(frozen=True, slots=True)
class Holding:
    """One line of the information table. `value` is in US dollars whatever the filing's unit; `quantity` is in `kind`.

    `kind` is SH (shares) or PRN (principal amount of a bond). `option` is put or call, '' for the security itself: for
    an option, value and quantity are those of the underlying shares.
    """

    issuer: str
    title: str
    cusip: str
    value: Decimal | None
    quantity: Decimal | None
    kind: str = "SH"
    option: str = ""
    discretion: str = ""
    votes_sole: Decimal | None = None
    votes_shared: Decimal | None = None
    votes_none: Decimal | None = None
    figi: str = ""


@dataclass(frozen=True, slots=True)
class CoverPage:
    """Who files and for when. `amendment` is '', 'RESTATEMENT' or 'NEW HOLDINGS'; totals are as stated, in its unit."""

    form: str
    manager: str
    cik: int | None
    period: str
    report_type: str = ""
    amendment: str = ""
    amendment_number: int | None = None
    entries: int | None = None
    total: Decimal | None = None
    other_managers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class HoldingsReport:
    """A 13F: cover page, lines, and what does not fit together in `notes`."""

    cover: CoverPage
    holdings: tuple[Holding, ...]
    accession: str = ""
    filed: str = ""
    notes: tuple[str, ...] = ()

    @property
    def total(self) -> Decimal:
        """The sum of the values given, in US dollars."""
        return sum((holding.value for holding in self.holdings if holding.value is not None), Decimal(0))


def read_cover(content: bytes) -> CoverPage:
    """Read `primary_doc.xml`.

    Raises:
        ProviderError: Not such a document.
    """
    root = parse_xml(content, "edgarSubmission", name="The 13F cover page")
    header, form_data = find(root, "headerData"), find(root, "formData")
    cover, summary = find(form_data, "coverPage"), find(form_data, "summaryPage")
    number = child_text(cover, "amendmentNo")
    entries = child_text(summary, "tableEntryTotal")
    return CoverPage(
        form=child_text(header, "submissionType"),
        manager=child_text(cover, "filingManager/name"),
        cik=_integer(child_text(header, "filerInfo/filer/credentials/cik")),
        period=iso_date(child_text(cover, "reportCalendarOrQuarter") or child_text(header, "filerInfo/periodOfReport")),
        report_type=child_text(cover, "reportType"),
        amendment=child_text(cover, "amendmentInfo/amendmentType") if is_true(child_text(cover, "isAmendment")) else "",
        amendment_number=_integer(number),
        entries=_integer(entries.replace(",", "")),
        total=decimal_or_none(child_text(summary, "tableValueTotal")),
        other_managers=tuple(child_text(other, "name") for other in find_all(cover, "otherManagersInfo/otherManager")),
    )


def read_table(content: bytes, *, filed: str) -> tuple[Holding, ...]:
    """Read the information table of a filing of ISO date `filed`, which decides the unit of its values.

    Raises:
        ProviderError: Not such a document.
    """
    root = parse_xml(content, "informationTable", name="The 13F information table")
    scale = Decimal(1) if in_dollars(filed) else Decimal(1000)
    return tuple(_holding(line, scale) for line in find_all(root, "infoTable"))


def in_dollars(filed: str) -> bool:
    """Whether a 13F filed on that day states dollars rather than thousands of dollars."""
    return filed >= DOLLARS_SINCE


def holdings_report(cover: CoverPage, holdings: Sequence[Holding], *, accession: str, filed: str) -> HoldingsReport:
    """Cover page and lines together, checked against each other."""
    report = HoldingsReport(cover, tuple(holdings), accession, filed)
    return replace(report, notes=tuple(_checks(report)))


def positions(holdings: Sequence[Holding]) -> tuple[Holding, ...]:
    """Lines of one security added up (managers report one for each way of discretion), largest value first."""
    together: dict[tuple[str, str, str], Holding] = {}
    for line in holdings:
        key = (line.cusip.upper(), line.kind, line.option)
        seen = together.get(key)
        together[key] = line if seen is None else _sum(seen, line)
    return tuple(sorted(together.values(), key=lambda position: position.value or Decimal(-1), reverse=True))


def with_amendments(reports: Sequence[HoldingsReport]) -> HoldingsReport:
    """The portfolio of one period after all its amendments: a restatement replaces, new holdings are added.

    Args:
        reports: At least one report of one manager and one period.
    """
    ordered = sorted(reports, key=lambda report: (report.filed, report.cover.amendment_number or 0))
    current = ordered[0]
    for report in ordered[1:]:
        if report.cover.amendment.upper().startswith("NEW"):
            note = f"With the holdings added by the amendment of {report.filed} ({report.accession})."
            current = replace(current, holdings=(*current.holdings, *report.holdings), notes=(*current.notes, note))
        else:
            note = f"Restated by the amendment of {report.filed}; the report of {current.filed} is replaced."
            current = replace(report, notes=(*report.notes, note))
    return current


def _holding(line: etree._Element, scale: Decimal) -> Holding:
    amount, votes = find(line, "shrsOrPrnAmt"), find(line, "votingAuthority")
    value = decimal_or_none(child_text(line, "value"))
    return Holding(
        issuer=child_text(line, "nameOfIssuer"),
        title=child_text(line, "titleOfClass"),
        cusip=child_text(line, "cusip"),
        value=None if value is None else value * scale,
        quantity=decimal_or_none(child_text(amount, "sshPrnamt")),
        kind=child_text(amount, "sshPrnamtType").upper() or "SH",
        option=child_text(line, "putCall").lower(),
        discretion=child_text(line, "investmentDiscretion").lower(),
        votes_sole=decimal_or_none(child_text(votes, "Sole")),
        votes_shared=decimal_or_none(child_text(votes, "Shared")),
        votes_none=decimal_or_none(child_text(votes, "None")),
        figi=child_text(line, "figi"),
    )


def _sum(one: Holding, other: Holding) -> Holding:
    return replace(
        one,
        value=_added(one.value, other.value),
        quantity=_added(one.quantity, other.quantity),
        discretion=one.discretion if one.discretion == other.discretion else "several",
        votes_sole=_added(one.votes_sole, other.votes_sole),
        votes_shared=_added(one.votes_shared, other.votes_shared),
        votes_none=_added(one.votes_none, other.votes_none),
    )


def _added(one: Decimal | None, other: Decimal | None) -> Decimal | None:
    return one if other is None else other if one is None else one + other


def _checks(report: HoldingsReport) -> Iterator[str]:
    cover = report.cover
    yield (
        "Values are stated in dollars."
        if in_dollars(report.filed)
        else "Stated in thousands of dollars, shown in dollars."
    )
    if cover.entries is not None and cover.entries != len(report.holdings):
        yield f"The cover page counts {cover.entries} lines, the table has {len(report.holdings)}."
    stated = None if cover.total is None else cover.total * (1 if in_dollars(report.filed) else 1000)
    if stated is not None and stated != report.total:
        yield f"The cover page states a total of ${stated:,.0f}, the lines add up to ${report.total:,.0f}."
    if price := _median_price(report.holdings):
        low, high = _PLAUSIBLE_PRICE
        if not low <= price <= high:
            yield f"The median value a share is ${price:,.2f}: the manager may have used the wrong unit."


def _median_price(holdings: Sequence[Holding]) -> Decimal | None:
    prices = [line.value / line.quantity for line in holdings if line.kind == "SH" and line.value and line.quantity]
    return statistics.median(prices) if prices else None


def _integer(text: str) -> int | None:
    return int(text) if text.isdecimal() else None
