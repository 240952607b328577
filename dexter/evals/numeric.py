"""Whether an answer states a figure: scale, unit, sign and rounding aware, and of the right company and period.

The number is looked for among the figures of the answer, each read with what its sentence, or its row and column, say
of it. It counts only where it is of the company and period asked about or says nothing of them, and where no other
number is given for the same figure of the same company and period.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import chain

from dexter.evals.grade import Check
from dexter.evals.questions import Figure, FigureKind, Subject
from dexter.figures.bind import bind, reader_of
from dexter.figures.bound import Bound
from dexter.figures.claims import claim_of
from dexter.figures.compare import says
from dexter.figures.match import is_of_period
from dexter.figures.notation import CURRENCIES, SCALES, alternatives
from dexter.figures.numbers import Number, Unit
from dexter.figures.periods import Period
from dexter.figures.signs import states
from dexter.figures.vocabulary import kind_of

_UNITS: Mapping[FigureKind, frozenset[Unit]] = {
    "money": frozenset({"money", "plain"}),
    "per_share": frozenset({"per_share", "money", "plain"}),
    "shares": frozenset({"shares", "plain"}),
    "percent": frozenset({"percent", "plain"}),
    "points": frozenset({"points"}),
    "times": frozenset({"times", "plain"}),
    "plain": frozenset({"plain", "money", "shares", "times"}),
}
_LEAST_DIGITS = 3
# As exact as people give these, whatever their size: a cent, a tenth of a percent, a basis point's tenth.
_FINE_ENOUGH: Mapping[FigureKind, Decimal] = {
    "per_share": Decimal("0.01"),
    "percent": Decimal("0.001"),
    "points": Decimal("0.001"),
    "times": Decimal("0.01"),
}
_SCALE_NOTE = re.compile(rf"\bin\s+(?:{alternatives(CURRENCIES)})?\s*({alternatives(SCALES)})", re.IGNORECASE)
# `not $5 billion but`, `rather than $5 billion`.
_DENIED = re.compile(
    r"(?:\b(?:not|never|rather than|instead of)|n['’]t(?:\s+been)?)\s+(?:about\s+|around\s+|roughly\s+|at\s+)?$",
    re.IGNORECASE,
)
_OR = re.compile(r"\W*\bor\b\W*(?:(?:about|around|maybe|perhaps|possibly|even|was|is|it|rather)\s+)*", re.IGNORECASE)
_EITHER = re.compile(r"\beither\b.*\bor\b", re.IGNORECASE | re.DOTALL)
_BETWEEN_PERIODS = frozenset({"growth", "cagr", "change"})
_PERIOD = re.compile(r"(?:(Q[1-4]|H[12]|9M|TTM)(?:\s+|$))?(?:FY(\d{4}))?")


def figures_in(text: str) -> tuple[Bound, ...]:
    """The figures of an answer, bare numbers too, each with what it is said of.

    Where the answer names but one company, what names none is of that one.
    """
    reader = reader_of(())
    named = {mention.ticker for mention in reader.named(text).companies}
    only = tuple(named) if len(named) == 1 else ()
    return tuple(
        _scaled(bound if bound.companies else replace(bound, companies=only)) for bound in bind(text, reader, bare=True)
    )


def _scaled(bound: Bound) -> Bound:
    """A bare number of a sentence that says what all of it is in: `In billions of dollars: 215.9`."""
    number, note = bound.number, _SCALE_NOTE.search(bound.said)
    is_a_share = bool(bound.concepts) and kind_of(bound.concepts[0]) != "money"
    if bound.in_table or note is None or number.scaled or number.unit not in ("plain", "money") or is_a_share:
        return bound
    power = SCALES[note[1].lower()]
    scaled = replace(number, value=number.value.scaleb(power), step=number.step.scaleb(power), scaled=True)
    return replace(bound, number=scaled)


def check_figure(figure: Figure, found: Sequence[Bound]) -> Check:
    """Whether the figures of an answer hold this one and none that contradicts it."""
    what = _described(figure)
    said = [bound for bound in found if not _DENIED.search(bound.before)]
    fitting = [bound for bound in said if is_about(bound, figure) and _is_called(bound, figure)]
    stating = [bound for bound in fitting if _states(bound, figure)]
    if not stating:
        return Check(what, met=False, why=_nearest(figure, fitting or found))
    rival = next(
        chain(_opposite(fitting, figure), _rivals(stating, fitting, figure), _alternatives(stating, fitting, figure)),
        None,
    )
    if rival is not None:
        return Check(what, met=False, why=f"also given as {rival.number.text}")
    return Check(what, met=True, why=stating[0].number.text)


def is_about(bound: Bound, asked: Figure | Subject) -> bool:
    """Whether a number may be of the company and period asked about: nothing that is said of it differs."""
    if asked.ticker and bound.companies and asked.ticker not in bound.companies:
        return False
    known = period_of(asked)
    said = bound.periods
    if said and claim_of(bound).sort in _BETWEEN_PERIODS:
        said = (*said, *bound.spoken)  # a change from one period to another is of either
    stated = [period for period in said if not period.relation]
    return known is None or not stated or any(is_of_period(period, known) for period in stated)


def _is_called(bound: Bound, figure: Figure) -> bool:
    """Whether a number may be the figure by what it is called; where nothing says so, or not clearly, it may."""
    called = (*bound.concepts, *bound.others.concepts)
    return not figure.concept or not called or figure.concept in called


def is_period(text: str) -> bool:
    """Whether a period is written as sets write it: `FY2025`, `Q3 FY2025`, `TTM`; '' for none."""
    return bool(_PERIOD.fullmatch(text))


def period_of(asked: Figure | Subject) -> Period | None:
    """The period asked about; None where none is."""
    match = _PERIOD.fullmatch(asked.period)
    name, year = match.groups() if match else (None, None)
    if not (name or year or asked.period_end):
        return None
    return Period(name or ("FY" if year else ""), int(year) if year else None, asked.period_end)


def _is_of_kind(number: Number, figure: Figure) -> bool:
    """Whether a number comes in the unit and currency of a figure."""
    if number.unit not in _UNITS[figure.kind] or (figure.kind == "per_share" and number.scaled):
        return False
    return not (figure.currency and number.currency) or figure.currency == number.currency


def _states(bound: Bound, figure: Figure) -> bool:
    number = bound.number
    if not _is_of_kind(number, figure) or not _is_exact_enough(number, figure):
        return False
    if figure.tolerance and abs(number.value - figure.value) <= figure.tolerance * abs(figure.value):
        return True
    if figure.kind == "percent" and number.unit == "plain":  # a share of one: 0.441; never 44.1
        return says(number, figure.value)
    if number.step >= figure.step:
        return states(claim_of(bound), figure.value)
    return says(_as_number(figure), number.value)


def _is_exact_enough(number: Number, figure: Figure) -> bool:
    """Three digits, or as many as the figure itself is given with, or as fine as such figures are given."""
    if number.step <= max(figure.step, _FINE_ENOUGH.get(figure.kind, Decimal(0)), figure.tolerance * abs(figure.value)):
        return True
    if number.value == figure.value:
        return True
    return bool(number.value) and number.value.adjusted() - number.step.adjusted() >= _LEAST_DIGITS - 1


def _as_number(figure: Figure) -> Number:
    unit: Unit = figure.kind
    return Number(0, 0, "", figure.value, figure.step, unit, figure.currency)


def _opposite(fitting: Sequence[Bound], figure: Figure) -> Iterator[Bound]:
    """Changes that are written with the other sign: `+0.40 percentage points (40 bps)` is no fall by 40."""
    if not figure.value or figure.kind not in ("percent", "points"):
        return
    for bound in fitting:
        number = bound.number
        if number.signed and number.is_rate and number.unit in _UNITS[figure.kind] and says(number, -figure.value):
            yield bound


def _rivals(stating: Sequence[Bound], fitting: Sequence[Bound], figure: Figure) -> Iterator[Bound]:
    """Numbers that are said to be the same figure of the same company and period and are another.

    Where a sentence names several periods it is not clear enough of which one a number is.
    """
    for right in stating:
        if right.in_table or not right.concepts or len(right.spoken) > 1:
            continue
        for other in fitting:
            same_thing = (other.companies[:1], other.concepts[:1], other.periods[:1], other.number.unit) == (
                right.companies[:1],
                right.concepts[:1],
                right.periods[:1],
                right.number.unit,
            )
            sorts = {claim_of(other).sort, claim_of(right).sort}
            if same_thing and len(sorts) == 1 and not other.in_table and not _agrees(other, figure):
                yield other


def _alternatives(stating: Sequence[Bound], fitting: Sequence[Bound], figure: Figure) -> Iterator[Bound]:
    """Numbers that the answer offers in its place: `either $5 billion or $6 billion`."""
    for right in stating:
        if right.in_table:
            continue
        beside = [bound for bound in fitting if (bound.start, bound.end) == (right.start, right.end)]
        for other in beside:
            later = max(right, other, key=lambda bound: bound.number.start)
            is_offered = bool(_OR.fullmatch(later.before)) or bool(_EITHER.search(right.said))
            if is_offered and other.number.unit == right.number.unit and not _states_roughly(other, figure):
                yield other


def _states_roughly(bound: Bound, figure: Figure) -> bool:
    """Whether a number is the figure, perhaps with fewer digits than it should have."""
    return _states(bound, figure) or states(claim_of(bound), figure.value)


def _agrees(bound: Bound, figure: Figure) -> bool:
    """Whether a number is the figure, however coarsely."""
    number = bound.number
    return states(claim_of(bound), figure.value) or abs(number.value - figure.value) <= max(number.step, figure.step)


def _nearest(figure: Figure, found: Sequence[Bound]) -> str:
    """The number that was given instead."""
    numbers = [bound.number for bound in found if bound.number.unit in _UNITS[figure.kind]] or [b.number for b in found]
    if not numbers:
        return "no figure is given"
    return f"given is {min(numbers, key=lambda number: abs(number.value - figure.value)).text}"


def _described(figure: Figure) -> str:
    amount = f"{(figure.value * 100).normalize():f} %" if figure.kind in ("percent", "points") else f"{figure.value:f}"
    unit = "points" if figure.kind == "points" else figure.currency
    return " ".join(filter(None, (figure.ticker, figure.period or figure.period_end, amount, unit)))
