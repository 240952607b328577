"""Text with its style, as prompt_toolkit draws it: the terminal's own colours, as everywhere in Dexter."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.styles import BaseStyle, Style
from rich.cells import cell_len

from dexter.session.terminal.chooser import SHOWN, Chooser
from dexter.ui.cards import Tone
from dexter.ui.literal import literal_line
from dexter.ui.words import cut

STYLE: BaseStyle = Style.from_dict(
    {
        "info": "ansicyan",
        "good": "ansigreen",
        "warn": "ansiyellow",
        "bad": "ansired",
        "quiet": "dim",
        "mark": "ansicyan bold",
        "chosen": "reverse",
        "placeholder": "dim",
        "search-toolbar": "dim",
        "incsearch": "",
        "incsearch.current": "reverse",
        "search": "",
        "search.current": "reverse",
    }
)


def lines(rows: Iterable[tuple[str, Tone]]) -> StyleAndTextTuples:
    """One line a row, no break after the last."""
    fragments: StyleAndTextTuples = []
    for text, tone in rows:
        if fragments:
            fragments.append(("", "\n"))
        fragments.append((f"class:{tone}", text))
    return fragments


def menu(rows: Sequence[tuple[str, str]], at: int | None, room: int) -> StyleAndTextTuples:
    """Labels in a column, what is said about them behind; the one at `at` is marked."""
    names = [cut(literal_line(label), room - 2) for label, _ in rows]
    width = max(map(cell_len, names), default=0)
    fragments: StyleAndTextTuples = []
    for number, (name, (_, about)) in enumerate(zip(names, rows, strict=True)):
        if fragments:
            fragments.append(("", "\n"))
        if number == at:
            fragments.append(("[SetCursorPosition]", ""))  # where there is little room, this row is shown
        fragments.append(("class:chosen" if number == at else "", f"  {name}"))
        if (left := room - width - 4) > 0 and about:
            fragments.append(("class:quiet", f"{' ' * (width - cell_len(name))}  {cut(literal_line(about), left)}"))
    return fragments


def choice_list(chooser: Chooser, room: int, *, is_open: bool, escape: str = "leaves") -> StyleAndTextTuples:
    """The title, the choices around the marked one, how to choose once keys do that, and what Esc does."""
    first = chooser.first_shown
    shown = list(enumerate(chooser.fitting))[first : first + SHOWN]
    few = len(chooser.choices) <= SHOWN
    rows = [
        (
            f"{chooser.fitting[n] + 1} {chooser.choices[i].label}" if few else chooser.choices[i].label,
            chooser.choices[i].about,
        )
        for n, i in shown
    ]
    left_out = len(chooser.fitting) - len(shown)
    takes = ("Enter takes" if shown else "Nothing fits") if is_open else "…"
    hint = f"{takes}, Esc {escape}" + (f" · {left_out} more, type to narrow down" if left_out else "")
    typed = f": {literal_line(chooser.typed)}" if chooser.typed else ""
    return [
        ("bold", cut(literal_line(chooser.title) + typed, room)),
        ("", "\n"),
        *menu(rows, chooser.at - first if rows else None, room),
        ("", "\n"),
        ("class:quiet", cut(hint, room)),
    ]
