"""The ledger of a run's figures: what a summary left out is put back beside it as a compact table.

"Keep every number" is checked here, not hoped for. The ledger is what stands on record, so it outlives every summary.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from dexter.context.mentions import ranges_text, to_ranges
from dexter.text import estimate_tokens, one_line

_MILLION = Decimal(1_000_000)
# Values are scaled to millions only where at most this many decimals are needed to write them exactly.
_MOST_DECIMALS = 3


@dataclass(frozen=True)
class LedgerFigure:
    """One figure of a result. `value` in plain `unit` (USD, USD/shares, pure …); `period` as people write it."""

    value: Decimal
    unit: str
    label: str
    company: str
    period: str
    result: int


@dataclass(frozen=True)
class Restored:
    """What is put back: the table ('' where nothing is missing) and how many figures were kept, restored, left out."""

    table: str
    kept: int
    restored: int
    left: int


NOTHING_RESTORED = Restored("", 0, 0, 0)


def restore(
    figures: Iterable[LedgerFigure],
    *,
    is_kept: Callable[[LedgerFigure], bool],
    is_preferred: Callable[[LedgerFigure], bool],
    room: int,
) -> Restored:
    """The figures a summary lacks, within `room` estimated tokens.

    Args:
        figures: Those of the results the summary replaces.
        is_kept: Whether a figure stands in the summary.
        is_preferred: Whether it is about the question's subjects or stands in the model's own texts.
        room: Tokens of the table, its list of what did not fit included.
    """
    every = distinct(figures)
    missing = [figure for figure in every if not is_kept(figure)]
    missing.sort(key=lambda figure: (not is_preferred(figure), -figure.result))
    shown = _most_that_fit(missing, room)
    table = _table(missing[:shown], missing[shown:]) if missing else ""
    return Restored(table, len(every) - len(missing), shown, len(missing) - shown)


def distinct(figures: Iterable[LedgerFigure]) -> list[LedgerFigure]:
    """Each figure once, from the newest result that has it; the order is that of first appearance."""
    newest: dict[tuple[str, ...], LedgerFigure] = {}
    for figure in figures:
        key = (figure.company, figure.label, figure.period, figure.unit, str(figure.value.normalize()))
        if key not in newest or newest[key].result < figure.result:
            newest[key] = figure
    return list(newest.values())


def _most_that_fit(figures: Sequence[LedgerFigure], room: int) -> int:
    """How many of the first figures fit the room, by bisection."""
    low, high = 0, len(figures)
    while low < high:
        middle = (low + high + 1) // 2
        if estimate_tokens(_table(figures[:middle], figures[middle:])) <= room:
            low = middle
        else:
            high = middle - 1
    return low


def _table(shown: Sequence[LedgerFigure], left: Sequence[LedgerFigure]) -> str:
    """One line for each result, company and unit: `#2 NVDA USD M | Revenues: Q1 FY2025 26,044; FY2024 60,922`."""
    lines: dict[tuple[int, str, str], dict[str, list[str]]] = {}
    for figure in shown:
        unit, value = written(figure)
        labels = lines.setdefault((figure.result, one_line(figure.company), unit), {})
        labels.setdefault(one_line(figure.label), []).append(f"{figure.period} {value}".strip())
    rows = [
        f"#{result} {company} {unit} | ".replace("  ", " ")
        + " | ".join(f"{label}: {'; '.join(values)}" for label, values in labels.items())
        for (result, company, unit), labels in sorted(lines.items())
    ]
    if left:
        rows.append(f"Further figures only by read_result: {ranges_text(to_ranges(f.result for f in left))}")
    return "\n".join(rows)


def written(figure: LedgerFigure) -> tuple[str, str]:
    """Unit and value as the table writes them, without any loss: millions (`USD M`, `26,044`) where they are exact."""
    value = figure.value
    millions = value / _MILLION
    if abs(millions) >= 1 and millions == round(millions, _MOST_DECIMALS):
        return f"{figure.unit} M".strip(), _plain(millions)
    return figure.unit, _plain(value)


def _plain(value: Decimal) -> str:
    text = f"{value:,f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
