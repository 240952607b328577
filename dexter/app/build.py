"""Put a run together: models, window, tools, policy and the context its stages work in."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, replace

from dexter.agent.approvals import Approvals
from dexter.agent.budget import check_budget
from dexter.agent.metering import Metered
from dexter.agent.prompts import system_prompt
from dexter.agent.queue import Inbox
from dexter.agent.run import Ports, Run
from dexter.app.approving import approvals_for
from dexter.app.background import Background, memory_of, read_background
from dexter.app.models import LEARNT_LIMITS, ModelChoice, Models, choose_models
from dexter.app.outside import Setup
from dexter.app.subagents import Subagents, tools_for_subagents
from dexter.app.toolbox import build_tools
from dexter.context.policies import policy_named
from dexter.context.policy import Policy
from dexter.context.stage import Effects, RunContext
from dexter.context.tokens import effective_window, meter_for, threshold_of
from dexter.errors import ScratchpadError
from dexter.events import STARTED, Emitter, Queue, Sink
from dexter.ids import IdSource
from dexter.memory.notes import DailyNotes
from dexter.messages import SystemMessage
from dexter.models.learnt_limits import forget_limit, remember_limit
from dexter.models.protocol import Model
from dexter.scratchpad.lines import timestamp
from dexter.scratchpad.naming import RunPaths
from dexter.scratchpad.rebuild import SYSTEM_ID
from dexter.scratchpad.record import RunRecord
from dexter.scratchpad.scratchpad import Scratchpad
from dexter.tools.ask_user_question import AskUser
from dexter.tools.registry import Registry
from dexter.tools.spawn_subagent import spawn_subagent_tool


@dataclass(frozen=True)
class Parts:
    """What may be handed in instead of being built from the settings.

    `ask_user` asks the user something; None: nobody can be asked. `is_subagent`: another run started this one, and
    lends it its models.
    """

    models: ModelChoice | None = None
    tools: Registry | None = None
    policy: Policy | None = None
    approvals: Approvals | None = None
    ask_user: AskUser | None = None
    background: Background | None = None
    is_subagent: bool = False


@dataclass(frozen=True)
class Plan:
    """What is decided before anything is written: models, policy, and the window in tokens."""

    models: ModelChoice
    policy: Policy
    window: int
    threshold: int


def plan_run(setup: Setup, parts: Parts) -> Plan:
    """Decide on models, policy and window.

    Raises:
        UsageError: a setting names what does not exist, or the window is too small.
    """
    settings = setup.settings
    models = parts.models or choose_models(setup)
    window = effective_window(settings.window or models.info.window, settings.window_cap, settings.context)
    check_budget(settings.budget_usd, models.info)
    policy = parts.policy or policy_named(settings.policy, settings.context)
    return Plan(models, policy, window, threshold_of(window, settings.context))


def build_run(
    plan: Plan,
    setup: Setup,
    scratchpad: Scratchpad,
    *,
    ids: IdSource,
    inbox: Inbox,
    sinks: Sequence[Sink],
    parts: Parts,
    stack: AsyncExitStack,
) -> Run:
    """A run whose view holds the system prompt alone. What it opens is closed with `stack`."""
    settings, outside, keys = setup.settings, setup.outside, setup.config.keys
    background = parts.background or read_background(setup)
    parts = replace(parts, background=background)
    tools = parts.tools or run_tools(plan, setup, scratchpad.paths, parts, stack)
    models = plan.models.make(scratchpad.results)
    if not parts.is_subagent:  # a sub-agent's are those of the run that started it
        stack.push_async_callback(models.aclose)
    emitter = Emitter(scratchpad.paths.run, sinks, lambda: timestamp(outside.now()))
    inbox.clean = keys.redact
    inbox.on_change = lambda action, line: _queue_changed(action, line, scratchpad.record, emitter)
    limits = setup.config.places.data / LEARNT_LIMITS
    ports = Ports(
        model=models.main,
        tools=tools,
        policy=plan.policy,
        record=scratchpad.record,
        emitter=emitter,
        inbox=inbox,
        ids=ids,
        approvals=parts.approvals or approvals_for(setup),
        max_turns=settings.max_turns,
        budget_usd=settings.budget_usd,
        as_of=_as_of(setup),
        strict=settings.strict,
        learn_limit=lambda error: remember_limit(limits, plan.models.info.name, error),
        input_accepted=lambda tokens: forget_limit(limits, plan.models.info.name, tokens),
        monotonic=outside.monotonic,
        random=outside.random,
    )
    run = Run(
        ports, (_system(setup, tools, background, parts),), _context(plan, setup, scratchpad, ports), tools.specs()
    )
    run.opening = () if parts.is_subagent else background.notices()
    run.ctx = _with_models(run, models, setup, parts)
    return run


def _as_of(setup: Setup) -> str:
    day = setup.settings.as_of
    return day.isoformat() if day else ""


def _system(setup: Setup, tools: Registry, background: Background, parts: Parts) -> SystemMessage:
    """The system prompt, without keys."""
    today = setup.outside.now().astimezone().date().isoformat()
    known = background.known_to_subagent() if parts.is_subagent else background.known(setup)
    text = system_prompt(tools, today=today, as_of=_as_of(setup), known=known)
    return SystemMessage(SYSTEM_ID, setup.config.keys.redact(text))


def _context(plan: Plan, setup: Setup, scratchpad: Scratchpad, ports: Ports) -> RunContext:
    """What stages may know; what they may use comes with the run."""
    return RunContext(
        limits=setup.settings.context,
        window=plan.window,
        threshold=plan.threshold,
        meter=meter_for(ports.tools.specs()),
        new_id=ports.ids.next_message,
        results=scratchpad.results,
        tools=ports.tools.traits(),
    )


def _with_models(run: Run, models: Models, setup: Setup, parts: Parts) -> RunContext:
    """The context with what stages use: models whose cost the run counts, the notes, effects that the run tells."""
    settings, outside = setup.settings, setup.outside

    def metered(model: Model) -> Metered:
        return Metered(model, run.spend, run.left_usd, settings.context.least_output, run.charge)

    return replace(
        run.ctx,
        model=metered(models.main),
        fast_model=metered(models.fast) if models.fast else None,
        memory=notes_of(setup, run.name) if settings.memory.enabled and not parts.is_subagent else None,
        effects=Effects(
            clock=outside.monotonic,
            random=outside.random,
            announce=lambda stage, text: run.notice(f"{stage}{STARTED}", text),
            retrying=run.retry,
        ),
    )


def _queue_changed(action: str, line: str, record: RunRecord, emitter: Emitter) -> None:
    """What waits survives a crash; what is handed on is recorded as a message."""
    if action != "drained":
        with suppress(ScratchpadError):  # it ends the run with its next line; who types is not to blame
            record.queue(action=action, line=line)
    emitter.emit(Queue(action, line))


def notes_of(setup: Setup, run: str) -> DailyNotes:
    """Where durable notes about the user go that a run makes by itself."""
    memory = memory_of(setup)
    return DailyNotes(memory.folder, memory.now, run)


def run_tools(plan: Plan, setup: Setup, paths: RunPaths, parts: Parts, stack: AsyncExitStack) -> Registry:
    """All there are. Sub-agents get those that need neither user nor approval."""
    tools = build_tools(
        setup, plan.window, paths.results.parent, stack, background=parts.background, ask_user=parts.ask_user
    )
    subagents = Subagents(setup, plan, replace(parts, tools=tools_for_subagents(tools), approvals=None), paths)
    return Registry([*tools, spawn_subagent_tool(subagents.run_task)])
