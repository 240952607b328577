"""Answers kept on disk, for as long as their kind stays true."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
import time
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from dexter.data.response import Response

Kind = Literal[
    "tickers", "submissions", "facts", "filing", "search", "statements", "prices", "history", "frames", "news", "page"
]

_MINUTE, _HOUR, _DAY = 60.0, 3600.0, 86400.0

#: Seconds an answer stays fresh. A filing never changes once it is filed.
LIFETIMES: Mapping[Kind, float] = {
    "tickers": _DAY,
    "submissions": 15 * _MINUTE,
    "facts": _HOUR,
    "filing": float("inf"),
    "search": _HOUR,
    "statements": _HOUR,
    "prices": 5 * _MINUTE,
    "history": _DAY,
    "frames": _DAY,
    "news": 10 * _MINUTE,
    "page": _DAY,
}

_SUFFIX = ".entry"
_LEVEL = 3  # three quarters of the size of the best, at a third of its time
_SWEEP_TO = 0.9  # a sweep frees some room, so that not every write sweeps


@dataclass(frozen=True)
class CacheEntry:
    """A kept answer; `fresh` says whether it is younger than its kind's lifetime."""

    body: bytes
    media_type: str
    charset: str
    retrieved_at: str
    fresh: bool


class DiskCache:
    """A folder of answers, safe to share between processes, never in the way.

    Every entry is written aside and moved into place, and carries a checksum: a reader sees a whole entry or none. A
    folder that can't be written makes the cache forgetful, not the program fail. When the entries outgrow
    `max_bytes`, the ones unused for longest go.
    """

    def __init__(
        self,
        folder: Path,
        *,
        max_bytes: int = 512 * 1024 * 1024,
        lifetimes: Mapping[Kind, float] = LIFETIMES,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._folder = folder
        self._max_bytes = max_bytes
        self._lifetimes = lifetimes
        self._clock = clock

    def get(self, url: str, kind: Kind) -> CacheEntry | None:
        """The entry for `url`, fresh or not; None where there is none or its file is damaged."""
        path = self._path(url)
        try:
            data = path.read_bytes()
            age = self._clock() - path.stat().st_mtime
        except OSError:
            return None
        parts = _unpack(data)
        if parts is None:
            self.drop(url)
            return None
        head, body = parts
        self._mark_used(path)
        # An entry from the future tells of a clock that was set back: not to be trusted.
        fresh = -_MINUTE <= age < self._lifetimes[kind]
        return CacheEntry(
            body, head.get("media_type", ""), head.get("charset", ""), head.get("retrieved_at", ""), fresh
        )

    def put(self, url: str, response: Response) -> bool:
        """Keep an answer; False where the disk refuses, which is no reason to stop."""
        head = {
            "url": url,
            "media_type": response.media_type,
            "charset": response.charset,
            "retrieved_at": response.retrieved_at,
        }
        try:
            self._write(self._path(url), _pack(head, response.body))
            self._sweep()
        except OSError:
            return False
        return True

    def drop(self, url: str) -> None:
        """Forget the entry for `url`."""
        with contextlib.suppress(OSError):
            self._path(url).unlink(missing_ok=True)

    def size(self) -> int:
        """Bytes on disk in all entries."""
        return sum(stat.st_size for _, stat in self._entries())

    def _path(self, url: str) -> Path:
        digest = hashlib.sha256(url.encode("utf-8", errors="surrogatepass")).hexdigest()
        return self._folder / digest[:2] / f"{digest[2:40]}{_SUFFIX}"

    def _write(self, path: Path, data: bytes) -> None:
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.parent.mkdir(mode=0o700, exist_ok=True)
        handle, aside = tempfile.mkstemp(dir=path.parent, prefix=".new-")  # mkstemp makes it private to the user
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            now = self._clock()
            os.utime(aside, (now, now))
            Path(aside).replace(path)
        except OSError:
            Path(aside).unlink(missing_ok=True)
            raise

    def _mark_used(self, path: Path) -> None:
        """The access time says when an entry was last of use; the modification time stays its age."""
        with contextlib.suppress(OSError):
            os.utime(path, ns=(int(self._clock() * 1e9), path.stat().st_mtime_ns))

    def _sweep(self) -> None:
        entries = sorted(self._entries(), key=lambda entry: entry[1].st_atime)
        total = sum(stat.st_size for _, stat in entries)
        if total <= self._max_bytes:
            return
        for path, stat in entries:
            path.unlink(missing_ok=True)
            total -= stat.st_size
            if total <= self._max_bytes * _SWEEP_TO:
                return

    def _entries(self) -> Iterator[tuple[Path, os.stat_result]]:
        for path in self._folder.glob(f"*/*{_SUFFIX}"):
            with contextlib.suppress(OSError):
                yield path, path.stat()


def _pack(head: Mapping[str, str], body: bytes) -> bytes:
    packed = zlib.compress(body, _LEVEL)
    meta = {**head, "packed": len(packed)}
    return json.dumps(meta).encode() + b"\n" + packed


def _unpack(data: bytes) -> tuple[dict[str, str], bytes] | None:
    """The parts of an entry; None unless it is whole. zlib's own checksum covers the body."""
    head, separator, packed = data.partition(b"\n")
    try:
        meta = json.loads(head)
        if not separator or meta["packed"] != len(packed):
            return None
        return {key: value for key, value in meta.items() if isinstance(value, str)}, zlib.decompress(packed)
    except (ValueError, KeyError, TypeError, zlib.error):
        return None
