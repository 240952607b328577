"""Full-text search over filings: the query EDGAR's search takes and the answer it gives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dexter.errors import ProviderError

EARLIEST = "2001-01-01"
"""Full text is searchable from here on."""

_MOST = 10_000  # hits beyond this are not counted, only said to be more


@dataclass(frozen=True, slots=True)
class FullTextQuery:
    """What to look for. Dates are ISO; both or neither, as the service ignores one alone. `start_at` pages by hits."""

    text: str
    forms: tuple[str, ...] = ()
    ciks: tuple[int, ...] = ()
    start: str = ""
    end: str = ""
    start_at: int = 0

    def params(self) -> dict[str, str]:
        """The parameters of the request.

        Raises:
            ValueError: One date without the other, or dates the wrong way round.
        """
        if bool(self.start) != bool(self.end):
            raise ValueError("full-text search takes both dates or neither")
        if self.start > self.end:
            raise ValueError(f"the dates are the wrong way round: {self.start} to {self.end}")
        params = {"q": self.text}
        if self.forms:
            params["forms"] = ",".join(self.forms)
        if self.ciks:
            params["ciks"] = ",".join(f"{cik:010d}" for cik in self.ciks)
        if self.start:
            params |= {"dateRange": "custom", "startdt": self.start, "enddt": self.end}
        if self.start_at:
            params["from"] = str(self.start_at)
        return params


@dataclass(frozen=True, slots=True)
class FullTextHit:
    """One document that holds the words. `file_type` is the document's own type (EX-99.1), `form` the filing's."""

    accession: str
    file: str
    form: str
    file_type: str
    filed: str
    period: str
    companies: tuple[str, ...]
    ciks: tuple[int, ...]
    items: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FullTextAnswer:
    """The hits of one page. `total` counts all; `more_than` says that it is a lower bound."""

    total: int
    more_than: bool
    hits: tuple[FullTextHit, ...]


def read_answer(answer: Any) -> FullTextAnswer:
    """Read the JSON of the search.

    Raises:
        ProviderError: It is not such an answer.
    """
    outer = answer.get("hits") if isinstance(answer, Mapping) else None
    rows = outer.get("hits") if isinstance(outer, Mapping) else None
    if outer is None or not isinstance(rows, Sequence):
        said = answer.get("error") or answer.get("message") if isinstance(answer, Mapping) else ""
        raise ProviderError(
            "sec",
            f"Full-text search gave no list of hits{f': {said}' if said else ''}.",
            kind="bad_data",
            remedy="Put exact words in double quotes, or try again later.",
        )
    total = outer.get("total")
    count = (
        total.get("value", len(rows)) if isinstance(total, Mapping) else total if isinstance(total, int) else len(rows)
    )
    more = isinstance(total, Mapping) and total.get("relation") == "gte"
    hits = tuple(_hit(row) for row in rows if isinstance(row, Mapping))
    return FullTextAnswer(int(count), more or int(count) >= _MOST, hits)


def _hit(row: Mapping[str, Any]) -> FullTextHit:
    accession, _, file = str(row.get("_id", "")).partition(":")
    found = row.get("_source")
    source: Mapping[str, Any] = found if isinstance(found, Mapping) else {}
    return FullTextHit(
        accession=str(source.get("adsh") or accession),
        file=file,
        form=str(source.get("form") or source.get("root_form") or ""),
        file_type=str(source.get("file_type") or ""),
        filed=str(source.get("file_date") or ""),
        period=str(source.get("period_ending") or ""),
        companies=_strings(source.get("display_names")),
        ciks=tuple(int(cik) for cik in _strings(source.get("ciks")) if cik.isdecimal()),
        items=_strings(source.get("items")),
    )


def _strings(value: Any) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,)
    return tuple(" ".join(str(entry).split()) for entry in value) if isinstance(value, Sequence) else ()
