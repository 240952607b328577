"""Sectors as people name them, in Standard Industrial Classification codes, which is what EDGAR has."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

_MARKS = re.compile(r"[^\w]+|_")
_ENDING = re.compile(r" (?:sector|industry|companies|stocks|shares)$")

Ranges = Sequence[tuple[int, int]]


@dataclass(frozen=True)
class Industry:
    """A company's code and what it is called."""

    sic: int
    name: str


# First and last code, both included.
_SECTORS: Mapping[str, Ranges] = {
    "technology": ((3570, 3579), (3660, 3679), (3820, 3829), (7370, 7379)),
    "semiconductors": ((3674, 3674),),
    "software": ((7371, 7374),),
    "hardware": ((3570, 3579), (3660, 3669)),
    "internet": ((7370, 7370), (7374, 7374)),
    "financials": ((6000, 6499), (6712, 6799)),
    "banks": ((6020, 6099), (6712, 6712)),
    "insurance": ((6300, 6411),),
    "real estate": ((6500, 6553), (6798, 6798)),
    "health care": ((2833, 2836), (3841, 3851), (5122, 5122), (5912, 5912), (8000, 8099), (8731, 8731)),
    "pharmaceuticals": ((2833, 2836),),
    "biotechnology": ((2836, 2836), (8731, 8731)),
    "energy": ((1200, 1399), (2900, 2999), (4922, 4924), (5171, 5172)),
    "oil and gas": ((1311, 1389), (2911, 2911)),
    "utilities": ((4900, 4991),),
    "retail": ((5200, 5990),),
    "restaurants": ((5810, 5812),),
    "consumer discretionary": (
        (2300, 2399),
        (2500, 2599),
        (3140, 3149),
        (3630, 3639),
        (3711, 3716),
        (3940, 3949),
        (5200, 5399),
        (5500, 5990),
        (7000, 7041),
        (7800, 7999),
    ),
    "consumer staples": ((2000, 2199), (2840, 2844), (5400, 5499)),
    "automobiles": ((3711, 3716), (5500, 5531)),
    "aerospace and defense": ((3720, 3728), (3760, 3769), (3812, 3812)),
    "industrials": ((1500, 1799), (3400, 3569), (3580, 3659), (3711, 3799), (4000, 4799)),
    "transportation": ((4000, 4799),),
    "materials": ((1000, 1199), (1400, 1499), (2400, 2499), (2600, 2699), (2800, 2829), (2850, 2899), (3200, 3399)),
    "telecommunications": ((4800, 4899),),
    "communication services": ((2710, 2799), (4800, 4899), (7370, 7370), (7810, 7849)),
    "media": ((2710, 2799), (4830, 4841), (7810, 7849)),
}
_SAID_AS = {
    "tech": "technology",
    "it": "technology",
    "info tech": "technology",
    "infotech": "technology",
    "information technology": "technology",
    "semiconductor": "semiconductors",
    "chips": "semiconductors",
    "semis": "semiconductors",
    "financial": "financials",
    "financial services": "financials",
    "finance": "financials",
    "bank": "banks",
    "banking": "banks",
    "healthcare": "health care",
    "health": "health care",
    "pharma": "pharmaceuticals",
    "biotech": "biotechnology",
    "oil": "oil and gas",
    "utility": "utilities",
    "retailers": "retail",
    "autos": "automobiles",
    "automotive": "automobiles",
    "aerospace": "aerospace and defense",
    "defense": "aerospace and defense",
    "basic materials": "materials",
    "communication": "communication services",
    "communications": "communication services",
    "consumer cyclical": "consumer discretionary",
    "consumer defensive": "consumer staples",
    "industrial": "industrials",
    "telecom": "telecommunications",
    "reit": "real estate",
    "reits": "real estate",
}


def sector_names() -> tuple[str, ...]:
    """The sectors that are known by name; beside them, words of an industry's own name will do."""
    return tuple(_SECTORS)


def is_sector(sector: str) -> bool:
    """Whether a sector is known by that name."""
    return _named(sector) in _SECTORS


def is_in_sector(industry: Industry, sector: str) -> bool:
    """Whether the industry is of that sector, or has its words in its own name."""
    ranges = _SECTORS.get(_named(sector))
    if ranges is not None:
        return any(first <= industry.sic <= last for first, last in ranges)
    words = _words(sector)
    return bool(words) and re.search(rf"\b{re.escape(words)}s?\b", _words(industry.name)) is not None


def _named(sector: str) -> str:
    words = _words(sector)
    said = _ENDING.sub("", words) or words
    return _SAID_AS.get(said, said)


def _words(text: str) -> str:
    """Words in one spelling: "Oil & Gas", "oil-and-gas" and "OIL AND GAS" are one."""
    return " ".join(_MARKS.sub(" ", text.lower().replace("&", " and ")).split())
