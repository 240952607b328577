"""A valuation from question to answer, offline; its figures computed again from what is printed, nothing else."""

from __future__ import annotations

import asyncio
import re
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from pathlib import Path

import pytest

from dexter.app.ask import ask
from dexter.offline.assumptions import read_assumptions
from dexter.offline.understand import understand
from dexter.scratchpad.run_state import read_state
from tests.support.setups import make_setup

D = Decimal


QUESTIONS = ("dcf of NVDA", "dcf of NVDA with an 8.25% discount rate and terminal growth of 3%")


@pytest.fixture(scope="module", params=QUESTIONS, ids=["usual rates", "rates as asked"])
def answered(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> tuple[str, Path]:
    """The answer's text and the run's record."""
    setup = make_setup(tmp_path_factory.mktemp("dcf"), {"DEXTER_OFFLINE": "true"})
    answer = asyncio.run(ask(request.param, setup))
    return answer.text, Path(answer.path)


def rows(text: str) -> list[list[str]]:
    return [line.strip("|").split("|") for line in text.splitlines() if line.startswith("|") and "-|" not in line]


def number(text: str) -> Decimal:
    value = D(text.replace(",", "").rstrip("%"))
    return value / 100 if text.endswith("%") else value


def rounded(value: Decimal, digits: str, mode: str = ROUND_HALF_UP) -> Decimal:
    return value.quantize(D(digits), mode)


class Printed:
    """What a reader sees, by label."""

    def __init__(self, text: str) -> None:
        table = rows(text)
        self.labelled = {(row[0], row[1]): row[-1] for row in table}
        self.years = [[number(cell) for cell in row] for row in table if re.fullmatch(r"\d+", row[0])]
        self.bridge = {row[0]: number(row[1]) for row in table if len(row) == 2 and row[1] != "value"}
        self.grid = {number(row[0]): [number(cell) for cell in row[1:]] for row in table if row[0].endswith("%")}

        head = next(row for row in table if row[0].startswith("value a share"))
        self.terminals = [number(cell) for cell in head[1:]]

    def rate(self, label: str) -> Decimal:
        return next(number(value) for (name, _), value in self.labelled.items() if name == label)

    def input(self, label: str, day: str) -> Decimal:
        return number(self.labelled[label, day])


def test_the_run_follows_the_workflow(answered: tuple[str, Path]) -> None:
    """The skill is loaded first; figures, price and one calculation follow, and nothing else."""
    state = read_state(answered[1])
    assert [call.name for _, call in state.calls] == ["skill", "get_financials", "get_market_data", "calculate"]
    assert state.end is not None
    assert state.end["status"] == "answered"


def test_every_figure_can_be_computed_again_from_what_is_printed(answered: tuple[str, Path]) -> None:
    """A pocket calculator, the printed inputs and assumptions give every printed figure to its last digit."""
    printed = Printed(answered[0])
    rate, terminal = printed.rate("Discount rate"), printed.rate("Terminal growth")
    cap = printed.rate("Cap on the first year's growth")
    newest, oldest = "2026-01-25", "2022-01-30"
    past = []
    for label in ("Free cash flow", "Revenue"):
        quotient = printed.input(label, newest) / printed.input(label, oldest)
        past.append(D(float(quotient) ** 0.25) - 1)
        assert printed.input(f"{label}, growth a year over 4 years", "") == rounded(past[-1], "0.001")
    first = rounded(max(min(*past, cap), terminal), "0.001", ROUND_HALF_EVEN)
    flow, flows, present = printed.input("Free cash flow", newest), [], []
    for year, growth, shown, factor, value in printed.years:
        assert growth == rounded(first + (terminal - first) * (year - 1) / 9, "0.001", ROUND_HALF_EVEN)
        flow *= 1 + growth
        flows.append(flow)
        present.append(flow / (1 + rate) ** int(year))
        assert (shown, factor, value) == (
            rounded(flow, "1"),
            rounded(1 / (1 + rate) ** int(year), "0.0001"),
            rounded(present[-1], "1"),
        )
    assert len(flows) == 10
    after = flow * (1 + terminal) / (rate - terminal)
    worth = sum(present) + after / (1 + rate) ** 10
    net = printed.input("Cash and equivalents", newest) - printed.input("Long-term debt", newest)
    shares = printed.input("Shares outstanding", newest)
    share = (worth + net) / shares
    assert printed.bridge == {
        "Sum of present values (million)": rounded(sum(present, D(0)), "1"),
        "Terminal value (million)": rounded(after, "1"),
        "Present value of the terminal value (million)": rounded(after / (1 + rate) ** 10, "1"),
        "Enterprise value (million)": rounded(worth, "1"),
        "Value of the equity (million)": rounded(worth + net, "1"),
        "Value a share": rounded(share, "0.01"),
        "Against the close": rounded(share / printed.input("Close", "2026-03-20") - 1, "0.001"),
    }
    for other, values in printed.grid.items():
        for growth, value in zip(printed.terminals, values, strict=True):
            total = sum(f / (1 + other) ** n for n, f in enumerate(flows, 1))
            total += flow * (1 + growth) / (other - growth) / (1 + other) ** 10
            assert value == rounded((total + net) / shares, "0.01")
    assert len(printed.grid) == 3


def test_the_arithmetic_is_calculates(answered: tuple[str, Path]) -> None:
    """The value of a share stands in the result of `calculate`, with each input's source beside it."""
    _, path = answered
    record = path.read_text(encoding="utf-8")
    assert "NVDA_DCF_per_share = NVDA_DCF_equity / NVDA_SharesOutstanding_FY_2026" in record
    assert "discount_rate = 0.10  (assumption)" in record or "discount_rate = 0.0825  (the question)" in record
    assert "#2 NVDA FreeCashFlow 2026-01-25" in record


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("DCF of Intel", "not meaningful"),
        ("英伟达的现金流折现估值", "每股价值"),
        ("What's Nvidia's fair value using DCF?", "no opinion"),
        ("dcf of JPM", "no free cash flow"),
    ],
)
def test_what_can_not_be_valued_is_said(tmp_path: Path, question: str, says: str) -> None:
    """A negative cash flow, a bank; another language; an opinion is declined all the same."""
    answer = asyncio.run(ask(question, make_setup(tmp_path, {"DEXTER_OFFLINE": "true"})))
    assert says in answer.text


@pytest.mark.parametrize(
    ("text", "rates"),
    [
        ("dcf of x at a 9% discount rate", {"discount_rate": "0.09"}),
        ("dcf of x, discounted at 11.5 %", {"discount_rate": "0.115"}),
        ("dcf: wacc 8 per cent, perpetual growth 2%", {"discount_rate": "0.08", "terminal_growth": "0.02"}),
        ("dcf with terminal growth = 3%", {"terminal_growth": "0.03"}),
        ("现金流折现，折现率9%，永续增长率为2%", {"discount_rate": "0.09", "terminal_growth": "0.02"}),
        ("dcf and revenue growth of 5%", {}),
    ],
)
def test_rates_that_are_asked_for_are_taken(text: str, rates: dict[str, str]) -> None:
    """In the words people use, before or behind the number."""
    assert {name: str(rate) for name, rate in read_assumptions(text)[0].items()} == rates
    assert not understand(text, lambda _text: []).unread or not rates


def test_rates_that_can_not_be_are_refused(tmp_path: Path) -> None:
    """A discount rate not above terminal growth: said, and nothing is computed."""
    answer = asyncio.run(ask("dcf of NVDA, wacc 4%", make_setup(tmp_path, {"DEXTER_OFFLINE": "true"})))
    assert "more than one and a half points" in answer.text
    assert "Enterprise value" not in answer.text
