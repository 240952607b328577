"""What the drivers share: a chat model that plays a session, and a record of every request, as JSON lines on stdout.

Run by a peer's own Python, so nothing of Dexter is imported here. Nothing but this process is ever contacted: an audit
hook refuses sockets.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from importlib.metadata import version
from itertools import count
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.tools import StructuredTool

SUMMARY = "The run compared the companies' statements."
PROVIDER = "replay"


class ReplayModel(BaseChatModel):
    """Answers a request with tools by the session's next turn, one without by a summary.

    It reports usage as a provider does; `busy` holds the seconds spent here, which are not the library's.
    """

    turns: list[AIMessage]
    requests: list[dict[str, Any]]
    busy: list[float]
    chars_per_token: float
    has_tools: bool = False

    @property
    def _llm_type(self) -> str:
        return PROVIDER

    def _get_ls_params(self, stop: list[str] | None = None, **kwargs: Any) -> Any:
        return {**super()._get_ls_params(stop, **kwargs), "ls_provider": PROVIDER}

    def bind_tools(self, tools: Any, **kwargs: Any) -> Any:  # noqa: ARG002 - the library's signature
        return self.model_copy(update={"has_tools": bool(tools)})

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,  # noqa: ARG002 - the library's signature
        run_manager: CallbackManagerForLLMRun | None = None,  # noqa: ARG002 - the library's signature
        **_kwargs: Any,
    ) -> ChatResult:
        started = time.process_time()
        texts = [text_of(message) for message in messages]
        self.requests.append({"request" if self.has_tools else "summary": texts})
        done = sum("request" in line for line in self.requests)
        answer = self.turns[done - 1].model_copy() if self.has_tools else AIMessage(SUMMARY)
        tokens = int(sum(map(len, texts)) / self.chars_per_token)
        answer.usage_metadata = {"input_tokens": tokens, "output_tokens": 20, "total_tokens": tokens + 20}
        answer.response_metadata = {"model_provider": PROVIDER}
        self.busy.append(time.process_time() - started)
        return ChatResult(generations=[ChatGeneration(message=answer)])


def text_of(message: BaseMessage) -> str:
    """A message as one text: role, content, calls."""
    content = message.content if isinstance(message.content, str) else "\n".join(map(_block_text, message.content))
    calls = getattr(message, "tool_calls", [])
    return "\n".join([message.type, content, *(f"{call['name']}\n{json.dumps(call['args'])}" for call in calls)])


def _block_text(block: Any) -> str:
    return block if isinstance(block, str) else str(block.get("text", ""))


def model_for(session: dict[str, Any]) -> ReplayModel:
    """A model that plays the session."""
    return ReplayModel(
        turns=[*_turns(session), AIMessage(session["answer"])],
        requests=[],
        busy=[],
        chars_per_token=session["chars_per_token"],
        profile={"max_input_tokens": session["window"]},
    )


def _turns(session: dict[str, Any]) -> Iterator[AIMessage]:
    numbers = count()
    for turn in session["turns"]:
        calls = [
            {"name": session["tool"], "args": {"query": f"statements {number}"}, "id": f"call_{number}"}
            for _, number in zip(turn["results"], numbers, strict=False)
        ]
        yield AIMessage(turn["text"], tool_calls=calls)


def tool_for(session: dict[str, Any]) -> StructuredTool:
    """The session's tool: a call's number says which result it gets, in whatever order calls are run."""
    results = [result for turn in session["turns"] for result in turn["results"]]

    def run(query: str) -> str:
        return results[int(query.rsplit(" ", 1)[-1])]

    return StructuredTool.from_function(run, name=session["tool"], description="Statements of companies.")


def play(
    build: Callable[[ReplayModel, StructuredTool, str], Any],
    packages: tuple[str, ...],
    files_of: Callable[[dict[str, Any]], list[str]] = lambda _state: [],
) -> None:
    """Read a session, run the agent that `build` makes, print what was sent and which files are left."""
    sys.addaudithook(_refuse_sockets)
    session = json.load(sys.stdin)
    model = model_for(session)
    agent = build(model, tool_for(session), session["system"])
    started = time.process_time()
    state = agent.invoke({"messages": [("user", session["question"])]}, {"recursion_limit": 10_000})
    spent = time.process_time() - started - sum(model.busy)
    for line in model.requests:
        print(json.dumps(line))
    for text in files_of(state):
        print(json.dumps({"file": text}))
    print(json.dumps({"seconds": spent, "versions": {name: version(name) for name in packages}}))


def _refuse_sockets(event: str, arguments: tuple[Any, ...]) -> None:
    if event in ("socket.connect", "socket.getaddrinfo", "socket.sendto"):
        raise RuntimeError(f"{event} {arguments}: nothing may be contacted")
