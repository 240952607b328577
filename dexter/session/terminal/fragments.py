"""Text with its style, as prompt_toolkit draws it: the terminal's own colours, as everywhere in Dexter."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.styles import BaseStyle, Style

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
    width = max((len(label) for label, _ in rows), default=0)
    fragments: StyleAndTextTuples = []
    for number, (label, about) in enumerate(rows):
        if fragments:
            fragments.append(("", "\n"))
        name = cut(literal_line(label), room - 2)
        fragments.append(("class:chosen" if number == at else "", f"  {name}"))
        if (left := room - width - 4) > 0 and about:
            fragments.append(("class:quiet", f"{' ' * (width - len(label))}  {cut(literal_line(about), left)}"))
    return fragments


def choice_list(chooser: Chooser, room: int, *, is_open: bool) -> StyleAndTextTuples:
    """The title, the choices around the marked one, and how to choose once keys do that."""
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
    hint = "Enter takes, Esc leaves" + (f" · {left_out} more, type to narrow down" if left_out else "")
    hint = hint if is_open else "…"
    typed = f": {literal_line(chooser.typed)}" if chooser.typed else ""
    return [
        ("bold", cut(literal_line(chooser.title) + typed, room)),
        ("", "\n"),
        *menu(rows, chooser.at - first if rows else None, room),
        ("", "\n"),
        ("class:quiet", cut(hint, room)),
    ]
