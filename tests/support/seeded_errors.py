"""Errors put into right answers, ten kinds of them, each where a careless writer would make it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_UP, Decimal
from random import Random
from typing import TypeVar

from dexter.results import Cell, StoredResult
from tests.support.prose_answers import Facts, Marked, Turn

KINDS = (
    "digit",
    "scale",
    "sign",
    "year",
    "quarter_for_year_to_date",
    "company",
    "neighbouring_concept",
    "restated_vintage",
    "wrong_formula",
    "comparison_turned_round",
)
NEIGHBOURS: Mapping[str, tuple[str, ...]] = {
    "Revenues": ("GrossProfit", "OperatingIncome"),
    "GrossProfit": ("Revenues", "OperatingIncome", "CostOfRevenue"),
    "OperatingIncome": ("NetIncome", "GrossProfit"),
    "NetIncome": ("OperatingIncome", "OperatingCashFlow"),
    "OperatingCashFlow": ("FreeCashFlow", "NetIncome"),
    "FreeCashFlow": ("OperatingCashFlow", "NetIncome"),
    "CapitalExpenditures": ("ResearchAndDevelopment", "OperatingCashFlow"),
    "ResearchAndDevelopment": ("CapitalExpenditures", "CostOfRevenue"),
    "GrossMargin": ("OperatingMargin", "NetMargin"),
    "OperatingMargin": ("NetMargin", "GrossMargin"),
    "NetMargin": ("OperatingMargin", "GrossMargin"),
    "TotalAssets": ("TotalLiabilities", "StockholdersEquity"),
    "StockholdersEquity": ("TotalLiabilities", "TotalAssets"),
    "TotalLiabilities": ("TotalAssets", "StockholdersEquity"),
    "CashAndEquivalents": ("LongTermDebt",),
    "LongTermDebt": ("CashAndEquivalents", "TotalLiabilities"),
    "RevenueGrowth": ("NetIncomeGrowth", "OperatingIncomeGrowth"),
    "ResearchIntensity": ("OperatingMargin", "CapexIntensity"),
    "CapexIntensity": ("ResearchIntensity", "FCFMargin"),
    "FCFMargin": ("NetMargin", "OperatingMargin"),
    "PriceToEarnings": ("PriceToSales",),
    "PriceToSales": ("PriceToEarnings",),
}
# What a margin would be with another figure below the line.
_WRONG_DENOMINATORS = {"Revenues": ("GrossProfit", "TotalAssets")}
_NUMERATORS = {
    "GrossMargin": "GrossProfit",
    "OperatingMargin": "OperatingIncome",
    "NetMargin": "NetIncome",
    "FCFMargin": "FreeCashFlow",
    "ResearchIntensity": "ResearchAndDevelopment",
    "CapexIntensity": "CapitalExpenditures",
}
_DIGITS = re.compile(r"\d[\d,]*(?:\.\d+)?")
_SCALES = (("trillion", "billion"), ("billion", "million"), ("million", "billion"), ("亿", "万"))


@dataclass(frozen=True)
class RightAnswer:
    """An answer whose every figure is right: what is marked in it, and the run's results."""

    text: str
    figures: tuple[Marked, ...]
    turns: tuple[Turn, ...]
    results: Sequence[StoredResult]


@dataclass(frozen=True)
class Seeded:
    """An answer with one error: where it was put, what was right, and the results it is checked against."""

    kind: str
    right: str
    text: str
    start: int
    end: int
    note: str
    results: Sequence[StoredResult]


T = TypeVar("T")
Change = Callable[["Seeder", RightAnswer, Random], "Seeded | None"]


class Seeder:
    """Makes errors out of what is true of the whole `world`."""

    def __init__(self, world: Facts) -> None:
        self.world = world

    def seed(self, kind: str, answer: RightAnswer, random: Random) -> Seeded | None:
        """One error of a kind in an answer; None where it has no place for one."""
        return _CHANGES[kind](self, answer, random)

    def levels(self, answer: RightAnswer) -> list[tuple[Marked, tuple[str, str, str], Decimal]]:
        """The figures that are facts: ticker, concept and period, with the value."""
        found = []
        for figure in answer.figures:
            key = _level(figure.truth)
            value = self.world.get(*key) if key else None
            if key and value:
                found.append((figure, key, -value if figure.truth.startswith("neg ") else value))
        return found

    def swap(
        self,
        kind: str,
        answer: RightAnswer,
        random: Random,
        others: Callable[[tuple[str, str, str]], Iterator[tuple[str, str, str]]],
    ) -> Seeded | None:
        """A figure's value replaced by that of another fact."""
        for figure, key, value in _shuffled(self.levels(answer), random):
            for other in _shuffled(list(others(key)), random):
                wrong = self.world.get(*other)
                said = answer.text[figure.start : figure.end]
                written = rewritten(said, abs(value), abs(wrong)) if wrong else None
                if written and other != key:
                    return _replaced(kind, answer, figure, written, f"{key} -> {other}")
        return None


def rewritten(said: str, value: Decimal, wrong: Decimal) -> str | None:
    """Another value in the clothes of this one: scale, digits and unit; None where no difference would show."""
    match = _DIGITS.search(said)
    if not match:
        return None
    shown = Decimal(match.group().replace(",", ""))
    if not shown or not value:
        return None
    power = round((abs(value) / shown).log10())
    decimals = len(match.group().partition(".")[2])
    number = abs(wrong).scaleb(-power).quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP)
    if not number or abs(number - shown) < Decimal(1).scaleb(-decimals) * 2:
        return None
    grouped = f"{number:,.{decimals}f}"
    return (
        said[: match.start()]
        + (grouped if "," in match.group() or number >= 1000 else f"{number}")
        + said[match.end() :]
    )


def _level(truth: str) -> tuple[str, str, str] | None:
    words = truth.removeprefix("neg ").split(" ")
    if words[0].islower() or len(words) < 3:
        return None
    return words[0], words[1], " ".join(words[2:])


def _replaced(kind: str, answer: RightAnswer, figure: Marked, written: str, note: str) -> Seeded:
    text = answer.text[: figure.start] + written + answer.text[figure.end :]
    said = answer.text[figure.start : figure.end]
    return Seeded(
        kind,
        answer.text,
        text,
        figure.start,
        figure.start + len(written),
        f"{said} -> {written}: {note}",
        answer.results,
    )


def _shuffled(items: Sequence[T], random: Random) -> Sequence[T]:
    return random.sample(list(items), len(items))


def _digit(seeder: Seeder, answer: RightAnswer, random: Random) -> Seeded | None:
    figure = random.choice(answer.figures)
    said = answer.text[figure.start : figure.end]
    match = _DIGITS.search(said)
    places = [at for at in range(match.start(), match.end()) if said[at].isdigit()] if match else []
    if not places:
        return None
    at = random.choice(places)
    choices = [digit for digit in "123456789" + "0" * (at > places[0]) if digit != said[at]]
    written = said[:at] + random.choice(choices) + said[at + 1 :]
    return _replaced("digit", answer, figure, written, "")


def _scale(seeder: Seeder, answer: RightAnswer, random: Random) -> Seeded | None:
    figure = random.choice(answer.figures)
    said = answer.text[figure.start : figure.end]
    for right, wrong in _SCALES:
        if right in said:
            return _replaced("scale", answer, figure, said.replace(right, wrong), "")
    match = _DIGITS.search(said)
    if not match:
        return None
    number = Decimal(match.group().replace(",", ""))
    factor = random.choice((10, 100)) if "%" in said else 1000
    written = said[: match.start()] + f"{number * factor:,}" + said[match.end() :]
    return _replaced("scale", answer, figure, written, "")


def _sign(seeder: Seeder, answer: RightAnswer, random: Random) -> Seeded | None:
    for figure in _shuffled(answer.figures, random):
        said = answer.text[figure.start : figure.end]
        beside = answer.text[figure.start - 1 : figure.start]
        if "(" in said or beside == "(" or "loss" in answer.text[max(0, figure.start - 60) : figure.end + 8].lower():
            continue
        if re.search(r"(?:down|less|fell|slipped|下降|narrowed)\W*$", answer.text[: figure.start]):
            continue
        written = said[1:] if said[0] in "-−" else "-" + said.lstrip("+")
        return _replaced("sign", answer, figure, written, "")
    return None


def _year(seeder: Seeder, answer: RightAnswer, random: Random) -> Seeded | None:
    def others(key: tuple[str, str, str]) -> Iterator[tuple[str, str, str]]:
        ticker, concept, period = key
        head, year = period[:-4], period[-4:]
        if head.endswith("FY"):
            yield from ((ticker, concept, f"{head}{int(year) + step}") for step in (-1, 1))

    return seeder.swap("year", answer, random, others)


def _quarter(seeder: Seeder, answer: RightAnswer, random: Random) -> Seeded | None:
    """A quarter's figure where the year is said, the year to date or the year where a quarter is."""

    def others(key: tuple[str, str, str]) -> Iterator[tuple[str, str, str]]:
        ticker, concept, period = key
        if period.startswith("FY"):
            yield from ((ticker, concept, f"Q{quarter} {period}") for quarter in (1, 2, 3, 4))
        elif period.startswith("Q"):
            yield ticker, concept, period[3:]
            yield ticker, f"{concept} to date", period

    return seeder.swap("quarter_for_year_to_date", answer, random, others)


def _company(seeder: Seeder, answer: RightAnswer, random: Random) -> Seeded | None:
    tickers = sorted({key[0] for key in seeder.world.known()})

    def others(key: tuple[str, str, str]) -> Iterator[tuple[str, str, str]]:
        return ((ticker, *key[1:]) for ticker in tickers if ticker != key[0])

    return seeder.swap("company", answer, random, others)


def _concept(seeder: Seeder, answer: RightAnswer, random: Random) -> Seeded | None:
    def others(key: tuple[str, str, str]) -> Iterator[tuple[str, str, str]]:
        return ((key[0], concept, key[2]) for concept in NEIGHBOURS.get(key[1], ()))

    return seeder.swap("neighbouring_concept", answer, random, others)


def _vintage(seeder: Seeder, answer: RightAnswer, random: Random) -> Seeded | None:
    """The value of an earlier filing, which a later one restated; both are in the run."""
    for figure, (ticker, concept, period), value in _shuffled(seeder.levels(answer), random):
        said = answer.text[figure.start : figure.end]
        old = value * Decimal(random.choice((93, 95, 97, 104, 106))) / 100
        written = rewritten(said, abs(value), abs(old))
        holding = next((r for r in answer.results if any(_is(c, ticker, concept, value) for c in r.cells)), None)
        if not written or holding is None or not period.startswith(("FY", "Q")):
            continue
        cells = [
            replace(
                c,
                value=f"{old if figure.truth[:3] != 'neg' else -old:f}",
                filed="2019-01-01",
                accession="0000000000-19-000001",
            )
            for c in holding.cells
            if _is(c, ticker, concept, value)
        ]
        earlier = replace(holding, id=holding.id + 50, cells=tuple(cells), text="")
        seeded = _replaced("restated_vintage", answer, figure, written, f"{ticker} {concept} {period}")
        return replace(seeded, results=(*answer.results, earlier))
    return None


def _is(cell: Cell, ticker: str, concept: str, value: Decimal) -> bool:
    return (cell.ticker, cell.concept) == (ticker, concept) and abs(cell.number) == abs(value)


def _formula(seeder: Seeder, answer: RightAnswer, random: Random) -> Seeded | None:
    """Growth on the new value, a margin of the wrong whole, a sum for a difference, a ratio upside down."""
    for figure in _shuffled(answer.figures, random):
        said = answer.text[figure.start : figure.end]
        for value, wrong in _shuffled(list(_wrong_formulas(seeder.world, figure.truth)), random):
            written = rewritten(said, abs(value), abs(wrong))
            if written:
                return _replaced("wrong_formula", answer, figure, written, figure.truth)
    return None


def _wrong_formulas(world: Facts, truth: str) -> Iterator[tuple[Decimal, Decimal]]:
    """The right value, and what a wrong formula would have made of it."""
    key = _level(truth)
    if key:
        yield from _wrong_metrics(world, key)
        return
    kind, *words = truth.removeprefix("value ").removeprefix("neg ").split(" ")
    if kind in ("text", "other", "diffof"):
        return
    value = Decimal(words[0]) if truth.startswith("value ") else world.value(truth)
    if kind in ("growth", "cagr"):
        yield value, value / (1 + value)
        yield value, 1 + value
    elif kind in ("ratio", "share"):
        yield value, 1 / value
        yield value, 1 - value
    elif truth.startswith(("points", "change", "diff")):
        one, other = world.pair(words)
        yield value, one + other


def _wrong_metrics(world: Facts, key: tuple[str, str, str]) -> Iterator[tuple[Decimal, Decimal]]:
    ticker, concept, period = key
    value = world.get(*key)
    if concept in _NUMERATORS and value:
        part = world.get(ticker, _NUMERATORS[concept], period)
        for whole in _WRONG_DENOMINATORS["Revenues"]:
            other = world.get(ticker, whole, period)
            if part and other:
                yield value, part / other
    if concept == "FreeCashFlow" and value:
        cash, spent = (world.get(ticker, name, period) for name in ("OperatingCashFlow", "CapitalExpenditures"))
        if cash and spent:
            yield value, cash + spent
    if concept.endswith("Growth") and value:
        yield value, value / (1 + value)


def _turn(seeder: Seeder, answer: RightAnswer, random: Random) -> Seeded | None:
    if not answer.turns:
        return None
    turn = random.choice(answer.turns)
    text = answer.text[: turn.start] + turn.wrong + answer.text[turn.end :]
    note = f"{answer.text[turn.start : turn.end]} -> {turn.wrong}"
    return Seeded(
        "comparison_turned_round", answer.text, text, turn.start, turn.start + len(turn.wrong), note, answer.results
    )


_CHANGES: Mapping[str, Change] = {
    "digit": _digit,
    "scale": _scale,
    "sign": _sign,
    "year": _year,
    "quarter_for_year_to_date": _quarter,
    "company": _company,
    "neighbouring_concept": _concept,
    "restated_vintage": _vintage,
    "wrong_formula": _formula,
    "comparison_turned_round": _turn,
}
