"""A vendor of prices, described as data: where to ask, how to read one answer, what the source is.

Windows, caching, splits, spacing, days and errors are the same for all and not described here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from dexter.data.company import Company
from dexter.data.prices.bars import Bars, Window
from dexter.data.provider import Quote


@dataclass(frozen=True)
class Request:
    """Where to ask, below the vendor's base URL, and with which parameters."""

    path: str
    params: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Vendor:
    """One vendor of prices.

    `read` and `read_quote` raise `ShapeError` for an answer of another shape or company, and `read` a `ProviderError`
    for an error told in a successful answer; it is given the time, to leave out a day whose trading goes on.
    `spellings` are tried in order. `remarks` are said with every answer: what the source is. `adjusted`: what its
    closes are adjusted for, '' where it does not say.
    """

    name: str
    title: str
    url: str
    ask: Callable[[str, Company, Window], Request]
    read: Callable[[Any, Company, datetime], Bars]
    spellings: Callable[[Company], Sequence[str]]
    ask_quote: Callable[[str, Company], Request] | None = None
    read_quote: Callable[[Any, Company], Quote | None] = lambda _answer, _company: None
    next_page: Callable[[Any], str] = lambda _answer: ""
    adjusted: str = ""
    remarks: tuple[str, ...] = ()
