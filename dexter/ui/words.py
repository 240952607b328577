"""Numbers, ids and times as people read them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from dexter.ui.literal import literal_line

_THOUSAND = 1_000
_MILLION = 1_000_000
_MINUTE = 60
_SHORT_SECONDS = 10
_ITEMS_SHOWN = 3
_LETTERS_SHOWN = 60


def counted(number: int, noun: str, plural: str = "") -> str:
    """`1 result`, `3 results`."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def short(number: int) -> str:
    """A size in three digits or so: 940, 12.4k, 1.2M."""
    if number < _THOUSAND:
        return str(number)
    if number < _MILLION:
        return f"{number / _THOUSAND:.1f}k".replace(".0k", "k")
    return f"{number / _MILLION:.1f}M".replace(".0M", "M")


def size(number: int) -> str:
    """Bytes on a disk: 940 bytes, 12.4 kB, 1.2 MB."""
    if number < _THOUSAND:
        return f"{number} bytes"
    if number < _MILLION:
        return f"{number / _THOUSAND:.1f} kB"
    return f"{number / _MILLION:,.1f} MB"


def seconds(value: float) -> str:
    """A duration: 0.02 s, 4.2 s, 75 s, 3 min 5 s."""
    if value < 1:
        return f"{value:.2f} s"
    if value < _SHORT_SECONDS:
        return f"{value:.1f} s"
    if value < 2 * _MINUTE:
        return f"{value:.0f} s"
    return f"{int(value) // _MINUTE} min {int(value) % _MINUTE} s"


def percent(part: int, whole: int) -> str:
    """A share without decimals."""
    return f"{100 * part / whole:.0f} %" if whole else "–"


def ids(numbers: Iterable[int]) -> str:
    """Result ids with runs joined: `#1–#4, #7`."""
    return ", ".join(f"#{a}" if a == b else f"#{a}–#{b}" for a, b in _runs(sorted(set(numbers))))


def _runs(numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
    breaks = [i + 1 for i, (a, b) in enumerate(pairwise(numbers)) if b != a + 1]
    for start, stop in zip([0, *breaks], [*breaks, len(numbers)], strict=True):
        if start < stop:
            yield numbers[start], numbers[stop - 1]


def money(cost_usd: str) -> str:
    """A cost in dollars as it is told, 'n/a' where a price is unknown."""
    if not cost_usd:
        return "cost n/a"
    value = float(cost_usd)
    return f"${value:.2f}" if value >= 1 else f"${value:.4f}".rstrip("0").rstrip(".") if value else "$0"


def arguments(values: Mapping[str, Any], *, whole: bool = False) -> str:
    """A call's arguments on one line: `tickers=NVDA,AMD period=annual`.

    Unless they are wanted `whole`, what is long is cut and objects are counted.
    """
    return " ".join(f"{literal_line(str(key))}={_argument(value, whole=whole)}" for key, value in values.items())


def _argument(value: Any, *, whole: bool) -> str:
    if isinstance(value, Mapping):
        return "{" + arguments(value, whole=whole) + "}"
    if isinstance(value, list | tuple):
        return _list(value, whole=whole)
    text = literal_line(str(value))
    return text if whole or len(text) <= _LETTERS_SHOWN else f"{text[:_LETTERS_SHOWN]}…"


def _list(values: Sequence[Any], *, whole: bool) -> str:
    if not whole and any(isinstance(item, Mapping) for item in values):
        return f"[{len(values)}]"
    shown = values if whole else values[:_ITEMS_SHOWN]
    more = f",+{len(values) - len(shown)}" if len(values) > len(shown) else ""
    return ",".join(_argument(item, whole=whole) for item in shown) + more


def cut(text: str, width: int) -> str:
    """The text in at most so many terminal cells; what is cut shows as `…`. Wide characters count twice."""
    from rich.cells import cell_len, set_cell_size

    if cell_len(text) <= width:
        return text
    return set_cell_size(text, max(width - 1, 0)).rstrip() + "…"
