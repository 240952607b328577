"""Ask the model once per turn, whatever it takes: retries that show, and room made on an overflow.

A stream that breaks half-way is asked for again whole; what was already shown is not shown twice.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace

from dexter.agent.budget import affordable_output
from dexter.agent.run import Run, cost_text
from dexter.config.limits import Limits
from dexter.errors import ModelError
from dexter.events import ModelCall, ModelResponded, Retry, TextDelta
from dexter.messages import AssistantMessage, ThinkingBlock, ToolCall, ToolSpec
from dexter.models.pricing import dearest_cost
from dexter.models.protocol import ModelResponse, RequestedCall, StopReason, ToolChoice
from dexter.models.retry import RetryPolicy
from dexter.models.tool_arguments import read_arguments
from dexter.text import estimate_tokens
from dexter.usage import Usage

_APART = "\n\n"
_ESTIMATES_ERR_BY = 10  # a tenth
_CUT_OFF = "the call was cut off by the output limit before its arguments were complete"


@dataclass(frozen=True)
class ModelTurn:
    """A whole answer as a message, recorded but not in the view yet."""

    message: AssistantMessage
    stop_reason: StopReason


class ShownText:
    """What a person has seen already of a turn's text: `shown` is the newest wording, over several attempts."""

    def __init__(self) -> None:
        self.shown = ""
        self._attempt = ""
        self._thought: list[str] = []

    def restart(self) -> None:
        """The stream starts anew."""
        self._attempt = ""
        self._thought.clear()

    def thought(self, piece: str) -> None:
        """The attempt going on has thought this."""
        self._thought.append(piece)

    def unseen(self, piece: str) -> str:
        """The part of `piece` that was not shown; an attempt that words it otherwise is shown anew, apart."""
        self._attempt += piece
        if self.shown.startswith(self._attempt):
            return ""
        goes_on = self._attempt.startswith(self.shown)
        new = self._attempt[len(self.shown) :] if goes_on else f"{_APART}{self._attempt}"
        self.shown = self._attempt
        return new

    @property
    def attempt(self) -> str:
        """The text of the attempt going on."""
        return self._attempt

    @property
    def received(self) -> str:
        """All that the attempt going on has brought: each of it is paid for."""
        return "".join(self._thought) + self._attempt


async def ask_model(run: Run, *, tool_choice: ToolChoice) -> ModelTurn | None:
    """One model turn: the answer as a recorded message, or None where the model said nothing at all.

    Raises:
        ModelError: failed for good, with what to do.
    """
    overflow = OverflowHandling(run)
    while True:
        max_tokens = affordable(run, overflow.max_tokens or output_room(run))
        hash_of_view = run.view_hash()
        estimated = run.ctx.meter.estimate(run.messages)
        run.ports.record.model_call(
            turn=run.turn,
            view_hash=hash_of_view,
            tokens_estimated=estimated,
            max_tokens=max_tokens,
            tool_choice=tool_choice,
        )
        run.emit(ModelCall(hash_of_view, estimated))
        started = run.ports.monotonic()
        try:
            response = await _with_retries(run, run.specs, tool_choice, max_tokens)
        except ModelError as error:
            if not error.shrinkable:
                raise
            await overflow.make_room(error, max_tokens)
            continue
        if response.stop_reason == "window_exceeded":
            _pay(run, response)
            await overflow.make_room(_window_exceeded(run), max_tokens)
            continue
        return _accept(run, response, hash_of_view, tool_choice, run.ports.monotonic() - started)


def output_room(run: Run) -> int:
    """Tokens the model may write: its own limit, ours, and what the window still holds."""
    limits, info = run.ctx.limits, run.ports.model.info
    free = run.ctx.window - run.ctx.used(run.messages) - limits.output_margin
    return max(min(info.output_limit, limits.output_room, free), limits.least_output)


def affordable(run: Run, max_tokens: int) -> int:
    """Output room within the run's budget.

    Raises:
        BudgetReachedError: the call could go over it.
    """
    return affordable_output(
        max_tokens,
        input_tokens=_dearest_input(run),
        prices=run.ports.model.info.prices,
        left_usd=run.left_usd(),
        least=run.ctx.limits.least_output,
    )


def _dearest_input(run: Run) -> int:
    """Input tokens of the next call, with some room where nobody has counted them yet."""
    used = run.ctx.used(run.messages)
    uncounted = max(used - (run.ctx.meter.counted or 0), 0)
    return used + uncounted // _ESTIMATES_ERR_BY


def _window_exceeded(run: Run) -> ModelError:
    used = run.ctx.used(run.messages)
    return ModelError("The model's window was exceeded.", kind="context_overflow", used=used, limit=None)


async def _with_retries(run: Run, specs: Sequence[ToolSpec], tool_choice: ToolChoice, max_tokens: int) -> ModelResponse:
    """The answer of the first attempt that comes through.

    Interrupted, also in a wait: what a person has seen is recorded as a turn, so that it stays known.
    """
    shown = ShownText()
    retries = RetryPolicy(random=run.ports.random)
    attempt, waited = 1, 0.0
    try:
        while True:
            started = run.ports.monotonic()
            try:
                return await _attempt(run, specs, tool_choice, max_tokens, shown)
            except ModelError as error:
                if not shown.attempt:  # a person has waited for nothing, as in a pause between attempts
                    waited += run.ports.monotonic() - started
                wait = retries.wait_before_retry(error, attempt=attempt, waited_s=waited)
                if wait is None:
                    raise
                run.retry(Retry(error.kind, attempt, wait, error.message))
            await run.ports.sleep(wait)
            attempt, waited = attempt + 1, waited + wait
            max_tokens = affordable(run, max_tokens)  # the broken attempt was paid for
            shown.restart()
    except asyncio.CancelledError:
        _keep_partial(run, shown.shown)
        raise


async def _attempt(
    run: Run, specs: Sequence[ToolSpec], tool_choice: ToolChoice, max_tokens: int, shown: ShownText
) -> ModelResponse:
    """One request; what it costs where it breaks counts against the budget."""
    response: ModelResponse | None = None
    stream = run.ports.model.stream(run.messages, tools=specs, tool_choice=tool_choice, max_tokens=max_tokens)
    try:
        async for item in stream:
            if isinstance(item, ModelResponse):
                response = item
            elif item.thinking:
                shown.thought(item.text)
                run.emit(TextDelta(item.text, thinking=True))
            elif new := shown.unseen(item.text):
                run.emit(TextDelta(new))
    except (ModelError, asyncio.CancelledError) as broken:
        if shown.received or getattr(broken, "begun", False):
            _charge_estimate(run, shown.received)
        raise
    if response is None:
        raise ModelError("The model's stream ended without an answer.", kind="network", remedy="Try again.")
    return response


def _charge_estimate(run: Run, written: str) -> None:
    """A call whose cost nobody told: what was sent and written counts against the budget. One refused cost nothing."""
    tokens = _dearest_input(run), estimate_tokens(written)
    run.charge(dearest_cost(*tokens, run.ports.model.info.prices))


def _keep_partial(run: Run, text: str) -> None:
    if text.strip():
        message = AssistantMessage(run.ports.ids.next_message(), text)
        _record_turn(run, message, ModelResponse(text), "interrupted", 0.0)
        run.append(message)


def _accept(
    run: Run, response: ModelResponse, hash_of_view: str, tool_choice: ToolChoice, duration_s: float
) -> ModelTurn | None:
    _pay(run, response)
    if response.usage is not None:
        _learn_count(run, response)
    # What stands beside a refusal may have been stopped anywhere, and is not wanted.
    requested = () if tool_choice == "none" or response.stop_reason == "refusal" else response.tool_calls
    if not requested and not response.text.strip() and response.stop_reason not in ("pause_turn", "refusal"):
        run.emit(_responded(response, (), duration_s))
        return None
    thinking = tuple(_bound(block, hash_of_view) for block in response.thinking)
    calls = tuple(_own_call(run, call, response.stop_reason, last=call is requested[-1]) for call in requested)
    message = AssistantMessage(run.ports.ids.next_message(), response.text, thinking, calls)
    if message.text.strip() and calls:
        run.ports.record.thinking(message.text)
    _record_turn(run, message, response, response.stop_reason, duration_s)
    run.emit(_responded(response, calls, duration_s))
    return ModelTurn(message, response.stop_reason)


def _pay(run: Run, response: ModelResponse) -> None:
    """Count what an answer cost, told or estimated."""
    run.spend(response.usage, response.cost_usd)
    if response.cost_usd is None:
        thoughts = (block.text for block in response.thinking)
        _charge_estimate(run, "".join((*thoughts, response.text, *(call.raw for call in response.tool_calls))))


def _record_turn(
    run: Run, message: AssistantMessage, response: ModelResponse, stop_reason: str, duration_s: float
) -> None:
    run.ports.record.model_turn(
        message,
        turn=run.turn,
        stop_reason=stop_reason,
        usage=response.usage,
        cost_usd=cost_text(response.cost_usd),
        model=run.ports.model.info.name,
        duration_s=duration_s,
    )


def _responded(response: ModelResponse, calls: Sequence[ToolCall], duration_s: float) -> ModelResponded:
    shown = [{"call": call.id, "tool": call.name, "arguments": call.arguments or {}} for call in calls]
    usage = response.usage or Usage()
    return ModelResponded(
        response.text, shown, response.stop_reason, usage, cost_text(response.cost_usd), round(duration_s, 3)
    )


def _learn_count(run: Run, response: ModelResponse) -> None:
    usage, meter = response.usage, run.ctx.meter
    if usage is None or not usage.input:
        return
    if meter.is_cut(run.messages, usage.input):
        run.notice_once(
            "prompt_cut",
            f"The server counted {usage.input:,} input tokens where about {meter.used(run.messages):,} were sent:"
            " it may have cut the prompt. Raise its context size, or set a smaller --window.",
        )
    run.ctx = replace(run.ctx, meter=meter.counted_by_provider(run.messages, usage.input, usage.output))
    run.largest_accepted = max(run.largest_accepted, usage.input)
    run.ports.input_accepted(usage.input)


def _bound(block: ThinkingBlock, hash_of_view: str) -> ThinkingBlock:
    """Signed thinking carries the hash of the view it was made under."""
    return replace(block, prefix=hash_of_view) if block.kind == "signed" else block


def _own_call(run: Run, call: RequestedCall, stop_reason: StopReason, *, last: bool) -> ToolCall:
    own = run.ports.ids.next_call()
    provider_id = run.ports.ids.unique_provider_id(call.provider_id, own)
    arguments, error = read_arguments(call.raw)
    if last and stop_reason == "max_tokens" and (error or not call.raw.strip()):
        arguments, error = None, _CUT_OFF
    return ToolCall(own, call.name, arguments, provider_id, call.raw, error)


@dataclass
class OverflowHandling:
    """What is done when a provider says the request is too large: per model call, each step only if it helps."""

    run: Run
    max_tokens: int | None = None
    retries: int = 0

    async def make_room(self, error: ModelError, asked: int) -> None:
        """Lower `max_tokens`, or run the policy's overflow stages, or give up with the sizes.

        Raises:
            ModelError: nothing could be removed, or the retries are used up.
        """
        run = self.run
        self.retries += 1
        if self.retries > run.ctx.limits.overflow_retries:
            raise self._too_big(error)
        room = _fitting_output(error, asked, run.ctx.limits)
        if room is not None:
            self.max_tokens = room
            run.retry(
                Retry("max_tokens", self.retries, 0.0, f"{error.message} Output room lowered to {room:,} tokens.")
            )
            return
        self.max_tokens = None
        if (error.limit or 0) >= run.largest_accepted:  # else it is misread, or one server's of many
            run.ports.learn_limit(error)
        before = run.messages
        used = error.used if error.unit == "tokens" else None
        meter = run.ctx.meter.refused(run.messages, used)
        run.ctx = replace(run.ctx.narrowed(_learnt_limit(error, run)), meter=meter)
        await self._remove_something()
        if run.messages is before:
            raise self._too_big(error)
        run.retry(Retry("context_overflow", self.retries, 0.0, error.message))

    async def _remove_something(self) -> None:
        """Run the overflow stages in order until one has changed the view."""
        for stage in self.run.ports.policy.on_overflow:
            before = self.run.messages
            await self.run.run_stages((stage,))
            if self.run.messages is not before:
                return

    def _too_big(self, error: ModelError) -> ModelError:
        run = self.run
        largest = max(run.messages, key=lambda message: message.tokens)
        used = error.used or run.ctx.used(run.messages)
        over = f", {used - error.limit:,} over the limit of {error.limit:,}" if error.limit else ""
        return ModelError(
            f"The request is too large for {run.ports.model.info.name}: about {used:,} tokens{over}."
            f" Its largest part is a {largest.role} message of about {largest.tokens:,} tokens."
            f" The provider said: {error.message}",
            kind="context_overflow",
            remedy="Use a model with a larger window, or ask for less at once.",
            used=error.used,
            limit=error.limit,
        )


def _fitting_output(error: ModelError, asked: int, limits: Limits) -> int | None:
    """The output room that would fit, where the input alone does: None where input itself is too much."""
    if error.used is None or error.limit is None or error.unit != "tokens":
        return None
    room = error.limit - error.used - limits.output_margin
    return room if limits.least_output <= room < asked else None


def _learnt_limit(error: ModelError, run: Run) -> int | None:
    """The limit the error states, else the one learnt before."""
    stated = error.limit if error.unit in ("tokens", "tokens_per_minute") else None
    return stated or run.ctx.learnt_limit
