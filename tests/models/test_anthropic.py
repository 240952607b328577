import asyncio
import json
from contextlib import aclosing
from dataclasses import replace
from decimal import Decimal
from itertools import pairwise

import pytest

from dexter.errors import ModelError
from dexter.messages import AssistantMessage, SystemMessage, ToolCall, ToolMessage, ToolSpec, UserMessage
from dexter.models.anthropic import AnthropicModel
from dexter.models.protocol import ModelInfo, ModelResponse, Prices, TextPiece
from dexter.scratchpad.view import view_hash
from dexter.usage import Usage
from tests.support import anthropic_sse as sse
from tests.support.wire_server import Reply, WireServer, error_reply

PRICES = Prices(Decimal("2e-6"), Decimal("1e-5"), Decimal("1e-7"), Decimal("2.5e-6"))
INFO = ModelInfo("claude-test", "anthropic", prices=PRICES, thinking="signed")
TOOLS = (
    ToolSpec("get_prices", "Prices.", {"type": "object", "properties": {"ticker": {"type": "string"}}}),
    ToolSpec("calculate", "Arithmetic.", {"type": "object", "properties": {}}),
)
VIEW = (SystemMessage("m0", "Be exact."), UserMessage("m1", "What is NVDA's revenue?"))


def model(server, **options):
    """An adapter on the server, to be closed."""
    return aclosing(AnthropicModel(INFO, "test-key", server.url, **{"idle_s": 2.0, **options}))


async def ask(adapter, view=VIEW, *, tools=TOOLS, tool_choice="auto", max_tokens=1_000, seen=None):
    """Pieces and the response of one call; `seen` gets the pieces also where it fails."""
    items = [] if seen is None else seen
    async for item in adapter.stream(view, tools=tools, tool_choice=tool_choice, max_tokens=max_tokens):
        items.append(item)
    assert [type(item) for item in items[-1:]] == [ModelResponse]
    assert all(isinstance(item, TextPiece) for item in items[:-1])
    return items[:-1], items[-1]


def run(replies, **options):
    """One call against the given replies: (pieces, response, requests)."""

    async def call():
        asked = {k: options.pop(k) for k in ("view", "tools", "tool_choice", "max_tokens") if k in options}
        async with WireServer(list(replies)) as server, model(server, **options) as adapter:
            pieces, response = await ask(adapter, **asked)
            return pieces, response, server.requests

    return asyncio.run(call())


def failure(reply, **options):
    """The error of one call, and the pieces that came before."""

    async def call():
        pieces = []
        async with WireServer([reply]) as server, model(server, **options) as adapter:
            with pytest.raises(ModelError) as caught:
                await ask(adapter, seen=pieces)
            return caught.value, pieces, server.requests

    return asyncio.run(call())


def test_text_streams_and_is_counted_and_priced():
    """Pieces arrive as they come; the response has the whole text, the usage by kind, and the cost in USD."""
    pieces, response, _ = run([Reply(chunks=sse.answer("Hel", "lo."))])
    assert pieces == [TextPiece("Hel"), TextPiece("lo.")]
    assert (response.text, response.stop_reason) == ("Hello.", "end_turn")
    assert response.usage == Usage(input_uncached=100, cache_read=30, cache_write=7, output=20)
    assert response.cost_usd == Decimal("0.0004205")


def test_tool_input_is_kept_as_raw_text():
    """Arguments arrive in pieces and are handed on as text, for the one place that reads them."""
    chunks = (sse.start(), *sse.text(0, "Looking."), *sse.tool(1, "get_prices", '{"tick', 'er": "NVDA"}'))
    _, response, _ = run([Reply(chunks=(*chunks, *sse.stop("tool_use")))])
    (call,) = response.tool_calls
    assert (call.provider_id, call.name, call.raw) == ("toolu_1", "get_prices", '{"ticker": "NVDA"}')
    assert (response.text, response.stop_reason) == ("Looking.", "tool_use")


def test_twenty_calls_at_once_keep_their_order():
    """Parallel calls come in the order of their blocks."""
    blocks = [chunk for i in range(20) for chunk in sse.tool(i, "calculate", f'{{"n": {i}}}', id=f"toolu_{i}")]
    _, response, _ = run([Reply(chunks=(sse.start(), *blocks, *sse.stop("tool_use")))])
    assert [call.raw for call in response.tool_calls] == [f'{{"n": {i}}}' for i in range(20)]


@pytest.mark.parametrize(
    ("reason", "expected"),
    [
        ("end_turn", "end_turn"),
        ("max_tokens", "max_tokens"),
        ("refusal", "refusal"),
        ("pause_turn", "pause_turn"),
        ("model_context_window_exceeded", "window_exceeded"),
        ("stop_sequence", "end_turn"),
        ("something_new", "end_turn"),
    ],
)
def test_stop_reasons(reason, expected):
    """Every reason to stop has one name of ours."""
    assert run([Reply(chunks=sse.answer("x", reason=reason))])[1].stop_reason == expected


def test_a_call_cut_off_by_the_output_limit_keeps_its_half_arguments():
    """`max_tokens` inside a call: the raw half is handed on, and is no JSON."""
    chunks = (sse.start(), *sse.tool(0, "get_prices", '{"ticker": "NV'), *sse.stop("max_tokens"))
    _, response, _ = run([Reply(chunks=chunks)])
    assert (response.stop_reason, response.tool_calls[0].raw) == ("max_tokens", '{"ticker": "NV')


# ── thinking ──


def thought(answer=(), signature="sig"):
    return (sse.start(), *sse.thinking(0, "Let me ", "see.", signature=signature), *answer)


def test_thinking_streams_apart_and_is_kept_signed():
    """Thinking is shown as such and kept with its signature, not mixed into the text."""
    pieces, response, _ = run([Reply(chunks=(*thought(), *sse.text(1, "4"), *sse.stop()))], thinking="adaptive")
    assert pieces == [TextPiece("Let me ", thinking=True), TextPiece("see.", thinking=True), TextPiece("4")]
    (block,) = response.thinking
    assert (block.kind, block.text, response.text) == ("signed", "Let me see.", "4")
    assert block.verbatim["block"] == {"type": "thinking", "thinking": "Let me see.", "signature": "sig"}


def turn_of(response, identifier="m2", prefix=""):
    """The assistant message the loop makes of a response."""
    thinking = tuple(replace(block, prefix=prefix) for block in response.thinking)
    calls = tuple(
        ToolCall(f"c{i}", call.name, json.loads(call.raw), call.provider_id, call.raw)
        for i, call in enumerate(response.tool_calls)
    )
    return AssistantMessage(identifier, response.text, thinking, calls)


INTERLEAVED = (
    sse.start(),
    *sse.thinking(0, "first", signature="s1"),
    *sse.text(1, "Part one. "),
    *sse.redacted(2, "opaque=="),
    *sse.text(3, "Part two."),
    *sse.thinking(4, "second", signature="s2"),
    *sse.tool(5, "calculate", "{}", id="toolu_a"),
    *sse.tool(6, "calculate", "{}", id="toolu_b"),
    *sse.stop("tool_use"),
)


def assistant_content(request):
    return next(m["content"] for m in request.json["messages"] if m["role"] == "assistant")


def test_thinking_goes_back_verbatim_and_in_its_place():
    """Signed and redacted blocks return byte for byte, in the order in which they came among text and calls."""

    async def call():
        replies = [Reply(chunks=INTERLEAVED), Reply(chunks=sse.answer("done"))]
        async with WireServer(replies) as server, model(server, thinking="adaptive") as adapter:
            _, response = await ask(adapter)
            turn = turn_of(response, prefix=view_hash(VIEW, TOOLS))
            results = tuple(ToolMessage(f"m{3 + i}", i, f"c{i}", "calculate", content="1") for i in range(2))
            await ask(adapter, (*VIEW, turn, *results))
            return assistant_content(server.requests[1])

    assert asyncio.run(call()) == [
        {"type": "thinking", "thinking": "first", "signature": "s1"},
        {"type": "text", "text": "Part one. "},
        {"type": "redacted_thinking", "data": "opaque=="},
        {"type": "text", "text": "Part two."},
        {"type": "thinking", "thinking": "second", "signature": "s2"},
        {"type": "tool_use", "id": "toolu_a", "name": "calculate", "input": {}},
        {"type": "tool_use", "id": "toolu_b", "name": "calculate", "input": {}},
    ]


def thoughtful_view(prefix):
    """A view with one thoughtful turn made under `prefix`."""
    _, response, _ = run([Reply(chunks=(*thought(), *sse.text(1, "4"), *sse.stop()))])
    return (*VIEW, turn_of(response, prefix=prefix), UserMessage("m3", "And AMD?"))


def sent_types(request):
    return [block["type"] for block in assistant_content(request)]


def test_stale_thinking_is_left_to_the_provider_where_it_can_drop_it():
    """Adaptive models are asked to drop what an edit made stale; the blocks stay in the request."""
    _, _, (request,) = run([Reply(chunks=sse.answer("x"))], view=thoughtful_view("0" * 64), thinking="adaptive")
    assert request.json["thinking"]["block_binding"] == {"prefix_mismatch_behavior": "drop_block"}
    assert "thinking-binding-controls" in request.headers["anthropic-beta"]
    assert sent_types(request) == ["thinking", "text"]


def test_stale_thinking_is_left_out_where_the_provider_cannot_drop_it():
    """Older models get only the blocks whose beginning is still what it was."""
    _, _, (request,) = run([Reply(chunks=sse.answer("x"))], view=thoughtful_view("0" * 64), thinking="budget")
    assert sent_types(request) == ["text"]
    fresh = thoughtful_view(view_hash(VIEW, TOOLS))
    _, _, (request,) = run([Reply(chunks=sse.answer("x"))], view=fresh, thinking="budget")
    assert sent_types(request) == ["thinking", "text"]


def test_after_an_edit_earlier_blocks_stay_and_later_ones_go():
    """What was made before the edited message is still valid; what came after is not; new blocks are."""
    first = thoughtful_view(view_hash(VIEW, TOOLS))
    second_turn = replace(first[2], id="m4", thinking=(replace(first[2].thinking[0], prefix=view_hash(first, TOOLS)),))
    whole = (*first, second_turn, UserMessage("m5", "Go on."))
    edited = (*whole[:3], UserMessage("m3", "cleared"), *whole[4:])
    third_turn = replace(first[2], id="m6", thinking=(replace(first[2].thinking[0], prefix=view_hash(edited, TOOLS)),))
    view = (*edited, third_turn, UserMessage("m7", "And now?"))
    _, _, (request,) = run([Reply(chunks=sse.answer("x"))], view=view, thinking="budget")
    turns = [m["content"] for m in request.json["messages"] if m["role"] == "assistant"]
    assert [content[0]["type"] for content in turns] == ["thinking", "text", "thinking"]


REFUSAL = error_reply(
    400, {"type": "error", "error": {"type": "invalid_request_error", "message": "Invalid signature in thinking block"}}
)


def test_a_refused_signature_is_resent_once_without_thinking():
    """Exactly one resend, with no thinking in it; then it goes on."""
    view = thoughtful_view(view_hash(VIEW, TOOLS))
    _, response, requests = run([REFUSAL, Reply(chunks=sse.answer("fine"))], view=view, thinking="adaptive")
    assert response.text == "fine"
    assert len(requests) == 2
    assert sent_types(requests[1]) == ["text"]
    assert "thinking" not in requests[1].json


def test_refused_thinking_is_not_sent_again():
    """One resend in the first turn, none in the next: the other turns' new thinking goes back as ever."""
    view = thoughtful_view(view_hash(VIEW, TOOLS))
    fresh = replace(view[2], id="m4", thinking=(replace(view[2].thinking[0], prefix=view_hash(view, TOOLS)),))
    longer = (*view, fresh, UserMessage("m5", "And INTC?"))

    async def call():
        replies = [REFUSAL, Reply(chunks=sse.answer("fine")), Reply(chunks=sse.answer("fine"))]
        async with WireServer(replies) as server, model(server, thinking="adaptive") as adapter:
            await ask(adapter, view)
            await ask(adapter, longer)
            turns = [m["content"] for m in server.requests[2].json["messages"] if m["role"] == "assistant"]
            return len(server.requests), [[block["type"] for block in content] for content in turns]

    assert asyncio.run(call()) == (3, [["text"], ["thinking", "text"]])


def test_a_second_refusal_is_final():
    """The resend is the last: no loop."""

    view = thoughtful_view(view_hash(VIEW, TOOLS))

    async def call():
        async with WireServer([REFUSAL]) as server, model(server, thinking="adaptive") as adapter:
            with pytest.raises(ModelError) as caught:
                await ask(adapter, view)
            return caught.value.kind, len(server.requests)

    assert asyncio.run(call()) == ("bad_request", 2)


def test_another_models_thinking_is_not_sent():
    """After `/model` the old model's signatures are left out: they would be refused."""
    view = thoughtful_view(view_hash(VIEW, TOOLS))
    foreign = replace(view[2].thinking[0], verbatim={**view[2].thinking[0].verbatim, "model": "claude-other"})
    view = (*VIEW, replace(view[2], thinking=(foreign,)), view[3])
    _, _, (request,) = run([Reply(chunks=sse.answer("x"))], view=view, thinking="adaptive")
    assert sent_types(request) == ["text"]


# ── the request ──


def conversation(turns):
    """A view that has gone through `turns` tool turns."""
    view = list(VIEW)
    for n in range(turns):
        call = ToolCall(f"c{n}", "get_prices", {"ticker": "NVDA"}, f"toolu_{n}", '{"ticker": "NVDA"}')
        view.append(AssistantMessage(f"a{n}", "Looking.", (), (call,)))
        view.append(ToolMessage(f"t{n}", n, f"c{n}", "get_prices", content=f"{n} 130.5"))
    return tuple(view)


def bodies(turns):
    """The request bodies of a conversation that only grows."""

    async def call():
        server = WireServer([Reply(chunks=sse.answer("x"))])
        async with server, model(server, thinking="adaptive") as adapter:
            for n in range(turns):
                await ask(adapter, conversation(n))
            return [request.json for request in server.requests]

    return asyncio.run(call())


def without_marks(value):
    if isinstance(value, dict):
        return {key: without_marks(item) for key, item in value.items() if key != "cache_control"}
    return [without_marks(item) for item in value] if isinstance(value, list) else value


def test_each_request_is_a_byte_prefix_of_the_next():
    """Tools, system prompt and messages of one request are, but for the cache marks, the beginning of the next."""
    sent = [
        json.dumps([without_marks(body[key]) for key in ("tools", "system", "messages")]).removesuffix("]]")
        for body in bodies(5)
    ]
    assert all(later.startswith(earlier) for earlier, later in pairwise(sent))


def test_four_cache_marks_at_most_and_where_they_belong():
    """The last tool, the system prompt, and the ends of the last two turns carry a mark; nothing else does."""
    body = bodies(4)[-1]
    assert "cache_control" in body["tools"][-1]
    assert "cache_control" in body["system"][-1]
    users = [message["content"] for message in body["messages"] if message["role"] == "user"]
    assert [["cache_control" in block for block in content] for content in users] == [[False], [False], [True], [True]]
    assert json.dumps(body).count("cache_control") == 4


def test_the_last_call_keeps_its_tools():
    """`tool_choice: none` sends the same tools, so that no cache is voided."""
    _, _, (request,) = run([Reply(chunks=sse.answer("x"))], tool_choice="none")
    assert request.json["tool_choice"] == {"type": "none"}
    assert [tool["name"] for tool in request.json["tools"]] == ["get_prices", "calculate"]


def test_results_and_typed_lines_are_one_user_message():
    """Roles alternate: results first, then what the user typed."""
    view = (*conversation(1), UserMessage("q", "Also AMD.", "queued"))
    _, _, (request,) = run([Reply(chunks=sse.answer("x"))], view=view)
    assert [message["role"] for message in request.json["messages"]] == ["user", "assistant", "user"]
    assert [block["type"] for block in request.json["messages"][-1]["content"]] == ["tool_result", "text"]


def test_half_a_character_does_not_break_the_request():
    """Lone surrogates in results and arguments are replaced; the request stays valid UTF-8."""
    call = ToolCall("c0", "get_prices", {"ticker": "N\ud83d"}, "toolu_0", "")
    view = (
        *VIEW,
        AssistantMessage("a", "\udc00", (), (call,)),
        ToolMessage("t", 0, "c0", "get_prices", content="x\ud83d"),
    )
    _, _, (request,) = run([Reply(chunks=sse.answer("x"))], view=view)
    assert "\ufffd" in request.body.decode("utf-8")


@pytest.mark.parametrize("provider_id", ["", "functions.get:0", "x" * 1_500, "../../etc", "toolu_dup"])
def test_odd_call_ids_of_other_providers_are_made_fit(provider_id):
    """Empty, huge, duplicate or foreign ids become ones the API takes, the same for call and result."""
    calls = [ToolCall(f"c{n}", "odd name!", None, provider_id, "{oops") for n in range(2)]
    results = [ToolMessage(f"t{n}", n, f"c{n}", "odd name!", "error", "Error") for n in range(2)]
    view = (*VIEW, AssistantMessage("a", "", (), tuple(calls)), *results)
    _, _, (request,) = run([Reply(chunks=sse.answer("x"))], view=view)
    used = [block["id"] for block in assistant_content(request)]
    assert len(set(used)) == 2
    assert all(len(one) <= 64 and one.replace("-", "_").isidentifier() for one in used)
    answered = request.json["messages"][-1]["content"]
    assert [block["tool_use_id"] for block in answered] == used
    assert [block["is_error"] for block in answered] == [True, True]
    assert assistant_content(request)[0]["input"] == {"INVALID_JSON": "{oops"}


# ── failures ──


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (error_reply(429, {"error": {"type": "rate_limit_error", "message": "Slow"}}, retry_after="7"), "rate_limit"),
        (error_reply(529, {"error": {"type": "overloaded_error", "message": "Overloaded"}}), "overloaded"),
        (error_reply(500, {"error": {"type": "api_error", "message": "Internal server error"}}), "other"),
        (error_reply(401, {"error": {"type": "authentication_error", "message": "invalid x-api-key"}}), "auth"),
        (
            error_reply(400, {"error": {"message": "prompt is too long: 202095 tokens > 200000 maximum"}}),
            "context_overflow",
        ),
        (error_reply(413, {"error": {"type": "request_too_large", "message": "too large"}}), "context_overflow"),
        (error_reply(400, {"error": {"message": "Your credit balance is too low"}}), "billing"),
        (Reply(502, {"content-type": "text/html"}, (b"<html><title>502 Bad Gateway</title></html>",)), "network"),
        (Reply(chunks=(sse.start(), sse.error("overloaded_error", "Overloaded"))), "overloaded"),
        (Reply(chunks=(sse.start(), sse.error("api_error", "Internal server error"))), "other"),
        (Reply(chunks=sse.answer("Half an ans")[:3], ending="cut"), "network"),
        (Reply(chunks=sse.answer("Half an ans")[:3]), "network"),
        (Reply(chunks=sse.answer("Half an ans")[:3], ending="stall"), "timeout"),
        (Reply(hang=True), "timeout"),
        (Reply(chunks=(sse.start(), b"event: content_block_delta\ndata: {nonsense\n\n")), "network"),
        (Reply(chunks=(sse.start(), sse.event({"type": "content_block_delta", "index": 7, "delta": {}}))), "network"),
    ],
)
def test_failures_have_one_kind_and_no_half_answer(reply, kind):
    """Refusals, errors inside the stream, cuts, clean ends without a stop reason, stalls: never half an answer."""
    error, pieces, requests = failure(reply, idle_s=0.3)
    assert error.kind == kind
    assert error.remedy
    assert all(isinstance(piece, TextPiece) for piece in pieces)
    assert len(requests) == 1


def test_the_header_says_how_long_to_wait():
    """Retry-After is read from the response, in seconds, milliseconds or as a date."""
    body = {"error": {"type": "rate_limit_error", "message": "Slow down. Try again in 900s"}}
    assert failure(error_reply(429, body, retry_after="7"))[0].retry_after == 7
    assert failure(error_reply(429, body, retry_after_ms="1500"))[0].retry_after == 1.5
    dated = {"date": "Mon, 30 Nov 2026 12:00:00 GMT", "retry_after": "Mon, 30 Nov 2026 12:00:20 GMT"}
    assert failure(error_reply(429, body, **dated))[0].retry_after == 20


def test_pings_keep_a_thinking_model_alive():
    """Bytes are life: pings within the idle limit are no stall, however long the thought takes."""
    chunks = (sse.start(), *[sse.ping()] * 6, *sse.text(0, "ok"), *sse.stop())
    assert run([Reply(chunks=chunks, pause_s=0.1)], idle_s=0.4)[1].text == "ok"


def test_a_refused_connection_says_so():
    """Nobody listening is a network failure with the reason."""

    async def call():
        async with WireServer([]) as server:
            pass
        async with model(server) as adapter:
            with pytest.raises(ModelError) as caught:
                await ask(adapter)
            return caught.value

    error = asyncio.run(call())
    assert error.kind == "network"
    assert "Anthropic" in error.message


def test_cancelling_closes_the_connection():
    """Ctrl-C in the middle of a stream ends the request at the provider too."""

    async def call():
        server = WireServer([Reply(chunks=sse.answer("Half an ans")[:3], ending="stall")])
        async with server, model(server, idle_s=30) as adapter:
            task = asyncio.create_task(ask(adapter))
            await server.asked.wait()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            await asyncio.wait_for(server.idle.wait(), 5)

    asyncio.run(call())


def test_the_key_is_never_in_an_error():
    """What a person reads has no key in it."""
    error, _, _ = failure(error_reply(401, {"error": {"type": "authentication_error", "message": "invalid x-api-key"}}))
    assert "test-key" not in f"{error.message}{error.remedy}"


# ── counting ──


def test_the_provider_counts_the_request():
    """Near the threshold the API itself counts system, tools and messages."""

    async def call():
        reply = Reply(200, {"content-type": "application/json"}, (b'{"input_tokens": 321}',))
        async with WireServer([reply]) as server, model(server) as adapter:
            counted = await adapter.count(VIEW, tools=TOOLS)
            return counted, server.requests[0]

    counted, request = asyncio.run(call())
    assert counted == 321
    assert request.target == "/v1/messages/count_tokens"
    assert set(request.json) == {"model", "messages", "system", "tools"}


def test_an_endpoint_that_cannot_count_gives_none():
    """A 404 there is no failure of the run."""

    async def call():
        server = WireServer([error_reply(404, {"error": {"type": "not_found_error"}})])
        async with server, model(server) as adapter:
            return await adapter.count(VIEW, tools=TOOLS)

    assert asyncio.run(call()) is None
