"""Start a session in this terminal, and leave the terminal as it was."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from prompt_toolkit.input import create_input
from prompt_toolkit.output import create_output

from dexter import __version__
from dexter.app.build import Parts
from dexter.app.outside import Setup
from dexter.errors import DexterError, ExitStatus
from dexter.session.commands.table import COMMANDS
from dexter.session.completion import Companies, Completion
from dexter.session.history import HistoryFile
from dexter.session.preload import preload
from dexter.session.session import Session
from dexter.session.streams import Streams
from dexter.session.terminal.completer import SessionCompleter
from dexter.session.terminal.history import SessionHistory
from dexter.session.terminal.prompt import Look, PromptFront
from dexter.ui.cards import Line
from dexter.ui.literal import literal

_SIGNALS = {signal.SIGTERM: ExitStatus.TERMINATED, signal.SIGHUP: ExitStatus.HUNG_UP}
Opening = Callable[[Session], Awaitable[None]]


async def run_session(
    setup: Setup,
    streams: Streams,
    look: Look,
    *,
    parts: Parts | None = None,
    allow: Sequence[str] = (),
    opening: Opening | None = None,
) -> ExitStatus:
    """A session until the user leaves; how the process should end.

    `opening` is done first, before the prompt: taking up an earlier conversation.

    Raises:
        DexterError: the settings name what does not exist, or a model without a key.
    """
    # It would ask the terminal where the cursor is and, where nothing answers, write at idle.
    os.environ["PROMPT_TOOLKIT_NO_CPR"] = "1"
    front = _front(setup, streams, look)
    session = Session(setup, front, parts=parts, allow=allow)
    front.session = session
    front.complete_with(SessionCompleter(Completion(session, COMMANDS, _companies(), Path.cwd())))
    ended = _Ended()
    with _signals(session, front, ended):
        _greet(session)
        opened = asyncio.ensure_future(_opened(session, opening))
        preload(session.plan.models.info.provider)
        try:
            await front.run()
        except (EOFError, OSError):  # the terminal is gone
            ended.status = ExitStatus.HUNG_UP
            session.interrupt(ExitStatus.HUNG_UP)
            await session.settle()
        except KeyboardInterrupt:  # asked to stop twice: whatever still goes on is not waited for
            os._exit(ExitStatus.INTERRUPTED if ended.status is ExitStatus.ANSWERED else ended.status)
        finally:
            opened.cancel()
    return ended.status


@dataclass
class _Ended:
    status: ExitStatus = ExitStatus.ANSWERED


def _front(setup: Setup, streams: Streams, look: Look) -> PromptFront:
    return PromptFront(
        streams.stdout,
        streams.environ,
        look=look,
        history=SessionHistory(HistoryFile(setup.config.places.data / "history.jsonl", clean=setup.config.keys.redact)),
        input=create_input(streams.stdin),
        output=create_output(streams.stdout),
    )


def _companies() -> Companies:
    """Reads the list of companies when the first ticker is completed."""
    from dexter.data.sample.directory import packaged_directory

    return Companies(lambda: tuple(packaged_directory().listing.tickers))


def _greet(session: Session) -> None:
    models = session.plan.models
    session.front.tell(Line(f"Dexter {__version__} · {models.info.name} · {literal(models.reason)}", "quiet"))
    session.front.tell(Line("Informs; does not advise. /help lists commands and keys.", "quiet"))


async def _opened(session: Session, opening: Opening | None) -> None:
    if opening is None:
        return
    try:
        await opening(session)
    except DexterError as error:
        session.front.tell(Line(literal(f"{error.message} {error.remedy}".rstrip()), "bad", "✗"))


@contextmanager
def _signals(session: Session, front: PromptFront, ended: _Ended) -> Iterator[None]:
    """SIGTERM and SIGHUP end run and session cleanly; a second one, the prompt at once."""
    loop = asyncio.get_running_loop()

    def end(status: ExitStatus) -> None:
        if ended.status is status and front.app.is_running:
            front.app.exit(exception=KeyboardInterrupt)
            return
        ended.status = status
        session.interrupt(status)
        front.leave()

    heeded = [number for number in _SIGNALS if signal.getsignal(number) is not signal.SIG_IGN]
    for number in heeded:
        loop.add_signal_handler(number, end, _SIGNALS[number])
    try:
        yield
    finally:
        for number in heeded:
            loop.remove_signal_handler(number)
