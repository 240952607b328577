"""Figures are checked, not hoped for: what a summariser drops stands in the view again, or is reachable by its id."""

from __future__ import annotations

import asyncio
import random
import re
from dataclasses import dataclass, replace

import pytest

from dexter.context.ledger import Ledger, restore
from dexter.context.mentions import ranges_text, to_ranges
from dexter.context.stages.compact import Compact
from dexter.context.tokens import TokenMeter
from dexter.figures.bind import reader_of
from dexter.figures.ledger import Figure, distinct, figures_of, stated_in
from dexter.messages import UserMessage
from dexter.results import Cell
from dexter.text import estimate_tokens
from tests.support.stage_views import Script
from tests.support.summarisers import answer, nine_sections, summariser, tagged

COMPANIES = {"NVDA": "NVIDIA", "AMD": "AMD", "INTC": "Intel", "MSFT": "Microsoft"}
LINES = {
    "Revenues": "Revenue",
    "CostOfRevenue": "Cost of revenue",
    "GrossProfit": "Gross profit",
    "ResearchAndDevelopment": "Research and development",
    "OperatingIncome": "Operating income",
    "NetIncome": "Net income",
    "EPSDiluted": "Diluted EPS",
    "FreeCashFlow": "Free cash flow",
    "TotalAssets": "Total assets",
    "Inventory": "Inventory",
}
RESULTS = 40


@dataclass
class Session:
    """A run of forty results with six hundred figures, and what its summariser writes down of them."""

    script: Script
    rng: random.Random

    @property
    def figures(self) -> list[Figure]:
        stored = list(self.script.store.stored.values())
        return list(distinct(figure for result in stored for figure in figures_of(result)))

    def compact(self, kept: set[Figure], reports=()):
        written = "; ".join(sentence(figure) for figure in self.figures if figure in kept)  # the same text every time
        model = summariser(answer(tagged(nine_sections(s6=written))))
        meter = TokenMeter(counted=170_000, covered=1)
        ctx = self.script.ctx(fast_model=model, reports=reports, meter=meter)
        return asyncio.run(Compact()(self.script.view, ctx))


def sentence(figure: Figure) -> str:
    if figure.unit == "USD":
        return (
            f"{figure.company} {figure.label} {figure.period} ${figure.value / 1_000_000:,f} million (#{figure.result})"
        )
    return f"{figure.company} {figure.label} {figure.period} ${figure.value} per share (#{figure.result})"


def session(seed: int) -> Session:
    rng = random.Random(seed)  # noqa: S311 - a seed that can be named
    script = Script().q("Compare NVIDIA and AMD: growth, margins, balance sheet.")
    names = list(LINES)
    for number in range(RESULTS):
        ticker = list(COMPANIES)[number % 4]
        period, newest = ("FY", "Q1")[number // 8 % 2], 2026 - 3 * (number // 16)
        lines = names[:5] if number % 8 < 4 else names[5:]
        _add(script, [_cell(rng, ticker, line, newest - back, period) for line in lines for back in range(3)])
    return Session(script, rng)


def _cell(rng, ticker, line, year, period):
    is_eps = line == "EPSDiluted"
    value = f"{rng.uniform(0.1, 20):.2f}" if is_eps else str(rng.randint(100, 300_000) * 1_000_000)
    return Cell(
        ticker, line, value, "USD/shares" if is_eps else "USD", year, period,
        company=COMPANIES[ticker], label=LINES[line], period_end=f"{year}-01-{25 + rng.randint(0, 6)}",
    )  # fmt: skip


def _add(script, cells):
    script.a(
        "\n".join(f"{cell.label} {cell.fiscal_period} {cell.fiscal_year}: {cell.value} {cell.unit}" for cell in cells)
    )
    newest = max(script.store.stored)
    script.store.stored[newest] = replace(script.store.stored[newest], cells=tuple(cells))


def _summary(result) -> str:
    return next(m.text for m in result.messages if isinstance(m, UserMessage) and m.kind == "summary")


def _table(text: str) -> str:
    """The restored rows."""
    return "\n".join(line for line in text.splitlines() if re.match(r"#\d+ |Further figures", line))


def _listed(text: str) -> set[int]:
    """The ids said to hold further figures."""
    ids: set[int] = set()
    for line in re.findall(r"Further figures only by read_result: (.*)", text):
        for first, last in re.findall(r"#(\d+)(?:–#(\d+))?", line):
            ids.update(range(int(first), int(last or first) + 1))
    return ids


@pytest.mark.parametrize("seed", range(3))
def test_with_half_the_figures_dropped_those_about_the_subjects_stand_in_the_view(seed):
    """At least 95 % of them as value with label, within 5,000 tokens; every other one by the id of its result."""
    run = session(seed)
    figures = [f for f in run.figures if f.result < RESULTS]
    kept = {figure for figure in figures if run.rng.random() < 0.5}
    result = run.compact(kept)
    text = _summary(result)
    table = _table(text)
    assert len(figures) > 500
    assert estimate_tokens(table) <= 5_000
    reader = reader_of(run.script.store.stored.values())
    states = stated_in(text, reader)
    about = [figure for figure in figures if figure.company in ("NVDA", "AMD")]
    assert sum(map(states, about)) >= 0.95 * len(about)
    listed = _listed(text)
    for figure in figures:
        assert states(figure) or figure.result in listed
    report = result.report
    assert report.figures_kept + report.figures_restored + report.figures_left == len(figures)


@pytest.mark.parametrize("seed", range(3))
def test_follow_up_questions_are_answered_from_the_view_or_one_recall(seed):
    """Twenty random figures: in the view with the right result's id, or in the result that the view names."""
    run = session(seed)
    figures = [f for f in run.figures if f.result < RESULTS]
    text = _summary(run.compact({figure for figure in figures if run.rng.random() < 0.5}))
    reader = reader_of(run.script.store.stored.values())
    for figure in run.rng.sample(figures, 20):
        rows = [line for line in text.splitlines() if line.startswith(f"#{figure.result} ")]
        in_row = stated_in("\n".join(rows), reader)(figure)
        in_summary = sentence(figure) in text
        recalled = figure.result in _listed(text) and str(figure.value) in run.script.store.read(figure.result).text
        assert in_row or in_summary or recalled


def test_figures_of_earlier_summaries_survive_later_ones():
    """Three compactions by a summariser that writes down nothing: the first results' figures still stand there."""
    script = Script().q("Compare NVIDIA and AMD.")
    run = Session(script, random.Random(7))  # noqa: S311 - the same in every run
    reports = ()
    for round_number in range(3):
        for number in range(4):
            ticker = ("NVDA", "AMD")[number % 2]
            _add(
                script,
                [_cell(run.rng, ticker, line, 2026 - round_number, f"Q{number + 1}") for line in list(LINES)[:4]],
            )
        script.a(9_000)
        result = run.compact(set(), reports)
        script.messages = list(result.messages)
        reports = (*reports, result.report)
    text = _summary(result)
    states = stated_in(text, reader_of(script.store.stored.values()))
    assert all(map(states, [f for f in run.figures if f.result <= 14]))


def test_where_room_is_short_the_questions_subjects_come_first():
    """Figures of companies nobody asked about wait, however new they are."""
    run = session(1)
    figures = [f for f in run.figures if f.result < RESULTS]
    reader = reader_of(run.script.store.stored.values())
    about = [f for f in figures if f.company == "AMD"]
    restored = restore(
        Ledger(figures, reader), is_kept=lambda _f: False, is_preferred=lambda f: f.company == "AMD", room=1_000
    )
    states = stated_in(restored.table, reader)
    assert 0 < restored.restored < len(about)
    assert sum(map(states, about)) == restored.restored
    shown = [f.result for f in about if states(f)]
    assert min(shown) >= max(f.result for f in about if not states(f)), "of those the newest first"


def test_what_does_not_fit_is_listed_by_the_right_id():
    """With room for few figures the others' results are named, and no others."""
    run = session(0)
    figures = [f for f in run.figures if f.result < RESULTS]
    reader = reader_of(run.script.store.stored.values())
    restored = restore(Ledger(figures, reader), is_kept=lambda _f: False, is_preferred=lambda _f: True, room=600)
    states = stated_in(restored.table, reader)
    missing = {figure.result for figure in figures if not states(figure)}
    assert restored.table.endswith(f"Further figures only by read_result: {ranges_text(to_ranges(missing))}")
    assert estimate_tokens(restored.table) <= 600
    assert restored.left == len(figures) - restored.restored > 0
