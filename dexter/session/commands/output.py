"""`/export` and `/copy`: answers leave the terminal."""

from __future__ import annotations

from pathlib import Path

from dexter.config.paths import expanded
from dexter.config.private_files import write_private
from dexter.errors import UsageError
from dexter.session.clipboard import MOST_BYTES
from dexter.session.commands.command import Command
from dexter.session.front import Choice
from dexter.session.session import Session
from dexter.threads import in_daemon_thread
from dexter.ui.cards import Line
from dexter.ui.literal import literal_line

FORMATS = {
    "md": "questions, answers, figures and sources as Markdown",
    "html": "the same with every call and result, as a page",
    "json": "questions, answers and all that was retrieved, as JSON",
    "csv": "every figure that was retrieved, one a row",
}


async def _export(session: Session, arguments: str) -> None:
    if session.path is None:
        raise UsageError("There is nothing to export yet.")
    kind, path = _target(arguments, session.path.stem)
    _write(path, await in_daemon_thread(_text, kind, session.path))
    session.front.tell(Line(f"Written to {literal_line(str(path.absolute()))}", "good", "✓"))


def _text(kind: str, newest: Path) -> str:
    """The conversation in one of the formats; what writes them is loaded now, not at the start of a session."""
    from dexter.session.export import as_csv, as_json, as_markdown, as_page, read_conversation

    writers = {"md": as_markdown, "html": as_page, "json": as_json, "csv": as_csv}
    return writers[kind](read_conversation(newest))


def _target(arguments: str, stem: str) -> tuple[str, Path]:
    """Format and file of `md`, `md FILE` or `FILE.md`.

    Raises:
        UsageError: there is no such format.
    """
    first, _, name = arguments.partition(" ")
    if not name.strip() and "." in first:
        first, name = first.rpartition(".")[2], first
    kind = first.lower() or "md"
    if kind not in FORMATS:
        raise UsageError(f"There is no format {kind!r}.", remedy=f"Choose one of {', '.join(FORMATS)}.")
    return kind, expanded(Path(name.strip() or f"{stem}.{kind}"))


def _write(path: Path, text: str) -> None:
    """Raises UsageError where the file is there already, or can't be written."""
    try:
        if path.exists():
            raise UsageError(f"{path} exists already.", remedy="Name another file: /export md FILE")
        write_private(path.absolute(), text)
    except OSError as error:
        raise UsageError(f"{path} can't be written: {error.strerror}.", remedy="Name another file.") from error


async def _copy(session: Session, _arguments: str) -> None:
    if not session.tracker.answer:
        raise UsageError("There is no answer to copy yet.")
    if not session.front.copy(session.tracker.answer):
        raise UsageError("This terminal has no clipboard that can be reached.", remedy="/export md writes a file.")
    if len(session.tracker.answer.encode("utf-8", "replace")) > MOST_BYTES:
        session.front.tell(Line("Only its beginning fits into a clipboard; /export md writes all of it.", "warn", "!"))
    session.front.tell(Line("The answer's Markdown is in the clipboard, if the terminal allows that.", "good", "✓"))


EXPORT = Command(
    "export",
    "write the conversation to a file",
    _export,
    f"[{'|'.join(FORMATS)}] [FILE]",
    lambda _session, _typed: [Choice(name, about) for name, about in FORMATS.items()],
)
COPY = Command("copy", "copy the last answer as Markdown (OSC 52)", _copy)
