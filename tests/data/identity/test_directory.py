from __future__ import annotations

import csv

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dexter.data.identity.directory import Directory
from dexter.data.identity.listing import KINDS, PACKAGED
from dexter.data.sample.files import SampleFiles

DIRECTORY = Directory(SampleFiles().companies)


def tickers(text: str) -> list[str]:
    return [company.ticker for company in DIRECTORY.resolve(text)]


@pytest.mark.parametrize("said", ["BRK.B", "BRK-B", "BRK/B", "brkb", "$brk.b", "brk-b", "NYSE: BRK.B", " BRK-B "])
def test_one_share_class_however_it_is_spelled(said: str) -> None:
    """Every spelling of Berkshire's class B is that one ticker."""
    assert tickers(said) == ["BRK-B"]


@pytest.mark.parametrize(
    ("said", "ticker"),
    [
        (" msft ", "MSFT"),
        ("`aapl`", "AAPL"),
        ("$NVDA", "NVDA"),
        ("nvidia", "NVDA"),
        ("NVIDIA Corp.", "NVDA"),
        ("Advanced Micro Devices", "AMD"),
        ("Alphabet", "GOOGL"),
        ("google", "GOOGL"),
        ("Meta", "META"),
        ("Amazon.com", "AMZN"),
        ("JPMorgan Chase & Co.", "JPM"),
        ("Coca-Cola", "KO"),
        ("McDonald's", "MCD"),
        ("Lowe’s", "LOW"),
        ("AT&T", "T"),
        ("1045810", "NVDA"),
        ("CIK0000320193", "AAPL"),
        ("Ford", "F"),
        ("TotalEnergies", "TTE"),
    ],
)
def test_names_and_tickers_in_any_case_are_resolved(said: str, ticker: str) -> None:
    """What people type is the company they mean."""
    assert tickers(said) == [ticker]


@pytest.mark.parametrize(
    ("said", "ticker", "note"),
    [
        ("FB", "META", "FB was renamed META in June 2022"),
        ("SQ", "XYZ", "SQ was renamed XYZ in January 2025"),
        ("Square", "XYZ", "Square taken as Block, Inc."),
        ("Facebook", "META", "Facebook has been called Meta Platforms"),
        ("twitter", "TWTR", "no longer traded"),
    ],
)
def test_former_tickers_and_names_are_found_by_their_company_and_said(said: str, ticker: str, note: str) -> None:
    """A renamed company is found, and the answer can say what was assumed."""
    (company,) = DIRECTORY.resolve(said)
    assert company.ticker == ticker
    assert any(note in told for told in company.notes)


def test_two_classes_of_one_company_are_one_company_with_two_tickers() -> None:
    """GOOG and GOOGL have the same CIK; asked for by name, the other class is said."""
    (goog,), (googl,) = DIRECTORY.resolve("GOOG"), DIRECTORY.resolve("GOOGL")
    assert (goog.ticker, googl.ticker) == ("GOOG", "GOOGL")
    assert goog.cik == googl.cik
    assert DIRECTORY.resolve("Alphabet")[0].notes == ("also traded as GOOG",)


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("SPY", "fund"),
        ("VOO", "fund"),
        ("QQQ", "fund"),
        ("^VIX", "index"),
        ("S&P 500", "index"),
        ("BTC-USD", "crypto"),
        ("LINK-USD", "crypto"),
        ("bitcoin", "crypto"),
        ("JPM", "bank"),
        ("NVDA", "operating"),
    ],
)
def test_funds_indices_and_coins_are_no_operating_companies(said: str, kind: str) -> None:
    """The kind decides whether statements are applicable."""
    assert [company.kind for company in DIRECTORY.resolve(said)] == [kind]


def test_identity_is_looked_up_and_never_guessed_from_the_look_of_a_symbol() -> None:
    """TOTDY is TOTO, not TotalEnergies; an unknown symbol is nobody."""
    (company,) = DIRECTORY.resolve("TOTDY")
    assert (company.name, company.kind) == ("TOTO LTD", "foreign")
    assert tickers("TOTXY") == []
    assert tickers("Total") == []


@pytest.mark.parametrize(
    ("said", "some"),
    [("General", ["GE", "GM"]), ("United", ["UPS", "UAL"]), ("BTC", ["BTC", "BTC-USD"])],
)
def test_the_ambiguous_gives_candidates(said: str, some: list[str]) -> None:
    """Where several are meant, none is chosen in silence."""
    found = tickers(said)
    assert len(found) > 1
    assert set(some) <= set(found)


@pytest.mark.parametrize("said", ["", "  ", "$", "NYSE:", "Foo Bar Unheard Of", "日本", "\x00", "x" * 10_000])
def test_what_nobody_is_called_gives_nothing(said: str) -> None:
    """No match is empty, never an error."""
    assert tickers(said) == []


@given(st.text(max_size=40))
def test_any_text_at_all_can_be_asked(said: str) -> None:
    """Whatever is typed, resolving ends, with distinct companies."""
    found = tickers(said)
    assert len(found) == len(set(found))


def test_every_listed_ticker_resolves_to_itself() -> None:
    """Each ticker in capitals is first its own company, whatever name it may resemble."""
    with (PACKAGED / "tickers.tsv").open(encoding="utf-8") as lines:
        listed = [line.split("\t")[0] for line in lines]
    assert len(listed) > 10_000
    assert [ticker for ticker in listed if tickers(ticker)[:1] != [ticker]] == []


def test_every_alias_leads_to_a_company_of_a_known_kind() -> None:
    """No alias points at a ticker that is not there, and its kind is one of the kinds."""
    with (PACKAGED / "aliases.csv").open(encoding="utf-8", newline="") as lines:
        aliases = list(csv.DictReader(lines))
    for alias in aliases:
        assert alias["kind"] in ("", *KINDS), alias
        assert alias["ticker"] in tickers(alias["said"]), alias


def test_the_samples_companies_come_with_exchange_and_year_end() -> None:
    """What is known better than in the list is used."""
    (company,) = DIRECTORY.resolve("nvidia")
    assert (company.exchange, company.currency, company.fiscal_year_end) == ("Nasdaq", "USD", "01-25")


@pytest.mark.parametrize(
    ("said", "ticker"), [("Procter and Gamble", "PG"), ("Johnson and Johnson", "JNJ"), ("Eli Lilly and Company", "LLY")]
)
def test_and_is_the_ampersand_of_a_name(said: str, ticker: str) -> None:
    """People write out what a filed name has as a sign."""
    assert tickers(said) == [ticker]
