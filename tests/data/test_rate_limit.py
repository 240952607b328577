from __future__ import annotations

import asyncio
import subprocess
import sys
import textwrap
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from dexter.data.rate_limit import FileRateLimiter

ROOT = Path(__file__).parents[2]


class Time:
    """A clock that only sleeping moves."""

    def __init__(self, now: float = 1000.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.now += max(seconds, 1e-6)


def moments(path: Path, time: Time, gaps: list[float], limiters: int = 1) -> list[float]:
    """When each request was let through, by limiters that take turns."""
    several = [FileRateLimiter(path, clock=time, sleep=time.sleep) for _ in range(limiters)]

    async def run() -> list[float]:
        seen = []
        for index, gap in enumerate(gaps):
            time.now += gap
            await several[index % limiters].acquire()
            seen.append(time.now)
        return seen

    return asyncio.run(run())


def most_within_a_second(seen: list[float]) -> int:
    ordered = sorted(seen)
    return max(sum(1 for other in ordered if start <= other < start + 1 - 1e-9) for start in ordered)


@given(gaps=st.lists(st.floats(min_value=0, max_value=0.3), min_size=1, max_size=60), limiters=st.integers(1, 3))
def test_no_second_holds_more_than_ten(tmp_path_factory, gaps: list[float], limiters: int) -> None:
    """Whatever the rhythm, and however many share the file."""
    path = tmp_path_factory.mktemp("rate") / "r"
    assert most_within_a_second(moments(path, Time(), gaps, limiters)) <= 10


def test_ten_at_once_need_not_wait(tmp_path: Path) -> None:
    """The limit is a budget for a second, not a pace."""
    time = Time()
    assert moments(tmp_path / "r", time, [0.0] * 10) == [1000.0] * 10
    assert moments(tmp_path / "r", time, [0.0])[0] == 1001.0


def test_a_file_of_nonsense_does_not_stop_anyone(tmp_path: Path) -> None:
    """Bytes that are no moments, or moments of another boot, are forgotten."""
    for content in (b"garbage!" * 50, b"\xff" * 80, b"\x00\x00\x00\x00\x00\x00\xf8\x7f" * 10, b"abc"):
        (tmp_path / "r").write_bytes(content)
        assert moments(tmp_path / "r", Time(), [0.0])[0] <= 1001.0


def test_without_a_file_the_limit_holds_in_the_process(tmp_path: Path) -> None:
    """A read-only disk is no licence to ask faster."""
    (tmp_path / "file").write_text("in the way")
    assert most_within_a_second(moments(tmp_path / "file" / "r", Time(), [0.0] * 25)) == 10


def test_processes_share_the_limit(tmp_path: Path) -> None:
    """Three processes with eight requests each: no second of real time holds more than ten."""
    script = """
        import asyncio, sys, time
        from pathlib import Path
        from dexter.data.rate_limit import FileRateLimiter
        async def run():
            limiter = FileRateLimiter(Path(sys.argv[1]))
            for _ in range(8):
                await limiter.acquire()
                print(time.monotonic(), flush=True)
        asyncio.run(run())
    """
    command = [sys.executable, "-c", textwrap.dedent(script), str(tmp_path / "r")]
    started = [subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    seen = sorted(float(line) for process in started for line in process.communicate(timeout=60)[0].split())
    assert len(seen) == 24
    # The eleventh is let through a second after the first; what is printed may lag a little behind.
    assert all(later - earlier > 0.9 for earlier, later in zip(seen, seen[10:], strict=False))
