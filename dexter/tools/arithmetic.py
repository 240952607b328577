"""Arithmetic on named figures, exact and bounded: nothing but numbers, operators and a few functions.

Expressions are parsed with Python's own grammar and evaluated over a whitelist of nodes; there are no attributes, no
subscripts, no strings, no calls but those listed. Numbers are decimals of 50 digits; a result is exact unless a
division, root or power made it inexact.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Context, Decimal, DecimalException, DivisionByZero, InvalidOperation, Overflow, localcontext

from dexter.errors import ToolError

_DIGITS = 50
_LARGEST_EXPONENT = 10_000
_LONGEST = 2_000
_MOST_NODES = 500
_DEEPEST = 40
_LARGEST_POWER = 1_000
_LARGEST_MAGNITUDE = 300
_SHOWN = 80


def _growth(new: Decimal, old: Decimal) -> Decimal:
    if old <= 0:
        raise ToolError("growth from a base that is zero or negative is not meaningful (n.m.).")
    return new / old - 1


def _cagr(first: Decimal, last: Decimal, years: Decimal) -> Decimal:
    if first <= 0 or last <= 0:
        raise ToolError("a growth rate between values that are not both positive is not meaningful (n.m.).")
    if years <= 0:
        raise ToolError("cagr needs a positive number of years.")
    return _power(last / first, 1 / years) - 1


def _npv(rate: Decimal, *flows: Decimal) -> Decimal:
    """Present value of flows at the ends of the first year, the second and so on."""
    return sum((flow / _power(1 + rate, Decimal(year)) for year, flow in enumerate(flows, 1)), Decimal(0))


def _power(base: Decimal, exponent: Decimal) -> Decimal:
    if abs(exponent) > _LARGEST_POWER:
        raise ToolError(f"exponents are limited to ±{_LARGEST_POWER}.")
    return base**exponent


def _round(value: Decimal, digits: Decimal = Decimal(0)) -> Decimal:
    if digits != int(digits) or abs(digits) > _DIGITS:
        raise ToolError(f"round takes a whole number of digits up to {_DIGITS}.")
    return value.quantize(Decimal(1).scaleb(-int(digits)))


def _mean(*values: Decimal) -> Decimal:
    return sum(values, Decimal(0)) / len(values)


FUNCTIONS: Mapping[str, Callable[..., Decimal]] = {
    "abs": abs,
    "min": min,
    "max": max,
    "sum": lambda *values: sum(values, Decimal(0)),
    "mean": _mean,
    "round": _round,
    "sqrt": lambda value: value.sqrt(),
    "ln": lambda value: value.ln(),
    "exp": lambda value: _power(Decimal(1).exp(), value),
    "growth": _growth,
    "cagr": _cagr,
    "npv": _npv,
}
_REMEDY = f"Use numbers, names, + - * / // % **, and {', '.join(FUNCTIONS)}."
_BINARY: Mapping[type[ast.operator], Callable[[Decimal, Decimal], Decimal]] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.Div: lambda a, b: a / b,
    ast.Mod: lambda a, b: a % b,
    ast.FloorDiv: lambda a, b: a // b,
    ast.Pow: _power,
}
_UNARY: Mapping[type[ast.unaryop], Callable[[Decimal], Decimal]] = {ast.UAdd: lambda a: +a, ast.USub: lambda a: -a}


def evaluate(expression: str, names: Mapping[str, Decimal]) -> Decimal:
    """The value of an expression over named figures.

    Raises:
        ToolError: it is no arithmetic, too large, or has no value.
    """
    tree = _parsed(expression)
    traps = [DivisionByZero, InvalidOperation, Overflow]
    with localcontext(Context(prec=_DIGITS, Emax=_LARGEST_EXPONENT, Emin=-_LARGEST_EXPONENT, traps=traps)):
        try:
            return _Evaluation(expression, names).value(tree)
        except DivisionByZero as error:
            raise ToolError(f"{_shown(expression)} divides by zero.") from error
        except DecimalException as error:
            raise ToolError(f"{_shown(expression)} has no finite value.") from error


def _parsed(expression: str) -> ast.expr:
    if len(expression) > _LONGEST:
        raise ToolError(f"the expression is longer than {_LONGEST:,} characters.", remedy="Split it into named steps.")
    try:
        tree = ast.parse(expression.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise ToolError(
            f"{_shown(expression)} is not an arithmetic expression.",
            remedy=_REMEDY,
        ) from error
    if sum(1 for _ in ast.walk(tree)) > _MOST_NODES:
        raise ToolError("the expression has too many parts.", remedy="Split it into named steps.")
    return tree.body


@dataclass(frozen=True)
class _Evaluation:
    """Walks one expression; `source` is its text, so that numbers are read digit for digit."""

    source: str
    names: Mapping[str, Decimal]

    def value(self, node: ast.expr, depth: int = 0) -> Decimal:
        if depth > _DEEPEST:
            raise ToolError("the expression is nested too deeply.", remedy="Split it into named steps.")
        match node:
            case ast.Constant():
                return self._number(node)
            case ast.Name():
                return self._named(node.id)
            case ast.BinOp() if type(node.op) in _BINARY:
                left, right = self.value(node.left, depth + 1), self.value(node.right, depth + 1)
                return _bounded(_BINARY[type(node.op)](left, right))
            case ast.UnaryOp() if type(node.op) in _UNARY:
                return _UNARY[type(node.op)](self.value(node.operand, depth + 1))
            case ast.Call(func=ast.Name(id=name), keywords=[]):
                return _bounded(_called(name, [self.value(argument, depth + 1) for argument in node.args]))
        raise ToolError("only numbers, names, operators and the listed functions are arithmetic.", remedy=_REMEDY)

    def _number(self, node: ast.Constant) -> Decimal:
        if isinstance(node.value, bool) or not isinstance(node.value, int | float):
            raise ToolError("only plain numbers may stand in an expression.", remedy=_REMEDY)
        text = ast.get_source_segment(self.source.strip(), node) or repr(node.value)
        if isinstance(node.value, int):
            return _bounded(Decimal(node.value))
        return _bounded(Decimal(text.replace("_", "")))

    def _named(self, name: str) -> Decimal:
        if name in self.names:
            return self.names[name]
        known = ", ".join(sorted(self.names)) or "none"
        raise ToolError(f"there is no figure named {_shown(name)}.", remedy=f"Named so far: {known}.")


def _called(name: str, arguments: list[Decimal]) -> Decimal:
    if name not in FUNCTIONS:
        raise ToolError(f"there is no function {_shown(name)}.", remedy=f"Functions: {', '.join(FUNCTIONS)}.")
    try:
        return FUNCTIONS[name](*arguments)
    except (TypeError, ValueError) as error:
        raise ToolError(f"{name} was given {len(arguments)} values, which it does not take.") from error


def _bounded(value: Decimal) -> Decimal:
    if not value.is_finite() or (value and abs(value.adjusted()) > _LARGEST_MAGNITUDE):
        raise ToolError(f"a value beyond 10^±{_LARGEST_MAGNITUDE} came up; that is no financial figure.")
    return value


def _shown(text: str) -> str:
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "…")
