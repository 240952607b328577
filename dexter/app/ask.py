"""Answer one question: build everything from the setup, record how it starts, run."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path

from dexter.agent.outcome import Answer
from dexter.agent.queue import Inbox
from dexter.agent.run import Run
from dexter.app.build import Parts, Plan, build_run, plan_run
from dexter.app.outside import Setup
from dexter.app.session import run_to_its_end
from dexter.errors import UsageError
from dexter.events import RunStarted, Sink
from dexter.ids import IdSource
from dexter.messages import Messages, UserMessage
from dexter.scratchpad.lines import timestamp
from dexter.scratchpad.scratchpad import Scratchpad
from dexter.text import estimate_tokens

_LARGEST_SHARE_OF_THRESHOLD = 0.8


@dataclass(frozen=True)
class Conversation:
    """What went before: id, messages without the system prompt, files (newest first), ids in use. Empty: a new one.

    `untrusted` says where text that others wrote came from.
    """

    id: str = ""
    messages: Messages = ()
    runs: tuple[Path, ...] = ()
    ids: IdSource = field(default_factory=IdSource)
    untrusted: tuple[str, ...] = ()


async def ask(
    question: str,
    setup: Setup,
    *,
    sinks: Sequence[Sink] = (),
    inbox: Inbox | None = None,
    conversation: Conversation | None = None,
    parts: Parts | None = None,
) -> Answer:
    """Answer a question; the record is in `Answer.path`.

    Raises:
        UsageError: the question or a setting is unusable; nothing was recorded.
        DexterError: the run failed; what was found is on record.
        Interrupted: it was cancelled.
    """
    parts, before = parts or Parts(), conversation or Conversation()
    question = setup.config.keys.redact(question)  # a key that slipped into it reaches neither model nor record
    plan = plan_run(setup, parts)
    check_question(question, plan.threshold)
    scratchpad = open_scratchpad(question, setup, before.runs)
    inbox = inbox or Inbox()
    async with AsyncExitStack() as stack:
        run = build_run(plan, setup, scratchpad, ids=before.ids, inbox=inbox, sinks=sinks, parts=parts, stack=stack)
        record_start(run, plan, question, scratchpad, before)
        return await run_to_its_end(run, scratchpad)


def check_question(question: str, threshold: int) -> None:
    """A question must say something and leave room for an answer.

    Raises:
        UsageError: it is empty, binary, or too long for the window.
    """
    if not question.strip():
        raise UsageError("The question is empty.", remedy='Ask like this: dexter ask "compare NVDA vs AMD"')
    if "\0" in question:
        raise UsageError("The question holds binary data.", remedy="Give it as text.")
    tokens = estimate_tokens(question)
    if tokens > threshold * _LARGEST_SHARE_OF_THRESHOLD:
        raise UsageError(
            f"The question is about {tokens:,} tokens long; with this model and window at most"
            f" {int(threshold * _LARGEST_SHARE_OF_THRESHOLD):,} fit.",
            remedy="Shorten it, or put the text into a file below an allowed folder and ask about that.",
        )


def open_scratchpad(question: str, setup: Setup, parents: tuple[Path, ...]) -> Scratchpad:
    """A new record for this question.

    Raises:
        ScratchpadError: the folder or file cannot be made.
    """
    outside = setup.outside
    return Scratchpad.create(
        setup.config.scratchpads,
        question,
        started=outside.now(),
        clock=lambda: timestamp(outside.now()),
        port=outside.files,
        parents=parents,
    )


def record_start(
    run: Run,
    plan: Plan,
    question: str,
    scratchpad: Scratchpad,
    before: Conversation,
    *,
    spawned_by: tuple[str, str] | None = None,
) -> None:
    """The first lines of the record, then the first event, then the question in the view.

    `spawned_by`: the run and the call that started this one as a sub-agent.
    """
    record, name = run.ports.record, scratchpad.paths.run
    conversation = before.id or name
    parent = before.runs[0].name.removesuffix(".jsonl") if before.runs else None
    parent, call = spawned_by or (parent, "")
    record.init(question)
    record.run(
        run=name,
        conversation=conversation,
        parent=parent,
        system=run.messages[0].to_json()["text"],
        tools=[spec.to_json() for spec in run.specs],
        settings=steering_settings(run, plan),
        spawned_by=call,
        untrusted=before.untrusted,
    )
    run.add_untrusted(before.untrusted)
    run.emit(
        RunStarted(
            question=question,
            conversation=conversation,
            parent=parent,
            model=plan.models.info.name,
            fast_model=plan.models.fast_name,
            policy=plan.policy.name,
            window=plan.window,
            threshold=plan.threshold,
            reason=plan.models.reason,
            path=str(scratchpad.paths.scratchpad),
        )
    )
    run.adopt(before.messages)
    run.append(UserMessage(run.ports.ids.next_message(), question, "question"))


def steering_settings(run: Run, plan: Plan) -> dict[str, object]:
    """The settings a resumed run or a replay needs to go on in the same way. Never a key, never an endpoint."""
    return {
        "model": plan.models.info.name,
        "fast_model": plan.models.fast_name,
        "policy": plan.policy.name,
        "window": plan.window,
        "threshold": plan.threshold,
        "max_turns": run.ports.max_turns,
        "budget_usd": None if run.ports.budget_usd is None else format(run.ports.budget_usd, "f"),
        "as_of": run.ports.as_of,
        "context": run.ctx.limits.to_json(),
    }
