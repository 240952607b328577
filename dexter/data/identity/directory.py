"""From one thing that was typed to the company it means, or to the candidates it may mean."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from dexter.data.company import Company
from dexter.data.identity.listing import PACKAGED, Alias, Listing
from dexter.data.identity.names import NameIndex, Words, core_of, spoken, words_of

_EXCHANGE = re.compile(r"(?:NASDAQ|NYSE|NYSEAMERICAN|AMEX|OTC|BATS|CBOE)\s*:\s*", re.IGNORECASE)
_CIK = re.compile(r"(?:CIK\s*)?0*(\d{4,10})", re.IGNORECASE)
_CLASS_LETTER = re.compile(r"([A-Z]{2,4})([AB])")
_PAIR = re.compile(r"([A-Z0-9]{2,6})-(?:USD|USDT|EUR)")

_AROUND = " \t\r\n`'\"“”"

MOST_CANDIDATES = 8
# A name's largest bearer is meant where the next is this many times further down the list by size.
_FAR_AHEAD = 4
_LARGE = 500
_MANY = 4


class Directory:
    """Knows who is meant. `known` companies (the sample's, say) come with exchange and year end.

    Reads its lists when first asked; a ticker alone needs no name.
    """

    def __init__(self, known: Iterable[Company] = (), folder: Path = PACKAGED) -> None:
        self.listing = Listing(known, folder)
        self.names = NameIndex(lambda: self.listing.names)

    def resolve(self, text: str) -> Sequence[Company]:
        """No match: empty. One: that company. Several: candidates, likeliest first.

        Takes tickers in any spelling (`brk.b`, `BRK/B`, `brkb`, `$NVDA`, `NYSE: ALL`), CIKs, names, former tickers
        and names, indices (`^VIX`) and coins (`BTC-USD`).
        """
        said = _EXCHANGE.sub("", text.strip(_AROUND), count=1).lstrip("$").strip()
        by_ticker = self.by_ticker(said) if said else None
        if by_ticker and said.isupper():
            return self._with_coin(by_ticker)
        by_name = self.by_name(said) if said else ()
        if by_ticker and by_name:
            return self._either(by_ticker, by_name)
        return self._with_coin(by_ticker) if by_ticker else by_name or self._by_number(said)

    def by_ticker(self, said: str) -> Company | None:
        """The company of a ticker in any spelling, today's or a former one."""
        ticker = said.upper().replace(".", "-").replace("/", "-").strip()
        split = _CLASS_LETTER.fullmatch(ticker)
        spellings = (ticker, f"{split[1]}-{split[2]}" if split else "")
        listed = next((company for spelling in spellings if (company := self.listing.company(spelling))), None)
        if listed:
            return listed
        alias = self.listing.aliases.get(spoken(said))
        if alias and alias.said.isupper():
            return self._of_alias(alias)
        return Company(ticker, ticker, kind="crypto", currency="USD") if _PAIR.fullmatch(ticker) else None

    def by_name(self, said: str) -> tuple[Company, ...]:
        """Companies of that name, whole or beginning; one where the largest is far ahead of the next."""
        alias = self.listing.aliases.get(spoken(said))
        if alias and not alias.said.isupper():
            company = self._of_alias(alias)
            return (company,) if company else ()
        words = words_of(said)
        # Filed names have `&`, which is no word, where people write `and`.
        joined = tuple(word for word in core_of(said) if word != "and")
        ciks = self.names.exact(words) or self.names.exact(core_of(said)) or self.names.exact(joined)
        return self.companies(ciks) or self._by_beginning(words)

    def companies(self, ciks: Sequence[int]) -> tuple[Company, ...]:
        """The companies of those CIKs, largest first; the first alone where it is far ahead."""
        found = [company for cik in ciks[:MOST_CANDIDATES] if (company := self._usual(cik))]
        if len(found) > 1 and self._far_ahead(found[0], found[1]):
            return (found[0],)
        return tuple(found)

    def _by_beginning(self, words: Words) -> tuple[Company, ...]:
        """An everyday word begins many names: it means a large company or nobody, and several where several are."""
        ciks = self.names.beginning_with(words)
        if len(words) > 1 or " ".join(words) not in self.listing.words:
            return self.companies(ciks)
        if len(ciks) < _MANY:
            return tuple(company for company in self.companies(ciks) if self.listing.rank(company.ticker) < _LARGE)
        return tuple(company for cik in ciks[:MOST_CANDIDATES] if (company := self._usual(cik)))

    def _either(self, by_ticker: Company, by_name: Sequence[Company]) -> Sequence[Company]:
        """A word that is one company's ticker and another's name: the one far larger is meant, if one is."""
        if by_ticker.cik in {company.cik for company in by_name}:
            return (by_ticker,)
        if self._far_ahead(by_name[0], by_ticker):
            return (by_name[0],)
        return (by_ticker,) if self._far_ahead(by_ticker, by_name[0]) else (by_ticker, *by_name)

    def _with_coin(self, company: Company) -> tuple[Company, ...]:
        """`BTC` is a fund's ticker and a coin."""
        coin = self.listing.company(f"{company.ticker}-USD")
        return (company, coin) if coin else (company,)

    def _far_ahead(self, first: Company, second: Company) -> bool:
        rank = self.listing.rank(first.ticker)
        return rank < _LARGE and self.listing.rank(second.ticker) >= _FAR_AHEAD * (rank + 1)

    def _of_alias(self, alias: Alias) -> Company | None:
        company = self.listing.company(alias.ticker)
        if company is None or alias.note in company.notes:
            return company
        return self._with_classes(replace(company, notes=(*company.notes, *filter(None, (alias.note,)))))

    def _usual(self, cik: int) -> Company | None:
        """A company by its usual ticker."""
        tickers = self.listing.classes(cik)
        company = self.listing.company(tickers[0]) if tickers else None
        return self._with_classes(company) if company else None

    def _with_classes(self, company: Company) -> Company:
        """Asked for by name, a company says its other share classes."""
        others = [ticker for ticker in self.listing.classes(company.cik or 0) if _is_class(ticker, company.ticker)]
        if not others:
            return company
        return replace(company, notes=(*company.notes, f"also traded as {', '.join(others)}"))

    def _by_number(self, said: str) -> tuple[Company, ...]:
        number = _CIK.fullmatch(said)
        company = self._usual(int(number[1])) if number else None
        return (company,) if company else ()


def _is_class(ticker: str, of: str) -> bool:
    """BRK-A of BRK-B, GOOG of GOOGL, LBRDK of LBRDA; not a preferred share, a warrant or a receipt."""
    if ticker == of:
        return False
    if "-" in ticker or "-" in of:
        return ticker[:-1] == of[:-1]
    shorter, longer = sorted((ticker, of), key=len)
    return longer[:-1] in (shorter, shorter[:-1])
