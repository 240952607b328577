"""The companies that results are about, and where a text names one of them or another."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

from dexter.figures.vocabulary import words_in
from dexter.results import StoredResult

_HEADLINE_DOT = " · "
_HEADLINE = re.compile(r"^(?P<ticker>[A-Z][A-Z0-9.\-]{0,6}) · (?P<name>[^·\n]+) · ", re.MULTILINE)
_LEGAL_FORM = re.compile(
    r"(?:[\s,.]+(?:inc|corp|corporation|co|company|companies|ltd|limited|plc|llc|lp|sa|ag|nv|se|com|holdings?|group"
    r"|& co|the|/[a-z]{2}/?|class [a-c])\.?)+$",
    re.IGNORECASE,
)
_WORD = re.compile(r"[A-Z][A-Za-z0-9&]*|[\u4e00-\u9fff]")
_SHORTEST_NAME = 4
_SHORTEST_TICKER = 2
# `GM` is more often the gross margin than a company that nothing was asked about.
_SHORTEST_STRANGER = 3
_TICKER_ARGUMENTS = ("ticker", "tickers", "symbol", "symbols")


@dataclass(frozen=True)
class CompanyMention:
    """A company named at `text[start:end]`, by its ticker."""

    ticker: str
    start: int
    end: int


@dataclass(frozen=True)
class Companies:
    """How texts speak of companies: tickers, and names in lower case with their ticker.

    `known` are those that results are about, in order of appearance; any other one is a stranger.
    """

    known: tuple[str, ...]
    names: Mapping[str, str]

    @property
    def only(self) -> str:
        """The one company there is, or ''."""
        return self.known[0] if len(self.known) == 1 else ""

    def find(self, text: str) -> tuple[CompanyMention, ...]:
        """Every company named, in order. Names are names only with a capital; tickers only in capitals."""
        return tuple(self._mentions(text))

    def _mentions(self, text: str) -> Iterator[CompanyMention]:
        end = 0
        for match in _WORD.finditer(text):
            if match.start() < end:
                continue
            for said, ticker in self._by_first_word.get(match.group().lower(), ()):
                end = match.start() + len(said)
                if _stands_at(text, match.start(), end, said):
                    yield CompanyMention(ticker, match.start(), end)
                    break
            else:
                end = 0

    @cached_property
    def _by_first_word(self) -> Mapping[str, Sequence[tuple[str, str]]]:
        """Names and tickers with the ticker that they stand for, by their first word; the longest first."""
        strangers = (ticker for ticker in self.names.values() if len(ticker) >= _SHORTEST_STRANGER)
        tickers = {ticker: ticker for ticker in (*self.known, *strangers) if len(ticker) >= _SHORTEST_TICKER}
        found: dict[str, list[tuple[str, str]]] = {}
        for said, ticker in {**self.names, **tickers}.items():
            first = _WORD.match(said[:1].upper() + said[1:])
            if first:
                found.setdefault(first.group().lower(), []).append((said, ticker))
        return {first: sorted(names, key=lambda name: -len(name[0])) for first, names in found.items()}


def _stands_at(text: str, start: int, end: int, said: str) -> bool:
    """Whether a name (in lower case) or a ticker (as it is) stands there as a word of its own."""
    written = text[start:end]
    if said not in (written, written.lower()) or (said.isupper() and said.isascii() and written != said):
        return False
    if not said[0].isascii():
        return True
    before = text[start - 1 : start]
    return not (before.isascii() and before.isalnum()) and not (
        text[end : end + 1].isascii() and text[end : end + 1].isalnum()
    )


def companies_of(results: Iterable[StoredResult]) -> Companies:
    """The companies of some results, and those that are known by name everywhere."""
    found: dict[str, set[str]] = {}
    for result in results:
        for ticker, name in _named_in(result):
            found.setdefault(ticker, set()).add(name)
    own = {said: ticker for ticker, names in found.items() for name in names for said in _spoken(name)}
    return Companies(tuple(found), {**_well_known(), **own})


def tickers_asked(result: StoredResult) -> tuple[str, ...]:
    """The tickers among a call's arguments."""
    given = [result.arguments.get(name) for name in _TICKER_ARGUMENTS]
    listed = [item for value in given for item in (value if isinstance(value, list | tuple) else [value])]
    return tuple(str(item).upper() for item in listed if item)


def headline_company(line: str) -> str:
    """The ticker of a line that heads a company's table (`NVDA · NVIDIA CORP · …`), or ''."""
    match = _HEADLINE.match(line)
    return match["ticker"] if match else ""


def _named_in(result: StoredResult) -> Iterator[tuple[str, str]]:
    may_have_heads = _HEADLINE_DOT in result.text  # most megabytes have none, and this sees it at once
    headlines = _HEADLINE.finditer(result.text) if may_have_heads else ()
    heads = [(match["ticker"], match["name"].strip()) for match in headlines]
    in_cells = dict.fromkeys((cell.ticker, cell.company) for cell in result.cells if cell.ticker)
    yield from in_cells
    yield from heads
    if not in_cells and not heads:
        yield from ((ticker, "") for ticker in tickers_asked(result))


def _spoken(name: str) -> Iterator[str]:
    """How people shorten a registered name: without its legal form, and its first word where that is a name."""
    short = _LEGAL_FORM.sub("", name.strip()).strip(" ,.&").lower()
    if len(short) >= _SHORTEST_NAME:
        yield short
    first = short.partition(" ")[0].strip(",.")
    if len(first) >= _SHORTEST_NAME and first not in _ordinary():
        yield first


@cache
def _well_known() -> Mapping[str, str]:
    english: Mapping[str, Sequence[str]] = words_in("dexter.figures.words", "names")["names"]
    chinese: Mapping[str, Sequence[str]] = words_in("dexter.figures.words", "companies")
    return {name.lower(): ticker for names in (english, chinese) for ticker, said in names.items() for name in said}


@cache
def _ordinary() -> frozenset[str]:
    return frozenset(words_in("dexter.figures.words", "names")["ordinary"])
