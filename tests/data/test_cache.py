from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from dexter.data.cache import LIFETIMES, DiskCache
from dexter.data.response import Response

ROOT = Path(__file__).parents[2]


def answer(body: bytes, url: str = "http://x/1") -> Response:
    return Response(url, body, "application/json", "utf-8", "2026-03-01T00:00:00Z")


def only_file(folder: Path) -> Path:
    (found,) = [path for path in folder.rglob("*") if path.is_file()]
    return found


def test_what_is_kept_comes_back_whole(tmp_path: Path) -> None:
    """Body, media type, character set and the time it was retrieved."""
    cache = DiskCache(tmp_path / "c")
    assert cache.put("http://x/1", answer(b"\x00\n\xff" * 1000))
    entry = cache.get("http://x/1", "facts")
    assert entry is not None
    assert (entry.body, entry.media_type, entry.charset) == (b"\x00\n\xff" * 1000, "application/json", "utf-8")
    assert entry.retrieved_at == "2026-03-01T00:00:00Z"
    assert cache.get("http://x/2", "facts") is None


def test_each_kind_has_its_lifetime(tmp_path: Path) -> None:
    """Prices for minutes, filings for ever; an entry from the future is not trusted."""
    time = [0.0]
    cache = DiskCache(tmp_path, clock=lambda: time[0])
    for kind in LIFETIMES:
        cache.put(kind, answer(b"{}"))
    time[0] = 4 * 86400.0
    fresh = {kind for kind in LIFETIMES if (entry := cache.get(kind, kind)) and entry.fresh}
    assert fresh == {"filing"}
    time[0] = -86400.0
    entry = cache.get("filing", "filing")
    assert entry
    assert not entry.fresh


@given(cut=st.integers(min_value=0), body=st.binary(min_size=1, max_size=500))
def test_a_file_cut_anywhere_is_a_miss(tmp_path_factory, cut: int, body: bytes) -> None:
    """Half an entry is no entry, and does not come back."""
    folder = tmp_path_factory.mktemp("cut")
    cache = DiskCache(folder)
    cache.put("u", answer(body))
    path = only_file(folder)
    data = path.read_bytes()
    path.write_bytes(data[: cut % len(data)])
    assert cache.get("u", "facts") is None
    assert not path.exists()


def test_a_damaged_byte_is_a_miss(tmp_path: Path) -> None:
    """The checksum of the body is looked at."""
    cache = DiskCache(tmp_path)
    cache.put("u", answer(bytes(range(256)) * 10))
    path = only_file(tmp_path)
    data = bytearray(path.read_bytes())
    data[-20] ^= 1
    path.write_bytes(bytes(data))
    assert cache.get("u", "facts") is None


def test_the_least_used_go_when_the_limit_is_reached(tmp_path: Path) -> None:
    """An old entry that was read lately outlives a younger one that was not."""
    time = [100.0]
    cache = DiskCache(tmp_path, max_bytes=5200, clock=lambda: time[0])
    for name in "abc":
        cache.put(name, answer(os.urandom(1400)))
        time[0] += 10
    assert cache.get("a", "filing")
    time[0] += 10
    cache.put("d", answer(os.urandom(1400)))
    assert [name for name in "abcd" if cache.get(name, "filing")] == ["a", "c", "d"]
    assert cache.size() <= 5200


def test_entries_are_private_to_the_user(tmp_path: Path) -> None:
    """Folders 0700, files 0600."""
    DiskCache(tmp_path / "c").put("u", answer(b"{}"))
    modes = {oct(path.stat().st_mode & 0o777) for path in (tmp_path / "c").rglob("*") if path.is_file()}
    assert modes == {"0o600"}
    assert (tmp_path / "c").stat().st_mode & 0o777 == 0o700


def test_a_folder_that_is_none_makes_it_forgetful(tmp_path: Path) -> None:
    """Where nothing can be written the cache says so and does not fail."""
    (tmp_path / "file").write_text("in the way")
    cache = DiskCache(tmp_path / "file" / "c")
    assert cache.put("u", answer(b"{}")) is False
    assert cache.get("u", "facts") is None
    cache.drop("u")


def test_a_full_disk_leaves_nothing_behind(tmp_path: Path) -> None:
    """A write that the system refuses half-way is given up, its part removed, and the program goes on."""
    script = """
        import os, resource, signal, sys
        from pathlib import Path
        from dexter.data.cache import DiskCache
        from dexter.data.response import Response
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000))
        cache = DiskCache(Path(sys.argv[1]))
        kept = [cache.put(str(size), Response("u", os.urandom(size))) for size in (1000, 50000, 2000)]
        sys.exit(kept != [True, False, True])
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(script), str(tmp_path)], cwd=ROOT, check=False)
    assert done.returncode == 0
    assert len([path for path in tmp_path.rglob("*") if path.is_file()]) == 2


def test_two_processes_share_one_cache(tmp_path: Path) -> None:
    """Both write and read the same entries under a tight limit; every answer read is a whole one."""
    script = """
        import sys
        from pathlib import Path
        from dexter.data.cache import DiskCache
        from dexter.data.response import Response
        cache = DiskCache(Path(sys.argv[1]), max_bytes=4000)
        for turn in range(150):
            name = str(turn % 7)
            cache.put(name, Response(name, (name * 3000).encode() + sys.argv[2].encode()))
            entry = cache.get(name, "facts")
            assert entry is None or entry.body[:3000] == (name * 3000).encode(), entry
    """
    command = [sys.executable, "-c", textwrap.dedent(script), str(tmp_path)]
    both = [subprocess.Popen([*command, name], cwd=ROOT) for name in "ab"]
    assert [process.wait(60) for process in both] == [0, 0]
