from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dexter.errors import ExitStatus, ScratchpadError
from dexter.scratchpad.file import LineFile, RealFiles, Span, write_error
from tests.support.files import WatchedFiles


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_files_and_folders_are_private_to_the_user(tmp_path):
    """A new scratchpad is 0600 and the folders made for it 0700; a folder that was there keeps its mode."""
    tmp_path.chmod(0o755)
    LineFile.create(tmp_path / "a" / "b" / "run.jsonl", RealFiles()).close()
    assert mode(tmp_path / "a" / "b" / "run.jsonl") == 0o600
    assert [mode(tmp_path / "a"), mode(tmp_path / "a" / "b"), mode(tmp_path)] == [0o700, 0o700, 0o755]


def test_a_name_that_is_taken_is_never_opened(tmp_path):
    """Creating is exclusive."""
    (tmp_path / "run.jsonl").write_bytes(b"theirs\n")
    with pytest.raises(FileExistsError):
        LineFile.create(tmp_path / "run.jsonl", RealFiles())
    assert (tmp_path / "run.jsonl").read_bytes() == b"theirs\n"


def test_an_append_is_one_write_of_the_whole_line_and_then_a_sync(tmp_path):
    """The line goes out whole in one write; only after the sync does append return."""
    port = WatchedFiles()
    file = LineFile.create(tmp_path / "run.jsonl", port)
    assert file.append(b'{"a":1}\n') == Span(0, 8)
    assert port.log == [("write", b'{"a":1}\n'), ("sync", None)]
    assert file.append(b"{}\n", sync=False) == Span(8, 3)
    assert port.log[2:] == [("write", b"{}\n")]


def test_a_short_write_is_carried_on_before_the_sync(tmp_path):
    """When the system takes a part only, the rest follows, and the sync comes after all of it."""
    port = WatchedFiles(at_most=3)
    file = LineFile.create(tmp_path / "run.jsonl", port)
    file.append(b'{"a":1}\n')
    assert [name for name, _ in port.log] == ["write", "write", "write", "sync"]
    assert (tmp_path / "run.jsonl").read_bytes() == b'{"a":1}\n'


def test_a_full_disk_is_told_with_a_remedy_and_ends_the_record(tmp_path):
    """After a failed append no further line is taken, so that nothing unrecorded can enter the view; status 1."""
    port = WatchedFiles(room=5)
    file = LineFile.create(tmp_path / "run.jsonl", port)
    with pytest.raises(ScratchpadError, match="disk is full") as caught:
        file.append(b'{"a":1}\n')
    assert "Free some space" in caught.value.remedy
    assert caught.value.exit_status is ExitStatus.FAILED
    port.room = None
    with pytest.raises(ScratchpadError, match="disk is full"):
        file.append(b"{}\n")
    assert (tmp_path / "run.jsonl").read_bytes() == b'{"a":'


def test_a_closing_line_after_a_failure_stands_on_a_line_of_its_own(tmp_path):
    """How the run ended can still be noted once there is room, without touching the broken line."""
    port = WatchedFiles(room=5)
    file = LineFile.create(tmp_path / "run.jsonl", port)
    with pytest.raises(ScratchpadError):
        file.append(b'{"a":1}\n')
    assert not file.append_last(b'{"end":1}\n')
    port.room = None
    assert file.append_last(b'{"end":1}\n')
    assert (tmp_path / "run.jsonl").read_bytes() == b'{"a":\n{"end":1}\n'


def test_a_failed_sync_is_a_failed_append(tmp_path):
    """A line that may not have reached the disk does not count as written."""
    file = LineFile.create(tmp_path / "run.jsonl", WatchedFiles(broken_sync=True))
    with pytest.raises(ScratchpadError):
        file.append(b"{}\n")
    assert file.failure is not None


@pytest.mark.parametrize(("before", "after"), [(b"", b"{}\n"), (b"{}\n", b"{}\n{}\n"), (b'{"ty', b'{"ty\n{}\n')])
def test_an_append_never_lands_on_a_line_that_was_cut_off(tmp_path, before, after):
    """Killed while writing, the next process begins a new line."""
    (tmp_path / "run.jsonl").write_bytes(before)
    span = LineFile.reopen(tmp_path / "run.jsonl", RealFiles()).append(b"{}\n")
    assert (tmp_path / "run.jsonl").read_bytes() == after
    assert span == Span(len(after) - 3, 3)


@given(st.lists(st.binary(max_size=8).map(lambda b: b.replace(b"\n", b"") + b"\n"), max_size=8), st.data())
def test_what_is_in_the_file_is_always_a_prefix_of_what_comes_later(tmp_path_factory, lines, data):
    """Whatever fails or is cut short between the appends, no byte that was there ever changes."""
    path = tmp_path_factory.mktemp("run") / "run.jsonl"
    port = WatchedFiles()
    file = LineFile.create(path, port)
    for line in lines:
        before = path.read_bytes()
        port.at_most = data.draw(st.none() | st.integers(1, 4))
        port.room = data.draw(st.none() | st.integers(0, 8))
        try:
            span = file.append(line)
        except ScratchpadError:
            file = LineFile.reopen(path, port)
        else:
            assert path.read_bytes()[span.offset :] == line
        assert path.read_bytes().startswith(before)


def test_a_missing_file_cannot_be_reopened(tmp_path):
    """The error is a sentence that names the file."""
    with pytest.raises(ScratchpadError, match=r"gone\.jsonl could not be written: it is not there"):
        LineFile.reopen(tmp_path / "gone.jsonl", RealFiles())


def test_a_real_sync_reaches_the_system(tmp_path):
    """A pipe takes the bytes but cannot be synced: the append fails, so the system was really asked."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    file = LineFile(path, RealFiles().open_existing(path))
    file.append(b"{}\n", sync=False)
    with pytest.raises(ScratchpadError, match="Invalid argument"):
        file.append(b"{}\n")
    file.close()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs the device that is always full")
def test_a_really_full_device_is_told_with_a_remedy():
    """The system's own error, not one made up for a test."""
    file = LineFile(Path("/dev/full"), RealFiles().open_existing(Path("/dev/full")))
    with pytest.raises(ScratchpadError, match="/dev/full could not be written: the disk is full"):
        file.append(b"{}\n")
    file.close()


_WRITE_AS_NOBODY = """
import os, sys
from pathlib import Path
from dexter.errors import ScratchpadError
from dexter.scratchpad.file import LineFile, RealFiles
if os.getuid() == 0:
    os.setgid(65534)
    os.setuid(65534)
try:
    LineFile.create(Path(sys.argv[1]) / "run.jsonl", RealFiles())
except ScratchpadError as error:
    print(error.message, error.remedy, sep="|")
"""


def test_a_read_only_folder_is_told_with_a_remedy(tmp_path):
    """A real folder without write permission, tried by a user who is not root."""
    folder = Path(os.path.realpath(tmp_path)) / "locked"
    folder.mkdir(mode=0o555)
    for parent in [folder, *folder.parents][1:4]:
        if parent.stat().st_uid == os.getuid():
            parent.chmod(parent.stat().st_mode | 0o011)
    root = Path(__file__).parents[2]
    command = [sys.executable, "-c", _WRITE_AS_NOBODY, str(folder)]
    child = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert "you may not write there.|Mend the permissions" in child.stdout, child.stderr
    assert list(folder.iterdir()) == []


def test_too_many_open_files_are_no_matter_of_the_disk():
    """A batch that asks hundreds at a time is told to ask fewer; another folder would not help."""
    told = write_error(Path("x.jsonl"), OSError(errno.EMFILE, "Too many open files"))
    assert told.message == "x.jsonl could not be written: too many files are open."
    assert told.remedy == "Ask fewer at a time (`-j`), or raise the limit (`ulimit -n`)."
