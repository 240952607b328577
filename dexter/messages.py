"""The conversation as pure values: messages, calls, thinking, and how they hang together.

    system · user(origin) · assistant(text, thinking, tool_calls) · tool(result)

Messages are frozen; a stage that changes one makes a new one with the same `id`. Digest, size and token estimate are
computed once per message and cached with it, so hashing and counting a view is adding up. Public contract
(docs/interfaces.md).
"""

from __future__ import annotations

import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, ClassVar, Literal, TypeAlias

from dexter.results import ResultStatus
from dexter.text import estimate_tokens

Origin = Literal["question", "queued", "harness"]
ThinkingKind = Literal["plain", "signed", "demanded"]
ResultForm = Literal["whole", "preview", "cleared"]
IdRange: TypeAlias = tuple[int, int]

# A picture costs about this much whatever its bytes; they are never counted as text.
MEDIA_TOKENS = 1_600
_MESSAGE_OVERHEAD_TOKENS = 4


def canonical_json(value: Any) -> str:
    """The one text of a JSON value: sorted keys, no spaces, ASCII only (lone surrogates survive)."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, default=str)


def digest_of(value: Any) -> str:
    """Hex sha256 of the canonical form."""
    return hashlib.sha256(canonical_json(value).encode("ascii")).hexdigest()


@dataclass(frozen=True)
class ToolSpec:
    """A tool as a model is told of it. `parameters` is a flat JSON schema."""

    name: str
    description: str
    parameters: Mapping[str, Any]

    @cached_property
    def digest(self) -> str:
        """Hex sha256 of the canonical form."""
        return digest_of(self.to_json())

    @cached_property
    def tokens(self) -> int:
        """Estimated tokens of the definition."""
        return estimate_tokens(canonical_json(self.to_json()))

    def to_json(self) -> dict[str, Any]:
        """Name, description, parameters."""
        return {"name": self.name, "description": self.description, "parameters": dict(self.parameters)}


@dataclass(frozen=True)
class ToolCall:
    """One call a model made.

    `id` is our own (`c7`), unique in the conversation; `provider_id` is what goes back on the wire. `arguments` is None
    when `raw` could not be read as an object; `error` then says why and the call gets an error result.
    """

    id: str
    name: str
    arguments: Mapping[str, Any] | None
    provider_id: str = ""
    raw: str = ""
    error: str | None = None

    @cached_property
    def arguments_json(self) -> str:
        """The canonical arguments; where they could not be read, the raw text as a JSON string."""
        return canonical_json(self.raw if self.arguments is None else self.arguments)

    def to_json(self) -> dict[str, Any]:
        """All fields; `arguments` may be null."""
        return {
            "id": self.id,
            "name": self.name,
            "arguments": None if self.arguments is None else dict(self.arguments),
            "provider_id": self.provider_id,
            "raw": self.raw,
            "error": self.error,
        }


@dataclass(frozen=True)
class ThinkingBlock:
    """Reasoning of a model.

    `signed` blocks are bound to every byte before them: no stage touches them, `prefix` is the view hash they were made
    under, `verbatim` the provider's own block to send back. `demanded` reasoning always goes back. `plain` may be
    stripped.
    """

    text: str
    kind: ThinkingKind = "plain"
    verbatim: Mapping[str, Any] | None = None
    prefix: str = ""

    def to_json(self) -> dict[str, Any]:
        """All fields."""
        verbatim = None if self.verbatim is None else dict(self.verbatim)
        return {"text": self.text, "kind": self.kind, "verbatim": verbatim, "prefix": self.prefix}


@dataclass(frozen=True)
class TextBlock:
    """A text part of a result given as blocks."""

    text: str


@dataclass(frozen=True)
class MediaBlock:
    """A picture or document part of a result: base64 `data` of `media_type`. Counts a flat token figure."""

    media_type: str
    data: str


Block: TypeAlias = TextBlock | MediaBlock


@dataclass(frozen=True)
class _Message(ABC):
    """What all messages share: a stable id, and measures computed once."""

    role: ClassVar[str]
    id: str

    @abstractmethod
    def content_json(self) -> dict[str, Any]:
        """The canonical content: all that matters to the model, without the id."""

    def extra_json(self) -> dict[str, Any]:
        """Book-keeping that is recorded but is no part of what the model sees."""
        return {}

    def to_json(self) -> dict[str, Any]:
        """The recorded form; `message_from_json` reads it back to an equal message."""
        return {"id": self.id, **self.content_json(), **self.extra_json()}

    @cached_property
    def digest(self) -> str:
        """Hex sha256 of the canonical content."""
        return digest_of(self.content_json())

    @cached_property
    def size(self) -> int:
        """Characters (code points) the model is sent for this message."""
        return sum(len(part) for part in self.text_parts())

    @cached_property
    def tokens(self) -> int:
        """Uncorrected token estimate."""
        text = sum(estimate_tokens(part) for part in self.text_parts())
        return _MESSAGE_OVERHEAD_TOKENS + text + MEDIA_TOKENS * self.media_count()

    @abstractmethod
    def text_parts(self) -> Iterator[str]:
        """Every text the model is sent for this message."""

    def media_count(self) -> int:
        """How many pictures or documents it carries."""
        return 0


@dataclass(frozen=True)
class SystemMessage(_Message):
    """The system prompt; always first, never changed within a run."""

    role: ClassVar[str] = "system"
    text: str = ""

    def content_json(self) -> dict[str, Any]:
        return {"role": self.role, "text": self.text}

    def text_parts(self) -> Iterator[str]:
        yield self.text


@dataclass(frozen=True)
class UserMessage(_Message):
    """What the user said (`question`, `queued`) or the harness put in (`harness`).

    For harness messages `kind` says which (notice, index, summary, snip, compacted, note), `covers` the result ids it
    names or stands for as inclusive ranges, and `entries` the (id, line) pairs it still lists one by one.
    """

    role: ClassVar[str] = "user"
    text: str = ""
    origin: Origin = "question"
    kind: str = ""
    covers: tuple[IdRange, ...] = ()
    entries: tuple[tuple[int, str], ...] = ()

    def content_json(self) -> dict[str, Any]:
        return {"role": self.role, "origin": self.origin, "text": self.text}

    def extra_json(self) -> dict[str, Any]:
        extra: dict[str, Any] = {}
        if self.kind:
            extra["kind"] = self.kind
        if self.covers:
            extra["covers"] = [list(pair) for pair in self.covers]
        if self.entries:
            extra["entries"] = [list(pair) for pair in self.entries]
        return extra

    def text_parts(self) -> Iterator[str]:
        yield self.text


@dataclass(frozen=True)
class AssistantMessage(_Message):
    """One model turn: text, thinking in order, calls in order."""

    role: ClassVar[str] = "assistant"
    text: str = ""
    thinking: tuple[ThinkingBlock, ...] = ()
    tool_calls: tuple[ToolCall, ...] = ()

    def content_json(self) -> dict[str, Any]:
        return {
            "role": self.role,
            "text": self.text,
            "thinking": [block.to_json() for block in self.thinking],
            "tool_calls": [call.to_json() for call in self.tool_calls],
        }

    def text_parts(self) -> Iterator[str]:
        yield self.text
        for block in self.thinking:
            yield block.text or canonical_json(block.verbatim or "")
        for call in self.tool_calls:
            yield call.name
            yield call.raw or canonical_json(call.arguments)


@dataclass(frozen=True)
class ToolMessage(_Message):
    """The result of one call, as it stands in the view.

    `result` is our result id, counting through the conversation. `form` tells whether the content is the whole result,
    a preview of one in a file at `path`, or a placeholder; `chars` is the whole result's size. `recalls` is the id of
    the result of which this one is a recalled page.
    """

    role: ClassVar[str] = "tool"
    result: int = 0
    call: str = ""
    tool: str = ""
    status: ResultStatus = "ok"
    content: str | tuple[Block, ...] = ""
    form: ResultForm = "whole"
    chars: int = 0
    path: str = ""
    recalls: int | None = None

    def content_json(self) -> dict[str, Any]:
        return {
            "role": self.role,
            "result": self.result,
            "call": self.call,
            "tool": self.tool,
            "status": self.status,
            "content": self.content if isinstance(self.content, str) else [_block_json(b) for b in self.content],
        }

    def extra_json(self) -> dict[str, Any]:
        extra: dict[str, Any] = {"form": self.form, "chars": self.chars}
        if self.path:
            extra["path"] = self.path
        if self.recalls is not None:
            extra["recalls"] = self.recalls
        return extra

    def text_parts(self) -> Iterator[str]:
        if isinstance(self.content, str):
            yield self.content
        else:
            yield from (block.text for block in self.content if isinstance(block, TextBlock))

    def media_count(self) -> int:
        return 0 if isinstance(self.content, str) else sum(isinstance(block, MediaBlock) for block in self.content)

    @property
    def text(self) -> str:
        """The text of the content; media parts are left out."""
        return "\n".join(self.text_parts())


Message: TypeAlias = SystemMessage | UserMessage | AssistantMessage | ToolMessage
Messages: TypeAlias = tuple[Message, ...]


def _block_json(block: Block) -> dict[str, Any]:
    if isinstance(block, TextBlock):
        return {"type": "text", "text": block.text}
    return {"type": "media", "media_type": block.media_type, "data": block.data}


@dataclass(frozen=True)
class Round:
    """An assistant message with its results and what follows, up to the next one: `messages[start:stop]`."""

    start: int
    stop: int


def question_index(messages: Messages) -> int:
    """Where the question being answered stands: the newest message of origin `question`, or -1."""
    for index in range(len(messages) - 1, -1, -1):
        message = messages[index]
        if isinstance(message, UserMessage) and message.origin == "question":
            return index
    return -1


def rounds(messages: Messages, start: int = 0) -> tuple[Round, ...]:
    """The rounds from `start` on, oldest first."""
    starts = [i for i in range(start, len(messages)) if isinstance(messages[i], AssistantMessage)]
    return tuple(Round(a, b) for a, b in pairwise([*starts, len(messages)]))


def newest_assistant_index(messages: Messages) -> int:
    """Where the newest assistant message stands, or -1. Results after it are *unseen*: no request carried them."""
    for index in range(len(messages) - 1, -1, -1):
        if isinstance(messages[index], AssistantMessage):
            return index
    return -1


def is_well_paired(messages: Messages) -> bool:
    """Every call is followed by exactly one result before the next assistant message, and no result stands alone."""
    open_calls: list[str] = []
    for message in messages:
        if isinstance(message, AssistantMessage):
            if open_calls:
                return False
            open_calls = [call.id for call in message.tool_calls]
            if len(set(open_calls)) != len(open_calls):
                return False
        elif isinstance(message, ToolMessage):
            if message.call not in open_calls:
                return False
            open_calls.remove(message.call)
    return not open_calls


def calls_by_id(messages: Sequence[Message]) -> dict[str, ToolCall]:
    """Every call in the messages by its own id."""
    return {call.id: call for m in messages if isinstance(m, AssistantMessage) for call in m.tool_calls}


def with_text(message: UserMessage, text: str) -> UserMessage:
    """The same message with another text."""
    return replace(message, text=text)
