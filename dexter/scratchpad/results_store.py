"""Files of their own beside the scratchpad: large results, and conversations saved before a compaction.

They are named by number, never by anything a model sent, and a path is handed out only when the file is whole and
on the disk.
"""

from __future__ import annotations

import errno
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path

from dexter.scratchpad.file import FilePort, OpenFile, write_error


def persist_result(folder: Path, result: int, text: str, port: FilePort) -> Path:
    """Write a result's text as `7.txt`, or as `7-2.txt` where an interrupted run has left that name behind.

    Raises:
        ScratchpadError: Nothing usable was written.
    """
    names = (f"{result}.txt" if number == 1 else f"{result}-{number}.txt" for number in count(1))
    return _write_new(folder, names, text.encode("utf-8", "surrogatepass"), port)


def persist_transcript(folder: Path, lines: Iterable[bytes], port: FilePort) -> Path:
    """Write whole lines under the next free number, from `1.jsonl` on.

    Raises:
        ScratchpadError: Nothing usable was written.
    """
    return _write_new(folder, (f"{number}.jsonl" for number in count(1)), b"".join(lines), port)


def read_result_file(path: Path) -> str:
    """The text that `persist_result` wrote, to the byte.

    Raises:
        OSError: The file cannot be read.
        ValueError: It is damaged.
    """
    return path.read_bytes().decode("utf-8", "surrogatepass")


def _write_new(folder: Path, names: Iterator[str], data: bytes, port: FilePort) -> Path:
    path = folder
    try:
        port.make_folder(folder)
        path, file = _create(folder, names, port)
        _fill(path, file, data, port)
    except OSError as error:
        raise write_error(path, error) from error
    return path


def _create(folder: Path, names: Iterator[str], port: FilePort) -> tuple[Path, OpenFile]:
    for name in names:
        with suppress(FileExistsError):
            return folder / name, port.create(folder / name)
    raise AssertionError  # the names never end


def _fill(path: Path, file: OpenFile, data: bytes, port: FilePort) -> None:
    try:
        _write_all(file, data)
        file.sync()
    except BaseException:
        with suppress(OSError):  # half a result must not pass for a whole one
            port.remove(path)
        raise
    finally:
        file.close()


def _write_all(file: OpenFile, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        taken = file.write(rest)
        if taken <= 0:
            raise OSError(errno.EIO, "the system took no byte")
        rest = rest[taken:]
