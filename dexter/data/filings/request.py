"""What to read of a company's filings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from dexter.data.company import Company


@dataclass(frozen=True, slots=True)
class FilingsRequest:
    """What to read of one company.

    `mode`: `list` filings; `items` of one filing (without `items`: which it has); `passages` that match `query`.
    `forms` as people write them; `period` FY2025, Q2 2025 or a date; `accession` names one filing instead.
    `items` by number, part and number, or title; `exhibit` by type (99.1, EX-10.1) or file name.
    `offset` and `limit` are characters of the section, or filings of the list. `as_of`: nothing filed later.
    """

    company: Company
    mode: Literal["list", "items", "passages"] = "list"
    forms: tuple[str, ...] = ()
    period: str = ""
    start: str = ""
    end: str = ""
    accession: str = ""
    items: tuple[str, ...] = ()
    exhibit: str = ""
    query: str = ""
    offset: int = 0
    limit: int = 20_000
    filings: int = 20
    as_of: str = ""
