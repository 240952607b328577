"""Which entries are wanted: of one turn, of one tool, with a text in them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from dexter.errors import ScratchpadError, UsageError
from dexter.messages import canonical_json
from dexter.replay.entries import Entry, Message, Request, Response, Result
from dexter.replay.timeline import Timeline
from dexter.replay.whole import whole_text

_LINES_SHOWN = 5
_LINE_CHARS = 300


@dataclass(frozen=True)
class Selection:
    """None: not asked for. `text` is found whatever its case, in whole results too."""

    turn: int | None = None
    tool: str | None = None
    text: str | None = None

    @property
    def is_everything(self) -> bool:
        """Whether nothing is left out."""
        return self == Selection()

    def of(self, timeline: Timeline) -> tuple[Entry, ...]:
        """The entries that are wanted.

        Raises:
            UsageError: there is no such turn or tool in the run.
        """
        self.check(timeline)
        return tuple(entry for entry in timeline.entries if self.wants(timeline, entry))

    def wants(self, timeline: Timeline, entry: Entry) -> bool:
        """Whether one entry is."""
        if self.turn is not None and entry.turn != self.turn:
            return False
        if self.tool is not None and not (isinstance(entry, Result) and entry.call.tool == self.tool):
            return False
        return self.text is None or self.text.casefold() in text_of(timeline, entry).casefold()

    def check(self, timeline: Timeline) -> None:
        """Raises UsageError where the run has no such turn or tool."""
        turns = [turn.number for turn in timeline.turns]
        if self.turn is not None and self.turn not in turns:
            raise UsageError(
                f"{timeline.run} has no turn {self.turn}.",
                remedy=f"It has turns {turns[0]} to {turns[-1]}." if turns else "It has none at all.",
            )
        tools = sorted({result.call.tool for result in timeline.of(Result)})
        if self.tool is not None and self.tool not in tools:
            raise UsageError(
                f"{timeline.run} has no result of a tool {self.tool!r}.",
                remedy=f"Its results are of {', '.join(tools)}." if tools else "It has no result.",
            )


def text_of(timeline: Timeline, entry: Entry) -> str:
    """Everything an entry says, as one text. A damaged result says what its excerpt does."""
    if isinstance(entry, Result | Response | Message):
        calls = entry.calls if isinstance(entry, Response) else (entry.call,) if isinstance(entry, Result) else ()
        made = [f"{call.tool} {canonical_json(call.arguments)}" for call in calls]
        try:
            return "\n".join([*made, whole_text(timeline.path, entry)])
        except ScratchpadError:
            return "\n".join([*made, entry.text.text])
    if isinstance(entry, Request):
        return entry.view_hash
    return "\n".join(str(getattr(entry, name)) for name in entry.__slots__)


def matching_lines(text: str, wanted: str) -> str:
    """The lines that hold a text, the first few, each cut around it."""
    found = (_around(line, wanted) for line in text.splitlines() if wanted.casefold() in line.casefold())
    shown = list(islice(found, _LINES_SHOWN))
    more = sum(1 for _ in found)
    return "\n".join([*shown, *([f"… and {more:,} lines more"] if more else [])])


def _around(line: str, wanted: str) -> str:
    at = line.casefold().find(wanted.casefold())
    start = max(at - _LINE_CHARS // 2, 0) if len(line) > _LINE_CHARS else 0
    part = line[start : start + _LINE_CHARS]
    return ("…" if start else "") + part + ("…" if start + _LINE_CHARS < len(line) else "")


def entries_by_turn(entries: tuple[Entry, ...]) -> Iterator[Entry]:
    """The same in the order of their turns, so that what prepared a request stands with it."""
    yield from sorted(entries, key=lambda entry: entry.turn)
