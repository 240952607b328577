import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dexter.models.tool_arguments import read_arguments

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.text(max_size=5), JSON, max_size=4))
def test_an_object_is_read_as_it_is(value):
    """Any JSON object comes through unchanged, also written as a JSON string."""
    text = json.dumps(value)
    assert read_arguments(text) == (value, None)
    assert read_arguments(json.dumps(text)) == (value, None)


@given(st.text(max_size=60) | JSON.map(json.dumps))
def test_anything_else_is_an_error_the_model_can_read(raw):
    """Whatever arrives gives an object or a sentence, never an exception."""
    value, error = read_arguments(raw)
    assert (value is None) == (error is not None)


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        ('{"ticker": "NV', "not valid JSON"),
        ('{"ticker": "NVDA"', "not valid JSON"),
        ("{'ticker': 'NVDA'}", "not valid JSON"),
        ('{"a": 1} {"b": 2}', "not valid JSON"),
        ('I will call it with {"ticker": "NVDA"}', "not valid JSON"),
        ('["NVDA"]', "a JSON array"),
        ('"NVDA"', "a JSON string"),
        ('"{broken"', "not valid JSON"),
        ("null", "a JSON null"),
        ("3", "a JSON number"),
        ("true", "a JSON boolean"),
        ('{"a": NaN}', "not valid JSON"),
        ('{"a": 1e999}', "not valid JSON"),
        ('{"a":' * 100_000, "nested too deeply"),
        ('{"a":' * 200 + "1" + "}" * 200, "nested too deeply"),
        ('{"a": ' + "9" * 5_000 + "}", "not valid JSON"),
    ],
)
def test_what_is_wrong_is_said(raw, said):
    """Truncated, quoted, doubled, prose, arrays and values, no numbers, too deep: each has its sentence."""
    value, error = read_arguments(raw)
    assert value is None
    assert error is not None
    assert said in error


@pytest.mark.parametrize("raw", ["", "  ", "\n", "{}"])
def test_nothing_is_an_empty_object(raw):
    """Tools without arguments are called with nothing at all."""
    assert read_arguments(raw) == ({}, None)
