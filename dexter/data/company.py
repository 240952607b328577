"""Who a company is. Every result opens with this."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

CompanyKind = Literal["operating", "bank", "insurer", "fund", "index", "foreign", "crypto"]


@dataclass(frozen=True)
class Company:
    """One issuer or instrument.

    `ticker` is in the canonical spelling: upper case, a class after a dash (`BRK-B`). `cik` is None for what does
    not file with the SEC. `fiscal_year_end` is MM-DD or '' where unknown. `notes` tell of renames and assumptions.
    """

    ticker: str
    name: str
    cik: int | None = None
    exchange: str = ""
    currency: str = "USD"
    fiscal_year_end: str = ""
    kind: CompanyKind = "operating"
    notes: tuple[str, ...] = ()
