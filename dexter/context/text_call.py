"""A request of the pipeline's own: text in, text out; by the fast model, or the main one where that is refused."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dexter.context.stage import RunContext
from dexter.context.tokens import summary_room
from dexter.errors import ModelError
from dexter.events import Retry
from dexter.messages import Messages
from dexter.models.protocol import Model, ModelInfo, ModelResponse
from dexter.models.retry import RetryPolicy

# Estimates err by a few per cent; a prompt must fit all the same.
_SAFETY = 1.1


@dataclass(frozen=True)
class TextRoom:
    """What one request to a model may hold, in estimated tokens: its prompt, and the output that is reserved for it."""

    prompt: int
    output: int

    @classmethod
    def of(cls, info: ModelInfo, ctx: RunContext, *, output: int) -> TextRoom:
        """The room there is for a prompt when `output` tokens, or what the model can write at most, are kept free."""
        limits = ctx.limits
        output = min(output, info.output_limit, limits.output_room, summary_room(info.window, limits))
        factor = _SAFETY * max(ctx.meter.factor, 1.0)
        return cls(int((info.window - output - limits.output_margin) / factor), output)


def candidates(ctx: RunContext) -> Iterator[Model]:
    """The models to ask, in order."""
    if ctx.fast_model is not None:
        yield ctx.fast_model
    if ctx.model is not None and ctx.model is not ctx.fast_model:
        yield ctx.model


async def ask_for_text(model: Model, messages: Messages, ctx: RunContext, *, max_tokens: int) -> ModelResponse:
    """The model's whole answer; failures that pass are waited out.

    Raises:
        ModelError: failed for good.
    """
    retries = RetryPolicy(random=ctx.effects.random)
    attempt, waited = 1, 0.0
    while True:
        started = ctx.effects.clock()
        try:
            return await _one_attempt(model, messages, max_tokens)
        except ModelError as error:
            waited += ctx.effects.clock() - started  # nothing of it is shown: a person has waited for nothing
            wait = retries.wait_before_retry(error, attempt=attempt, waited_s=waited)
            if wait is None:
                raise
            ctx.effects.retrying(Retry(error.kind, attempt, wait, error.message))
        await ctx.effects.sleep(wait)
        attempt, waited = attempt + 1, waited + wait


async def _one_attempt(model: Model, messages: Messages, max_tokens: int) -> ModelResponse:
    async for item in model.stream(messages, tools=(), tool_choice="none", max_tokens=max_tokens):
        if isinstance(item, ModelResponse):
            return item
    raise ModelError("The model's stream ended without an answer.", kind="network")
