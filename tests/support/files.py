"""File ports for tests: one that notes what is done in which order, and that can be told to fail."""

from __future__ import annotations

import errno
import os
from dataclasses import dataclass, field
from pathlib import Path

from dexter.scratchpad.file import OpenFile, RealFiles

Operation = tuple[str, object]


@dataclass
class WatchedFiles(RealFiles):
    """Real files whose writes and syncs are noted in `log` as ("write", bytes taken) and ("sync", None).

    `at_most` makes every write a short one; once `room` bytes are written, the disk is full; `broken_sync` makes every
    sync fail.
    """

    log: list[Operation] = field(default_factory=list)
    at_most: int | None = None
    room: int | None = None
    broken_sync: bool = False

    def create(self, path: Path) -> OpenFile:
        return _WatchedFile(super().create(path), self)

    def open_existing(self, path: Path) -> OpenFile:
        return _WatchedFile(super().open_existing(path), self)


@dataclass
class _WatchedFile:
    file: OpenFile
    port: WatchedFiles

    def write(self, data: bytes | memoryview) -> int:
        data = bytes(data)[: self.port.at_most]
        if self.port.room is not None:
            data = data[: self.port.room]
            if not data:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            self.port.room -= len(data)
        taken = self.file.write(data)
        self.port.log.append(("write", data[:taken]))
        return taken

    def sync(self) -> None:
        if self.port.broken_sync:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        self.file.sync()
        self.port.log.append(("sync", None))

    def close(self) -> None:
        self.file.close()
