from __future__ import annotations

import random
from decimal import Decimal

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dexter.data.sec.facts import fact_store, measure_of
from tests.support.edgar import recorded
from tests.support.filer import Filer, facts_of
from tests.support.shared import shared
from tests.support.statements import cells

YEAR = ("2024-01-01", "2024-12-31")


def test_every_filed_value_stays_with_its_day() -> None:
    """A restatement adds a vintage; what was known on a day is what was filed by then."""
    filer = Filer()
    filer.file("10-K", "2025-02-20", {("Revenues", *YEAR): 100})
    filer.file("10-K", "2026-02-20", {("Revenues", *YEAR): 90})
    store = filer.store()
    vintages = store.series("us-gaap:Revenues", "money")[YEAR]
    assert [(fact.filed, fact.value) for fact in vintages] == [("2025-02-20", 100), ("2026-02-20", 90)]
    known = store.known_by("2026-02-19").series("us-gaap:Revenues", "money")[YEAR]
    assert [fact.value for fact in known] == [100]
    assert not store.known_by("2025-02-19").series("us-gaap:Revenues", "money")


@pytest.mark.parametrize(
    "row",
    [
        {"val": 1, "end": "2024-12-31"},
        {"val": True},
        {"val": None},
        {"val": "12"},
        {"val": Decimal("1e400")},
        {"val": 10**19},
        {"val": Decimal("NaN")},
        {"end": "2024-02-30"},
        {"end": "20241231"},
        {"end": None},
        {"end": "9999-12-31"},
        {"start": "2025-01-01", "end": "2024-12-31"},
        {"end": "2027-01-01"},
        {"filed": "soon"},
        {"form": "8-K"},
        {"form": "DEF 14A"},
        {"accn": None, "form": None},
    ],
    ids=str,
)
def test_a_row_that_is_no_figure_of_a_report_is_left_out(row: dict[str, object]) -> None:
    """Absurd sizes, impossible dates, other forms: dropped one by one, without harm to the rest."""
    good = {"start": "2024-01-01", "end": "2024-12-31", "val": 5, "accn": "a", "form": "10-K", "filed": "2025-02-20"}
    bad = {**good, "accn": "b", **row}
    if row == {"val": 1, "end": "2024-12-31"}:
        bad = {"val": 1, "end": "2024-12-31"}
    store = fact_store(facts_of([("Revenues", "USD", good), ("Revenues", "USD", bad)]))
    found = [fact for facts in store.series("us-gaap:Revenues", "money").values() for fact in facts]
    assert [fact.accession for fact in found] == ["a"]


@pytest.mark.parametrize(
    "data",
    [
        *(None, [], {}, {"facts": {}}, {"cik": 1, "facts": []}),
        *({"cik": cik, "facts": {}} for cik in ("x", Decimal("Infinity"), Decimal("1e999999999"))),
    ],
)
def test_data_of_another_shape_is_refused(data: object) -> None:
    """One kind of error, whatever is wrong."""
    with pytest.raises(ValueError, match="company facts"):
        fact_store(data)


def test_the_more_exact_of_two_values_in_one_filing_counts() -> None:
    """A filing that gives 90,678 in a table and 90.7 billion in its text means the first."""
    filer = Filer()
    filer.file("10-K", "2025-02-20", {("Revenues", *YEAR): 90_700_000_000})
    _, _, row = filer.rows[0]
    filer.rows.append(("Revenues", "USD", {**row, "val": 90_678_000_000}))
    for rows in (filer.rows, filer.rows[::-1]):
        (vintages,) = fact_store(facts_of(rows)).series("us-gaap:Revenues", "money").values()
        assert [fact.value for fact in vintages] == [90_678_000_000]


def test_a_translation_for_convenience_is_not_the_companys_currency() -> None:
    """One year in dollars beside ten in yuan: the statements are in yuan, and so are values per share."""
    filer = Filer("CNY")
    for year in range(2018, 2025):
        span = (f"{year}-01-01", f"{year}-12-31")
        filer.file("20-F", f"{year + 1}-04-20", {("Revenues", *span): 700, ("EarningsPerShareDiluted", *span): "7.1"})
    filer.file("20-F", "2025-04-20", {("Revenues", *YEAR): 100}, unit="USD")
    filer.file("20-F", "2025-04-20", {("EarningsPerShareDiluted", *YEAR): "1.0"}, unit="USD/shares")
    found = cells(filer.store(), limit=1, concepts=("Revenues", "EPSDiluted"))
    assert [(each.value, each.unit, each.currency) for each in found] == [
        ("700", "CNY", "CNY"),
        ("7.1", "CNY/shares", "CNY"),
    ]


@pytest.mark.parametrize(
    ("unit", "measure"),
    [
        ("USD", "money"),
        ("TWD", "money"),
        ("USD/shares", "per_share"),
        ("shares", "shares"),
        ("Rate", "pure"),
        ("pure", "pure"),
    ],
)
def test_units_are_told_apart_by_what_they_measure(unit: str, measure: str) -> None:
    """Filers name ratios as they like."""
    assert measure_of(unit) == measure


@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_order_and_repetition_of_rows_make_no_difference(seed: int) -> None:
    """Shuffled and doubled facts of a real company give the same cells, to the last field."""
    shared("data/sec/companyfacts_cut")
    chance = random.Random(seed)  # noqa: S311 - a shuffle, no secret
    mixed = shuffled(parsed("companyfacts_cut/WMT.json.gz"), chance)
    options = {"limit": 6, "period": ("annual", "quarterly", "ttm")[seed % 3]}
    assert cells(fact_store(mixed), **options) == cells(fact_store(parsed("companyfacts_cut/WMT.json.gz")), **options)


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=12) | st.decimals(allow_nan=True, allow_infinity=True),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)
GOOD_ROW = {"start": "2024-01-01", "end": "2024-12-31", "val": 5, "accn": "a", "form": "10-K", "filed": "2025-02-20"}


@given(changes=st.lists(st.dictionaries(st.sampled_from(sorted(GOOD_ROW)), ANYTHING, max_size=3), max_size=5))
def test_no_row_however_odd_does_harm(changes: list[dict[str, object]]) -> None:
    """Whatever stands in its fields, the good rows beside it are read and statements are made."""
    tags = ("Revenues", "Assets", "EarningsPerShareDiluted", "WeightedAverageNumberOfDilutedSharesOutstanding")
    rows = [(tag, "USD", {**GOOD_ROW, **change}) for change in changes for tag in tags]
    store = fact_store(facts_of([*rows, ("NetIncomeLoss", "USD", GOOD_ROW)]))
    for period in ("annual", "quarterly", "ttm"):
        cells(store, period=period)
    assert [found.value for found in cells(store, concepts=("NetIncome",))] == ["5"]


@given(ANYTHING)
@example(Decimal("Infinity"))
def test_any_other_shape_is_refused_or_empty(data: object) -> None:
    """Never an error of another kind, at whatever depth the shape ends."""
    for shape in (
        data,
        {"cik": 1, "facts": data},
        {"cik": 1, "facts": {"us-gaap": data}},
        {"cik": 1, "facts": {"us-gaap": {"Assets": data}}},
        facts_of([("Assets", "USD", {})]) | {"cik": data},
        {"cik": 1, "facts": {"us-gaap": {"Assets": {"units": data}}}},
        {"cik": 1, "facts": {"us-gaap": {"Assets": {"units": {"USD": data}}}}},
    ):
        try:
            store = fact_store(shape)
        except ValueError as error:
            assert "company facts" in str(error)  # noqa: PT017 - both outcomes are right
        else:
            assert not cells(store)


def parsed(path: str) -> dict[str, object]:
    from dexter.data.body import parse_json

    return parse_json(recorded(path))  # type: ignore[no-any-return]


def shuffled(data: dict, chance: random.Random) -> dict:
    """The same facts in another order: rows, units and tags, some of them more than once."""
    facts = {}
    for taxonomy, tags in data["facts"].items():
        facts[taxonomy] = {}
        for tag in chance.sample(list(tags), len(tags)):
            units = {}
            for unit, rows in tags[tag]["units"].items():
                doubled = rows + chance.sample(rows, len(rows) // 3)
                units[unit] = chance.sample(doubled, len(doubled))
            facts[taxonomy][tag] = {"units": units}
    return {**data, "facts": facts}


@pytest.mark.parametrize("body", [None, [], {}, {"units": None}, {"label": "x"}])
def test_a_tag_without_units_costs_only_itself(body: object) -> None:
    """The company's other figures are there."""
    row = {"val": 1, "end": "2024-12-31", "form": "10-K", "filed": "2025-02-01", "accn": "a"}
    data = facts_of([("Assets", "USD", row)])
    data["facts"]["us-gaap"]["Broken"] = body
    assert list(fact_store(data).series("us-gaap:Assets", "money")) == [("", "2024-12-31")]
