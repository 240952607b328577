"""Messages are values: they survive JSON, know their digest and size, and pair calls with results."""

from __future__ import annotations

import gc
import json
import weakref
from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from dexter.ids import IdSource
from dexter.message_json import message_from_json
from dexter.messages import (
    MEDIA_TOKENS,
    AssistantMessage,
    MediaBlock,
    Message,
    SystemMessage,
    TextBlock,
    ThinkingBlock,
    ToolCall,
    ToolMessage,
    UserMessage,
    is_well_paired,
    question_index,
    rounds,
)
from dexter.view_growth import grown, shared_start

# Any text a model or a tool may send, lone surrogates included.
texts = st.text(st.characters(exclude_categories=()), max_size=40)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)
ids = st.integers(1, 99)
tool_calls = st.builds(
    ToolCall,
    id=ids.map("c{}".format),
    name=texts,
    arguments=st.none() | st.dictionaries(texts, json_values, max_size=3),
    provider_id=texts,
    raw=texts,
    error=st.none() | texts,
)
thinking = st.builds(
    ThinkingBlock,
    text=texts,
    kind=st.sampled_from(["plain", "signed", "demanded"]),
    verbatim=st.none() | st.dictionaries(texts, json_values, max_size=3),
    prefix=texts,
)
blocks = st.builds(TextBlock, text=texts) | st.builds(MediaBlock, media_type=texts, data=texts)
names = ids.map("m{}".format)
messages: st.SearchStrategy[Message] = st.one_of(
    st.builds(SystemMessage, id=names, text=texts),
    st.builds(
        UserMessage,
        id=names,
        text=texts,
        origin=st.sampled_from(["question", "queued", "harness"]),
        kind=texts,
        covers=st.lists(st.tuples(ids, ids), max_size=3).map(tuple),
        entries=st.lists(st.tuples(ids, texts), max_size=3).map(tuple),
    ),
    st.builds(
        AssistantMessage,
        id=names,
        text=texts,
        thinking=st.lists(thinking, max_size=3).map(tuple),
        tool_calls=st.lists(tool_calls, max_size=3).map(tuple),
    ),
    st.builds(
        ToolMessage,
        id=names,
        result=ids,
        call=ids.map("c{}".format),
        tool=texts,
        status=st.sampled_from(["ok", "error", "interrupted", "timeout", "partial"]),
        content=texts | st.lists(blocks, max_size=3).map(tuple),
        form=st.sampled_from(["whole", "preview", "cleared"]),
        chars=st.integers(0, 10**9),
        path=texts,
        recalls=st.none() | ids,
    ),
)


def through_a_file(value: Any) -> Any:
    return json.loads(json.dumps(value))


@given(messages)
def test_a_message_comes_back_from_json_equal_and_with_the_same_digest(message: Message) -> None:
    """Whatever text it carries."""
    again = message_from_json(through_a_file(message.to_json()))
    assert again == message
    assert again.digest == message.digest


@given(messages)
def test_the_digest_tells_content_not_identity(message: Message) -> None:
    """The same content under another id has the same digest; other content has another."""
    assert replace(message, id="m1000").digest == message.digest
    if isinstance(message, SystemMessage | UserMessage | AssistantMessage):
        assert replace(message, text=message.text + "x").digest != message.digest


@given(messages)
def test_size_is_in_code_points_and_media_costs_a_flat_figure(message: Message) -> None:
    """A picture is never counted as text."""
    assert message.size == sum(map(len, message.text_parts()))
    if isinstance(message, ToolMessage) and not isinstance(message.content, str):
        pictures = sum(isinstance(block, MediaBlock) for block in message.content)
        assert message.tokens >= pictures * MEDIA_TOKENS
        assert all(
            block.data not in message.text_parts()
            for block in message.content
            if isinstance(block, MediaBlock) and block.data
        )


def conversation(*shape: str) -> tuple[Message, ...]:
    """`Q` a question, `H` a harness line, `A12` an assistant message with calls c1 and c2, `1` the result of c1."""
    made: list[Message] = [SystemMessage("m0", "")]
    for part in shape:
        name = f"m{len(made)}"
        if part in "QH":
            made.append(UserMessage(name, part, "question" if part == "Q" else "harness"))
        elif part.startswith("A"):
            made.append(AssistantMessage(name, tool_calls=tuple(ToolCall(f"c{c}", "t", {}) for c in part[1:])))
        else:
            made.append(ToolMessage(name, result=int(part), call=f"c{part}"))
    return tuple(made)


def test_pairing() -> None:
    """Every call has exactly one result before the next assistant message; no result stands alone."""
    assert is_well_paired(conversation("Q", "A12", "2", "1", "H", "A3", "3", "A"))
    for broken in (["Q", "1"], ["A1"], ["A12", "1"], ["A1", "1", "1"], ["A1", "A2", "1", "2"], ["A11", "1"]):
        assert not is_well_paired(conversation(*broken))


def test_rounds_run_from_one_assistant_message_to_the_next() -> None:
    """What follows the results up to the next assistant message belongs to the round."""
    view = conversation("Q", "A1", "1", "H", "A2", "2", "A")
    assert [(r.start, r.stop) for r in rounds(view)] == [(2, 5), (5, 7), (7, 8)]
    assert rounds(conversation("Q")) == ()


def test_the_question_being_answered_is_the_newest_one() -> None:
    """Harness lines and earlier questions are not it."""
    assert question_index(conversation("Q", "A", "Q", "A1", "1", "H")) == 3
    assert question_index(conversation("H")) == -1


@given(st.lists(st.sampled_from(["call_0", "", "x" * 65, "call_1", "call_c2"]), max_size=12))
def test_provider_ids_become_unique_and_are_kept_where_they_are_good(given_ids: list[str]) -> None:
    """Two runs over the same ids choose the same ones."""

    def choose() -> list[str]:
        source = IdSource()
        return [source.unique_provider_id(given_id, source.next_call()) for given_id in given_ids]

    chosen = choose()
    assert len(set(chosen)) == len(chosen)
    assert all(0 < len(one) <= 64 for one in chosen)
    assert chosen == choose()


@given(
    st.lists(messages, max_size=6), st.lists(messages, max_size=4), st.lists(messages, max_size=4), st.integers(0, 9)
)
def test_shared_start_counts_the_common_messages(
    base: list[Message], new: list[Message], more: list[Message], cut: int
) -> None:
    """Grown, grown twice, edited anywhere, or unrelated: the same count as comparing one by one."""
    view = tuple(base)
    longer = grown(grown(view, *new), *more)
    assert longer == (*base, *new, *more)
    assert shared_start(view, longer) == len(view)
    place = min(cut, len(longer))
    edited = (*longer[:place], UserMessage("edit", "another"), *longer[place + 1 :])
    for one, other in ((longer, edited), (edited, longer), (view, edited), (edited, view), (longer, view)):
        by_hand = next(
            (i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
        )
        assert shared_start(one, other) == by_hand


def test_views_are_let_go_after_a_while() -> None:
    """That views grown from each other are remembered keeps no conversation alive for ever."""
    gone = weakref.ref(grown((), UserMessage("first", "x"))[0])
    assert gone() is not None
    view: tuple[Message, ...] = ()
    for number in range(100):
        view = grown(view, UserMessage(f"m{number}", "x"))
    gc.collect()
    assert gone() is None
