"""The filings and data sets behind an answer's figures, as links."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from dexter.data.metrics import metric_named
from dexter.data.sources import filing_url
from dexter.offline.analysis import Analysis
from dexter.offline.evidence import CLOSE, MARKET, Span
from dexter.offline.items import Item
from dexter.offline.phrases import Phrases
from dexter.offline.values import Value, Values
from dexter.results import Cell

_ACCESSION = re.compile(r"\d{10}-\d{2}-\d{6}")
_FILING = re.compile(r"(?P<form>[\w/\-]+) (?P<accession>\d{10}-\d{2}-\d{6}) \((?P<filed>\d{4}-\d\d-\d\d)\)")
_MOST_LINKS = 8


def sources(analysis: Analysis, values: Values, phrases: Phrases) -> list[str]:
    """The filings and data sets behind the figures, as links."""
    return list(_Sources(analysis, values, phrases).all())


class _Sources:
    def __init__(self, analysis: Analysis, values: Values, phrases: Phrases) -> None:
        self._analysis = analysis
        self._values = values
        self._phrases = phrases

    def all(self) -> Iterator[str]:
        for ticker in self._analysis.tickers:
            links = self._links(ticker)
            if links:
                shown = [*links[:_MOST_LINKS]]
                if len(links) > _MOST_LINKS:
                    shown.append(self._phrases.say("source_more", count=len(links) - _MOST_LINKS))
                yield self._phrases.say("source_filing", company=ticker, links=self._phrases.listed(shown))
        yield from self._closes()
        if self._analysis.steps.keys() & self._analysis.evidence.calculated.keys():
            yield self._phrases.say("source_calculated")

    def _links(self, ticker: str) -> list[str]:
        """Every filing behind the company's figures, newest first."""
        wanted = {
            number for cell in self._cells(ticker) for number in _ACCESSION.findall(f"{cell.accession} {cell.source}")
        }
        filings = {
            match["accession"]: match for match in _FILING.finditer(self._analysis.evidence.source_lines(ticker))
        }
        if any(name != CLOSE for name in self._analysis.priced):
            market = self._analysis.evidence.source_lines(ticker, tool=MARKET)
            wanted |= {match["accession"] for match in _FILING.finditer(market)}
        known = sorted(
            (filings[number] for number in wanted if number in filings),
            key=lambda filing: filing["filed"],
            reverse=True,
        )
        cik = self._values.company(ticker).cik
        return [
            self._phrases.say(
                "source_link", form=match["form"], filed=match["filed"], url=filing_url(cik, match["accession"])
            )
            for match in known
        ]

    def _cells(self, ticker: str) -> Iterator[Cell]:
        for view in self._analysis.views:
            if view.ticker == ticker:
                for item in self._analysis.items:
                    yield from (cell for span in view.spans for cell in self._behind(item, ticker, span))

    def _behind(self, item: Item, ticker: str, span: Span) -> Iterable[Cell]:
        """The cells an item rests on: its own, and the lines its metric is made of."""
        value = self._values.at(item, ticker, span)
        if not isinstance(value, Value):
            return ()
        names = [need for cell in value.cells if (metric := metric_named(cell.concept)) for need in metric.needs]
        lines = (self._analysis.evidence.figure(ticker, name, span) for name in names)
        return (*value.cells, *(cell for cell in lines if cell))

    def _closes(self) -> Iterator[str]:
        if self._analysis.priced:
            closes = [close for ticker in self._analysis.tickers if (close := self._analysis.close(ticker))]
            for source, day in dict.fromkeys((cell.source, cell.period_end) for cell in closes):
                yield self._phrases.say("source_close", source=source, day=day)
