"""The streams of a session of plain lines: lines in pieces, from files and pipes; output that breaks."""

from __future__ import annotations

import asyncio
import contextlib
import os
from pathlib import Path

from dexter.session.streams import LineReader, Output


async def _all(reader: LineReader) -> list[str]:
    lines = []
    while (line := await reader.line()) is not None:
        lines.append(line)
    return lines


def test_lines_come_whole_however_they_are_cut():
    """Letters and line ends cut between two reads, a last line without its end, bytes that are no text."""
    read, write = os.pipe()
    with os.fdopen(read, encoding="utf-8") as stream:

        async def talk() -> list[str]:
            reading = asyncio.create_task(_all(LineReader(stream)))
            for piece in (b"one\r", "\ntwo 比".encode()[:-1], "比".encode()[-1:] + b"\n\n", b"\xff last"):
                os.write(write, piece)
                await asyncio.sleep(0.01)
            os.close(write)
            return await reading

        assert asyncio.run(talk()) == ["one", "two 比", "", "\N{REPLACEMENT CHARACTER} last"]


def test_a_file_is_read_to_its_end(tmp_path: Path):
    """A regular file can't be waited for, and needn't be."""
    (tmp_path / "lines").write_text("one\ntwo\n")
    with (tmp_path / "lines").open() as stream:
        assert asyncio.run(_all(LineReader(stream))) == ["one", "two"]


def test_a_read_is_broken_off_or_cancelled():
    """`end` gives whoever waits None; a cancelled read leaves the next line to the next read."""
    read, write = os.pipe()
    with os.fdopen(read) as stream, os.fdopen(write, "w"):

        async def talk() -> tuple[str | None, str | None]:
            reader = LineReader(stream)
            first = asyncio.create_task(reader.line())
            await asyncio.sleep(0.01)
            first.cancel()
            await asyncio.wait([first])
            os.write(write, b"kept\n")
            kept = await reader.line()
            last = asyncio.create_task(reader.line())
            await asyncio.sleep(0.01)
            reader.end()
            return kept, await last

        assert asyncio.run(talk()) == ("kept", None)


def test_output_that_breaks_is_told_once():
    """The first failure is told, what is written afterwards is dropped."""
    failures: list[OSError] = []
    with contextlib.suppress(OSError), Path("/dev/full").open("w") as stream:  # closing it flushes once more
        output = Output(stream, failures.append)
        for _ in range(3):
            output.write("text\n")
            output.flush()
    assert len(failures) == 1
