"""Figures are below the data layer and have formulas of their own; here both must say the same."""

from __future__ import annotations

import pytest

from dexter.data.concepts import CONCEPTS
from dexter.data.metrics import METRICS, MULTIPLES, Metric
from dexter.figures.vocabulary import formulas_of, growth_of, is_sequential, kind_of, words_in

_SIGNS = {"−": "-", "×": "*"}
DEFINED = {metric.name: metric for metric in (*METRICS, *MULTIPLES)}
COMPUTED = [metric for metric in DEFINED.values() if metric.formula.operation != "growth"]
GROWTH = [metric for metric in DEFINED.values() if metric.formula.operation == "growth"]
# What no tool gives but answers compute.
ONLY_IN_ANSWERS = {"TotalCash", "PayoutRatio", "EBITDAMargin", "PreTaxMargin"}


@pytest.mark.parametrize("metric", COMPUTED, ids=lambda metric: metric.name)
def test_a_metric_is_computed_as_it_is_defined(metric: Metric) -> None:
    """The first formula of the check is the definition; others stand behind it."""
    sign = _SIGNS.get(metric.formula.sign, metric.formula.sign)
    defined = f"{metric.formula.left} {sign} {metric.formula.right}"
    assert [formula.text for formula in formulas_of(metric.name)][:1] == [defined]


@pytest.mark.parametrize("metric", GROWTH, ids=lambda metric: metric.name)
def test_growth_is_growth_of_the_same_figure(metric: Metric) -> None:
    """On the year before, or with QoQ in its name on the quarter before."""
    assert growth_of(metric.name) == metric.formula.left
    assert is_sequential(metric.name) == (metric.formula.right == "quarter")


@pytest.mark.parametrize("metric", DEFINED.values(), ids=lambda metric: metric.name)
def test_a_figure_comes_in_the_unit_that_it_is_shown_in(metric: Metric) -> None:
    """Percentages are rates, multiples ratios, anything else an amount or an amount a share."""
    expected = {"percent": {"rate"}, "times": {"ratio"}, "amount": {"money", "per_share"}}[metric.style]
    assert kind_of(metric.name) in expected


def test_the_check_has_no_formula_that_nobody_knows() -> None:
    """Every figure with a formula is a metric, a line of the statements, or one that only answers compute."""
    known = {*DEFINED, *(concept.name for concept in CONCEPTS), *ONLY_IN_ANSWERS}
    assert set(words_in("dexter.figures.words", "meanings")["formulas"]) - known == set()
