"""The bottom of the screen, from top to bottom: what moves, what waits, the input or a choice, completions, status."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from prompt_toolkit.application import get_app
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.filters import Condition, FilterOrBool, is_searching
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.key_binding import KeyBindingsBase
from prompt_toolkit.layout import (
    BufferControl,
    ConditionalContainer,
    Container,
    Dimension,
    FormattedTextControl,
    HSplit,
    Layout,
    VerticalAlign,
    Window,
)
from prompt_toolkit.layout.processors import AfterInput, ConditionalProcessor
from prompt_toolkit.widgets import SearchToolbar

Draw = Callable[[], StyleAndTextTuples]
_MENU_ROWS = 8
_LEAST_INPUT_ROWS = 3


class Parts(Protocol):
    """What is drawn, each asked for anew whenever the screen is drawn."""

    def moving(self) -> StyleAndTextTuples:
        """What changes while a run goes on."""
        ...

    def waiting(self) -> StyleAndTextTuples:
        """What waits."""
        ...

    def choice(self) -> StyleAndTextTuples:
        """What can be chosen."""
        ...

    def status(self) -> StyleAndTextTuples:
        """The last line."""
        ...

    def prompt(self) -> str:
        """What stands before the input."""
        ...

    def placeholder(self) -> str:
        """What an empty input says."""
        ...

    def choosing(self) -> bool:
        """Whether a choice stands in the place of the input."""
        ...

    def writing(self) -> bool:
        """Whether a line that is no message does."""
        ...


@dataclass(frozen=True)
class Screen:
    """The layout and the windows that take the focus in turn."""

    layout: Layout
    input: Window
    choice: Window
    answer: Window


def build_screen(parts: Parts, line: Buffer, answer: Buffer, choice_keys: KeyBindingsBase) -> Screen:
    """Put the parts together."""
    search = SearchToolbar(forward_search_prompt="history: ", backward_search_prompt="history: ")
    choosing, writing = Condition(parts.choosing), Condition(parts.writing)
    hint = ConditionalProcessor(
        AfterInput(parts.placeholder, style="class:placeholder"), Condition(lambda: not line.text) & ~is_searching
    )
    line_control = BufferControl(
        line, search_buffer_control=search.control, preview_search=True, input_processors=[hint]
    )
    line_window = _input(line_control, parts.prompt)
    answer_window = _input(BufferControl(answer), parts.prompt)
    choice_window = Window(
        FormattedTextControl(parts.choice, focusable=True, key_bindings=choice_keys, show_cursor=False),
        dont_extend_height=True,
    )
    menu = Condition(lambda: line.complete_state is not None and bool(line.complete_state.completions))
    return Screen(
        Layout(
            HSplit(
                [
                    Window(height=1),  # what is printed ends here
                    _shown(parts.moving),
                    _shown(parts.waiting),
                    ConditionalContainer(choice_window, choosing),
                    ConditionalContainer(answer_window, writing),
                    ConditionalContainer(line_window, ~choosing & ~writing),
                    ConditionalContainer(search, is_searching),
                    _shown(lambda: _completions(line), menu, Dimension(max=_MENU_ROWS)),
                    _shown(parts.status),
                ],
                align=VerticalAlign.TOP,
            ),
            focused_element=line_window,
        ),
        line_window,
        choice_window,
        answer_window,
    )


def _input(control: BufferControl, prompt: Callable[[], str]) -> Window:
    def prefix(number: int, wrapped: int) -> StyleAndTextTuples:
        mark = prompt()
        return [("class:mark", mark if number == wrapped == 0 else " " * len(mark))]

    def height() -> Dimension:
        return Dimension(min=1, max=max(get_app().output.get_size().rows // 2, _LEAST_INPUT_ROWS))

    return Window(control, height=height, get_line_prefix=prefix, wrap_lines=True, dont_extend_height=True)


def _shown(draw: Draw, when: FilterOrBool = True, height: Dimension | None = None) -> Container:
    """A window as high as its text, gone where there is none."""
    window = Window(FormattedTextControl(draw), height=height, dont_extend_height=True)
    return ConditionalContainer(window, Condition(lambda: bool(draw())) & _filter(when))


def _filter(when: FilterOrBool) -> Condition:
    return when if isinstance(when, Condition) else Condition(lambda: bool(when))


def _completions(line: Buffer) -> StyleAndTextTuples:
    """The completions around the chosen one."""
    from dexter.session.terminal.fragments import menu

    state = line.complete_state
    if state is None:
        return []
    at = state.complete_index
    first = max(0, min((at or 0) - _MENU_ROWS // 2, len(state.completions) - _MENU_ROWS))
    rows = [(c.display_text, c.display_meta_text) for c in state.completions[first : first + _MENU_ROWS]]
    return menu(rows, None if at is None else at - first, get_app().output.get_size().columns - 1)
