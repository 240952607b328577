"""Thinking through a whole run and its record: what is sent after a resume is what would have been sent without one."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest

from dexter.agent.loop import run_loop
from dexter.context.policies import policy_named
from dexter.errors import ModelError
from dexter.models.anthropic import AnthropicModel
from dexter.models.protocol import ModelInfo
from dexter.scratchpad.run_state import read_state
from tests.support import anthropic_sse as sse
from tests.support.faults import note_tool
from tests.support.runs import make_run
from tests.support.wire_server import Reply, WireServer, error_reply

TURN = (
    sse.start(),
    *sse.thinking(0, "Let me ", "see “€”.", signature="c2ln/+="),
    *sse.text(1, "First. "),
    *sse.redacted(2, "b3BhcXVl/+="),
    *sse.text(3, "Then."),
    *sse.tool(4, "note", '{"query":', ' "a"}', id="toolu_a"),
    *sse.tool(5, "note", "", id="toolu_b"),
    *sse.stop("tool_use"),
)
REFUSED = error_reply(401, {"type": "error", "error": {"type": "authentication_error", "message": "invalid x-api-key"}})


def claude(url: str, mode: Any, name: str = "claude-test") -> AnthropicModel:
    return AnthropicModel(ModelInfo(name, "anthropic", thinking="signed"), "key", url, thinking=mode, idle_s=2.0)


async def sent_and_sent_again(folder: Path, mode: Any, name: str = "claude-test") -> tuple[Any, Any, Any]:
    """The second request of a run, and the one made of its record by the model of that name."""
    async with WireServer([Reply(chunks=TURN), REFUSED, Reply(chunks=sse.answer("done"))]) as server:
        async with aclosing(claude(server.url, mode)) as model:
            bench = make_run(folder, model, tools=[note_tool(folder / "notes")], policy=policy_named("dexter"))
            with pytest.raises(ModelError):
                await run_loop(bench.run)
        state = read_state(bench.path)
        async with aclosing(claude(server.url, mode, name)) as model:
            asked = model.stream(state.messages, tools=state.view.tools, tool_choice="auto", max_tokens=16_000)
            assert [item async for item in asked]
        return (*(request.json for request in server.requests[1:]), server.requests[1].body == server.requests[2].body)


@pytest.mark.parametrize("mode", ["adaptive", "budget"])
def test_after_a_resume_the_same_bytes_are_sent(mode: Any, tmp_path: Path) -> None:
    """Signed and redacted blocks, their order among texts and calls, ids and results: all come back from the file."""
    before, after, same = asyncio.run(sent_and_sent_again(tmp_path, mode))
    content = next(m["content"] for m in after["messages"] if m["role"] == "assistant")
    assert [block["type"] for block in content] == [
        *("thinking", "text", "redacted_thinking", "text", "tool_use", "tool_use")
    ]
    assert content[0] == {"type": "thinking", "thinking": "Let me see “€”.", "signature": "c2ln/+="}
    assert content[2] == {"type": "redacted_thinking", "data": "b3BhcXVl/+="}
    assert before["messages"] == after["messages"]
    assert same


@pytest.mark.parametrize("mode", ["adaptive", "budget"])
def test_taken_up_by_another_model_no_signature_is_sent(mode: Any, tmp_path: Path) -> None:
    """Nothing of another model's thinking goes out, and the older way of thinking is not asked for in that turn."""
    _, after, _ = asyncio.run(sent_and_sent_again(tmp_path, mode, "claude-other"))
    content = next(m["content"] for m in after["messages"] if m["role"] == "assistant")
    assert [block["type"] for block in content] == ["text", "text", "tool_use", "tool_use"]
    assert ("thinking" in after) == (mode == "adaptive")
