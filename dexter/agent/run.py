"""One run's ports and state. The loop reads like prose because everything it needs stands here."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal

from dexter.agent.approvals import Approvals
from dexter.agent.queue import Inbox
from dexter.context.markers import is_users_own
from dexter.context.policy import OnEdit, Policy, StageEdit, run_stages
from dexter.context.stage import RunContext, Stage
from dexter.errors import ModelError
from dexter.events import STARTED, ContextUsed, Emitter, Event, Notice, Retry, StageRan, Subagent
from dexter.ids import IdSource
from dexter.messages import AssistantMessage, Message, Messages, ToolSpec, UserMessage
from dexter.models.protocol import Model
from dexter.results import Source
from dexter.scratchpad.record import RunRecord
from dexter.scratchpad.view import ViewHasher, diff_view
from dexter.tools.registry import Registry
from dexter.usage import Usage
from dexter.view_growth import grown


@dataclass(frozen=True)
class Ports:
    """What the outside gives a run: effects as arguments."""

    model: Model
    tools: Registry
    policy: Policy
    record: RunRecord
    emitter: Emitter
    inbox: Inbox
    ids: IdSource
    approvals: Approvals = field(default_factory=Approvals)
    max_turns: int = 20
    budget_usd: Decimal | None = None
    as_of: str = ""
    strict: bool = False
    learn_limit: Callable[[ModelError], object] = lambda _error: None
    input_accepted: Callable[[int], object] = lambda _tokens: None
    monotonic: Callable[[], float] = time.monotonic
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    random: Callable[[], float] = lambda: 0.5


@dataclass
class Run:
    """A run going on: the view, the context carried from stage to stage, and what it used so far.

    `cost_usd` is None once any call had an unknown price. `opening` is told before the first turn. `on_spend` hears of
    every call's tokens and cost, too, and `on_charge` of every estimate: a sub-agent's are its caller's as well.
    `largest_accepted`: the input tokens of the largest request that was answered.
    `untrusted` says, in order, where text that others wrote came from since the conversation began: it stays even when
    that text has left the view, for it may have left something.
    """

    ports: Ports
    messages: Messages
    ctx: RunContext
    specs: tuple[ToolSpec, ...] = ()
    usage: Usage = field(default_factory=Usage)
    cost_usd: Decimal | None = Decimal(0)
    sources: list[Source] = field(default_factory=list)
    untrusted: dict[str, None] = field(default_factory=dict)
    turn: int = 0
    largest_accepted: int = 0
    opening: tuple[Notice, ...] = ()
    on_spend: Callable[[Usage | None, Decimal | None], None] = lambda _usage, _cost: None
    on_charge: Callable[[Decimal], None] = lambda _cost: None
    _known_usd: Decimal = Decimal(0)
    _charged_usd: Decimal = Decimal(0)
    _hasher: ViewHasher | None = None
    _told: set[str] = field(default_factory=set)

    @property
    def name(self) -> str:
        """The run's name."""
        return self.ports.emitter.run

    def said(self) -> tuple[str, ...]:
        """What the user wrote in this conversation, in order, as far as the view holds it."""
        return tuple(m.text for m in self.messages if isinstance(m, UserMessage) and is_users_own(m))

    def tell_subagent(self, run: str, status: str, *, call: str) -> None:
        """Record that a sub-agent's run has reached a state, then tell the sinks."""
        self.ports.record.subagent(run=run, status=status, call=call)
        self.emit(Subagent(run, status))

    def view_hash(self) -> str:
        """The hash of the view as it would be sent now."""
        if self._hasher is None:
            self._hasher = ViewHasher(self.specs)
        return self._hasher.hash(self.messages)

    def emit(self, event: Event) -> None:
        """Tell the sinks; the fact is on record already."""
        self.ports.emitter.emit(event)

    def notice(self, kind: str, text: str) -> None:
        """Tell a person; what only says that a step begins is not recorded, the step itself will be."""
        if not kind.endswith(STARTED):
            self.ports.record.notice(kind=kind, text=text)
        self.emit(Notice(kind, text))

    def notice_once(self, kind: str, text: str) -> None:
        """Tell a person, but not again what holds for the rest of the run."""
        if kind not in self._told:
            self._told.add(kind)
            self.notice(kind, text)

    def retry(self, retry: Retry) -> None:
        """A failed model call will be made again."""
        self.ports.record.retry(**retry.to_json())
        self.emit(retry)

    def begin_turn(self) -> None:
        """Count a pass of the loop."""
        self.turn += 1
        self.ports.emitter.turn = self.turn
        self.ctx = replace(self.ctx, turn=self.turn)

    async def run_stages(self, stages: tuple[Stage, ...], on_edit: OnEdit | None = None) -> None:
        """Run stages over the view; each edit is recorded, then shown, then used."""
        self.messages, self.ctx = await run_stages(stages, self.messages, self.ctx, on_edit or self.record_edit)

    def record_edit(self, edit: StageEdit) -> None:
        """Put a stage's edit on record and tell the sinks."""
        report = edit.report.to_json()
        tokens = (edit.tokens_before, edit.tokens_after)
        self.ports.record.view_edit(
            edit.report.stage, report=report, ops=diff_view(edit.before, edit.after), tokens=tokens
        )
        self.emit(StageRan(edit.report.stage, *tokens, report))

    def append(self, *messages: Message) -> None:
        """Messages enter the view, recorded one by one before."""
        for message in messages:
            if not isinstance(message, AssistantMessage):  # its model_turn line brought it in
                self.ports.record.message(message)
        self.messages = grown(self.messages, *messages)

    def adopt(self, messages: Messages) -> None:
        """An earlier run's messages enter the view; this record has no other line of theirs."""
        for message in messages:
            self.ports.record.message(message)
        self.messages = grown(self.messages, *messages)

    def drain_queue(self) -> bool:
        """What the user typed enters the view; whether there was anything."""
        lines = self.ports.inbox.drain()
        self.append(*(UserMessage(self.ports.ids.next_message(), line, "queued") for line in lines))
        return bool(lines)

    def add_harness_line(self, text: str, kind: str = "note") -> None:
        """The harness says something to the model."""
        self.append(UserMessage(self.ports.ids.next_message(), text, "harness", kind))

    def spend(self, usage: Usage | None, cost: Decimal | None) -> None:
        """Add a call's tokens and cost; an unknown price makes the sum unknown."""
        self.usage += usage or Usage()
        self._known_usd += cost or Decimal(0)
        self.cost_usd = None if cost is None or self.cost_usd is None else self.cost_usd + cost
        self.on_spend(usage, cost)

    def charge(self, cost: Decimal) -> None:
        """Count against the budget what nobody told the cost of: an estimate, which is no part of the run's cost."""
        self._charged_usd += cost
        self.on_charge(cost)

    def left_usd(self) -> Decimal | None:
        """What the budget still has; None where there is none."""
        budget = self.ports.budget_usd
        return None if budget is None else budget - self._known_usd - self._charged_usd

    def show_context(self) -> None:
        """Tell meters how full the window is."""
        self.emit(ContextUsed(self.ctx.used(self.messages), self.ctx.threshold, self.ctx.window))

    def add_untrusted(self, origins: Iterable[str]) -> None:
        """Remember who else may be behind what the model does from now on."""
        self.untrusted |= dict.fromkeys(origins)

    def add_sources(self, sources: Sequence[Source]) -> None:
        """Remember where results came from."""
        self.sources.extend(sources)


def cost_text(cost: Decimal | None) -> str:
    """A cost for records and events: plain decimal USD, '' where unknown."""
    return "" if cost is None else format(cost, "f")
