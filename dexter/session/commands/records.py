"""`/runs`, `/search`, `/resume` and `/replay`: what is on record."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from dexter.attached import as_typed
from dexter.errors import UsageError
from dexter.scratchpad.runs import RunSummary, find_run, list_runs, question_of, scratchpads
from dexter.session.commands.command import Command
from dexter.session.front import Choice
from dexter.session.search import Hit, search_runs
from dexter.session.session import Session
from dexter.session.tables import two_columns
from dexter.threads import in_daemon_thread
from dexter.ui.cards import Line
from dexter.ui.literal import literal_line
from dexter.ui.words import cut

_SHOWN = 15
_QUESTION_CELLS = 60
_CHOICE_CELLS = 40  # so that when and how it ended stand beside it in 80 columns


async def _runs(session: Session, arguments: str) -> None:
    if arguments and not (arguments.isdecimal() and int(arguments)):
        raise UsageError(f"{arguments!r} is no number of runs.", remedy="/runs 30 lists the newest 30.")
    most = int(arguments) if arguments else _SHOWN
    found = await in_daemon_thread(list_runs, session.setup.config.scratchpads)
    if not found:
        session.front.tell(Line("There is no run yet.", "quiet"))
        return
    session.front.show(
        two_columns([(run.run, f"{_ending(run)} · {literal_line(as_typed(run.question))}") for run in found[:most]])
    )
    if len(found) > most:
        session.front.tell(Line(f"{len(found) - most} older ones: /runs {len(found)}", "quiet"))


async def _search(session: Session, arguments: str) -> None:
    if not arguments:
        raise UsageError("What is to be searched for?", remedy="/search TEXT looks in questions and answers.")
    hits = await in_daemon_thread(_hits, session.setup.config.scratchpads, arguments)
    if not hits:
        session.front.tell(Line(f"No question and no answer on record holds {literal_line(arguments)!r}.", "quiet"))
        return
    session.front.show(two_columns([(hit.run, _excerpt(hit)) for hit in hits[:_SHOWN]]))
    session.front.tell(Line("/resume RUN goes on with one, /replay RUN shows it.", "quiet"))


def _hits(folder: Path, text: str) -> list[Hit]:
    return search_runs(list_runs(folder), text)


def _excerpt(hit: Hit) -> str:
    return f"{literal_line(as_typed(hit.question))}\n{literal_line(hit.excerpt)}"


async def _resume(session: Session, arguments: str) -> None:
    folder = session.setup.config.scratchpads
    if arguments:
        path: Path | None = _named(folder, arguments)
    else:
        path = await pick_run(session, await in_daemon_thread(_conversations, folder))
    if path is not None:
        await take_up(session, path)


def _named(folder: Path, name: str) -> Path:
    """See `find_run`; what there is, is listed here without leaving."""
    try:
        return find_run(folder, name)
    except UsageError as error:
        raise UsageError(error.message, remedy="/runs lists what there is.") from None


def _conversations(folder: Path) -> list[RunSummary]:
    return conversations(list_runs(folder))


async def take_up(session: Session, path: Path) -> None:
    """Make a run's conversation the session's, and show what was said last in it.

    Raises:
        UsageError: a run was begun meanwhile.
        DexterError: it can't be read, or is no run of ours.
    """
    from dexter.scratchpad.run_state import read_state

    state = await in_daemon_thread(read_state, path)
    if session.busy:
        raise UsageError("/resume has to wait: a run goes on.", remedy="Esc stops it.")
    session.front.echo(as_typed(state.question))
    if state.answer is not None:
        session.front.show_answer(str(state.answer.get("text", "")))
    session.resume(path)
    session.front.changed()


async def pick_run(session: Session, found: Sequence[RunSummary]) -> Path | None:
    """Let the user choose a conversation; None where there is none or none was chosen."""
    if not found:
        session.front.tell(Line("There is nothing to go on with yet.", "quiet"))
        return None
    chosen = await session.front.choose("Go on with which conversation?", [_choice(run) for run in found])
    return None if chosen is None else found[chosen].path


def conversations(found: Iterable[RunSummary]) -> list[RunSummary]:
    """The newest run of each conversation of ours that nobody works on, newest first."""
    newest: dict[str, RunSummary] = {}
    for run in found:
        if run.conversation:
            newest.setdefault(run.conversation, run)
    return [run for run in newest.values() if run.status != "running"]


def _choice(run: RunSummary) -> Choice:
    return Choice(cut(literal_line(as_typed(run.question)), _CHOICE_CELLS), f"{_when(run)} · {_ending(run)}")


def _when(run: RunSummary) -> str:
    return run.started[:16].replace("T", " ")


def _ending(run: RunSummary) -> str:
    return literal_line(run.status) or "of another tool"


async def _replay(session: Session, arguments: str) -> None:
    """`/replay`, `/replay RUN`, each with `turn N` behind it."""
    from dexter.replay.read import read_timeline
    from dexter.replay.select import Selection
    from dexter.replay.show import show

    name, turn = _run_and_turn(arguments)
    path = _named(session.setup.config.scratchpads, name) if name else session.path
    if path is None:
        raise UsageError("There is no run in this conversation yet.", remedy="/replay RUN shows an earlier one.")
    timeline, selection = await in_daemon_thread(read_timeline, path), Selection(turn=turn)
    selection.check(timeline)
    show(timeline, session.front.paper(), selection)


def _run_and_turn(arguments: str) -> tuple[str, int | None]:
    words = arguments.split()
    if len(words) > 1 and words[-2] == "turn" and words[-1].isdecimal():
        return " ".join(words[:-2]), int(words[-1])
    return arguments, None


def _known_runs(session: Session, typed: str) -> Iterator[Choice]:
    """Those whose names begin so; of each only its first lines are read."""
    for path in scratchpads(session.setup.config.scratchpads):
        if path.stem.startswith(typed):
            yield Choice(path.stem, cut(literal_line(as_typed(question_of(path))), _QUESTION_CELLS))


RUNS = Command("runs", "list the runs on record", _runs, "[NUMBER]")
SEARCH = Command("search", "search questions and answers on record", _search, "TEXT")
RESUME = Command(
    "resume", "go on with an earlier conversation, or a run that was cut off", _resume, "[RUN]", _known_runs, idle=True
)
REPLAY = Command("replay", "show what a run did, turn by turn", _replay, "[RUN] [turn N]", _known_runs)
