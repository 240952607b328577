"""A conversation: what is typed starts a run, or waits for the one that goes on.

Each line ends up in exactly one run, or is given back. A run that was interrupted stays part of the conversation.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from dexter.agent.outcome import Answer
from dexter.agent.queue import Inbox
from dexter.app.ask import Conversation, ask
from dexter.app.build import Parts, Plan, plan_run
from dexter.app.compact import compact
from dexter.app.follow_up import conversation_after
from dexter.app.outside import Setup
from dexter.app.resume import as_recorded, resume
from dexter.attached import as_typed
from dexter.errors import DexterError, ExitStatus, Interrupted
from dexter.events import ContextUsed, Emitted, RunStarted, Sink
from dexter.scratchpad.run_state import RunState, read_state
from dexter.scratchpad.runs import ancestors
from dexter.session.attachments import Attachment, with_attachments
from dexter.session.front import Front
from dexter.session.questions import with_user
from dexter.session.shares import tokens_of
from dexter.session.shell import run_shell
from dexter.session.tracker import Tracker
from dexter.threads import in_daemon_thread
from dexter.ui.cards import Line
from dexter.ui.literal import literal

Work = Callable[[Sequence[Sink]], Coroutine[Any, Any, object]]


def _nobody(_action: str, _line: str) -> None:
    """Between two runs nobody is told of the queue's changes: it is shown as it stands."""


class Session:
    """One conversation after the other. One thread: the event loop's.

    `setup` is what the next run is built from, `plan` what follows from it; `parts` replace what the settings say,
    and `allow` is what needs no asking.
    `path` is the newest run of the conversation, None before the first.
    """

    setup: Setup

    def __init__(
        self,
        setup: Setup,
        front: Front,
        *,
        parts: Parts | None = None,
        allow: Sequence[str] = (),
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self.front = front
        self.parts = with_user(parts or Parts(), setup, front, allow)
        self.plan = self.use(setup)
        self.inbox = Inbox()
        self.tracker = Tracker()
        self.path: Path | None = None
        self.started = 0.0
        self._now = monotonic
        self._work: asyncio.Task[None] | None = None
        self._run: asyncio.Task[object] | None = None
        self._stop: ExitStatus | None = None
        self._typed: dict[str, str] = {}
        self._shell_output: list[Attachment] = []

    @property
    def busy(self) -> bool:
        """Whether a run goes on."""
        return self._work is not None and not self._work.done()

    @property
    def stopping(self) -> bool:
        """Whether the run that goes on was asked to end."""
        return self.busy and self._stop is not None

    @property
    def elapsed(self) -> float:
        """Seconds since the session became busy."""
        return self._now() - self.started

    def use(self, setup: Setup) -> Plan:
        """From the next question on, what this setup says.

        Raises:
            DexterError: it names what does not exist, or a model without a key.
        """
        plan = plan_run(setup, self.parts)
        self.setup, self.plan = setup, plan
        self.front.changed()
        return plan

    def submit(self, line: str, attachments: Sequence[Attachment] = ()) -> None:
        """Take a line, with what it takes along: the next question, or a word to the run that goes on."""
        sent = with_attachments(line, attachments)
        self._typed[sent] = line
        if self.busy:
            self.inbox.put(sent)
            self.front.changed()
        else:
            self._begin(self._questions(sent))

    @property
    def waiting(self) -> tuple[str, ...]:
        """The lines that wait, as they were typed."""
        return tuple(map(self.as_typed, self.inbox.pending))

    def take_back(self) -> str | None:
        """The newest line that waits comes back, if one does."""
        line = self.inbox.take_back()
        self.front.changed()
        return None if line is None else self.as_typed(line)

    def shell(self, command: str) -> None:
        """Run a shell command of the user's; the next question takes its output along."""
        self._begin(self._single(lambda _sinks: self._shell(command)))

    def take_shell_output(self) -> list[Attachment]:
        """What shell commands wrote since the last question."""
        taken, self._shell_output = self._shell_output, []
        return taken

    def rewind(self) -> str | None:
        """Take the last question and its answer out of the conversation; gives the question. The record stays.

        Raises:
            ScratchpadError: the record can't be read.
        """
        if self.path is None or self.busy:
            return None
        question = read_state(self.path).question
        self.path, self.tracker.meter = next(iter(ancestors(self.path)), None), None
        return self.as_typed(question)

    def interrupt(self, status: ExitStatus = ExitStatus.INTERRUPTED) -> bool:
        """Ask the run to end; False where none goes on or it was asked before."""
        if not self.busy or self._stop is not None:
            return False
        self._stop = status
        if self._run is not None:
            self._run.cancel(status)
        return True

    def resume(self, path: Path) -> None:
        """Make the run in `path` the newest of the conversation; go on with it where it was cut off.

        Raises:
            DexterError: it can't be read, or is no run of ours.
        """
        goes_on = self.open(path)
        if goes_on:
            self._begin(self._resumption(path))

    def open(self, path: Path) -> bool:
        """Make the run in `path` the newest of the conversation, with its model and policy; whether it was cut off.

        Raises:
            DexterError: it can't be read, or is no run of ours.
        """
        conversation_after(path)  # what could not be followed up is refused now, not at the next question
        state = read_state(path)
        self.use(as_recorded(self.setup, state))
        self.path = path
        self.tracker.answer = str((state.answer or {}).get("text", ""))
        self.tracker.meter = ContextUsed(tokens_of(state), self.plan.threshold, self.plan.window)
        return not _is_answered(state)

    def compact(self, path: Path, focus: str) -> None:
        """Summarise the conversation that ends with the run in `path`."""
        spend = partial(self.tracker.spend, path.stem)
        self._begin(
            self._single(lambda sinks: compact(path, self.setup, focus, sinks=sinks, parts=self.parts, on_spend=spend))
        )

    def clear(self) -> None:
        """Begin a new conversation. The records of the old one stay."""
        self.path, self.tracker.answer, self.tracker.meter = None, "", None

    async def settle(self) -> None:
        """Wait until nothing goes on."""
        while self._work is not None and not self._work.done():
            await asyncio.wait([self._work])

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        self.started, self._run, self._stop = self._now(), None, None
        self._work = asyncio.get_running_loop().create_task(work)
        self._work.add_done_callback(lambda _work: self.front.finished(self.elapsed))

    async def _questions(self, first: str) -> None:
        """Answer a line, then what was typed too late for its run, until nothing waits."""
        line: str | None = first
        while line is not None:
            self.front.echo(self.as_typed(line))
            ended_well = await self._ask(line)
            line = self._next() if ended_well and self._stop is None else None
        self._give_back_queue()

    async def _resumption(self, path: Path) -> None:
        if await self._attempt(lambda sinks: self._resume(path, sinks)) and (line := self._next()) is not None:
            await self._questions(line)
        self._give_back_queue()

    async def _single(self, work: Work) -> None:
        if await self._attempt(work) and (line := self._next()) is not None:
            await self._questions(line)
        self._give_back_queue()

    async def _ask(self, line: str) -> bool:
        """One run; whether it came to its end. A line that no record has is given back."""
        before = self.tracker.path
        ended_well = await self._attempt(lambda sinks: self._start(line, sinks))
        if not ended_well and self.tracker.path == before:
            self.front.give_back([self.as_typed(line)])
        return ended_well

    async def _start(self, line: str, sinks: Sequence[Sink]) -> Answer:
        before = await in_daemon_thread(conversation_after, self.path) if self.path else Conversation()
        return await ask(line, self.setup, sinks=sinks, inbox=self.inbox, conversation=before, parts=self.parts)

    async def _resume(self, path: Path, sinks: Sequence[Sink]) -> Answer:
        return await resume(path, self.setup, sinks=sinks, inbox=self.inbox, parts=self.parts)

    async def _shell(self, command: str) -> None:
        self.front.echo(f"!{command}")
        outcome = await run_shell(command)
        shown = literal(outcome.output.rstrip()) or "(no output)"
        self.front.tell(Line(shown, "quiet"))
        if outcome.status:
            self.front.tell(Line(f"ended with status {outcome.status}", "warn", "!"))
        self._shell_output.append(Attachment(f"output of {command}", outcome.output))

    def as_typed(self, sent: str) -> str:
        """A line without what it took along."""
        return self._typed.get(sent) or as_typed(sent)

    async def _attempt(self, work: Work) -> bool:
        """Run something that can be interrupted; whether it came to its end. Failures are told, never raised."""
        told = _Told()
        sinks = (self.tracker, self._follow, told, *self.front.sinks())
        self._run = asyncio.get_running_loop().create_task(work(sinks))  # type: ignore[arg-type]
        if self._stop is not None:  # asked before there was anything to cancel
            self._run.cancel(self._stop)
        try:
            await self._run
        except (asyncio.CancelledError, Interrupted):
            return False
        except DexterError as error:
            if not told.error:
                self.front.tell(Line(literal(f"{error.message} {error.remedy}".rstrip()), "bad", "✗"))
            return False
        except Exception as fault:  # noqa: BLE001 - a fault in one run must not take the session with it
            self.front.tell(fault_line(fault))
            return False
        finally:
            self.inbox.on_change = _nobody
        return True

    def _follow(self, emitted: Emitted) -> None:
        """The run that has begun is the conversation's newest from now on, however it ends."""
        if isinstance(emitted.event, RunStarted):
            self.path = Path(emitted.event.path)
        self.front.changed()

    def _next(self) -> str | None:
        """The first line that waits; the others wait on."""
        lines = self.inbox.drain()
        for line in lines[1:]:
            self.inbox.put(line)
        return lines[0] if lines else None

    def _give_back_queue(self) -> None:
        if lines := self.inbox.drain():
            self.front.give_back([self.as_typed(line) for line in lines])


def _is_answered(state: RunState) -> bool:
    """Whether nothing is left to go on with: also where the process died later, while it compacted."""
    answer = state.answer
    return answer is not None and (state.end is not None or answer.get("complete") is True)


class _Told:
    """Remembers whether the run told its error itself."""

    def __init__(self) -> None:
        self.error = False

    def __call__(self, emitted: Emitted) -> None:
        self.error = self.error or emitted.event.type == "error"


def fault_line(fault: Exception) -> Line:
    """What is said of an error that nobody foresaw."""
    said = f"{type(fault).__name__}: {fault}. This is a fault of Dexter itself; the session goes on."
    return Line(literal(said), "bad", "✗")


def with_settings(setup: Setup, **values: object) -> Setup:
    """The setup with some settings changed by the user, as by flags."""
    from dexter.config.origins import Origin

    config = setup.config
    origins = {**config.origins, **{name: Origin("flag", f"/{name}") for name in values}}
    settings = config.settings.model_copy(update=values)
    return replace(setup, config=replace(config, settings=settings, origins=origins))
