import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dexter.models.chat_dialects import LineRewriter, in_usual_words
from dexter.models.protocol import ModelResponse
from tests.support import openai_sse as sse
from tests.support.asking import answer_to
from tests.support.protocols import DEEPSEEK, OPENAI, OPENROUTER, XAI

pytestmark = pytest.mark.filterwarnings("ignore")  # LiteLLM and its clients warn of themselves in many places

SPEAKERS = pytest.mark.parametrize("protocol", [OPENAI, DEEPSEEK, OPENROUTER, XAI], ids=lambda p: p.name)


def calls_of(response: ModelResponse) -> list[tuple[str, str, str]]:
    return [(call.provider_id, call.name, call.raw) for call in response.tool_calls]


@SPEAKERS
def test_a_call_in_the_older_form_is_a_call(protocol):
    """`function_call`, as servers of 2023 send it, its arguments in pieces."""
    first = sse.chunk(function_call={"name": "note", "arguments": '{"que'})
    rest = sse.chunk(function_call={"arguments": 'ry": 1}'})
    response = answer_to(protocol, first, rest, *sse.stop("function_call"))
    assert calls_of(response) == [("", "note", '{"query": 1}')]
    assert response.stop_reason == "tool_use"


@SPEAKERS
def test_a_text_in_a_list_of_parts_is_a_text(protocol):
    """`content` as a list, its thinking told apart."""
    thought = {"type": "thinking", "thinking": [{"type": "text", "text": "Hm."}]}
    pieces = [[thought], [{"type": "text", "text": "Hello "}], [{"type": "text", "text": "you"}]]
    response = answer_to(protocol, *(sse.chunk(content=piece) for piece in pieces), *sse.stop())
    assert (response.text, [block.text for block in response.thinking]) == ("Hello you", ["Hm."])


@SPEAKERS
def test_a_call_may_have_a_number_for_an_id_and_an_object_for_arguments(protocol):
    """Neither loses the call, and each keeps its own id."""
    calls = [sse.tool(n, "note", '{"query": 1}', id=n + 7) for n in range(2)]
    assert calls_of(answer_to(protocol, *calls[0], *calls[1], *sse.stop("tool_calls"))) == [
        ("7", "note", '{"query": 1}'),
        ("8", "note", '{"query": 1}'),
    ]
    whole = {"index": 0, "id": "a", "function": {"name": "note", "arguments": {"query": 1}}}
    assert calls_of(answer_to(protocol, sse.chunk(tool_calls=[whole]), *sse.stop("tool_calls"))) == [
        ("a", "note", '{"query": 1}')
    ]


STREAM = b"".join(
    [
        b": comment\r\n\r\n",
        sse.chunk(content=[{"type": "text", "text": "ä"}]),
        *sse.text('a \n\n data: [DONE] "content": [', "\ud83d"),
        *sse.tool(0, "note", "{}", id=3),
        b"data: [1, 2]\n\ndata: {broken\n\n",
        *sse.stop(),
        b"a last line without its end",
    ]
)


@given(st.lists(st.integers(0, len(STREAM)), max_size=12))
def test_where_the_bytes_are_cut_makes_no_difference(cuts):
    """The same lines come out, whole, however the network cuts them."""
    places = sorted({0, len(STREAM), *cuts})
    rewriter = LineRewriter()
    pieces = [STREAM[start:end] for start, end in pairwise(places)]
    found = b"".join(map(rewriter.take, pieces)) + rewriter.take(b"\n")
    assert found == b"".join(map(in_usual_words, (STREAM + b"\n").splitlines(keepends=True)))
    assert b'"id": "3"' in found


@pytest.mark.parametrize(
    "chunk",
    [
        {"choices": [{"delta": {"content": [None, 5, {"text": 7}, "x"]}}]},
        {"choices": [{"delta": {"tool_calls": [None, {"id": 5, "function": None}]}}, None]},
        {"choices": {"content": [1]}, "id": 5},
        {"choices": [{"delta": {"function_call": {"arguments": None}}}]},
        {"choices": [{"delta": None, "content": []}]},
    ],
)
def test_nonsense_is_no_crash(chunk):
    """What is odder than a dialect is left to whoever reads it."""
    json.loads(in_usual_words(b"data: " + json.dumps(chunk).encode() + b"\n").removeprefix(b"data:"))
