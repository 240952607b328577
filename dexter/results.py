"""What a tool returns: text for the model, cells and sources for everyone who checks figures later.

Public contract (docs/interfaces.md). Shapes are JSON-friendly: every class has `to_json` and `from_json`, and
unknown keys are ignored on reading so that newer files stay readable.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, fields
from decimal import Decimal
from typing import Any, Literal, Self

Json = Mapping[str, Any]
ResultStatus = Literal["ok", "error", "interrupted", "timeout", "partial"]
Provenance = Literal["reported", "derived", "vendor", "sample", "untrusted"]


class _JsonRecord:
    """Mixin for flat dataclasses: JSON without empty fields, and back."""

    def to_json(self) -> dict[str, Any]:
        """The fields that say something, in declared order."""
        return {key: value for key, value in asdict(self).items() if value not in (None, "", [], {})}  # type: ignore[call-overload]

    @classmethod
    def from_json(cls, data: Json) -> Self:
        """Read back what `to_json` wrote; unknown keys are ignored."""
        known = {f.name for f in fields(cls)}  # type: ignore[arg-type]
        return cls(**{key: value for key, value in data.items() if key in known})

    @classmethod
    def readable(cls, items: object) -> tuple[Self, ...]:
        """Those of a list that can be read; a damaged one is left out and costs no other."""
        read: list[Self] = []
        for item in items if isinstance(items, list | tuple) else ():
            with suppress(TypeError, AttributeError):
                record = cls.from_json(item)
                record.check_types()
                read.append(record)
        return tuple(read)

    def check_types(self) -> None:
        """Raises TypeError where a field is neither text nor, where one belongs, a number."""
        for declared in fields(self):  # type: ignore[arg-type]
            value = getattr(self, declared.name)
            if not isinstance(value, int if "int" in str(declared.type) else str) and value is not None:
                raise TypeError(value)


@dataclass(frozen=True)
class Source(_JsonRecord):
    """Where a result comes from. Dates are ISO (YYYY-MM-DD), `retrieved_at` an ISO time in UTC."""

    kind: Literal["filing", "dataset", "web", "file", "market", "calculation", "other"]
    title: str
    url: str = ""
    accession: str = ""
    dataset: str = ""
    as_of: str = ""
    retrieved_at: str = ""


@dataclass(frozen=True)
class Cell(_JsonRecord):
    """One figure in long form.

    `value` is a decimal string in plain `unit` (USD, USD/shares, shares, pure): never scaled, never rounded.
    `fiscal_year` is the year in which the fiscal year ends (an end in the first week of January counts to the year
    before); `fiscal_period` is FY, Q1 to Q4 or TTM. `period_start` is empty for a balance at a point in time.
    `derived` says how the value was computed, or is None for one that was filed as it stands.
    `concept` is named as in the sample: Revenues, CostOfRevenue, GrossProfit, NetIncome, EPSDiluted, …
    """

    ticker: str
    concept: str
    value: str
    unit: str
    fiscal_year: int | None = None
    fiscal_period: str = ""
    period_start: str = ""
    period_end: str = ""
    company: str = ""
    label: str = ""
    currency: str = ""
    derived: str | None = None
    form: str = ""
    accession: str = ""
    filed: str = ""
    source: str = ""
    provenance: Provenance = "reported"

    @property
    def number(self) -> Decimal:
        """The value as an exact decimal."""
        return Decimal(self.value)


@dataclass(frozen=True)
class Attempt(_JsonRecord):
    """One provider that was tried: which, HTTP status if any, and why it did not answer ('' when it did)."""

    provider: str
    status: int | None = None
    reason: str = ""


@dataclass(frozen=True)
class ToolResult:
    """A tool's whole outcome. `text` is what the model sees, or `blocks` where the result is not text alone.

    `untrusted` says where the text comes from if others wrote it (a host, a file, "filings at sec.gov"): the model gets
    it marked as data, and from then on the conversation's earlier approvals cover nothing.
    """

    text: str
    status: ResultStatus = "ok"
    cells: Sequence[Cell] = ()
    data: Mapping[str, Any] = field(default_factory=dict)
    sources: Sequence[Source] = ()
    notes: Sequence[str] = ()
    tried: Sequence[Attempt] = ()
    untrusted: Sequence[str] = ()

    def to_json(self) -> dict[str, Any]:
        """A JSON object with lists for the sequences."""
        return {
            "text": self.text,
            "status": self.status,
            "cells": [cell.to_json() for cell in self.cells],
            "data": dict(self.data),
            "sources": [source.to_json() for source in self.sources],
            "notes": list(self.notes),
            "tried": [attempt.to_json() for attempt in self.tried],
            "untrusted": list(self.untrusted),
        }


@dataclass(frozen=True)
class StoredResult:
    """An earlier result from the scratchpad: whole text, its call, status, cells, sources, and who else wrote it."""

    id: int
    tool: str
    arguments: Mapping[str, Any]
    status: str
    text: str
    cells: Sequence[Cell] = ()
    sources: Sequence[Source] = ()
    untrusted: Sequence[str] = ()
