"""The full-text search's query and answer."""

from __future__ import annotations

from typing import Any

import pytest

from dexter.data.filings.full_text import FullTextQuery, read_answer
from dexter.errors import ProviderError

HIT = {
    "_id": "0001045810-25-000023:nvda-20250126.htm",
    "_source": {
        "adsh": "0001045810-25-000023",
        "ciks": ["0001045810"],
        "display_names": ["NVIDIA CORP  (NVDA)  (CIK 0001045810)"],
        "form": "10-K",
        "file_type": "10-K",
        "file_date": "2025-02-26",
        "period_ending": "2025-01-26",
        "items": [],
        "sics": ["3674"],
    },
}


def test_parameters() -> None:
    """Both dates or neither; forms by comma, companies with ten digits, pages by hits."""
    query = FullTextQuery('"export controls"', ("10-K", "8-K"), (1045810,), "2024-01-01", "2024-12-31", 100)
    assert query.params() == {
        "q": '"export controls"',
        "forms": "10-K,8-K",
        "ciks": "0001045810",
        "dateRange": "custom",
        "startdt": "2024-01-01",
        "enddt": "2024-12-31",
        "from": "100",
    }
    assert FullTextQuery("a").params() == {"q": "a"}


@pytest.mark.parametrize(("start", "end"), [("2024-01-01", ""), ("", "2024-01-01"), ("2025-01-01", "2024-01-01")])
def test_one_date_alone(start: str, end: str) -> None:
    """One date alone would be ignored by the service, so it is refused here."""
    with pytest.raises(ValueError, match="dates"):
        FullTextQuery("a", start=start, end=end).params()


def test_answer() -> None:
    """A hit names filing, document, company and dates."""
    answer = read_answer({"hits": {"total": {"value": 10000, "relation": "gte"}, "hits": [HIT]}})
    assert (answer.total, answer.more_than) == (10000, True)
    hit = answer.hits[0]
    assert (hit.accession, hit.file, hit.ciks) == ("0001045810-25-000023", "nvda-20250126.htm", (1045810,))
    assert hit.companies == ("NVIDIA CORP (NVDA) (CIK 0001045810)",)
    assert (hit.form, hit.filed, hit.period) == ("10-K", "2025-02-26", "2025-01-26")


@pytest.mark.parametrize(
    "row", [{}, {"_id": None}, {"_id": "x", "_source": []}, {"_source": {"ciks": None, "items": "5.02"}}]
)
def test_odd_hits(row: dict[str, Any]) -> None:
    """A hit with parts missing is still a hit."""
    assert len(read_answer({"hits": {"total": {"value": 1}, "hits": [row]}}).hits) == 1


@pytest.mark.parametrize("answer", [{}, [], None, {"error": "Too many terms"}, {"hits": {}}, {"hits": []}])
def test_no_answer(answer: Any) -> None:
    """Anything else is an error of the source, with what it said."""
    with pytest.raises(ProviderError, match="no list of hits") as caught:
        read_answer(answer)
    assert caught.value.kind == "bad_data"
