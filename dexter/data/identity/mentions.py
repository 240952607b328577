"""The companies a question speaks of, each with where it says so and how sure that is.

Words that are also tickers are the trap: "is IT spending up?" speaks of no company. Such a word counts only with `$`,
an exchange, "stock" or "10-K" beside it, or in capitals in a list of tickers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from dexter.data.company import Company
from dexter.data.identity.directory import Directory
from dexter.data.identity.names import Words

Certainty = Literal["sure", "likely", "unsure"]

_DOLLAR = re.compile(r"\$(?P<said>[A-Za-z]{1,5}(?:[.\-/][A-Za-z]{1,2})?)(?![A-Za-z0-9])")
_EXCHANGE = re.compile(
    r"\b(?:NASDAQ|NYSE|AMEX|OTC|CBOE)\s*:\s*(?P<said>[A-Za-z]{1,5}(?:[.\-/][A-Za-z])?)\b", re.IGNORECASE
)
_INDEX = re.compile(r"(?P<said>\^[A-Za-z]{2,5})\b")
_PAIR = re.compile(r"\b(?P<said>[A-Z]{2,5}-(?:USD|USDT|EUR))\b")
_CLASS = re.compile(r"\b(?P<said>[A-Z]{1,4}[./-][AB]|[a-z]{2,4}[.-][ab])\b")
_WORD = re.compile(r"[A-Za-z0-9]+(?:['’][A-Za-z]+)?")

_STOCK_AFTER = re.compile(r"(?:['’]s)?\s+(?:stock|shares?|common stock|10-[KQ]|8-K|20-F)\b", re.IGNORECASE)
_STOCK_BEFORE = re.compile(
    r"(?:\b(?:ticker|symbol|tickers|symbols)\s*:?|\b(?:shares|stock) (?:of|in))\s+$", re.IGNORECASE
)
_LIST_GAP = re.compile(r"\s*(?:,|/|&|\+|\b(?:and|vs\.?|versus|or|against|to|with)\b|,\s*(?:and|or))\s*", re.IGNORECASE)

_LONGEST_NAME = 6
_SHORTEST_LOWER_CASE = 3
# Below these places by size a lower-case ticker, or a name that is an everyday word, is more likely just a word.
_KNOWN_TICKERS = 4000
_KNOWN_NAMES = 1000
_HOUSEHOLD_NAMES = 30
_MOST_BEARERS = 5
_SENTENCE = 4
_LONGEST_QUESTION = 20_000


@dataclass(frozen=True)
class Mention:
    """Part of a question that means a company: `text[start:end]`. Several companies: it is ambiguous between them.

    `sure`: spelled as a ticker or as a whole name. `likely`: short or lower case. `unsure`: ask, or take it only where
    nothing better is there.
    """

    start: int
    end: int
    said: str
    companies: tuple[Company, ...]
    certainty: Certainty


@dataclass(frozen=True)
class _Token:
    """A word of the question; `word` is without a possessive."""

    start: int
    end: int
    word: str
    first: bool

    @property
    def key(self) -> str:
        return self.word.lower().replace("'", "").replace("’", "")


def find_companies(question: str, directory: Directory) -> list[Mention]:
    """Every mention, in the order of the question, none overlapping another. A company may be mentioned twice.

    Only the first 20,000 characters are read: what comes after is material, not a question.
    """
    return _Reader(question[:_LONGEST_QUESTION], directory).mentions()


class _Reader:
    """One pass over one question, surest spellings first; what is taken is not read again."""

    def __init__(self, question: str, directory: Directory) -> None:
        self._question = question
        self._directory = directory
        self._words = directory.listing.words
        self._found: list[Mention] = []
        self._tokens = list(_tokens(question))
        self._shouted = _is_shouted(self._tokens)

    def mentions(self) -> list[Mention]:
        self._marked()
        self._names()
        self._listed()
        for token in self._free():
            self._single(token)
        return sorted(self._found, key=lambda mention: mention.start)

    def _marked(self) -> None:
        """Spellings that only tickers have."""
        for pattern in (_DOLLAR, _EXCHANGE, _INDEX, _PAIR, _CLASS):
            for match in pattern.finditer(self._question):
                company = self._directory.by_ticker(match["said"])
                if company and self._is_free(*match.span()):
                    self._add(*match.span(), (company,), "sure")

    def _names(self) -> None:
        """Company names, the longest first at every word."""
        at = 0
        while at < len(self._tokens):
            at += self._name_at(at) or 1

    def _name_at(self, at: int) -> int:
        """How many words the name that begins here has; 0 where there is none."""
        for length in range(min(_LONGEST_NAME, len(self._tokens) - at), 0, -1):
            tokens = self._tokens[at : at + length]
            companies = self._named(tokens)
            certainty = self._certainty(tokens, companies) if companies else None
            if certainty and self._is_free(tokens[0].start, tokens[-1].end):
                self._add(tokens[0].start, tokens[-1].end, companies, certainty)
                return length
        return 0

    def _named(self, tokens: Sequence[_Token]) -> tuple[Company, ...]:
        words: Words = tuple(word for token in tokens for word in token.key.split())
        alias = self._directory.listing.aliases.get(" ".join(words))
        if alias:
            return () if alias.said.isupper() else self._directory.by_name(alias.said)
        whole = self._directory.names.exact(words)
        if whole:
            return self._directory.companies(whole)
        bearers = self._directory.names.beginning_with(words)
        if not bearers:
            return self._plural(words)
        telling = len(words) > 1 or len(words[0]) > _SHORTEST_LOWER_CASE
        companies = self._directory.companies(bearers) if telling and len(bearers) <= _MOST_BEARERS else ()
        return () if len(words) > 1 and self._is_phrase(tokens[0], companies) else companies

    def _is_phrase(self, first: _Token, companies: Sequence[Company]) -> bool:
        """Whether words a small company's name begins with are more likely just words: money "made in" a year."""
        ranks = (self._directory.listing.rank(company.ticker) for company in companies)
        return not self._capital(first) and all(rank >= _KNOWN_NAMES for rank in ranks)

    def _plural(self, words: Words) -> tuple[Company, ...]:
        """A possessive without its apostrophe, of the companies whose figures are at hand: `teslas`."""
        name = words[0].removesuffix("s")
        if len(words) > 1 or name == words[0] or words[0] in self._words:
            return ()
        alias = self._directory.listing.aliases.get(name)
        companies = self._directory.by_name(alias.said if alias else name)
        return tuple(company for company in companies if self._directory.listing.is_known(company))

    def _certainty(self, tokens: Sequence[_Token], companies: Sequence[Company]) -> Certainty | None:
        """How sure a name is: whole phrases and rare words at once, everyday words by capitals and size."""
        rank = self._directory.listing.rank(companies[0].ticker)
        known = self._directory.listing.is_known(companies[0])
        everyday = all(token.key in self._words for token in tokens)
        if len(companies) > 1:
            return "unsure" if self._capital(tokens[0]) and not everyday else None
        if not everyday:
            return "sure" if len(tokens) > 1 or rank < _KNOWN_NAMES else "likely" if rank < _KNOWN_TICKERS else None
        if rank < _HOUSEHOLD_NAMES or known:
            return "likely"
        if not self._capital(tokens[0]) or rank >= _KNOWN_NAMES:
            return None
        if len(tokens) > 1:
            return "likely"
        return None if tokens[0].word.isupper() else "unsure" if tokens[0].first else "likely"

    def _capital(self, token: _Token) -> bool:
        return token.word[0].isupper() and not self._shouted

    def _listed(self) -> None:
        """Tickers in capitals side by side: each vouches for its neighbour, even where it is a word."""
        capitals = [token for token in self._free() if self._is_capital_ticker(token)]
        for left, right in pairwise(capitals):
            if self._is_list(left.end, right.start) and max(len(left.word), len(right.word)) > 1:
                self._add_listed(left)
                self._add_listed(right)
        for token in capitals:
            if any(self._beside(token.start, token.end, mention) for mention in self._trusted()):
                self._add_listed(token)
        self._vouch()

    def _vouch(self) -> None:
        """An unsure name in a list with a sure one is as likely as that."""
        for place, mention in enumerate(self._found):
            beside = any(self._beside(mention.start, mention.end, other) for other in self._trusted())
            if mention.certainty == "unsure" and len(mention.companies) == 1 and beside:
                self._found[place] = replace(mention, certainty="likely")

    def _trusted(self) -> list[Mention]:
        return [mention for mention in self._found if mention.certainty != "unsure"]

    def _beside(self, start: int, end: int, mention: Mention) -> bool:
        return self._is_list(mention.end, start) or self._is_list(end, mention.start)

    def _is_list(self, end: int, start: int) -> bool:
        return end < start and bool(_LIST_GAP.fullmatch(self._question, end, start))

    def _add_listed(self, token: _Token) -> None:
        self._add_ticker(token, "likely" if token.key in self._words else "sure")

    def _single(self, token: _Token) -> None:
        """A ticker on its own."""
        kind = self._words.get(token.key, "")
        if not self._is_capital_ticker(token):
            self._lower_case(token, kind)
        elif self._near_stock(token):
            self._add_ticker(token, "sure")
        elif kind in ("", "frequent") and len(token.word) > 1:
            self._add_ticker(token, "sure" if not kind else "likely")
        elif len(token.word) > 1:
            self._add_ticker(token, "unsure")

    def _lower_case(self, token: _Token, kind: str) -> None:
        if kind or len(token.word) < _SHORTEST_LOWER_CASE:
            return
        company = self._directory.by_ticker(token.word)
        if company and self._directory.listing.rank(company.ticker) < _KNOWN_TICKERS:
            self._add(token.start, token.end, (company,), "likely")

    def _near_stock(self, token: _Token) -> bool:
        """`IT stock`, `shares of ALL`, `F's 10-K`; but a sentence may begin with "A stock"."""
        before, after = self._question[: token.start], self._question[token.start + len(token.word) :]
        if token.first and len(token.word) == 1:
            return False
        return bool(_STOCK_AFTER.match(after) or _STOCK_BEFORE.search(before))

    def _is_capital_ticker(self, token: _Token) -> bool:
        capital = token.word.isupper() and token.word.isalpha() and not self._shouted
        return capital and self._words.get(token.key) != "jargon" and self._directory.by_ticker(token.word) is not None

    def _add_ticker(self, token: _Token, certainty: Certainty) -> None:
        company = self._directory.by_ticker(token.word)
        if company and self._is_free(token.start, token.end):
            self._add(token.start, token.end, (company,), certainty)

    def _add(self, start: int, end: int, companies: tuple[Company, ...], certainty: Certainty) -> None:
        self._found.append(Mention(start, end, self._question[start:end], companies, certainty))

    def _free(self) -> list[_Token]:
        return [token for token in self._tokens if self._is_free(token.start, token.end)]

    def _is_free(self, start: int, end: int) -> bool:
        return all(end <= mention.start or start >= mention.end for mention in self._found)


def _is_shouted(tokens: Sequence[_Token]) -> bool:
    """In a question all in capitals, capitals say nothing."""
    capitals = sum(token.word.isupper() for token in tokens)
    return len(tokens) >= _SENTENCE and capitals > 0.8 * len(tokens)


def _tokens(question: str) -> Iterator[_Token]:
    for match in _WORD.finditer(question):
        word = re.sub(r"['’][sS]$", "", match[0])
        before = question[: match.start()].rstrip(" \"'“‘(")
        first = not before or before[-1] in ".?!:\n"
        yield _Token(match.start(), match.start() + len(word), word, first)


def companies_in(mentions: Iterable[Mention], *, least: Certainty = "likely") -> list[Company]:
    """Each company once, in order of mention, of the mentions that are sure enough and not ambiguous."""
    order: tuple[Certainty, ...] = ("sure", "likely", "unsure")
    wanted = order[: order.index(least) + 1]
    clear = (mention for mention in mentions if mention.certainty in wanted and len(mention.companies) == 1)
    return list({mention.companies[0].ticker: mention.companies[0] for mention in clear}.values())
