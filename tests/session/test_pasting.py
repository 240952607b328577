"""An Enter in a terminal that does not mark what is pasted: with a clock and keys of our own."""

from __future__ import annotations

import asyncio

import pytest

from dexter.session.terminal.pasting import PastedEnter


async def _typed(*pieces: str, pause: float = 0.0) -> str:
    """What becomes of keys, `\r` being Enter, that come in pieces with pauses. `!` is a sent line."""
    now, line = 0.0, ""
    entering = PastedEnter(lambda: now)

    def add(text: str) -> None:
        nonlocal line
        line += text

    for piece in pieces:
        for at, key in enumerate(piece):
            entering.key(len(piece) - at)
            if key == "\r":
                entering.press(if_typed=lambda: add("!"), if_pasted=lambda: add("\n"))
            else:
                add(key)
        now += pause
        await asyncio.sleep(pause)
    await asyncio.sleep(0.05)
    return line


@pytest.mark.parametrize(
    ("pieces", "pause", "becomes"),
    [
        (["one\r"], 0, "one!"),
        (["one\rtwo\r"], 0, "one!two!"),  # a script that types two short lines at once
        (["first line\rsecond line\r"], 0, "first line\nsecond line\n"),
        (["first line\r", "second line\r"], 0, "first line\nsecond line\n"),
        (["first line\r", "second line\r"], 0.2, "first line!second line!"),
        (["first line\rsecond line\r", "\r", "th", "ird\r"], 0.03, "first line\nsecond line\n\nthird\n"),
        (["first line\rsecond line\r", "\r"], 0.2, "first line\nsecond line\n!"),
    ],
)
def test_an_enter_with_many_keys_right_behind_it_was_pasted(pieces: list[str], pause: float, becomes: str):
    """And so are the others of such a paste; one that stands alone, or comes later, is a person's."""
    assert asyncio.run(_typed(*pieces, pause=pause)) == becomes


def test_an_enter_that_is_held_back_can_be_dropped():
    """The session is left meanwhile: nothing is sent any more."""

    async def dropped() -> list[str]:
        sent: list[str] = []
        entering = PastedEnter(lambda: 0.0)
        entering.press(if_typed=lambda: sent.append("line"), if_pasted=lambda: sent.append("break"))
        assert entering.drop()
        await asyncio.sleep(0.05)
        return sent

    assert asyncio.run(dropped()) == []
