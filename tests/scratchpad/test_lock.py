from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from dexter.errors import ScratchpadError
from dexter.scratchpad.lock import RunLock, is_locked

_HOLD = """
import sys
from pathlib import Path
from dexter.scratchpad.lock import RunLock
lock = RunLock.acquire(Path(sys.argv[1]))
print("held", flush=True)
sys.stdin.read()
"""


def hold_in_another_process(path: Path) -> subprocess.Popen[str]:
    root = Path(__file__).parents[2]
    command = [sys.executable, "-c", _HOLD, str(path)]
    child = subprocess.Popen(command, cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    assert child.stdout.readline() == "held\n"
    return child


def test_a_second_process_is_refused_with_a_sentence(tmp_path):
    """Two processes resuming one run would both write to it; the second is told who has it."""
    path = tmp_path / "run.lock"
    with hold_in_another_process(path) as child:
        assert is_locked(path)
        with pytest.raises(ScratchpadError, match=f"run run is being worked on by another process .{child.pid}."):
            RunLock.acquire(path)
        child.kill()
    assert not is_locked(path)


def test_a_lock_holds_on_a_full_disk(tmp_path):
    """Its holder's name does not fit any more; the lock needs no room."""
    full = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))"
    lock = "from pathlib import Path; from dexter.scratchpad.lock import RunLock, is_locked"
    take = f"path = Path({str(tmp_path / 'run.lock')!r}); lock = RunLock.acquire(path); print(is_locked(path))"
    program = [sys.executable, "-c", f"{full}; {lock}; {take}"]
    done = subprocess.run(program, cwd=Path(__file__).parents[2], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("True\n", "")


def test_a_killed_process_leaves_the_run_free(tmp_path):
    """The lock dies with its holder; nobody has to remove a file."""
    path = tmp_path / "run.lock"
    with hold_in_another_process(path) as child:
        child.kill()
        child.wait()
        RunLock.acquire(path).release()


def test_a_released_lock_can_be_taken_again(tmp_path):
    """Also in the same process; the file stays."""
    path = tmp_path / "run.lock"
    with RunLock.acquire(path):
        assert is_locked(path)
    with RunLock.acquire(path):
        assert path.read_text() == f"{os.getpid()}\n"
    assert not is_locked(path)


def test_a_run_without_a_lock_file_is_free(tmp_path):
    """The original's scratchpads never had one."""
    assert not is_locked(tmp_path / "none.lock")


def test_a_lock_is_given_back_once_and_when_it_is_forgotten(tmp_path):
    """Released twice it closes nobody else's file; a lock no one holds any more is free, and so is its descriptor."""
    path = tmp_path / "run.lock"
    lock = RunLock.acquire(path)
    lock.release()
    other = os.open(tmp_path, os.O_RDONLY)
    lock.release()
    os.fstat(other)
    os.close(other)
    held = RunLock.acquire(path)
    assert is_locked(path)
    del held
    assert not is_locked(path)
