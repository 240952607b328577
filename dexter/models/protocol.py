"""What the agent needs of a language model, and nothing more.

An adapter turns a view into a provider's request and the provider's stream into deltas and one `ModelResponse`. It
makes one attempt: retries belong to `dexter.agent.model_call`. A failure is a `ModelError` whose `kind` comes from
`dexter.models.errors.classify`.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, Protocol, TypeAlias

from dexter.messages import Messages, ThinkingBlock, ToolSpec
from dexter.usage import Usage

ToolChoice = Literal["auto", "none"]
StopReason = Literal["end_turn", "tool_use", "max_tokens", "refusal", "pause_turn", "window_exceeded"]


@dataclass(frozen=True)
class Prices:
    """USD per token. A request of more than `long_over` input tokens is charged at `long` as a whole."""

    input: Decimal
    output: Decimal
    cache_read: Decimal
    cache_write: Decimal
    long_over: int | None = None
    long: Prices | None = None


@dataclass(frozen=True)
class ModelInfo:
    """What is known of a model. `window` and `output_limit` in tokens; `prices` None where unknown ("n/a").

    `window_known` is False where the window is the stated default. `thinking` says what becomes of reasoning:
    `signed` blocks go back verbatim, `demanded` reasoning always goes back, `plain` may be stripped.
    """

    name: str
    provider: str
    window: int = 128_000
    output_limit: int = 16_000
    fast: str | None = None
    prices: Prices | None = None
    thinking: Literal["none", "plain", "signed", "demanded"] = "none"
    window_known: bool = True


@dataclass(frozen=True)
class TextPiece:
    """A piece of streamed text; `thinking` marks reasoning."""

    text: str
    thinking: bool = False


@dataclass(frozen=True)
class RequestedCall:
    """A tool call as the model sent it: the provider's id, the name, and the arguments as raw text."""

    provider_id: str
    name: str
    raw: str


@dataclass(frozen=True)
class ModelResponse:
    """A whole answer. `usage` is None where the provider gave none; `cost_usd` None where the price is unknown."""

    text: str
    thinking: tuple[ThinkingBlock, ...] = ()
    tool_calls: tuple[RequestedCall, ...] = ()
    stop_reason: StopReason = "end_turn"
    usage: Usage | None = None
    cost_usd: Decimal | None = None


StreamItem: TypeAlias = TextPiece | ModelResponse


class Model(Protocol):
    """One model of one provider."""

    @property
    def info(self) -> ModelInfo:
        """What is known of it."""
        ...

    def stream(
        self, messages: Messages, *, tools: Sequence[ToolSpec], tool_choice: ToolChoice, max_tokens: int
    ) -> AsyncIterator[StreamItem]:
        """Make one attempt: pieces as they come, then exactly one `ModelResponse`, last.

        `messages[0]` is the system message. Raises `ModelError` on any failure, also half-way.
        """
        ...

    async def count(self, messages: Messages, *, tools: Sequence[ToolSpec]) -> int | None:
        """The provider's own token count of this request, or None where it has none."""
        ...
