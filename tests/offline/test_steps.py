"""Steps of `calculate`: what is derived, from which cells, and what is not derived at all."""

from __future__ import annotations

import asyncio

from hypothesis import given
from hypothesis import strategies as st

from dexter.offline.evidence import Evidence, Span
from dexter.offline.items import Item
from dexter.offline.steps import calculate_arguments, gather_steps, item_step, series_steps
from dexter.results import Cell, StoredResult
from dexter.tools.calculate import CalculateArguments, calculate
from tests.support.offline import answer_to


def years(*values: int) -> tuple[Evidence, list[Span]]:
    """Net cash of AMD in as many years up to 2025."""
    first = 2026 - len(values)
    cells = [
        Cell(
            "AMD",
            "NetCash",
            str(value),
            "USD",
            first + n,
            "FY",
            f"{first + n}-01-01",
            f"{first + n}-12-31",
            currency="USD",
        )
        for n, value in enumerate(values)
    ]
    evidence = Evidence([StoredResult(1, "get_financials", {}, "ok", "", cells)])
    return evidence, evidence.spans("AMD", "annual")[::-1]


GROWTH = Item("NetCash", "growth_year")


def test_growth_from_a_base_that_is_not_positive_is_no_step():
    """Neither zero nor a negative base gives a percentage."""
    for base in (-5, 0):
        evidence, spans = years(base, 10)
        assert item_step(GROWTH, "AMD", spans[1], evidence) is None
    evidence, spans = years(5, 10)
    assert item_step(GROWTH, "AMD", spans[1], evidence) is not None


def test_a_negative_base_is_not_meaningful_in_the_answer():
    """The table says n.m., and no step was asked for."""
    answer = asyncio.run(answer_to("Apple net cash growth in FY2025"))
    assert "n.m." in answer


def test_a_sum_needs_every_period():
    """A hole makes no smaller sum."""
    evidence, spans = years(1, 2, 3)
    hole = Span("2022-12-31", "annual", 2022, "FY")
    assert [step.expression.count(",") for step in gather_steps("total", Item("NetCash"), "AMD", spans, evidence)] == [
        2
    ]
    assert list(gather_steps("total", Item("NetCash"), "AMD", [hole, *spans], evidence)) == []


def test_a_yearly_rate_spans_the_years_between():
    """Four years have three years between them."""
    evidence, spans = years(1, 2, 3, 8)
    steps = {step.kind: step for step in series_steps(Item("NetCash"), "AMD", spans, evidence)}
    assert steps["cagr"].expression == "cagr(AMD_NetCash_FY_2022, AMD_NetCash_FY_2025, 3)"
    assert calculated(list(steps.values()), evidence)[steps["cagr"].name] == "1"


def calculated(steps: list, evidence: Evidence) -> dict[str, str]:
    arguments = calculate_arguments(steps, evidence.result_of)
    result = calculate(CalculateArguments.model_validate(arguments))
    return {outcome["name"]: outcome["value"] for outcome in result.data["results"]}


@given(st.lists(st.integers(-(10**12), 10**12), min_size=2, max_size=6))
def test_every_step_is_one_the_tool_can_take(values: list[int]):
    """Whatever the figures, `calculate` refuses none of the steps made of them."""
    evidence, spans = years(*values)
    made = [*series_steps(Item("NetCash"), "AMD", spans, evidence)]
    made += [step for span in spans if (step := item_step(GROWTH, "AMD", span, evidence))]
    made += gather_steps("average", Item("NetCash"), "AMD", spans, evidence)
    assert set(calculated(made, evidence)) == {step.name for step in made}
