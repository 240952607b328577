"""Whether a number states a value, with the sign that the words around it give it."""

from __future__ import annotations

from decimal import Decimal

from dexter.figures.claims import Claim, is_change_of, is_told_beside
from dexter.figures.compare import says
from dexter.figures.directions import is_loss
from dexter.figures.vocabulary import is_outflow, kind_of


def states(claim: Claim, value: Decimal) -> bool:
    """Whether a claim states a value: a loss and what is paid out may be written without or with a sign."""
    number = claim.bound.number
    if claim.sort in ("growth", "cagr", "change"):
        return says(number, _signed(claim, value))
    concepts = claim.bound.concepts
    if says(number, value, kind_of(concepts[0]) if concepts else ""):
        return True
    if value < 0 < number.value and is_loss(claim.bound.said):
        return says(number, -value)
    in_parentheses = number.value < 0 and not number.signed
    return in_parentheses and any(map(is_outflow, concepts)) and says(number, -value)


def _signed(claim: Claim, value: Decimal) -> Decimal:
    """How a change should be written: a fall is said in words or by a sign, not by both; a difference has none."""
    number, bound = claim.bound.number, claim.bound
    if number.value < 0 and claim.direction < 0 and is_told_beside(bound):
        return -value
    if number.signed or number.value < 0 or is_change_of(bound.before):
        return value
    if claim.direction == 0 and claim.sort == "change":
        return abs(value)
    return -value if claim.direction < 0 else value
