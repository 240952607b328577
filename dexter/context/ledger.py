"""The ledger of a run's figures: what a summary left out is put back beside it as a compact table.

"Keep every number" is checked here, not hoped for. The ledger is what stands on record, so it outlives every summary.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import TYPE_CHECKING

from dexter.context.mentions import ranges_text, to_ranges
from dexter.results import StoredResult
from dexter.text import estimate_tokens, one_line

if TYPE_CHECKING:  # a quarter of a second to import, needed only when something is compacted
    from dexter.figures.bound import Reader
    from dexter.figures.ledger import Figure

_MILLION = Decimal(1_000_000)
# Values are scaled to millions only where at most this many decimals are needed to write them exactly.
_MOST_DECIMALS = 3


@dataclass(frozen=True)
class Ledger:
    """The figures of some results, each once; `unread` are results whose text was too long to be read through."""

    figures: Sequence[Figure]
    reader: Reader
    unread: Sequence[int] = ()


class FigureMemory:
    """Figures of results that were read before: a result never changes, and reading a long one takes a second."""

    def __init__(self) -> None:
        self._figures: dict[int, tuple[Figure, ...]] = {}
        self._unread: set[int] = set()

    def read(self, results: Sequence[StoredResult], chars: int, is_stopped: Callable[[], bool]) -> None:
        """Read the results that are new, newest first, at most `chars` characters of text; may be stopped between two.

        Runs in a thread beside the request for the summary.
        """
        from dexter.figures.bind import reader_of

        reader = reader_of(results)
        for result in reversed(results):
            if is_stopped():
                return
            if result.id not in self._figures:
                self._read(result, reader, chars)
                chars = max(chars - (0 if result.cells else len(result.text)), 0)

    def ledger(self, results: Sequence[StoredResult]) -> Ledger:
        """The ledger of results that were read."""
        from dexter.figures.bind import reader_of
        from dexter.figures.ledger import distinct

        ids = [result.id for result in results]
        figures = distinct(figure for number in ids for figure in self._figures[number])
        return Ledger(figures, reader_of(results), sorted(self._unread.intersection(ids)))

    def _read(self, result: StoredResult, reader: Reader, chars: int) -> None:
        from dexter.figures.ledger import figures_of

        if not result.cells and len(result.text) > chars:
            self._unread.add(result.id)
            result = replace(result, text=result.text[:chars])
        self._figures[result.id] = figures_of(result, reader)


@dataclass(frozen=True)
class Restored:
    """What is put back: the table ('' where nothing is missing) and how many figures were kept, restored, left out."""

    table: str
    kept: int
    restored: int
    left: int


NOTHING_RESTORED = Restored("", 0, 0, 0)


def restore(
    ledger: Ledger, *, is_kept: Callable[[Figure], bool], is_preferred: Callable[[Figure], bool], room: int
) -> Restored:
    """The figures a summary lacks, within `room` estimated tokens.

    Args:
        ledger: Those of the results the summary replaces.
        is_kept: Whether a figure stands in the summary.
        is_preferred: Whether it is about the question's subjects or stands in the model's own texts.
        room: Tokens of the table, its list of what did not fit included.
    """
    missing = [figure for figure in ledger.figures if not is_kept(figure)]
    missing.sort(key=lambda figure: (not is_preferred(figure), -figure.result))
    shown = _most_that_fit(missing, ledger.unread, room)
    table = _table(missing[:shown], missing[shown:], ledger.unread)
    return Restored(table, len(ledger.figures) - len(missing), shown, len(missing) - shown)


def _most_that_fit(figures: Sequence[Figure], unread: Sequence[int], room: int) -> int:
    """How many of the first figures fit the room, by bisection."""
    low, high = 0, len(figures)
    while low < high:
        middle = (low + high + 1) // 2
        if estimate_tokens(_table(figures[:middle], figures[middle:], unread)) <= room:
            low = middle
        else:
            high = middle - 1
    return low


def _table(shown: Iterable[Figure], left: Iterable[Figure], unread: Iterable[int]) -> str:
    """One line for each result, company and unit: `#2 NVDA USD million | Revenues: Q1 FY2025 26,044; FY2024 60,922`."""
    lines: dict[tuple[int, str, str], dict[str, list[str]]] = {}
    for figure in shown:
        unit, value = written(figure)
        labels = lines.setdefault((figure.result, one_line(figure.company), unit), {})
        labels.setdefault(one_line(figure.label), []).append(f"{figure.period} {value}".strip())
    rows = [_row(key, labels) for key, labels in sorted(lines.items())]
    elsewhere = to_ranges({*(figure.result for figure in left), *unread})
    if elsewhere:
        rows.append(f"Further figures only by read_result: {ranges_text(elsewhere)}")
    return "\n".join(rows)


def _row(key: tuple[int, str, str], labels: dict[str, list[str]]) -> str:
    result, company, unit = key
    head = " ".join(word for word in (f"#{result}", company, unit) if word)
    return " | ".join([head, *(f"{label}: {'; '.join(values)}" for label, values in labels.items())])


def written(figure: Figure) -> tuple[str, str]:
    """Unit and value as the table writes them, without loss: `USD million` and `26,044` where that is exact."""
    millions = figure.value / _MILLION
    if abs(millions) >= 1 and millions == round(millions, _MOST_DECIMALS):
        return f"{figure.unit} million".strip(), _plain(millions)
    return figure.unit, _plain(figure.value)


def _plain(value: Decimal) -> str:
    text = f"{value:,f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
