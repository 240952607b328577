"""Counting the view: the provider's own count where there is one, corrected estimates for the rest; thresholds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from dexter.config.limits import Limits
from dexter.errors import UsageError
from dexter.messages import Message, Messages, ToolSpec
from dexter.view_growth import shared_start

_FACTOR_FLOOR, _FACTOR_CEILING = 0.7, 2.0
_FACTOR_WEIGHT = 0.3
_NOTABLE = 1_000  # tokens; below that estimates say too little


def effective_window(model_window: int | None, cap: int, limits: Limits) -> int:
    """The window the pipeline works with: the model's, or the stated default, at most `cap` (0 = no cap).

    Raises:
        UsageError: the window is smaller than the pipeline can work in.
    """
    window = model_window or limits.default_window
    if cap:
        window = min(window, cap)
    if window < limits.minimum_window:
        raise UsageError(
            f"A context window of {window:,} tokens is too small; Dexter needs {limits.minimum_window:,} or more.",
            remedy="Choose a model with a larger window, or a larger --window.",
        )
    return window


def threshold_of(window: int, limits: Limits) -> int:
    """Used tokens above this start threshold management: the window less summary room and buffer."""
    buffer = limits.threshold_buffer
    if window < limits.small_window:
        buffer = min(buffer, int(window * limits.threshold_buffer_share))
    return window - summary_room(window, limits) - buffer


def summary_room(window: int, limits: Limits) -> int:
    """Tokens kept free for a summary, and so the most that one may have."""
    if window < limits.small_window:
        return min(limits.summary_room, int(window * limits.summary_room_share))
    return limits.summary_room


def estimate(messages: Iterable[Message]) -> int:
    """Sum of the messages' own (uncorrected) estimates."""
    return sum(message.tokens for message in messages)


class RunningTotal:
    """Sums a view's estimates, counting only what changed since: long runs stay as quick as short ones."""

    def __init__(self) -> None:
        self._messages: Messages = ()
        self._sums = [0]

    def of(self, messages: Messages) -> int:
        """The sum of the messages' own estimates."""
        known = shared_start(self._messages, messages)
        del self._sums[known + 1 :]
        for message in messages[known:]:
            self._sums.append(self._sums[-1] + message.tokens)
        self._messages = messages
        return self._sums[-1]


@dataclass(frozen=True)
class TokenMeter:
    """How many tokens a view uses.

    `counted` is the provider's count of the last request plus its output, for the first `covered` messages; None where
    there is none or a stage has shrunk the view since. `asked` is the count of the last request's input alone, for its
    first `asked_for` messages. `factor` is the learnt ratio of real to estimated tokens.
    """

    tools_tokens: int = 0
    factor: float = 1.0
    counted: int | None = None
    covered: int = 0
    asked: int = 0
    asked_for: int = 0
    _sum: RunningTotal = field(default_factory=RunningTotal, repr=False, compare=False)

    def used(self, messages: Messages) -> int:
        """Tokens of the view: the count plus an estimate of what was appended since, or an estimate of the whole."""
        whole = self.estimate(messages)
        if self.counted is None or self.covered > len(messages):
            return whole
        counted = self.counted + round(self.factor * estimate(messages[self.covered :]))
        return whole if counted * 2 < whole else counted

    def estimate(self, messages: Messages) -> int:
        """Corrected estimate of the whole, system prompt and tools included."""
        return round(self.factor * (self.tools_tokens + self._sum.of(messages)))

    def counted_by_provider(self, request: Messages, input_tokens: int, output_tokens: int) -> TokenMeter:
        """After a response: the request's `input_tokens`, and the output that became the next message.

        The count of a prompt that was cut is not kept, and nothing is learnt from it.
        """
        if self.is_cut(request, input_tokens):
            return self.voided()
        return replace(
            self,
            factor=self._learnt_factor(request, input_tokens),
            counted=input_tokens + output_tokens,
            covered=len(request) + 1,
            asked=input_tokens,
            asked_for=len(request),
        )

    def counted_now(self, messages: Messages, tokens: int) -> TokenMeter:
        """After the provider was asked to count the view as it stands."""
        if self.is_cut(messages, tokens):
            return self.voided()
        size, factor = len(messages), self._learnt_factor(messages, tokens)
        return replace(self, factor=factor, counted=tokens, covered=size, asked=tokens, asked_for=size)

    def is_cut(self, request: Messages, input_tokens: int) -> bool:
        """Whether a count shows that the server cut the prompt: half of all, or of what was added last, is missing.

        A server that keeps within a small context counts about the same for every request, however much is added.
        """
        if input_tokens * 2 < self.estimate(request):
            return True
        if self.counted is None or self.asked_for > len(request):
            return False
        added = round(self.factor * estimate(request[self.asked_for :]))
        return added > _NOTABLE and (input_tokens - self.asked) * 2 < added

    def _learnt_factor(self, request: Messages, input_tokens: int) -> float:
        raw = self.tools_tokens + self._sum.of(request)
        if not raw:
            return self.factor
        ratio = min(max(input_tokens / raw, _FACTOR_FLOOR), _FACTOR_CEILING)
        return self.factor + _FACTOR_WEIGHT * (ratio - self.factor)

    def refused(self, request: Messages, input_tokens: int | None) -> TokenMeter:
        """After an overflow: the provider's count of the refused request, if it told one, corrects the estimates."""
        raw = self.tools_tokens + self._sum.of(request)
        if not input_tokens or not raw or input_tokens * 2 < self.estimate(request):
            return self.voided()
        factor = min(max(input_tokens / raw, _FACTOR_FLOOR), _FACTOR_CEILING)
        return replace(self.voided(), factor=max(factor, self.factor))

    def voided(self) -> TokenMeter:
        """After a stage shrank the view: the last count says nothing any more."""
        return replace(self, counted=None, covered=0, asked=0, asked_for=0)


def meter_for(tools: Sequence[ToolSpec], factor: float = 1.0) -> TokenMeter:
    """A meter for a run with these tools."""
    return TokenMeter(tools_tokens=sum(tool.tokens for tool in tools), factor=factor)
