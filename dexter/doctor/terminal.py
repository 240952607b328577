"""The terminal: what it can show."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dexter.doctor.finding import Finding, note, ok, problem

_AREA = "terminal"
_NARROWEST = 60


@dataclass(frozen=True)
class TerminalFacts:
    """What is known of it: `columns` of its width, the encoding of standard output, `TERM`, whether it is one."""

    is_terminal: bool
    columns: int
    encoding: str
    term: str
    no_color: bool = False


def check_terminal(facts: TerminalFacts) -> Iterator[Finding]:
    """Whether answers and panels can be shown as they are meant."""
    if facts.encoding.lower().replace("-", "") != "utf8":
        told = f"Standard output is {facts.encoding or 'of no encoding'}: letters it lacks are replaced."
        yield problem(_AREA, told, "export PYTHONUTF8=1")
    if not facts.is_terminal:
        yield ok(_AREA, "Not a terminal: plain lines, no colours.")
        return
    if facts.term.lower() in ("", "dumb", "unknown"):
        yield note(_AREA, f"TERM is {facts.term!r}: no panels, plain lines.", "export TERM=xterm-256color")
    if facts.columns < _NARROWEST:
        yield note(
            _AREA, f"{facts.columns} columns are fewer than {_NARROWEST}; tables will be cut.", "widen the window"
        )
    colours = "no colours (NO_COLOR)" if facts.no_color else "colours"
    yield ok(_AREA, f"{facts.term or 'unknown'}, {facts.columns} columns, {facts.encoding}, {colours}")
