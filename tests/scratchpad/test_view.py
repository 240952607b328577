from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dexter.ids import IdSource
from dexter.messages import SystemMessage, ToolMessage, ToolSpec, UserMessage
from dexter.scratchpad.lines import decode_line, encode_line
from dexter.scratchpad.view import apply_ops, diff_view, view_hash
from tests.support.conversations import TOOLS, conversations, edited

SYSTEM = SystemMessage("m0", "s")
ONE, TWO, THREE = (UserMessage(f"m{n}", f"text {n}") for n in (1, 2, 3))


@given(conversations(), st.data())
def test_edits_read_from_a_line_make_the_same_view(view, data):
    """Whatever a stage does to a view, its recorded edits do the same, and the hashes agree."""
    after = data.draw(edited(view, IdSource(message=100).next_message))
    line = encode_line("view_edit", "t", {"ops": diff_view(view, after)})
    rebuilt = apply_ops(view, decode_line(line.decode())["ops"])
    assert rebuilt == after
    assert view_hash(rebuilt, TOOLS) == view_hash(after, TOOLS)


@given(conversations(), conversations())
def test_edits_lead_between_any_two_views_with_the_same_ids(before, after):
    """Even between views that no stage would connect, also where a message changed its role."""
    after = (before[0], *after[1:])
    assert apply_ops(before, diff_view(before, after)) == after


@given(conversations())
def test_equal_views_need_no_edit(view):
    """Nothing to do is recorded as nothing."""
    assert diff_view(view, tuple(replace(message) for message in view)) == ()


def test_only_what_changed_is_written():
    """The record holds the texts that were put in place and none of those that stayed."""
    before = (SYSTEM, ONE, TWO, THREE)
    changed = replace(TWO, text="other")
    assert diff_view(before, (SYSTEM, ONE, changed, THREE)) == (
        {"op": "replace", "id": "m2", "message": changed.to_json()},
    )
    assert diff_view(before, (SYSTEM, THREE)) == ({"op": "drop", "ids": ["m1", "m2"]},)
    new = UserMessage("m9", "new")
    assert diff_view(before, (SYSTEM, new, ONE, TWO, THREE)) == (
        {"op": "insert", "after": None, "messages": [new.to_json()]},
    )
    moved = diff_view(before, (SYSTEM, THREE, ONE, TWO))
    assert [op["op"] for op in moved] == ["drop", "insert"]
    assert moved[0]["ids"] == ["m3"]


def test_book_keeping_of_a_message_is_recorded_too():
    """A change that the model does not see, as of a result's form, is still an edit."""
    result = ToolMessage("m4", 1, "c1", "t", "ok", "text")
    preview = replace(result, form="preview", path="p")
    assert apply_ops((SYSTEM, result), diff_view((SYSTEM, result), (SYSTEM, preview))) == (SYSTEM, preview)


def test_edits_of_messages_that_are_gone_do_no_harm():
    """In a damaged file what can be applied is, and nothing that was put in is lost."""
    ops = [
        {"op": "drop", "ids": ["m7"]},
        {"op": "replace", "id": "m8", "message": TWO.to_json()},
        {"op": "insert", "after": "m9", "messages": [THREE.to_json()]},
    ]
    assert apply_ops((SYSTEM, ONE), ops) == (SYSTEM, ONE, THREE)


@pytest.mark.parametrize(
    "other",
    [
        ((SystemMessage("m0", "x"), ONE, TWO), TOOLS),
        ((SYSTEM, TWO, ONE), TOOLS),
        ((SYSTEM, ONE), TOOLS),
        ((SYSTEM, ONE, TWO), TOOLS[:1]),
        ((SYSTEM, ONE, TWO), (TOOLS[0], ToolSpec("calculate", "Other.", {}))),
        ((SYSTEM, ONE, TWO), TOOLS[::-1]),
    ],
)
def test_the_hash_tells_apart_whatever_the_model_would_see(other):
    """Another system prompt, tool, message or order is another hash."""
    assert view_hash((SYSTEM, ONE, TWO), TOOLS) != view_hash(*other)


def test_the_hash_does_not_hang_on_ids():
    """What the model sees counts, not how we call it."""
    assert view_hash((SYSTEM, ONE), TOOLS) == view_hash((SYSTEM, replace(ONE, id="m77")), TOOLS)
