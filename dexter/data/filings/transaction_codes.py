"""The transaction codes of Forms 3, 4 and 5, and what each means.

From the general instructions of Form 4, item 8. Only P and S are trades in the market or in private; what else moves
shares says little about what an insider thinks of the price.
"""

from __future__ import annotations

OPEN_MARKET = frozenset({"P", "S"})

MEANINGS = {
    "P": "purchase in the market or in private",
    "S": "sale in the market or in private",
    "V": "reported earlier than required",
    "A": "grant or award from the company",
    "D": "disposal to the company",
    "F": "shares withheld or delivered to pay an exercise price or tax",
    "I": "discretionary transaction in a benefit plan",
    "M": "exercise or conversion of a derivative got from the company",
    "C": "conversion of a derivative",
    "E": "expiry of a short derivative position",
    "H": "expiry or cancellation of a long derivative position for value",
    "O": "exercise of a derivative out of the money",
    "X": "exercise of a derivative at or in the money",
    "G": "gift",
    "L": "small acquisition",
    "W": "inheritance or will",
    "Z": "deposit into or withdrawal from a voting trust",
    "J": "other, explained in a footnote",
    "K": "equity swap or similar",
    "U": "tender in a change of control",
}


def meaning(code: str) -> str:
    """What a code stands for; said to be unknown where it is none of the form's."""
    return MEANINGS.get(code.upper(), f"code {code} is not one of the form's" if code else "no transaction code")
