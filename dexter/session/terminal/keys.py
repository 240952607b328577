"""What the keys do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from prompt_toolkit.buffer import Buffer
from prompt_toolkit.filters import Condition, has_focus, is_searching
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys

from dexter.session.terminal.chooser import Chooser
from dexter.session.terminal.pasting import PastedEnter


class Actions(Protocol):
    """What keys ask for."""

    def submit(self) -> None:
        """The line is finished."""
        ...

    def stop_or_clear(self) -> None:
        """Ctrl-C."""
        ...

    def escape(self) -> None:
        """Esc, with nothing open that it would close."""
        ...

    def take_back(self) -> bool:
        """A waiting line comes back into the input; False where none waits."""
        ...

    def leave(self) -> None:
        """Ctrl-D on an empty line."""
        ...

    def open_editor(self) -> None:
        """Ctrl-X Ctrl-E."""
        ...

    def clear_screen(self) -> None:
        """Ctrl-L."""
        ...


def line_keys(line: Buffer, actions: Actions, entering: PastedEnter) -> KeyBindings:
    """Keys while a line is typed, and those that work at any time."""
    keys = KeyBindings()
    typing = has_focus(line) & ~is_searching
    empty = Condition(lambda: not line.text)
    menu_open = Condition(lambda: line.complete_state is not None)

    @keys.add("enter", filter=typing)
    def _(_event: KeyPressEvent) -> None:
        if line.document.current_line_before_cursor.endswith("\\") and not line.document.current_line_after_cursor:
            line.delete_before_cursor()
            line.insert_text("\n")
        else:
            entering.press(if_typed=actions.submit, if_pasted=lambda: line.insert_text("\n"))

    @keys.add("escape", "enter", filter=typing)
    @keys.add("c-j", filter=typing)
    @keys.add("escape", "[", "1", "3", ";", "2", "u", filter=typing)  # Shift-Enter, where a terminal tells it apart
    def _(_event: KeyPressEvent) -> None:
        line.insert_text("\n")

    @keys.add("up", filter=typing & empty & ~menu_open)
    def _(_event: KeyPressEvent) -> None:
        if not actions.take_back():
            line.auto_up()

    @keys.add("escape", "up", filter=typing)
    def _(_event: KeyPressEvent) -> None:
        actions.take_back()

    @keys.add("tab", filter=typing)
    def _(_event: KeyPressEvent) -> None:
        if line.complete_state:
            line.complete_next()
        else:
            line.start_completion(insert_common_part=True)

    @keys.add("escape", filter=typing & menu_open, eager=False)
    def _(_event: KeyPressEvent) -> None:
        line.cancel_completion()

    @keys.add("escape", filter=typing & ~menu_open)
    def _(_event: KeyPressEvent) -> None:
        actions.escape()

    @keys.add("c-d", filter=typing & empty)
    def _(_event: KeyPressEvent) -> None:
        actions.leave()

    @keys.add("c-c")
    @keys.add(Keys.SIGINT)
    def _(_event: KeyPressEvent) -> None:
        actions.stop_or_clear()

    @keys.add("c-l")
    def _(_event: KeyPressEvent) -> None:
        actions.clear_screen()

    @keys.add("c-z")
    def _(event: KeyPressEvent) -> None:
        event.app.suspend_to_background()

    @keys.add("c-x", "c-e", filter=typing)
    def _(_event: KeyPressEvent) -> None:
        actions.open_editor()

    return keys


def answer_keys(answer: Buffer, cancel: Callable[[], bool]) -> KeyBindings:
    """Keys while a line is written that is no message."""
    keys = KeyBindings()

    @keys.add("escape", filter=has_focus(answer))
    def _(_event: KeyPressEvent) -> None:
        cancel()

    return keys


def choice_keys(chooser: Callable[[str], Chooser | None], close: Callable[[], object]) -> KeyBindings:
    """Keys while something is chosen. `chooser` takes what was typed and gives the choice, if it is open to keys.

    `close` is what Esc does, at any time: nobody chooses something by accident with it.
    """
    keys = KeyBindings()

    def bind(key: str | Keys, act: Callable[[Chooser, str], None]) -> None:
        @keys.add(key)
        def _(event: KeyPressEvent) -> None:
            if open_one := chooser(event.data):
                act(open_one, event.data)

    @keys.add("escape")
    def _(_event: KeyPressEvent) -> None:
        close()

    bind("up", lambda open_one, _: open_one.move(-1))
    bind("down", lambda open_one, _: open_one.move(1))
    bind("tab", lambda open_one, _: open_one.move(1))
    bind("enter", lambda open_one, _: open_one.take())
    bind("backspace", lambda open_one, _: open_one.erase())
    bind(Keys.Any, lambda open_one, typed: open_one.type(typed))
    return keys
