"""The provider that is always there: twelve companies' figures and closes, without a key or a network."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from dexter.data.company import Company
from dexter.data.concepts import label_of
from dexter.data.provider import Capability, PriceQuery, Prices, StatementQuery, Statements
from dexter.data.sample.files import PACKAGED, SampleFiles
from dexter.data.screening.industries import Industry
from dexter.data.selection import known_by, select, wanted_concepts
from dexter.data.sources import filing_sources
from dexter.errors import ProviderError
from dexter.results import Cell, Source

_OTHERS_NEED_SEC = "Other companies and lines come from the `sec` provider: set `sec.contact` to a name and an email."


class SampleProvider:
    """Statements and month-end closes from the files in `folder`. A hole is named in the notes, never filled."""

    name = "sample"
    capabilities: frozenset[Capability] = frozenset({"statements", "prices"})

    def __init__(self, folder: Path = PACKAGED) -> None:
        self._files = SampleFiles(folder)

    @property
    def companies(self) -> tuple[Company, ...]:
        """The companies in the sample, by ticker."""
        return self._files.companies

    @property
    def last_day(self) -> str:
        """The day of the newest close (ISO)."""
        return self._files.last_day

    def industry(self, company: Company) -> Industry:
        """The industry of one of the sample's companies."""
        return self._files.industries[company.ticker]

    async def statements(self, query: StatementQuery) -> Statements:
        """The cells asked for.

        Raises:
            ProviderError: the company, all of the lines or the vintage is not in the sample, or a file is damaged.
        """
        if query.vintage == "first":
            raise _not_covered("The sample keeps the latest filed value of a figure, not the one first filed.")
        everything = self._cells_of(query.company)
        cells = select(everything, query)
        notes = (*_missing_lines(query, everything), *_later_filings(query, everything))
        if not cells:
            ticker = query.company.ticker
            raise _not_covered(" ".join(notes) or f"The sample has no such {query.period} figures of {ticker}.")
        sources = filing_sources(cells, everything, query.company, dataset=self.name)
        return Statements(query.company, cells, sources, notes)

    async def prices(self, query: PriceQuery) -> Prices:
        """Month-end closes in the range, and the very last close. `adjusted` is 'splits'.

        Raises:
            ProviderError: no close of this ticker is in the range, or the file is damaged.
        """
        closes = self._files.closes(query.company.ticker)
        if not closes:
            raise self._unknown(query.company)
        last_day = min(filter(None, (query.end, query.as_of)), default=closes[-1].date)
        points = tuple(point for point in closes if query.start <= point.date <= last_day)
        if not points:
            first, last = closes[0].date, closes[-1].date
            raise _not_covered(f"The sample has closes of {query.company.ticker} from {first} to {last} only.")
        source = Source("dataset", "Month-end closes of the bundled sample", dataset=self.name, as_of=points[-1].date)
        notes = () if query.latest else _price_notes(query)
        # Figures and closes of the sample are both in shares of its last day: no split lies between them.
        return Prices(query.company, query.company.currency, points, "splits", (source,), notes, splits=())

    def _cells_of(self, company: Company) -> list[Cell]:
        """Every cell of the company, whichever of its share classes was asked for."""
        for known in self.companies:
            if known.cik == company.cik:
                return self._files.cells(known.ticker, company)
        raise self._unknown(company)

    def _unknown(self, company: Company) -> ProviderError:
        tickers = ", ".join(known.ticker for known in self.companies)
        return _not_covered(f"{company.ticker} is not in the bundled sample, which has {tickers}.")


def _not_covered(message: str) -> ProviderError:
    return ProviderError("sample", message, kind="not_covered", remedy=_OTHERS_NEED_SEC)


def _missing_lines(query: StatementQuery, everything: Sequence[Cell]) -> tuple[str, ...]:
    """Lines asked for by name of which the company has no figure here."""
    there = {cell.concept for cell in everything}
    missing = [label_of(name) for name in query.concepts if name not in there]
    return (f"Not in the sample for {query.company.ticker}: {', '.join(missing)}.",) if missing else ()


def _later_filings(query: StatementQuery, everything: Sequence[Cell]) -> tuple[str, ...]:
    """Figures of periods that had ended by `as_of`, kept here only as a later filing has them."""
    names = set(wanted_concepts(query))
    ended = [cell for cell in everything if cell.concept in names and cell.period_end <= query.as_of]
    later = len(ended) - len(known_by(ended, query.as_of))
    if not later:
        return ()
    ticker, day = query.company.ticker, query.as_of
    return (f"{later} figures of {ticker} for periods ended by {day} are in the sample only as filed later: left out.",)


def _price_notes(query: PriceQuery) -> tuple[str, ...]:
    adjusted = "Closes are adjusted for splits; older ones of dividend payers may be adjusted for dividends too."
    if query.interval == "month":
        return (adjusted,)
    return adjusted, "The sample has month-end closes and the last close only, no days between."
