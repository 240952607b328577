"""Questions in freer words, and such as need more than one step."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from itertools import pairwise

from dexter.evals.generate.draft import Draft, Source, figure, one_figure, ranked
from dexter.evals.generate.rows import Row, accessions, total, words_of_day
from dexter.evals.generate.words import COMPANIES, FIGURES

_FREELY = {
    "Revenues": (
        "How much money did {company} take in during fiscal {year}?",
        "What was {company}'s top line in FY{year}?",
    ),
    "NetIncome": (
        "What did {company} earn after tax in the year to {day}?",
        "How big was {company}'s bottom line for fiscal {year}?",
    ),
    "ResearchAndDevelopment": ("How much did {company} spend on research and development in fiscal {year}?",),
    "CashAndEquivalents": ("How much cash did {company} have on its balance sheet when fiscal {year} closed?",),
    "LongTermDebt": ("How much long-term debt was {company} carrying at the end of its {year} fiscal year?",),
    "CapitalExpenditures": ("What did {company} put into property and equipment in fiscal {year}, going by capex?",),
    "OperatingCashFlow": ("How much cash did {company}'s operations generate in fiscal {year}?",),
}


def look_up_freely(source: Source) -> Iterator[Draft]:
    """One figure of a fiscal year, asked as people talk."""
    for row in source.shuffled([row for concept in _FREELY for row in source.rows.years(concept)]):
        words = source.pick(_FREELY[row.concept])
        question = words.format(company=COMPANIES[row.ticker], year=row.year, day=words_of_day(row.end))
        yield one_figure(question, [row], figure(row))


def several_figures(source: Source) -> Iterator[Draft]:
    """Three lines of one year at once."""
    wanted = ("Revenues", "NetIncome", "OperatingCashFlow")
    for row in source.shuffled(source.rows.years("Revenues")):
        rows = [found for concept in wanted if (found := source.rows.get(row.ticker, concept, row.year))]
        if len(rows) == len(wanted):
            company = COMPANIES[row.ticker]
            question = f"Give me {company}'s revenue, net income and cash flow from operations for fiscal {row.year}."
            yield Draft(question, {"figures": [figure(found) for found in rows]}, accessions(rows))


def free_cash_flow(source: Source) -> Iterator[Draft]:
    """Operating cash flow less capital expenditures."""
    for row in source.shuffled(source.rows.years("OperatingCashFlow")):
        spent = source.rows.get(row.ticker, "CapitalExpenditures", row.year)
        if spent is not None:
            question = source.pick(
                (
                    f"What was {COMPANIES[row.ticker]}'s free cash flow in fiscal {row.year}?",
                    f"{row.ticker} operating cash flow minus capex, FY{row.year}",
                )
            )
            yield one_figure(question, [row, spent], figure(row, row.value - spent.value, concept="FreeCashFlow"))


def total_growth(source: Source) -> Iterator[Draft]:
    """By how much more than several years before."""
    for row in source.shuffled(
        [row for concept in ("Revenues", "OperatingCashFlow") for row in source.rows.years(concept)]
    ):
        first = source.rows.get(row.ticker, row.concept, row.year - 2)
        if first is not None and first.value > 0 and row.value > 0:
            company, called = COMPANIES[row.ticker], FIGURES[row.concept][0]
            question = source.pick(
                (
                    f"In percent, how far was {company}'s {called} of fiscal {row.year} from that of {first.year}?",
                    f"Total percentage change of {row.ticker}'s {called} from FY{first.year} to FY{row.year}?",
                )
            )
            yield one_figure(question, [row, first], figure(row, row.value / first.value - 1, "percent"))


def share_of_revenue(source: Source) -> Iterator[Draft]:
    """A margin without its name."""
    called = {"GrossProfit": "gross profit", "OperatingIncome": "operating income", "NetIncome": "net income"}
    for row in source.shuffled([row for concept in called for row in source.rows.years(concept)]):
        revenue = source.rows.get(row.ticker, "Revenues", row.year)
        if revenue is not None and row.ticker != "JPM":
            company, line = COMPANIES[row.ticker], called[row.concept]
            question = f"Express {company}'s {line} as a percentage of its revenue for fiscal {row.year}."
            yield one_figure(question, [row, revenue], figure(row, row.value / revenue.value, "percent"))


def sum_of_years(source: Source) -> Iterator[Draft]:
    """Three fiscal years together."""
    for row in source.shuffled(
        [row for concept in ("CapitalExpenditures", "NetIncome") for row in source.rows.years(concept)]
    ):
        years = [source.rows.get(row.ticker, row.concept, row.year - back) for back in (2, 1, 0)]
        rows = [found for found in years if found is not None]
        if len(rows) == len(years):
            question = (
                f"How much {FIGURES[row.concept][0]} did {COMPANIES[row.ticker]} have in total over fiscal"
                f" {rows[0].year}, {rows[1].year} and {row.year}?"
            )
            stated = {"value": f"{total(rows):f}", "unit": row.unit, "ticker": row.ticker, "concept": row.concept}
            yield one_figure(question, rows, stated)


def difference(source: Source) -> Iterator[Draft]:
    """By how many dollars one had more than another."""
    for rows in source.together(2):
        more, less = sorted(rows, key=lambda row: -row.value)
        called = FIGURES[more.concept][0]
        question = (
            f"By how many dollars did {COMPANIES[more.ticker]}'s {called} exceed {COMPANIES[less.ticker]}'s in fiscal"
            f" {more.year}?"
        )
        stated = {"value": f"{more.value - less.value:f}", "unit": more.unit}
        yield one_figure(question, rows, stated)


def margin_ranking(source: Source) -> Iterator[Draft]:
    """Several companies by a margin, highest or lowest first."""
    names = {"GrossProfit": "gross margin", "OperatingIncome": "operating margin", "NetIncome": "net margin"}
    while True:
        concept = source.pick(tuple(names))
        year = source.chance.randint(2022, 2025)
        rows = [row for row in source.rows.years(concept) if row.year == year and row.ticker != "JPM"]
        chosen = source.chance.sample(rows, 3)
        margins = {row: _margin(source, row) for row in chosen}
        ordered = sorted(chosen, key=lambda row: -margins[row])
        if all(margins[one] - margins[other] > Decimal("0.01") for one, other in pairwise(ordered)):
            listed = f"{COMPANIES[chosen[0].ticker]}, {COMPANIES[chosen[1].ticker]} and {COMPANIES[chosen[2].ticker]}"
            first = source.pick(("best first", "from the lowest to the highest"))
            question = f"Sort {listed} by {names[concept]} in fiscal {year}, {first}."
            yield ranked(question, ordered, [figure(row, margins[row], "percent") for row in ordered])


def _margin(source: Source, row: Row) -> Decimal:
    revenue = source.rows.get(row.ticker, "Revenues", row.year)
    return row.value / revenue.value if revenue else Decimal(0)
