"""A small loop for the rule-based model: its calls run by the real tools over a sample, its results kept in memory."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from dexter.data.identity.directory import Directory
from dexter.data.market import MarketSources
from dexter.data.sample.files import PACKAGED
from dexter.data.sample.provider import SampleProvider
from dexter.errors import ToolError
from dexter.ids import IdSource
from dexter.messages import AssistantMessage, Messages, SystemMessage, ToolCall, ToolMessage, UserMessage
from dexter.models.protocol import ModelResponse, TextPiece
from dexter.offline.model import OfflineModel
from dexter.results import StoredResult, ToolResult
from dexter.tools.calculate import calculate_tool
from dexter.tools.get_financials import get_financials_tool
from dexter.tools.get_market_data import get_market_data_tool
from dexter.tools.registry import Registry
from dexter.tools.tool import ToolContext

MOST_TURNS = 10


@dataclass
class Store:
    """Results by id, as the scratchpad gives them back."""

    results: dict[int, StoredResult] = field(default_factory=dict)

    def read(self, result: int) -> StoredResult:
        return self.results[result]


@cache
def _sample(folder: Path) -> tuple[SampleProvider, Directory]:
    """The sample's files and the list of companies are read once a folder."""
    provider = SampleProvider(folder)
    return provider, Directory(provider.companies)


@dataclass
class Session:
    """A conversation with the rule-based model over the sample in `folder`."""

    folder: Path = PACKAGED
    store: Store = field(default_factory=Store)
    ids: IdSource = field(default_factory=IdSource)
    messages: Messages = ()
    pieces: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        provider, directory = _sample(self.folder)
        self.tools = Registry(
            [
                get_financials_tool([provider], directory),
                get_market_data_tool(MarketSources([provider], [provider], directory)),
                calculate_tool(),
            ]
        )
        self.model = OfflineModel(self.store, provider.companies, directory)
        self.messages = (SystemMessage(self.ids.next_message(), "You are Dexter."),)

    @property
    def calls(self) -> list[ToolCall]:
        """Every call made so far."""
        return [call for m in self.messages if isinstance(m, AssistantMessage) for call in m.tool_calls]

    async def ask(self, question: str) -> str:
        """The answer to a question, asked after all before it."""
        self.messages += (UserMessage(self.ids.next_message(), question),)
        return await self.go_on()

    async def go_on(self) -> str:
        """The answer to what is open."""
        for _ in range(MOST_TURNS):
            response = await self.turn()
            if not response.tool_calls:
                return response.text
        raise AssertionError("the model never answered")

    async def turn(self, tool_choice: str = "auto") -> ModelResponse:
        """One model turn and the results of its calls."""
        specs = self.tools.specs()
        self.pieces = []
        response = None
        async for item in self.model.stream(self.messages, tools=specs, tool_choice=tool_choice, max_tokens=16_000):
            if isinstance(item, TextPiece):
                self.pieces.append(item.text)
            else:
                response = item
        assert response is not None
        calls = tuple(
            ToolCall(self.ids.next_call(), call.name, json.loads(call.raw), call.provider_id, call.raw)
            for call in response.tool_calls
        )
        self.messages += (AssistantMessage(self.ids.next_message(), response.text, (), calls),)
        for call in calls:
            self.messages += (await self._run(call),)
        return response

    async def _run(self, call: ToolCall) -> ToolMessage:
        tool = self.tools.get(call.name)
        try:
            result = await tool.run(tool.arguments.model_validate(call.arguments), ToolContext(self.store))
        except ToolError as error:
            result = ToolResult(error.as_text(), "error")
        number = self.ids.next_result()
        self.store.results[number] = StoredResult(
            number, call.name, call.arguments or {}, result.status, result.text, result.cells
        )
        return ToolMessage(
            self.ids.next_message(),
            result=number,
            call=call.id,
            tool=call.name,
            status=result.status,
            content=result.text,
        )


async def answer_to(*questions: str, folder: Path = PACKAGED) -> str:
    """The answer to the last of these questions, asked one after the other."""
    session = Session(folder)
    answer = ""
    for question in questions:
        answer = await session.ask(question)
    return answer
