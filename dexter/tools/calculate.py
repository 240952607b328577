"""`calculate`: arithmetic on named figures, checked, exact, and on record so that each step can be followed."""

from __future__ import annotations

import asyncio
import re
from decimal import Decimal, InvalidOperation

from pydantic import BaseModel, Field

from dexter.errors import ToolError
from dexter.results import Source, ToolResult
from dexter.tools.arithmetic import evaluate
from dexter.tools.tool import Tool, ToolContext

_SIGNIFICANT = 15
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")


class NamedValue(BaseModel):
    """A figure and where it is from."""

    name: str = Field(description="A short name: letters, digits, underscores, e.g. revenue_fy2025.")
    value: str = Field(description="The figure as plain digits, e.g. 130497000000 or -0.025.")
    source: str = Field(default="", description="Where it is from, e.g. #3 NVDA Revenues FY2025.")


class NamedExpression(BaseModel):
    """A step: a name for the outcome and how to compute it."""

    name: str = Field(description="Name of the outcome; later steps may use it.")
    expression: str = Field(description="E.g. (revenue_fy2025 - revenue_fy2024) / revenue_fy2024 * 100")


class CalculateArguments(BaseModel):
    """Named figures, then steps in order."""

    values: list[NamedValue] = Field(default_factory=list, description="Named figures.", max_length=200)
    expressions: list[NamedExpression] = Field(description="Steps in order.", min_length=1, max_length=100)


async def _run(arguments: CalculateArguments, _context: ToolContext) -> ToolResult:
    return await asyncio.to_thread(calculate, arguments)


def calculate(arguments: CalculateArguments) -> ToolResult:
    """Compute every step.

    Raises:
        ToolError: a figure or step is no arithmetic; names which.
    """
    names: dict[str, Decimal] = {}
    for given in arguments.values:
        names[_name(given.name)] = _decimal(given)
    lines, results = [], []
    for step in arguments.expressions:
        try:
            value = evaluate(step.expression, names)
        except ToolError as error:
            raise ToolError(f"in {step.name!r}: {error.message}", remedy=error.remedy) from error
        names[_name(step.name)] = value
        lines.append(f"{step.name} = {step.expression} = {plain(value)}")
        results.append({"name": step.name, "expression": step.expression, "value": plain(value)})
    inputs = [{"name": v.name, "value": v.value, "source": v.source} for v in arguments.values]
    return ToolResult(
        "\n".join([*_inputs(arguments), *lines]),
        data={"values": inputs, "results": results},
        sources=(Source("calculation", "calculate"),),
    )


def plain(value: Decimal) -> str:
    """A decimal as plain digits; one that a division made endless is shown to 15 significant digits."""
    digits = value.as_tuple().digits
    if len(digits) > _SIGNIFICANT:
        rounded = value.quantize(Decimal(1).scaleb(value.adjusted() - _SIGNIFICANT + 1)) if value else value
        value = rounded if value != value.to_integral_value() else value
    text = format(value, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def _inputs(arguments: CalculateArguments) -> list[str]:
    return [f"{v.name} = {v.value}" + (f"  ({v.source})" if v.source else "") for v in arguments.values]


def _name(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise ToolError(f"{name[:80]!r} is not a usable name.", remedy="Use letters, digits and underscores.")
    return name


def _decimal(given: NamedValue) -> Decimal:
    try:
        value = Decimal(given.value.replace(",", "").replace("_", "").strip())
    except InvalidOperation as error:
        raise ToolError(
            f"{given.name!r} is not a number: {given.value[:80]!r}.", remedy="Give plain digits."
        ) from error
    if not value.is_finite() or (value and abs(value.adjusted()) > 300):  # noqa: PLR2004 - as in arithmetic.py
        raise ToolError(f"{given.name!r} is not a usable figure: {given.value[:80]!r}.")
    return value


def calculate_tool() -> Tool[CalculateArguments]:
    """The tool."""
    return Tool(
        name="calculate",
        description=(
            "Exact arithmetic on named figures, step by step: + - * / // % **, abs, min, max, sum, mean, round, sqrt,"
            " ln, exp, growth(new, old), cagr(first, last, years), npv(rate, flow_1, flow_2, …). Use it for every"
            " figure that you derive; give each input with its source."
        ),
        arguments=CalculateArguments,
        run=_run,
        concurrent=True,
        clearable=False,
        limited=False,
    )
