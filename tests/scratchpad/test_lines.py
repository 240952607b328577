from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dexter.errors import ScratchpadError
from dexter.models.tool_arguments import read_arguments
from dexter.scratchpad.lines import MAX_DEPTH, decode_line, encode_line, pack_result, timestamp, unpack_result

AT = "2026-11-30T17:09:45.562Z"
any_text = st.text(st.characters(exclude_categories=())) | st.text(st.sampled_from('\ud83d\ude00\\u"{}[]:,0d83e'))
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | any_text,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(any_text, inner, max_size=4),
    max_leaves=12,
)
json_looking = st.dictionaries(any_text, json_values, max_size=4).flatmap(
    lambda value: st.sampled_from(
        [
            json.dumps(value),
            json.dumps(value, indent=2),
            json.dumps(value, separators=(",", ":")),
            json.dumps(value, separators=(",", ":"), ensure_ascii=False),
        ]
    )
)


def through_a_line(text: str) -> str:
    line = encode_line("tool_result", AT, {"result": pack_result(text)})
    return unpack_result(decode_line(line.decode())["result"])


@given(any_text | json_looking)
@example("\ud83d\ude00 😀 \ud83d")
@example('\\\ud83d\ude00"\\ud83d\\ude00\ue000\\ue001')
@example('{"a":"\ud83d\ude00"}')
@example('{"halves":true}')
def test_any_text_comes_back_from_a_line_as_it_went_in(text):
    """Whatever a tool returned comes back to the last code point, lone and split surrogates included."""
    assert through_a_line(text) == text


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1.10}',
        '{"a":1.10}',
        '{"a":1,"a":2}',
        '{"a":1e5}',
        '{"a":1e400}',
        '{"a":-0}',
        '{"a":123456789012345678901234567890}',
        '{"a":' + "9" * 5000 + "}",
        '{"a":NaN}',
        '{"a":-Infinity}',
        '{"a":"\ud800"}',
        '{"a":"\\ud800"}',
        '{"a":"\\u00e9"}',
        '{"a":"\0"}',
        '{"a":1}\n',
        " {}",
        "[1,2]",
        '"x"',
        "null",
        '{"a":' * 65 + "1" + "}" * 65,
        '{"a":' * 100_000 + "1" + "}" * 100_000,
        "{",
        "",
    ],
)
def test_text_that_is_not_its_own_serialisation_is_stored_as_a_string(text):
    """Only text that compact serialisation would give again may become an object; the rest stays text."""
    assert pack_result(text) == text
    assert through_a_line(text) == text


@pytest.mark.parametrize("text", ['{"a":1.1,"b":[null,true,"é 英伟达"]}', "{}", '{"a":"\\u0000\\n"}', '{"a":1e+16}'])
def test_compact_objects_are_stored_as_objects(text):
    """A result in compact JSON is an object in the file, as the original tool stores it, and comes back as text."""
    assert isinstance(pack_result(text), dict)
    assert through_a_line(text) == text


def test_depth_that_is_allowed_is_stored_as_an_object():
    """The depth limit is exact."""
    deepest = '{"a":' * (MAX_DEPTH - 1) + "{}" + "}" * (MAX_DEPTH - 1)
    assert isinstance(pack_result(deepest), dict)
    assert pack_result('{"a":' + deepest + "}") == '{"a":' + deepest + "}"


@given(
    st.dictionaries(any_text.filter(lambda key: key not in {"type", "timestamp", "halves"}), json_values, max_size=4)
)
def test_any_fields_come_back_from_a_line(fields):
    """Every JSON value in every field survives, and type and timestamp come first."""
    record = decode_line(encode_line("x", AT, fields).decode())
    assert list(record)[:2] == ["type", "timestamp"]
    assert {key: record[key] for key in fields} == fields


def test_the_mark_of_split_halves_takes_no_field_away():
    """Only the line's own mark is taken out; what a model or tool calls `halves` stays."""
    fields = {"args": {"halves": True, "text": "\ud83d\ude00"}}
    record = decode_line(encode_line("x", AT, fields).decode())
    assert record == {"type": "x", "timestamp": AT, **fields}


@given(any_text)
def test_a_line_is_one_line_for_every_reader_and_encoder(text):
    """Neither `splitlines` nor a terminal nor a strict UTF-8 decoder finds anything in a line to stumble over."""
    line = encode_line("thinking", AT, {"content": text})
    decoded = line.decode("utf-8")
    assert decoded.splitlines() == [decoded[:-1]]
    assert not any(c < " " or "\x7f" <= c <= "\x9f" for c in decoded[:-1])


def test_chinese_and_emoji_stay_readable_in_the_file():
    """What people can read is written as it is."""
    assert "英伟达 😀".encode() in encode_line("thinking", AT, {"content": "英伟达 😀"})


def test_timestamps_are_utc_with_milliseconds():
    """Any time zone becomes the form the original tool writes."""
    moment = datetime(2026, 11, 30, 18, 9, 45, 562_900, tzinfo=timezone(timedelta(hours=1)))
    assert timestamp(moment) == AT
    assert timestamp(datetime(2026, 1, 1, tzinfo=UTC)) == "2026-01-01T00:00:00.000Z"


def test_what_is_not_json_is_refused_with_a_sentence():
    """A value that has no JSON form is an error of the record, not a traceback from a library."""
    with pytest.raises(ScratchpadError, match="could not be written as JSON"):
        encode_line("x", AT, {"value": object()})


@given(json_looking)
@example('{"a":1e400}')
@example('{"a":NaN}')
@example('{"a":' * 80 + "1" + "}" * 80)
@example('{"a":' + "9" * 4000 + "}")
def test_whatever_arguments_a_model_may_send_the_record_can_hold(raw):
    """What is accepted as arguments is never what makes a line unwritable later."""
    arguments, _error = read_arguments(raw)
    line = encode_line("tool_result", AT, {"args": arguments, "raw": raw})
    assert decode_line(line.decode())["args"] == arguments
