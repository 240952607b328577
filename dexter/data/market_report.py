"""What one company gave to a question on its market, part by part, and how the parts of several read together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from dexter.data.company import Company
from dexter.data.metrics import metric_named, name_for_people
from dexter.data.numbers import EXACT, MILLION, price, written
from dexter.data.provider import News, Prices
from dexter.data.report import collected
from dexter.data.tables import headline, markdown, sources_text
from dexter.data.unavailable import Unavailable
from dexter.data.valuation import Valuation
from dexter.results import Attempt, Cell, Source, ToolResult


@dataclass(frozen=True)
class MarketReport:
    """What one company gave, or an error where it gave nothing. `missing`: parts that were asked for and are not there.

    `text` is its part of the result below the headline.
    """

    asked: str
    company: Company | None = None
    text: str = ""
    cells: tuple[Cell, ...] = ()
    unavailable: tuple[Unavailable, ...] = ()
    sources: tuple[Source, ...] = ()
    notes: tuple[str, ...] = ()
    tried: tuple[Attempt, ...] = ()
    missing: tuple[str, ...] = ()
    error: str = ""

    def joined(self, other: MarketReport) -> MarketReport:
        """Both parts as one report; an error of a part is a sentence in it, unless every part failed."""
        if self.error and other.error:
            return replace(self, error=f"{self.error} {other.error}", tried=(*self.tried, *other.tried))
        return replace(
            self,
            company=self.company or other.company,
            text="\n".join(filter(None, (self.text or self.error, other.text or other.error))),
            cells=(*self.cells, *other.cells),
            unavailable=(*self.unavailable, *other.unavailable),
            sources=(*self.sources, *other.sources),
            notes=(*self.notes, *other.notes),
            tried=(*self.tried, *other.tried),
            missing=(*self.missing, *other.missing),
            error="",
        )


def price_text(prices: Prices, closes: Sequence[Cell], interval: str) -> str:
    """The newest price with its time, the last close with its day, and the history by `interval` ('' for none)."""
    adjusted = f", adjusted for {prices.adjusted}" if prices.adjusted else ""
    lines = []
    if prices.quote:
        lines.append(f"Price {_quoted(prices)} {prices.currency} at {prices.quote.time}")
    if closes:
        last = closes[-1]
        lines.append(f"Last close {price(last.number)} {prices.currency} on {last.period_end}{adjusted}")
    if interval:
        flag = adjusted or ", whether adjusted for splits is not told"
        lines.append(f"Closes by {interval}{flag}:")
        rows = [[cell.period_end, price(cell.number)] for cell in reversed(closes)]
        lines.append(markdown([["date", f"close ({prices.currency})"], *rows]))
    return "\n".join(lines)


def _quoted(prices: Prices) -> str:
    cell = quote_cell(prices)
    return price(cell.number) if cell else ""


def quote_cell(prices: Prices) -> Cell | None:
    """The newest price as a cell of its day; None where the source has closes only."""
    if prices.quote is None:
        return None
    return Cell(
        ticker=prices.company.ticker,
        company=prices.company.name,
        concept="Price",
        label="Price",
        value=prices.quote.price,
        unit=f"{prices.currency}/shares",
        currency=prices.currency,
        period_end=prices.quote.time[:10],
        source=f"{'; '.join(source.title for source in prices.sources)}, at {prices.quote.time}",
        provenance="vendor",
    )


def multiples_text(valuation: Valuation) -> str:
    """Both days once, then what there is; what there is not, by reason."""
    head = f"At the close of {valuation.close.period_end}, on the twelve months to {valuation.twelve_months_to}:"
    there = [figure for figure in valuation.multiples if isinstance(figure, Cell)]
    rows = [
        [metric.label, _shown(cell), metric.formula.text] for cell in there if (metric := metric_named(cell.concept))
    ]
    table = [markdown([["multiple", "value", "how"], *rows])] if rows else []
    return "\n".join((head, *table, *_missing_multiples(valuation.multiples)))


def _missing_multiples(multiples: Sequence[Cell | Unavailable]) -> list[str]:
    labels: dict[tuple[str, str], list[str]] = {}
    for figure in multiples:
        if isinstance(figure, Unavailable):
            labels.setdefault((figure.mark, figure.reason), []).append(name_for_people(figure.concept))
    return [f"{mark} {'; '.join(names)}: {reason}" for (mark, reason), names in labels.items()]


def _shown(cell: Cell) -> str:
    return written(cell, EXACT) if cell.unit == "pure" else f"{written(cell, MILLION)} {cell.unit} million"


def news_text(news: News) -> str:
    """A line an item: when, who, what, where. The headlines are the publishers' words."""
    lines = [" · ".join(filter(None, (item.published, item.publisher, item.title, item.url))) for item in news.items]
    return "\n".join(("News (publishers' own words, unchecked), newest first:", *(f"- {line}" for line in lines)))


def market_result(reports: Sequence[MarketReport]) -> ToolResult:
    """The reports as one result: partial where a company or a part of one is missing."""
    good = [report for report in reports if not report.error]
    notes = tuple(dict.fromkeys(note for report in good for note in report.notes))
    sources = sources_text((report.company, report.sources) for report in good if report.company and report.sources)
    below = "\n".join(filter(None, (*notes, sources)))
    result = collected(reports, "\n\n".join((*map(_company_text, reports), below)), notes)
    incomplete = result.status == "ok" and any(report.missing for report in reports)
    return replace(result, status="partial") if incomplete else result


def _company_text(report: MarketReport) -> str:
    if report.error or report.company is None:
        return f"Error ({report.asked}): {report.error}"
    return f"{headline(report.company)}\n{report.text}"
