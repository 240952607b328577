"""What a tool is: a function with a typed argument model, a description, and what the loop must know of it.

The registry builds the schema for the model and the list in the prompt from this one definition.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from typing import Any, Generic, Protocol, TypeVar

from pydantic import BaseModel

from dexter.approval import Proposal
from dexter.context.stage import Recall, ToolTraits
from dexter.messages import ToolSpec
from dexter.results import ToolResult
from dexter.usage import Usage

Arguments = TypeVar("Arguments", bound=BaseModel)


class Caller(Protocol):
    """The run that a tool is called in, as far as a tool may know and tell it."""

    @property
    def name(self) -> str:
        """The run's name."""
        ...

    def said(self) -> Sequence[str]:
        """What the user wrote in this conversation, in order."""
        ...

    def spend(self, usage: Usage | None, cost: Decimal | None, /) -> None:
        """Count tokens and USD (None where unknown) as the run's own."""
        ...

    def charge(self, cost: Decimal, /) -> None:
        """Count USD that nobody told against what the run may still spend."""
        ...

    def left_usd(self) -> Decimal | None:
        """What the run may still spend; None: there is no limit."""
        ...

    def tell_subagent(self, run: str, status: str, *, call: str) -> None:
        """Record and tell that a sub-agent's run has reached a state."""
        ...


@dataclass(frozen=True)
class ToolContext:
    """What a running tool may use: earlier results, where to tell progress, the as-of date ('' = none).

    `approved` is the proposal the user agreed to, None for a call that needed no approval. `caller` is the run, None
    where a tool is run without one. `untrusted` says where text that others wrote came from so far in the conversation.
    """

    results: Recall
    progress: Callable[[str], None] = field(default=lambda _text: None)
    as_of: str = ""
    call: str = ""
    approved: Proposal | None = None
    caller: Caller | None = None
    untrusted: tuple[str, ...] = ()


@dataclass(frozen=True)
class Tool(Generic[Arguments]):
    """A tool the model may call.

    `concurrent`: may run beside its neighbours. `clearable`: an old result may leave the view. `pages`: results are
    pages of something kept elsewhere, never persisted again. `limited`: soft limits apply; `query` names the free-text
    argument they compare. `for_subagents`: it needs neither the user's own words nor this run. `run` raises `ToolError`
    for what the model can act on.

    `needs_approval`: it writes or sends, and every call is asked first. `propose` says what a call would do, whole; it
    changes nothing and raises `ToolError` for a call that would fail anyway. A tool without the flag may propose, too:
    calls for which it gives a proposal are asked first, those for which it gives None are not.
    """

    name: str
    description: str
    arguments: type[Arguments]
    run: Callable[[Arguments, ToolContext], Awaitable[ToolResult]]
    concurrent: bool = False
    clearable: bool = False
    pages: bool = False
    limited: bool = True
    query: str = ""
    needs_approval: bool = False
    interactive_only: bool = False
    propose: Callable[[Arguments, ToolContext], Awaitable[Proposal | None]] | None = None
    for_subagents: bool = True
    timeout_s: float = 120.0

    @cached_property
    def spec(self) -> ToolSpec:
        """The definition the model is sent."""
        return ToolSpec(self.name, self.description, flat_schema(self.arguments))

    @property
    def traits(self) -> ToolTraits:
        """What the context pipeline needs to know."""
        return ToolTraits(clearable=self.clearable, pages=self.pages, limited=self.limited, query=self.query)


async def proposal_of(tool: Tool[Any], arguments: BaseModel, context: ToolContext) -> Proposal | None:
    """What has to be approved before this call runs, None if nothing. A tool that needs approval always has something.

    Raises:
        ToolError: the call would fail anyway.
    """
    proposal = await tool.propose(arguments, context) if tool.propose else None
    if proposal is None and tool.needs_approval:
        return Proposal("run", tool.name, detail=arguments.model_dump_json(indent=1))
    return proposal


# Keywords that every provider takes. The argument model checks the rest.
_KEPT = frozenset({"type", "required", "items", "enum", "description", "default"})
_KEPT |= {"minimum", "maximum", "minItems", "maxItems"}


def flat_schema(model: type[BaseModel]) -> dict[str, Any]:
    """The model's JSON schema in the subset all providers take: no `$ref`, no `anyOf` with null, no titles."""
    schema = model.model_json_schema()
    definitions = schema.get("$defs", {})
    return {"type": "object", **_flattened({k: v for k, v in schema.items() if k != "$defs"}, definitions)}


def _flattened(node: Any, definitions: dict[str, Any]) -> Any:
    if isinstance(node, list):
        return [_flattened(item, definitions) for item in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        name = node["$ref"].rsplit("/", 1)[-1]
        rest = {key: value for key, value in node.items() if key != "$ref"}
        return _flattened({**definitions[name], **rest}, definitions)
    if "anyOf" in node:
        choices = [choice for choice in node["anyOf"] if choice.get("type") != "null"]
        rest = {key: value for key, value in node.items() if key != "anyOf"}
        return _flattened({**choices[0], **rest}, definitions)
    if "const" in node:
        node = {**node, "enum": [node["const"]]}
    flat = {key: _flattened(value, definitions) for key, value in node.items() if key in _KEPT}
    if "properties" in node:
        flat["properties"] = {name: _flattened(prop, definitions) for name, prop in node["properties"].items()}
    if flat.get("default") in (None, "", [], {}):
        flat.pop("default", None)
    return flat
