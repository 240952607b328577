"""Questions by templates, type by type; each draws what it asks about by chance from what there is."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import islice

from dexter.evals.generate import freer
from dexter.evals.generate.draft import INCOME, Draft, Source, Template, figure, one_figure, ranked
from dexter.evals.generate.rows import Row, Rows, total, words_of_day
from dexter.evals.generate.words import BALANCES, COMPANIES, FIGURES


def look_up(source: Source) -> Iterator[Draft]:
    """One figure of a fiscal year, or at its end."""
    concepts = list(FIGURES)
    for row in source.shuffled([row for concept in concepts for row in source.rows.years(concept)]):
        if "split" in row.derivation or row.derivation.startswith("derived"):
            continue
        company, called = COMPANIES[row.ticker], source.pick(FIGURES[row.concept])
        when = "at the end of" if row.concept in BALANCES else "in"
        verb = (
            "were"
            if called in ("capital expenditures", "total assets", "sales", "cash and cash equivalents")
            else "was"
        )
        question = source.pick(
            (
                f"What {verb} {company}'s {called} {when} fiscal {row.year}?",
                f"How much {verb} {row.ticker}'s {called} {when} fiscal year {row.year}?",
                f"{company} {called} FY{row.year}",
                f"I need the {called} of {company} {'as of the end of' if when != 'in' else 'for'} fiscal {row.year}.",
            )
        )
        yield one_figure(question, [row], figure(row))


def quarter(source: Source) -> Iterator[Draft]:
    """One figure of a fiscal quarter."""
    for row in source.shuffled([row for concept in (*INCOME, "EPSDiluted") for row in source.rows.quarters(concept)]):
        if row.concept == "EPSDiluted" and row.derivation != "reported":
            continue
        company, called = COMPANIES[row.ticker], source.pick(FIGURES[row.concept])
        number = {"Q1": "first", "Q2": "second", "Q3": "third", "Q4": "fourth"}[row.period]
        question = source.pick(
            (
                f"What did {company} report as {called} for the {number} quarter of fiscal {row.year}?",
                f"{row.ticker} {called} in {row.period} FY{row.year}",
                f"How large was {company}'s {called} in {row.period} of fiscal {row.year}?",
            )
        )
        yield one_figure(question, [row], figure(row))


def growth(source: Source) -> Iterator[Draft]:
    """Growth on the year before, of a fiscal year or a quarter; where the base was above zero."""
    found = [row for concept in INCOME for row in (*source.rows.years(concept), *source.rows.quarters(concept))]
    for row in source.shuffled(found):
        before = source.rows.get(row.ticker, row.concept, row.year - 1, row.period)
        if before is None or before.value <= 0 or row.value <= 0:
            continue
        company, called = COMPANIES[row.ticker], FIGURES[row.concept][0]
        when = f"fiscal {row.year}" if row.period == "FY" else f"{row.period} of fiscal {row.year}"
        question = source.pick(
            (
                f"By what percentage did {company}'s {called} change in {when} compared with the year before?",
                f"What was the year-over-year growth of {row.ticker}'s {called} in {when}?",
                f"How fast did {company}'s {called} grow or shrink in {when}, year on year?",
            )
        )
        yield one_figure(question, [row, before], figure(row, row.value / before.value - 1, "percent"))


def compound_growth(source: Source) -> Iterator[Draft]:
    """Growth a year over several fiscal years."""
    for row in source.shuffled([row for concept in INCOME for row in source.rows.years(concept)]):
        first = source.rows.get(row.ticker, row.concept, row.year - 3)
        if first is None or first.value <= 0 or row.value <= 0:
            continue
        company, called = COMPANIES[row.ticker], FIGURES[row.concept][0]
        question = source.pick(
            (
                f"What was the CAGR of {company}'s {called} from fiscal {first.year} to fiscal {row.year}?",
                f"At which compound annual rate did {company}'s {called} grow, fiscal {first.year} to {row.year}?",
                f"{row.ticker} {called} CAGR FY{first.year} to FY{row.year}",
            )
        )
        rate = (row.value / first.value) ** (Decimal(1) / 3) - 1
        yield one_figure(question, [row, first], figure(row, rate, "percent"))


_MARGINS = {
    "gross margin": "GrossProfit",
    "operating margin": "OperatingIncome",
    "net margin": "NetIncome",
    "R&D as a share of revenue": "ResearchAndDevelopment",
    "capex as a percentage of revenue": "CapitalExpenditures",
}

# A line in proportion to revenue, as Dexter calls it.
_CALLED = {
    "GrossProfit": "GrossMargin",
    "OperatingIncome": "OperatingMargin",
    "NetIncome": "NetMargin",
    "ResearchAndDevelopment": "ResearchIntensity",
    "CapitalExpenditures": "CapexIntensity",
}


def margins(source: Source) -> Iterator[Draft]:
    """A line in proportion to revenue."""
    pairs = [(name, row) for name, concept in _MARGINS.items() for row in _annual_and_quarterly(source, concept)]
    for name, row in source.chance.sample(pairs, len(pairs)):
        revenue = source.rows.get(row.ticker, "Revenues", row.year, row.period)
        if revenue is None or row.ticker == "JPM":
            continue
        company = COMPANIES[row.ticker]
        when = f"fiscal {row.year}" if row.period == "FY" else f"{row.period} FY{row.year}"
        question = source.pick(
            (
                f"What was {company}'s {name} in {when}?",
                f"{row.ticker} {name} {when}",
                f"In {when}, what was the {name} of {company}?",
            )
        )
        stated = figure(row, row.value / revenue.value, "percent", concept=_CALLED[row.concept])
        yield one_figure(question, [row, revenue], stated)


def _annual_and_quarterly(source: Source, concept: str) -> list[Row]:
    return [*source.rows.years(concept), *source.rows.quarters(concept)]


def margin_change(source: Source) -> Iterator[Draft]:
    """By how many percentage points a margin moved."""
    margins_of = [name for name in _MARGINS if name.endswith("margin")]
    pairs = [(name, row) for name in margins_of for row in source.rows.years(_MARGINS[name])]
    for name, row in source.chance.sample(pairs, len(pairs)):
        now = source.rows.get(row.ticker, "Revenues", row.year)
        old = source.rows.get(row.ticker, row.concept, row.year - 1)
        before = source.rows.get(row.ticker, "Revenues", row.year - 1)
        if now is None or before is None or old is None or row.ticker == "JPM":
            continue
        question = (
            f"By how many percentage points did {COMPANIES[row.ticker]}'s {name} change from fiscal {old.year} to"
            f" fiscal {row.year}?"
        )
        change = row.value / now.value - old.value / before.value
        yield one_figure(question, [row, now, old, before], figure(row, change, "points"))


def trailing(source: Source) -> Iterator[Draft]:
    """The newest four quarters together."""
    pairs = [(ticker, concept) for concept in INCOME for ticker in COMPANIES]
    for ticker, concept in source.chance.sample(pairs, len(pairs)):
        four = source.rows.four_quarters(ticker, concept)
        if four is None:
            continue
        company, called = COMPANIES[ticker], FIGURES[concept][0]
        question = source.pick(
            (
                f"What is {company}'s trailing twelve months {called}?",
                f"{ticker} TTM {called}",
                f"How much {called} did {company} report over the last twelve months, that is its last four quarters?",
            )
        )
        stated = figure(four[-1], total(four), four[-1].unit, period="TTM", concept=concept)
        yield one_figure(question, four, stated)


def splits(source: Source) -> Iterator[Draft]:
    """Figures a share, or shares, from before a split, as they stand after it."""
    split = {"NVDA": (2024, "2024"), "AMZN": (2021, "2022"), "GOOGL": (2021, "2022"), "WMT": (2023, "2024")}
    for ticker, (last, when) in split.items():
        company = COMPANIES[ticker]
        for row in [row for row in source.rows.years("EPSDiluted") if row.ticker == ticker and row.year <= last]:
            yield one_figure(
                f"Adjusted for the stock split of {when}, what was {company}'s diluted EPS in fiscal {row.year}?",
                [row],
                figure(row),
            )
    for row in source.rows.years("SharesOutstanding"):
        if row.ticker == "NVDA" and "split" in row.derivation:
            yield one_figure(
                f"How many NVIDIA shares were outstanding at the end of fiscal {row.year}, in today's shares?",
                [row],
                figure(row),
            )


def fiscal_years(source: Source) -> Iterator[Draft]:
    """Periods named by the day on which they end."""
    found = [row for concept in INCOME[:4] for row in _annual_and_quarterly(source, concept)]
    for row in source.shuffled([row for row in found if row.ticker in ("NVDA", "AAPL", "AMD", "AVGO", "MSFT", "WMT")]):
        length = "fiscal year" if row.period == "FY" else "quarter"
        company, called, day = COMPANIES[row.ticker], FIGURES[row.concept][0], words_of_day(row.end)
        question = source.pick(
            (
                f"What was {company}'s {called} in the {length} that ended on {day}?",
                f"{company} {called}, {length} ended {row.end}",
                f"For the {length} ended {day}, what {called} did {row.ticker} report?",
            )
        )
        yield one_figure(question, [row], figure(row))


def comparisons(source: Source) -> Iterator[Draft]:
    """Which of two, with both figures."""
    for rows in source.together(2):
        first, second = rows
        called, year = FIGURES[first.concept][0], first.year
        one, other = COMPANIES[first.ticker], COMPANIES[second.ticker]
        question = source.pick(
            (
                f"Did {one} or {other} have the higher {called} in fiscal {year}, and how much did each have?",
                f"Compare the {called} of {one} and {other} in fiscal {year}: which was higher?",
                f"{first.ticker} vs {second.ticker}: {called} FY{year}, higher first",
            )
        )
        yield _ranked(question, rows)


def rankings(source: Source) -> Iterator[Draft]:
    """Several in order, with their figures."""
    for rows in source.together(4):
        called, year = FIGURES[rows[0].concept][0], rows[0].year
        listed = ", ".join(COMPANIES[row.ticker] for row in rows[:-1]) + f" and {COMPANIES[rows[-1].ticker]}"
        question = source.pick(
            (
                f"Rank {listed} by {called} in fiscal {year}, highest first.",
                f"Order {listed} from highest to lowest {called} in fiscal {year}.",
                f"Which of {listed} had the highest {called} in fiscal {year}? Rank all of them.",
            )
        )
        yield _ranked(question, rows)


def _ranked(question: str, rows: Sequence[Row]) -> Draft:
    return ranked(question, sorted(rows, key=lambda row: -row.value), [figure(row) for row in rows])


def as_of(source: Source) -> Iterator[Draft]:
    """The newest figure on a day; the day stands in the question, or is that of the run."""
    for concept in ("Revenues", "NetIncome", "OperatingIncome"):
        for ticker, company in COMPANIES.items():
            row = source.rows.newest(ticker, concept, annual=True)
            if row is None or row.filed > "2026-12" or row.period != "FY":
                continue
            day = _next_month(row.filed)
            called = FIGURES[concept][0]
            if source.chance.random() < 1 / 2:
                question = f"As of {day}, what was the {called} of the newest fiscal year that {company} had reported?"
                yield one_figure(question, [row], figure(row))
            else:
                question = f"What is {company}'s {called} in its newest reported fiscal year?"
                yield one_figure(question, [row], figure(row), as_of=day)


def not_yet(source: Source) -> Iterator[Draft]:
    """A figure of a period that had not ended by the day on which it is asked."""
    for row in source.shuffled(source.rows.years("Revenues")):
        if row.year < 2024:  # noqa: PLR2004 - the sample's newest years only
            continue
        day = f"{int(row.end[:4]) - 1}{row.end[4:]}"
        subject = {"ticker": row.ticker, "period": row.label, "period_end": row.end, "concept": row.concept}
        question = f"As of {day}, what revenue had {COMPANIES[row.ticker]} reported for fiscal {row.year}?"
        yield Draft(question, {"unanswerable": True, "subjects": [subject]})


def _next_month(day: str) -> str:
    """The 15th of the month after a day's."""
    year, month = int(day[:4]), int(day[5:7])
    return f"{year + month // 12}-{month % 12 + 1:02}-15"


_STRANGERS = {
    "ORCL": "Oracle",
    "NFLX": "Netflix",
    "KO": "Coca-Cola",
    "PFE": "Pfizer",
    "DIS": "Disney",
    "CRM": "Salesforce",
}


def not_answerable(source: Source) -> Iterator[Draft]:
    """Companies, years and lines that the sample does not have, and what nobody can know."""
    for ticker, name in _STRANGERS.items():
        concept = source.chance.choice(INCOME[:3])
        yield _nothing(f"What was {name}'s {FIGURES[concept][0]} in fiscal 2024?", ticker, "FY2024")
    for ticker in source.chance.sample(list(COMPANIES), 6):
        year = source.chance.randint(2005, 2015)
        concept = source.chance.choice(INCOME[:3])
        question = f"What was {COMPANIES[ticker]}'s {FIGURES[concept][0]} in fiscal {year}?"
        yield _nothing(question, ticker, f"FY{year}", concept)
    for ticker in source.chance.sample(list(COMPANIES), 5):
        year = source.chance.randint(2029, 2032)
        question = source.pick(
            (
                f"What will {COMPANIES[ticker]}'s revenue be in fiscal {year}?",
                f"{COMPANIES[ticker]}'s net income in fiscal {year}?",
            )
        )
        yield _nothing(question, ticker, f"FY{year}")
    for ticker, concept, called in (
        ("JPM", "GrossProfit", "gross profit"),
        ("JPM", "CapitalExpenditures", "capital expenditures"),
        ("JPM", "ResearchAndDevelopment", "R&D expense"),
        ("WMT", "ResearchAndDevelopment", "R&D expense"),
        ("INTC", "StockholdersEquity", "shareholders' equity"),
    ):
        question = f"What was {COMPANIES[ticker]}'s {called} in fiscal 2024?"
        yield _nothing(question, ticker, "FY2024", concept)


def _nothing(question: str, ticker: str, period: str, concept: str = "") -> Draft:
    subject = {"ticker": ticker, "period": period, "concept": concept}
    return Draft(question, {"unanswerable": True, "subjects": [subject]})


# Each type with how many questions it gets, and by which templates.
TYPES: Mapping[str, Sequence[tuple[int, Template]]] = {
    "look-up": ((24, look_up), (12, quarter), (12, freer.look_up_freely), (6, freer.several_figures)),
    "growth": ((16, growth), (6, compound_growth), (8, freer.total_growth)),
    "margins": ((16, margins), (6, margin_change), (8, freer.share_of_revenue)),
    "free cash flow and sums": ((8, freer.free_cash_flow), (8, freer.sum_of_years)),
    "trailing twelve months": ((14, trailing),),
    "splits": ((12, splits),),
    "fiscal years": ((16, fiscal_years),),
    "comparisons": ((18, comparisons), (8, freer.difference)),
    "rankings": ((14, rankings), (8, freer.margin_ranking)),
    "as of": ((12, as_of), (4, not_yet)),
    "not answerable": ((22, not_answerable),),
}


def drafts(rows: Rows, seed: int) -> Iterator[tuple[str, Draft]]:
    """Every question with its type; the same seed gives the same ones."""
    for kind, templates in TYPES.items():
        for number, (wanted, template) in enumerate(templates):
            source = Source(rows, random.Random(f"{seed} {kind} {number}"))  # noqa: S311 - a choice, not a secret
            yield from ((kind, draft) for draft in islice(_unlike(template(source)), wanted))


def _unlike(found: Iterator[Draft]) -> Iterator[Draft]:
    """Each question once."""
    seen: set[str] = set()
    for draft in found:
        if draft.question not in seen:
            seen.add(draft.question)
            yield draft
