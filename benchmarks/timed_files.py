"""Real files whose time in fsync is summed, so that the disk's share can be told apart."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

from dexter.scratchpad.file import OpenFile, RealFiles


@dataclass
class TimedFiles(RealFiles):
    """`synced_s` is the time spent in fsync, `synced_cpu_s` the processor's share of it, `syncs` how often."""

    synced_s: float = 0.0
    synced_cpu_s: float = 0.0
    syncs: int = 0

    def create(self, path: Path) -> OpenFile:
        return TimedFile(super().create(path), self)


@dataclass
class TimedFile:
    file: OpenFile
    port: TimedFiles

    def write(self, data: bytes | memoryview) -> int:
        return self.file.write(data)

    def sync(self) -> None:
        started, cpu = time.perf_counter(), time.process_time()
        self.file.sync()
        self.port.synced_cpu_s += time.process_time() - cpu
        self.port.synced_s += time.perf_counter() - started
        self.port.syncs += 1

    def close(self) -> None:
        self.file.close()
