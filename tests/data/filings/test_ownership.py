"""Forms 3, 4 and 5."""

from __future__ import annotations

from decimal import Decimal

import pytest

from dexter.data.filings.ownership import OwnershipReport, mark_superseded, read_ownership
from dexter.data.filings.transaction_codes import MEANINGS, meaning
from dexter.errors import ProviderError
from tests.support.shared import shared


def snowflake() -> bytes:
    """The given Form 4."""
    return shared("data/sec/xml/form4.snow.xml").read_bytes()


def report(xml: str, **about: str) -> OwnershipReport:
    """A report from the inside of an ownership document."""
    return read_ownership(f"<?xml version='1.0'?><ownershipDocument>{xml}</ownershipDocument>".encode(), **about)


def owner(name: str = "Doe Jane", cik: str = "0000000007") -> str:
    """A reporting owner who is a director."""
    return (
        f"<reportingOwner><reportingOwnerId><rptOwnerCik>{cik}</rptOwnerCik><rptOwnerName>{name}</rptOwnerName>"
        "</reportingOwnerId><reportingOwnerRelationship><isDirector>true</isDirector><isTenPercentOwner>1"
        "</isTenPercentOwner></reportingOwnerRelationship></reportingOwner>"
    )


def line(code: str, shares: str = "100", price: str = "<value>12.5</value>") -> str:
    """A transaction outside derivatives."""
    return (
        "<nonDerivativeTable><nonDerivativeTransaction><securityTitle><value>Common</value></securityTitle>"
        "<transactionDate><value>2024-05-01-05:00</value></transactionDate>"
        f"<transactionCoding><transactionCode>{code}</transactionCode></transactionCoding><transactionAmounts>"
        f"<transactionShares><value>{shares}</value></transactionShares>"
        f"<transactionPricePerShare>{price}</transactionPricePerShare>"
        "<transactionAcquiredDisposedCode><value>A</value></transactionAcquiredDisposedCode></transactionAmounts>"
        "</nonDerivativeTransaction></nonDerivativeTable>"
    )


def test_given_form_4() -> None:
    """The given Form 4: one exercise, five sales, eight indirect holdings, an option, each with its footnotes."""
    found = read_ownership(snowflake(), accession="0001640147-22-000001", filed="2022-12-15")
    assert (found.form, found.ticker, found.issuer_cik, found.period) == ("4", "SNOW", 1640147, "2022-12-13")
    assert found.owners[0].name == "Scarpelli Michael"
    assert found.owners[0].relationship == "officer (Chief Financial Officer)"
    stock = [t for t in found.transactions if not t.derivative]
    assert [t.code for t in stock] == ["M", "S", "S", "S", "S", "S"]
    assert [t.direction for t in stock] == ["acquired"] + ["disposed"] * 5
    assert sum(t.shares or 0 for t in stock if t.is_trade) == 200_000
    assert stock[1].value == Decimal(73170) * Decimal("150.841")
    assert stock[1].footnotes[1].startswith("The price reported in Column 4 is a weighted-average price.")
    option = found.transactions[-1]
    assert (option.derivative, option.exercise_price, option.expires) == (True, Decimal("8.88"), "2029-08-26")
    assert (option.underlying, option.underlying_shares) == ("Class A Common Stock", Decimal("200000.0"))
    assert len(found.holdings) == 8
    assert found.holdings[0].ownership == "indirect (Trust)"
    assert found.holdings[0].shares == 577218


def test_only_purchases_and_sales_are_trades() -> None:
    """A grant, a gift and shares withheld for tax are no trades; every code of the form has a meaning."""
    codes = {code: report(owner() + line(code)).transactions[0] for code in MEANINGS}
    assert {code for code, transaction in codes.items() if transaction.is_trade} == {"P", "S"}
    assert codes["F"].meaning == "shares withheld or delivered to pay an exercise price or tax"
    assert meaning("Y") == "code Y is not one of the form's"


def test_missing_numbers_stay_unknown() -> None:
    """A price that is only a footnote, or no number, is None and never 0; a date loses its time zone."""
    for price in (
        "<footnoteId id='F1'/>",
        "<value>see note</value>",
        "<value>NaN</value>",
        "<value>1e999999</value>",
        "",
    ):
        transaction = report(owner() + line("P", price=price)).transactions[0]
        assert (transaction.price, transaction.value) == (None, None)
        assert transaction.date == "2024-05-01"
    assert report(owner() + line("P", shares="1,250")).transactions[0].shares == 1250


def test_amendments_supersede_what_they_name() -> None:
    """A 4/A marks the report of the date it names, by the same owner for the same period, and nothing else."""

    def filing(form: str, filed: str, amends: str = "", who: str = "7") -> OwnershipReport:
        original = f"<dateOfOriginalSubmission>{amends}</dateOfOriginalSubmission>" if amends else ""
        head = f"<documentType>{form}</documentType><periodOfReport>2024-05-01</periodOfReport>{original}"
        return report(head + owner(cik=who) + line("P"), accession=f"{form} {filed} {who}", filed=filed)

    reports = mark_superseded(
        [filing("4", "2024-05-02"), filing("4", "2024-05-02", who="8"), filing("4/A", "2024-05-09", "2024-05-02")]
    )
    assert [r.superseded_by for r in reports] == ["4/A 2024-05-09 7", "", ""]
    assert reports[2].notes == ("Amends the report of 2024-05-02; an amendment may repeat only the lines it corrects.",)


def test_form_3_without_securities() -> None:
    """A first report that holds nothing says so."""
    found = report("<documentType>3</documentType><noSecuritiesOwned>1</noSecuritiesOwned>" + owner())
    assert (found.transactions, found.holdings) == ((), ())
    assert found.notes == ("The owner holds no securities of the company.",)
    assert found.owners[0].relationship == "director, 10% owner"


def test_in_the_secs_wrapper() -> None:
    """The XML is found inside a complete submission."""
    wrapped = b"<SEC-DOCUMENT>\n<DOCUMENT>\n<TYPE>4\n<TEXT>\n<XML>\n" + snowflake() + b"\n</XML>\n</TEXT>\n</DOCUMENT>"
    assert read_ownership(wrapped).ticker == "SNOW"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "not well-formed"),
        (b"<html><body>Form 4</body></html>", "is a html document, not ownershipDocument"),
        (b"<ownershipDocument><issuer>", "not well-formed"),
        (b"%PDF-1.7", "not well-formed"),
        (b'<!DOCTYPE a [<!ENTITY b "c">]><ownershipDocument>&b;</ownershipDocument>', "declares a document type"),
        (b'<!DOCTYPE a SYSTEM "file:///etc/passwd"><ownershipDocument/>', "declares a document type"),
        (
            '<?xml version="1.0" encoding="UTF-16"?><!DOCTYPE a [<!ENTITY b "c">]><ownershipDocument/>'.encode(
                "utf-16"
            ),
            "declares a document type",
        ),
        (
            '<?xml version="1.0" encoding="UTF-32"?><!DOCTYPE a [<!ENTITY b "c">]><ownershipDocument/>'.encode(
                "utf-32"
            ),
            "declares a document type",
        ),
    ],
)
def test_bad_documents(content: bytes, said: str) -> None:
    """Another document, broken XML, and anything that declares entities: refused with a sentence."""
    with pytest.raises(ProviderError, match=said) as caught:
        read_ownership(content)
    assert caught.value.kind == "bad_data"
    assert caught.value.remedy
