"""An Enter in a terminal that does not mark what is pasted: with a clock and keys of our own."""

from __future__ import annotations

import asyncio

import pytest

from dexter.session.terminal.pasting import PastedEnter


async def _typed(keys: str, pauses: dict[int, float]) -> str:
    """What becomes of keys, `\\r` being Enter; `pauses` are seconds before a key, by its number. `!` is a sent line."""
    now, line = 0.0, ""
    entering = PastedEnter(lambda: now)

    def add(text: str) -> None:
        nonlocal line
        line += text

    for number, key in enumerate(keys):
        if pause := pauses.get(number):
            now += pause
            await asyncio.sleep(pause)
        entering.key()
        if key == "\r":
            entering.press(if_typed=lambda: add("!"), if_pasted=lambda: add("\n"))
        else:
            add(key)
    await asyncio.sleep(0.1)
    return line


@pytest.mark.parametrize(
    ("keys", "pauses", "becomes"),
    [
        ("one\r", {}, "one!"),
        ("one\rtwo\r", {}, "one\ntwo\n"),
        ("one\rtwo\r", {4: 0.2}, "one!two!"),
        ("one\rtwo\r\r", {8: 0.2}, "one\ntwo\n!"),
        ("\r\r\r", {}, "\n\n\n"),
    ],
)
def test_an_enter_with_keys_right_behind_it_was_pasted(keys: str, pauses: dict[int, float], becomes: str):
    """And so is one at the end of such a paste; one that stands alone, or comes later, is a person's."""
    assert asyncio.run(_typed(keys, pauses)) == becomes


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
