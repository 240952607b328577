"""`calculate` is exact, bounded and nothing but arithmetic."""

from __future__ import annotations

from contextlib import suppress
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dexter.errors import ToolError
from dexter.tools.arithmetic import evaluate
from dexter.tools.calculate import CalculateArguments, calculate, plain


def run(*steps: tuple[str, str], **values: str) -> dict[str, str]:
    arguments = CalculateArguments.model_validate(
        {
            "values": [{"name": name, "value": value} for name, value in values.items()],
            "expressions": [{"name": name, "expression": expression} for name, expression in steps],
        }
    )
    return {step["name"]: step["value"] for step in calculate(arguments).data["results"]}


def test_steps_use_figures_and_earlier_steps_exactly() -> None:
    """A later step uses an earlier one unrounded."""
    got = run(("margin", "profit / revenue"), ("points", "margin * 10000"), profit="1", revenue="3")
    assert got["margin"] == "0.333333333333333"
    assert got["points"] == "3333.33333333333"


def test_decimals_are_read_digit_for_digit() -> None:
    """A literal with more digits than a binary float holds keeps them all."""
    assert evaluate("0.12345678901234567890123 * 10", {}) == Decimal("1.2345678901234567890123")
    assert evaluate("0.1 + 0.2", {}) == Decimal("0.3")


def test_whole_numbers_are_never_shortened() -> None:
    """A market value in yen keeps every digit."""
    assert plain(Decimal(123456789012345678901234567890)) == "123456789012345678901234567890"


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("growth(130497, 60922)", "1.14203407636"),
        ("cagr(100, 121, 2)", "0.1"),
        ("npv(0.1, 110, 121)", "200"),
        ("round(2.345, 2)", "2.34"),
        ("max(1, 2, 3) - min(4, 5) + abs(-2) + sum(1, 2) + mean(2, 4)", "7"),
        ("sqrt(2) ** 2", "2"),
        ("-5 // 2 + 7 % 4", "1"),
    ],
)
def test_functions(expression: str, value: str) -> None:
    """Each listed function gives what its name says."""
    assert abs(evaluate(expression, {}) - Decimal(value)) < Decimal("1e-11")


ATTACKS = [
    "__import__('os').system('id')",
    "().__class__.__bases__[0].__subclasses__()",
    "open('/etc/passwd').read()",
    "x.y",
    "[1][0]",
    "{1: 2}[1]",
    "'a' * 10**9",
    "lambda: 1",
    "(lambda: 1)()",
    "1 if 1 else 2",
    "[x for x in (1,)]",
    "a := 1",
    "f'{1}'",
    "1 < 2",
    "1 and 2",
    "not 1",
    "~1",
    "1 | 2",
    "1 << 9999",
    "print(1)",
    "eval('1')",
    "exec('1')",
    "9**9**9",
    "10**10000",
    "exp(10**6)",
    "((((((1" * 50,
    "+".join(["1"] * 3000),
    "-" * 500 + "1",
    "(" * 300 + "1" + ")" * 300,
    "1/0",
    "0**-1",
    "sqrt(-1)",
    "ln(0)",
    "1j * 1j",
    "True",
    "None",
    "...",
    "b'1'",
    "sum(*[1, 2])",
    "round(1, ndigits=2)",
    "round(1, 99)",
    "growth(1)",
    "min()",
    "mean()",
    "unknown + 1",
    "1;2",
    "import os",
    "",
    "\x00",
    "１＋１ +",
    "1e99999",
    "abs",
]


@pytest.mark.parametrize("expression", ATTACKS)
def test_what_is_not_arithmetic_is_refused_with_a_sentence(expression: str) -> None:
    """Nothing but numbers, names, operators and the listed functions is evaluated, and nothing runs away."""
    with pytest.raises(ToolError) as caught:
        evaluate(expression, {})
    assert caught.value.message


@given(st.text(max_size=60))
def test_any_text_gives_a_value_or_a_sentence(text: str) -> None:
    """No expression raises anything but the tool's own error."""
    with suppress(ToolError):
        assert evaluate(text, {"a": Decimal(2)}).is_finite()


@given(st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**15), max_value=10**15, places=6))
def test_a_figure_comes_back_as_it_went_in(value: Decimal) -> None:
    """Naming a figure and reading it again changes no digit."""
    assert Decimal(run(("same", "x"), x=format(value, "f"))["same"]) == value or len(value.as_tuple().digits) > 15


def test_growth_from_a_negative_base_is_not_meaningful() -> None:
    """Growth from a loss has no number."""
    with pytest.raises(ToolError, match=r"n\.m\."):
        run(("g", "growth(5, -3)"))


def test_a_bad_name_or_figure_is_named_in_the_error() -> None:
    """The model learns which input was wrong."""
    with pytest.raises(ToolError, match="rev enue"):
        run(("a", "1"), **{"rev enue": "1"})
    with pytest.raises(ToolError, match="revenue"):
        run(("a", "1"), revenue="about five")
    with pytest.raises(ToolError, match="'second'"):
        run(("first", "1"), ("second", "1/0"))
