"""Forms 3, 4 and 5: what insiders hold and how it changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import TYPE_CHECKING, Literal

from dexter.data.filings.amounts import decimal_or_none, is_true, iso_date
from dexter.data.filings.transaction_codes import OPEN_MARKET, meaning
from dexter.data.filings.xml import child_text, find, find_all, parse_xml

if TYPE_CHECKING:
    from lxml import etree

Direction = Literal["acquired", "disposed", ""]
_DIRECTIONS: dict[str, Direction] = {"A": "acquired", "D": "disposed"}


@dataclass(frozen=True, slots=True)
class Owner:
    """Who reports. `relationship` is in words: 'officer (Chief Financial Officer)', 'director', '10% owner'."""

    name: str
    cik: int | None
    relationship: str


@dataclass(frozen=True, slots=True)
class InsiderTransaction:
    """One line of a transaction table. Numbers are None where the form gives none or only a footnote.

    `shares` are of the security named; `price` is per share, in US dollars. `derivative` lines are options and the
    like: their `shares` are not shares yet. `footnotes` are the texts referred to.
    """

    date: str
    code: str
    direction: Direction
    security: str
    shares: Decimal | None
    price: Decimal | None
    owned_after: Decimal | None
    derivative: bool = False
    exercise_price: Decimal | None = None
    exercisable: str = ""
    expires: str = ""
    underlying: str = ""
    underlying_shares: Decimal | None = None
    ownership: str = "direct"
    equity_swap: bool = False
    late: bool = False
    footnotes: tuple[str, ...] = ()

    @property
    def meaning(self) -> str:
        """The transaction code in words."""
        return meaning(self.code)

    @property
    def value(self) -> Decimal | None:
        """Shares times price; None where either is unknown."""
        return None if self.shares is None or self.price is None else self.shares * self.price

    @property
    def is_trade(self) -> bool:
        """Whether it is a purchase or sale for the insider's own account, not a grant, gift or tax payment."""
        return self.code in OPEN_MARKET and not self.derivative


@dataclass(frozen=True, slots=True)
class InsiderHolding:
    """A security held without a transaction to report."""

    security: str
    shares: Decimal | None
    ownership: str = "direct"
    derivative: bool = False
    footnotes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class OwnershipReport:
    """One Form 3, 4 or 5. `amends` is the date of the filing it amends, '' for an original.

    `superseded_by` is the accession number of an amendment to this report, where one is known.
    """

    form: str
    issuer: str
    issuer_cik: int | None
    ticker: str
    period: str
    owners: tuple[Owner, ...]
    transactions: tuple[InsiderTransaction, ...]
    holdings: tuple[InsiderHolding, ...]
    amends: str = ""
    planned: bool = False
    remarks: str = ""
    signed: str = ""
    accession: str = ""
    filed: str = ""
    superseded_by: str = ""
    notes: tuple[str, ...] = ()


def read_ownership(content: bytes, *, accession: str = "", filed: str = "") -> OwnershipReport:
    """Read the XML of a Form 3, 4 or 5.

    Raises:
        ProviderError: Not such a document.
    """
    root = parse_xml(content, "ownershipDocument", name=f"The ownership report {accession}".strip())
    footnotes = {
        note.get("id", ""): " ".join("".join(note.itertext()).split()) for note in find_all(root, "footnotes/footnote")
    }
    form = child_text(root, "documentType")
    amends = iso_date(child_text(root, "dateOfOriginalSubmission"))
    return OwnershipReport(
        form=form,
        issuer=child_text(root, "issuer/issuerName"),
        issuer_cik=_cik(child_text(root, "issuer/issuerCik")),
        ticker=child_text(root, "issuer/issuerTradingSymbol"),
        period=iso_date(child_text(root, "periodOfReport")),
        owners=tuple(_owner(owner) for owner in find_all(root, "reportingOwner")),
        transactions=tuple(_transactions(root, footnotes)),
        holdings=tuple(_holdings(root, footnotes)),
        amends=amends,
        planned=is_true(child_text(root, "aff10b5One")),
        remarks=child_text(root, "remarks"),
        signed=iso_date(child_text(root, "ownerSignature/signatureDate")),
        accession=accession,
        filed=filed,
        notes=_notes(root, form, amends),
    )


def mark_superseded(reports: Sequence[OwnershipReport]) -> tuple[OwnershipReport, ...]:
    """The reports with each original that a later amendment names marked by that amendment's accession number.

    An amendment names the date of what it amends, not its number: it is matched by that date, owners and period.
    """
    amendments = [report for report in reports if report.form.endswith("/A") and report.amends]
    return tuple(replace(report, superseded_by=_amendment_of(report, amendments)) for report in reports)


def _amendment_of(report: OwnershipReport, amendments: Sequence[OwnershipReport]) -> str:
    later = [
        other
        for other in amendments
        if other is not report and other.amends == report.filed and _same_event(other, report)
    ]
    return max(later, key=lambda other: other.filed).accession if report.filed and later else ""


def _same_event(one: OwnershipReport, other: OwnershipReport) -> bool:
    owners = {owner.cik or owner.name for owner in one.owners}
    return one.period == other.period and bool(owners & {owner.cik or owner.name for owner in other.owners})


def _notes(root: etree._Element, form: str, amends: str) -> tuple[str, ...]:
    notes = []
    if form.endswith("/A"):
        of = f" of {amends}" if amends else ""
        notes.append(f"Amends the report{of}; an amendment may repeat only the lines it corrects.")
    if is_true(child_text(root, "notSubjectToSection16")):
        notes.append("The owner is no longer subject to Section 16.")
    if is_true(child_text(root, "noSecuritiesOwned")):
        notes.append("The owner holds no securities of the company.")
    return tuple(notes)


def _owner(element: etree._Element) -> Owner:
    relationship = find(element, "reportingOwnerRelationship")
    roles = []
    if is_true(child_text(relationship, "isDirector")):
        roles.append("director")
    if is_true(child_text(relationship, "isOfficer")):
        title = child_text(relationship, "officerTitle")
        roles.append(f"officer ({title})" if title else "officer")
    if is_true(child_text(relationship, "isTenPercentOwner")):
        roles.append("10% owner")
    if is_true(child_text(relationship, "isOther")):
        roles.append(child_text(relationship, "otherText") or "other")
    return Owner(
        name=child_text(element, "reportingOwnerId/rptOwnerName"),
        cik=_cik(child_text(element, "reportingOwnerId/rptOwnerCik")),
        relationship=", ".join(roles),
    )


def _transactions(root: etree._Element, footnotes: dict[str, str]) -> Iterator[InsiderTransaction]:
    for table, derivative in (("nonDerivative", False), ("derivative", True)):
        for line in find_all(root, f"{table}Table/{table}Transaction"):
            yield _transaction(line, footnotes, derivative=derivative)


def _transaction(line: etree._Element, footnotes: dict[str, str], *, derivative: bool) -> InsiderTransaction:
    amounts = find(line, "transactionAmounts")
    direction = _value(amounts, "transactionAcquiredDisposedCode")
    return InsiderTransaction(
        date=iso_date(_value(line, "transactionDate")),
        code=child_text(line, "transactionCoding/transactionCode").upper(),
        direction=_DIRECTIONS.get(direction.upper(), ""),
        security=_value(line, "securityTitle"),
        shares=decimal_or_none(_value(amounts, "transactionShares")),
        price=decimal_or_none(_value(amounts, "transactionPricePerShare")),
        owned_after=decimal_or_none(_value(line, "postTransactionAmounts/sharesOwnedFollowingTransaction")),
        derivative=derivative,
        exercise_price=decimal_or_none(_value(line, "conversionOrExercisePrice")),
        exercisable=iso_date(_value(line, "exerciseDate")),
        expires=iso_date(_value(line, "expirationDate")),
        underlying=_value(line, "underlyingSecurity/underlyingSecurityTitle"),
        underlying_shares=decimal_or_none(_value(line, "underlyingSecurity/underlyingSecurityShares")),
        ownership=_ownership(line),
        equity_swap=is_true(child_text(line, "transactionCoding/equitySwapInvolved")),
        late=_value(line, "transactionTimeliness").upper() == "L",
        footnotes=tuple(_footnotes(line, footnotes)),
    )


def _holdings(root: etree._Element, footnotes: dict[str, str]) -> Iterator[InsiderHolding]:
    for table, derivative in (("nonDerivative", False), ("derivative", True)):
        for line in find_all(root, f"{table}Table/{table}Holding"):
            shares = _value(line, "postTransactionAmounts/sharesOwnedFollowingTransaction")
            underlying = _value(line, "underlyingSecurity/underlyingSecurityShares")
            yield InsiderHolding(
                security=_value(line, "securityTitle"),
                shares=decimal_or_none(shares or underlying),
                ownership=_ownership(line),
                derivative=derivative,
                footnotes=tuple(_footnotes(line, footnotes)),
            )


def _value(element: etree._Element | None, path: str) -> str:
    """Most fields hold their text in a `value` element."""
    return child_text(element, f"{path}/value")


def _ownership(line: etree._Element) -> str:
    kind = _value(line, "ownershipNature/directOrIndirectOwnership").upper()
    nature = _value(line, "ownershipNature/natureOfOwnership")
    if kind == "I":
        return f"indirect ({nature})" if nature else "indirect"
    return "direct"


def _footnotes(line: etree._Element, texts: dict[str, str]) -> Iterable[str]:
    ids = dict.fromkeys(note.get("id", "") for note in line.iter("{*}footnoteId"))
    return (texts[note] for note in ids if texts.get(note))


def _cik(text: str) -> int | None:
    return int(text) if text.isdecimal() else None
