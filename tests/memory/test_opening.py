"""What a run knows from its start: within the budget, the worthiest first."""

from __future__ import annotations

from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from dexter.memory.note import Note
from dexter.memory.opening import opening_text
from dexter.text import estimate_tokens

TODAY = date(2026, 11, 30)


def test_lasting_notes_come_with_those_of_today_and_yesterday() -> None:
    """Older days are left to the search, and the last line says how many."""
    notes = [
        Note("lasting", "MEMORY.md"),
        Note("today", "2026-11-30.md", day="2026-11-30"),
        Note("yesterday", "2026-11-29.md", day="2026-11-29"),
        Note("old", "2026-10-01.md", day="2026-10-01"),
    ]
    assert opening_text(notes, today=TODAY, budget=4_000) == (
        "- lasting\n- today\n- yesterday\n(1 more: `memory_search` finds them.)"
    )


def test_no_notes_no_text() -> None:
    """An empty memory takes no room."""
    assert opening_text([], today=TODAY, budget=4_000) == ""


def test_the_oldest_give_way_first() -> None:
    """Too many for the budget: the newest stay, in the order of the file."""
    notes = [Note(f"number {n} " + "x" * 400, "MEMORY.md", day=f"2026-10-{n:02}") for n in range(1, 31)]
    text = opening_text(notes, today=TODAY, budget=1_000)
    kept = [line.split()[2] for line in text.splitlines()[:-1]]
    assert kept == [str(n) for n in range(31 - len(kept), 31)]
    assert f"({30 - len(kept)} more" in text


@given(st.lists(st.text(min_size=1, max_size=300), max_size=60), st.integers(0, 2_000))
def test_the_budget_holds(texts: list[str], budget: int) -> None:
    """Whatever the notes; only the line about the rest may stand alone."""
    notes = [Note(text.replace("\n", " "), "MEMORY.md") for text in texts]
    text = opening_text(notes, today=TODAY, budget=budget)
    assert estimate_tokens(text) <= max(budget, estimate_tokens("(60 more: `memory_search` finds them.)"))
