"""Notes in their files: what is written, found, reworded and forgotten, whatever else stands there."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from unicodedata import category

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dexter.errors import DexterError, UsageError
from dexter.memory.memory import MAIN, Memory
from dexter.memory.note import NOTE_CHARS, clean, item_of, notes_in, without_note
from dexter.memory.notes import DailyNotes

NOW = datetime(2026, 11, 30, 9, 5, tzinfo=UTC)

HAND_WRITTEN = """# What is known

## Portfolio

- Holds NVDA
  since 2019.
* Sold AMD <!-- 2026-03-02 run x -->
1. Follows TXN

Reads answers on a phone,
never on paper.

## Empty on purpose

<!-- a comment of the user's -->
"""


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    return Memory(tmp_path / "memory", lambda: NOW)


def by_hand(memory: Memory, text: str, name: str = MAIN) -> Path:
    memory.folder.mkdir(parents=True, exist_ok=True)
    path = memory.folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_items_and_paragraphs_are_notes(memory: Memory) -> None:
    """Whatever bullet they have, over several lines, with or without an origin; headings and comments are none."""
    by_hand(memory, HAND_WRITTEN)
    assert [(note.text, note.origin, note.day) for note in memory.notes()] == [
        ("Holds NVDA since 2019.", "", ""),
        ("Sold AMD", "2026-03-02 run x", "2026-03-02"),
        ("Follows TXN", "", ""),
        ("Reads answers on a phone, never on paper.", "", ""),
    ]


def test_a_note_says_where_it_comes_from(memory: Memory) -> None:
    """The day and the origin stand behind it; those of a flush stand in the heading of its entry."""
    note = memory.add("Prefers euros", origin="run 7, the user wrote: “in euros --> please”")
    assert (note.origin, note.day) == ("2026-11-30 run 7, the user wrote: “in euros --> please”", "")
    DailyNotes(memory.folder, lambda: NOW, "run-9").append("- Likes tables", origin="memory flush")
    assert [(n.text, n.file, n.day, n.origin) for n in memory.notes()] == [
        ("Prefers euros", MAIN, "2026-11-30", "2026-11-30 run 7, the user wrote: “in euros –> please”"),
        ("Likes tables", "2026-11-30.md", "2026-11-30", "memory flush, run run-9"),
    ]


def test_the_same_is_not_noted_twice(memory: Memory) -> None:
    """Adding what stands there already changes nothing."""
    first = memory.add("Prefers euros", origin="a")
    before = (memory.folder / MAIN).read_bytes()
    assert memory.add("- Prefers   euros", origin="b").id == first.id
    assert (memory.folder / MAIN).read_bytes() == before


def test_a_reworded_note_keeps_its_place(memory: Memory) -> None:
    """Everything around it stays as it was, to the byte."""
    path = by_hand(memory, HAND_WRITTEN)
    (note,) = [note for note in memory.notes() if note.text.startswith("Holds")]
    memory.edit(note.id, "Holds nothing", origin="by hand")
    assert path.read_text(encoding="utf-8") == HAND_WRITTEN.replace(
        "- Holds NVDA\n  since 2019.", "- Holds nothing <!-- 2026-11-30 by hand -->"
    )


def test_a_forgotten_note_is_gone_from_every_file_and_search(memory: Memory) -> None:
    """It stands in three files; afterwards no byte of it is in the folder, and no query finds it."""
    for name in (MAIN, "2026-11-29.md", "2026-11-28.md"):
        by_hand(
            memory,
            f"# {name}\n\n## 10:00 memory flush\n\n- Owns a Stradivarius\n\n## 11:00 x\n\n- stays {name}\n",
            name,
        )
    assert memory.search("stradivarius")
    gone = memory.forget(memory.search("Stradivarius")[0].note.id)
    assert len(gone) == 3
    held = b"".join(path.read_bytes() for path in memory.folder.iterdir())
    assert b"radivar" not in held
    assert b"10:00" not in held
    assert held.count(b"stays") == 3
    for query in ("Stradivarius", "stradivari", "owns", "a", gone[0].id, "Owns a Stradivarius"):
        assert all("Strad" not in hit.note.text for hit in memory.search(query))


def test_a_file_without_notes_goes_but_headings_of_the_user_stay(memory: Memory) -> None:
    """The last note of a day takes the file along; MEMORY.md keeps what the user laid out."""
    day = DailyNotes(memory.folder, lambda: NOW).append("- only one", origin="o")
    memory.forget(memory.search("only")[0].note.id)
    assert not day.exists()
    path = by_hand(memory, "# Mine\n\n## Portfolio\n\n- Holds NVDA\n")
    memory.forget(memory.search("NVDA")[0].note.id)
    assert path.read_text(encoding="utf-8") == "# Mine\n\n## Portfolio\n\n"


def test_files_are_the_truth(memory: Memory) -> None:
    """A line written or removed by an editor is found, or not, at the next query."""
    path = by_hand(memory, "- Likes tables\n")
    assert memory.search("tables")
    path.write_text("- Likes charts\n", encoding="utf-8")
    assert [hit.note.text for hit in memory.search("tables charts")] == ["Likes charts"]
    path.unlink()
    assert memory.search("charts") == []


@pytest.mark.parametrize("text", ["", "  \n ", "- ", "x" * (NOTE_CHARS + 1)])
def test_what_is_no_note_is_refused(memory: Memory, text: str) -> None:
    """Nothing, or more than a note holds."""
    with pytest.raises(UsageError):
        memory.add(text, origin="x")
    assert memory.notes() == ()


def test_a_disk_that_refuses_is_said(memory: Memory) -> None:
    """A sentence with a remedy, no traceback."""
    memory.folder.parent.mkdir(parents=True, exist_ok=True)
    memory.folder.write_text("a file where the folder should be", encoding="utf-8")
    with pytest.raises(DexterError, match="can't be written"):
        memory.add("Likes tables", origin="x")


def test_newer_notes_rank_before_older_ones_of_equal_worth(memory: Memory) -> None:
    """The same words, a year apart; a much better match wins all the same."""
    for days, rest in ((400, "green"), (1, "blue"), (200, "red")):
        day = NOW - timedelta(days=days)
        DailyNotes(memory.folder, lambda day=day: day).append(f"- Prefers colour {rest}", origin="o")
    assert [hit.note.text.split()[-1] for hit in memory.search("colour")] == ["blue", "red", "green"]
    assert memory.search("colour green")[0].note.text == "Prefers colour green"


@pytest.mark.parametrize("query", ['"', "a OR", "NEAR(", "text:x", "-", "*", "x^2", "😀", "(((", "AND NOT", "\0", "的"])
def test_no_query_is_a_fault(memory: Memory, query: str) -> None:
    """What is syntax to the search engine is only text here."""
    memory.add("Prefers a OR b, text:x NEAR the 的 end", origin="o")
    memory.search(query)


LINE = st.text(st.characters(blacklist_categories=["Cs", "Cc"]), max_size=30)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.one_of(LINE, LINE.map("- {}".format), LINE.map("## {}".format), st.just("")), max_size=15))
def test_forgetting_one_note_leaves_the_others(lines: list[str]) -> None:
    """For any file: the notes afterwards are those before but for the forgotten one, in order."""
    text = "\n".join(lines)
    notes = notes_in(text, MAIN)
    for note in notes[:3]:
        after = notes_in(without_note(text, note.id), MAIN)
        assert [n.text for n in after] == [n.text for n in notes if n.id != note.id]


@given(
    st.text(max_size=40)
    | st.lists(st.sampled_from(["- ", "1. ", "* ", "x", "<!--", "-->", "#", "\x1b", "\ufeff"])).map("".join)
)
@settings(max_examples=200, deadline=None)
def test_a_note_keeps_its_id_on_disk(text: str) -> None:
    """What is clean stays as it is, also below a bullet in a file; it holds no control character."""
    cleaned = clean(text)
    assert clean(cleaned) == cleaned
    assert not any(category(character) == "Cc" for character in cleaned)
    notes = notes_in(item_of(text, "by hand"), MAIN)
    assert [(note.text, note.origin) for note in notes] == ([(cleaned, "by hand")] if cleaned else [])


def test_a_file_with_a_byte_order_mark_is_read_as_one_without(memory: Memory) -> None:
    """Editors of Windows write one, and end lines in two characters."""
    by_hand(memory, "\ufeff# Title\r\n- first\r\n- second\r\n")
    assert [note.text for note in memory.notes()] == ["first", "second"]
    memory.forget(memory.notes()[0].id)
    assert [note.text for note in memory.notes()] == ["second"]


def test_bytes_that_are_no_utf8_outlive_changes_beside_them(memory: Memory) -> None:
    """A note in another encoding is shown with marks in their places, can be forgotten, and is not rewritten."""
    path = by_hand(memory, "- second\n")
    path.write_bytes(b"- caf\xe9\n- second\n")
    first, second = memory.notes()
    assert first.text == "caf\ufffd"
    memory.edit(second.id, "third", origin="by hand")
    assert path.read_bytes().startswith(b"- caf\xe9\n- third")
    memory.forget(first.id)
    assert b"caf" not in path.read_bytes()


def test_a_linked_file_stays_a_link(memory: Memory, tmp_path: Path) -> None:
    """Notes kept elsewhere are changed there; the last one forgotten is gone there, too."""
    kept = tmp_path / "kept.md"
    kept.write_text("- first\n- second\n", encoding="utf-8")
    memory.folder.mkdir()
    (memory.folder / MAIN).symlink_to(kept)
    first, second = memory.notes()
    memory.forget(first.id)
    assert (memory.folder / MAIN).is_symlink()
    assert kept.read_text(encoding="utf-8") == "- second\n"
    memory.forget(second.id)
    assert not kept.exists()
    memory.add("third", origin="by hand")
    assert "third" in kept.read_text(encoding="utf-8")
