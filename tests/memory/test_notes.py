from __future__ import annotations

import errno
import fcntl
import multiprocessing
import os
import resource
import signal
import stat
import threading
from datetime import UTC, datetime

from dexter.memory.notes import DailyNotes

NOW = datetime(2026, 11, 30, 9, 5, tzinfo=UTC)


def _write(folder, writer, count):
    notes = DailyNotes(folder, lambda: NOW)
    for number in range(count):
        notes.append(f"- writer {writer} note {number} " + "x" * 500, origin="test")


def _write_with_little_room(folder):
    """Files may have 300 bytes; exits with the error's number."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (300, 300))
    try:
        _write(folder, 1, 1)
    except OSError as error:
        raise SystemExit(error.errno) from error


def _waiting_writer(notes):
    """A thread that has opened the file and waits for its lock."""
    writer = threading.Thread(target=notes.append, args=("- second",), kwargs={"origin": "o"})
    writer.start()
    writer.join(0.5)
    return writer


def test_a_days_notes_are_one_markdown_file(tmp_path):
    """A title, then each entry with time and origin."""
    notes = DailyNotes(tmp_path / "memory", lambda: NOW)
    notes.append("- likes tables", origin="memory flush")
    path = notes.append("- holds NVDA\n", origin="user")
    assert path.name == "2026-11-30.md"
    assert path.read_text() == (
        "# 2026-11-30\n\n## 09:05 memory flush\n\n- likes tables\n\n## 09:05 user\n\n- holds NVDA\n"
    )


def test_another_day_is_another_file(tmp_path):
    """The clock's day names the file."""
    days = iter([NOW, datetime(2026, 12, 1, 0, 0, tzinfo=UTC)])
    notes = DailyNotes(tmp_path, lambda: next(days))
    assert [notes.append("- x", origin="o").name for _ in range(2)] == ["2026-11-30.md", "2026-12-01.md"]


def test_notes_are_private(tmp_path):
    """Folder 0700, file 0600, whatever the umask."""
    old = os.umask(0)
    try:
        path = DailyNotes(tmp_path / "a" / "memory", lambda: NOW).append("- x", origin="o")
    finally:
        os.umask(old)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_nothing_is_lost_when_processes_write_at_once(tmp_path):
    """Four processes, twenty notes each: eighty whole entries and one title."""
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=_write, args=(tmp_path, writer, 20)) for writer in range(4)]
    for process in writers:
        process.start()
    for process in writers:
        process.join()
    text = (tmp_path / "2026-11-30.md").read_text()
    assert text.count("# 2026-11-30\n") == 1
    for writer in range(4):
        for number in range(20):
            assert f"- writer {writer} note {number} {'x' * 500}\n" in text


def test_an_editor_that_replaces_the_file_meanwhile_loses_nothing(tmp_path):
    """The entry goes to the file that has the name when the lock is held."""
    notes = DailyNotes(tmp_path, lambda: NOW)
    path = notes.append("- first", origin="o")
    with path.open("rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        writer = _waiting_writer(notes)
        edited = tmp_path / "edited.md"
        edited.write_text(path.read_text() + "\nby hand\n")
        edited.replace(path)
    writer.join(10)
    assert "by hand" in path.read_text()
    assert "- second" in path.read_text()


def test_a_writer_waits_for_the_one_before(tmp_path):
    """While another process holds the file nothing is added; then the entry comes, whole."""
    notes = DailyNotes(tmp_path, lambda: NOW)
    path = notes.append("- first", origin="o")
    with path.open("rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        before = path.read_text()
        writer = _waiting_writer(notes)
        assert path.read_text() == before
    writer.join(10)
    assert path.read_text().endswith("- second\n")


def test_a_full_disk_leaves_no_half_entry(tmp_path):
    """Only part of an entry fits: the file is as long as before, and the caller is told."""
    path = DailyNotes(tmp_path, lambda: NOW).append("- first", origin="o")
    before = path.read_bytes()
    process = multiprocessing.get_context("spawn").Process(target=_write_with_little_room, args=(tmp_path,))
    process.start()
    process.join()
    assert process.exitcode == errno.EFBIG
    assert path.read_bytes() == before


def test_lone_surrogates_do_not_stop_a_note(tmp_path):
    """What no file can hold is written as a question mark."""
    assert "- ?" in DailyNotes(tmp_path, lambda: NOW).append("- \ud800", origin="o").read_text()
