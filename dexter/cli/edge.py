"""The outermost frame: every ending becomes an exit status, every error a sentence.

A `DexterError` has its sentence and remedy; anything else is a fault of the program and is called so. `--debug` shows
the traceback of either.
"""

from __future__ import annotations

import errno
import io
import os
import signal
import sys
import traceback
from collections.abc import Callable, Sequence
from types import FrameType
from typing import NoReturn, TextIO

from dexter.errors import DexterError, ExitStatus, UsageError

STATUS_OF_SIGNAL = {
    signal.SIGINT: ExitStatus.INTERRUPTED,
    signal.SIGTERM: ExitStatus.TERMINATED,
    signal.SIGHUP: ExitStatus.HUNG_UP,
}
# How the system says that what stands behind a stream takes no more; a closed pipe is told to nobody.
_STREAM_FAILURES = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO}


def run(arguments: Sequence[str]) -> int:
    """Run `dexter` with one command line; gives the exit status and never raises."""
    return run_app(_dexter, arguments)


def run_app(app: Callable[..., object], arguments: Sequence[str]) -> int:
    """The same for any Typer app."""
    _prepare_streams()
    sys.unraisablehook = _end_all_the_same
    for number in heeded_signals():
        signal.signal(number, _end)
    try:
        status = _run_command(app, list(arguments))
    except KeyboardInterrupt:
        status = ExitStatus.INTERRUPTED
    except BrokenPipeError:
        status = ExitStatus.FAILED
    except DexterError as error:
        status = _tell(f"dexter: {error.message}", error.remedy, error, arguments, error.exit_status)
    except OSError as error:
        status = _tell(*_told_of_system(error), error, arguments, ExitStatus.FAILED)
    except Exception as error:  # noqa: BLE001 - the edge: whatever it is, the user gets a sentence
        status = _tell(*_told_of_fault(error), error, arguments, ExitStatus.FAILED)
    return int(_flushed(status, arguments))


def _prepare_streams() -> None:
    """Closed streams lead nowhere; letters a stream's encoding lacks are replaced, never an error."""
    sys.stdin = sys.stdin or _nowhere("r")
    sys.stdout = sys.stdout or _nowhere("w")
    sys.stderr = sys.stderr or _nowhere("w")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _nowhere(mode: str) -> io.TextIOWrapper:
    return io.TextIOWrapper(io.FileIO(os.devnull, mode), encoding="utf-8")


def heeded_signals() -> list[signal.Signals]:
    """The signals that end the program: not those it was started to ignore (`nohup`, jobs in the background)."""
    return [number for number in STATUS_OF_SIGNAL if signal.getsignal(number) is not signal.SIG_IGN]


def wants_debug(arguments: Sequence[str]) -> bool:
    """Whether `--debug` stands among the options; after `--` it would be part of the question."""
    options = arguments[: arguments.index("--")] if "--" in arguments else arguments
    return "--debug" in options


def _dexter(arguments: list[str], prog_name: str) -> None:
    from dexter.cli.main import app

    app(arguments, prog_name=prog_name)


def _run_command(app: Callable[..., object], arguments: list[str]) -> int:
    try:
        app(arguments, prog_name="dexter")
    except SystemExit as ending:
        return ending.code if isinstance(ending.code, int) else ExitStatus.FAILED if ending.code else 0
    return ExitStatus.ANSWERED


def _end(number: int, _frame: FrameType | None) -> NoReturn:
    """Outside a run there is nothing to keep; during one the run's handlers stand in place of this one.

    For Ctrl-C, too: a KeyboardInterrupt inside code that `exec` runs (every dataclass of an import) makes the
    interpreter die of the signal in the end, whatever was done about the exception.
    """
    sys.exit(STATUS_OF_SIGNAL[signal.Signals(number)])


def _end_all_the_same(unraisable: sys.UnraisableHookArgs) -> None:
    """A signal that came while a callback ran that may not raise (of a library in C, `__del__`) still ends the program.

    Python drops what is raised there; the user would have to press Ctrl-C again.
    """
    ending = unraisable.exc_value
    if isinstance(ending, SystemExit) and isinstance(ending.code, int):
        os._exit(ending.code)
    sys.__unraisablehook__(unraisable)


def _told_of_fault(error: Exception) -> tuple[str, str]:
    told = f"dexter: {type(error).__name__}: {error}" if str(error) else f"dexter: {type(error).__name__}"
    return told, "This is a fault of Dexter itself. The same command with --debug shows where."


def _told_of_system(error: OSError) -> tuple[str, str]:
    """A stream has no name, a file does; those of files have their sentences where they are opened."""
    if error.filename is not None or error.errno not in _STREAM_FAILURES:
        return _told_of_fault(error)
    return f"dexter: The output can't be written: {error.strerror}.", "Free some space, or send it elsewhere."


def _tell(sentence: str, remedy: str, error: Exception, arguments: Sequence[str], status: int) -> int:
    """Write the sentence, with `--debug` the traceback before it: neither acts on the terminal nor holds a key."""
    from dexter.ui.literal import literal

    try:
        told = literal(_without_keys(f"{sentence} {remedy}".rstrip()))
        if wants_debug(arguments):
            sys.stderr.write(literal(_without_keys("".join(traceback.format_exception(error)))))
        sys.stderr.write(_wrapped(told) + "\n")
    except (OSError, ValueError):
        return ExitStatus.FAILED
    return status


def _without_keys(text: str) -> str:
    """Errors quote what they were about, and libraries may put anything there."""
    from dexter.cli.configured import surroundings
    from dexter.config.load import keys_to_hide

    try:
        return keys_to_hide(surroundings()).redact(text)
    except UsageError:  # the current folder is gone: the error says so
        return text


def _wrapped(text: str) -> str:
    """At a terminal broken between words, so that paths and commands stay whole; elsewhere one line."""
    import shutil
    import textwrap

    if not sys.stderr.isatty():
        return text
    width = shutil.get_terminal_size().columns
    lines = (textwrap.wrap(line, width, break_long_words=False, break_on_hyphens=False) for line in text.split("\n"))
    return "\n".join("\n".join(line) for line in lines)


def _flushed(status: int, arguments: Sequence[str]) -> int:
    """Flush what was printed now, while a closed pipe can still be answered with the right status."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError) as error:
            _silence(stream)
            if not status and isinstance(error, OSError) and error.errno in _STREAM_FAILURES:
                _tell(*_told_of_system(error), error, arguments, ExitStatus.FAILED)
            status = status or ExitStatus.FAILED
    return status


def _silence(stream: TextIO) -> None:
    """Point a broken stream nowhere, so that the interpreter does not complain about it when it ends."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    except (OSError, ValueError):
        return
