from __future__ import annotations

import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dexter.errors import ScratchpadError
from dexter.scratchpad.lines import encode_line
from dexter.scratchpad.reader import BadLine, Line, iterate_lines, read, read_lines
from tests.support.shared import shared

GOOD = b'{"type":"x","timestamp":"t"}\n'


def lines_of(data: bytes, **options: int) -> list[Line | BadLine]:
    return list(iterate_lines(io.BytesIO(data), **options))


@pytest.mark.parametrize(
    ("damaged", "reason"),
    [
        (b'{"type":"x","timest\n', "not JSON"),
        (b"\0" * 40 + b"\n", "NUL bytes"),
        (b'{"type":"x"\0\0\0\0:"t"}\n', "NUL bytes"),
        (b'{"type":"x","timestamp":"\xff"}\n', "not UTF-8"),
        (GOOD[:-1] + GOOD, "not JSON"),
        (b"[" * 100_000 + b"\n", "nested too deeply"),
        (b"[1]\n", "not an object"),
        (b"12\n", "not an object"),
        (b'{"timestamp":"t"}\n', "no type"),
        (b'{"type":7,"timestamp":"t"}\n', "no type"),
        (b'{"type":"x"}\n', "no timestamp"),
        (b'{"type":"x","timestamp":' + b"9" * 5000 + b"}\n", "not JSON"),
    ],
)
def test_a_damaged_line_costs_only_itself(damaged, reason):
    """The lines around it are read, and where it was and why is told."""
    before, bad, after = lines_of(GOOD + damaged + GOOD)
    assert isinstance(before, Line)
    assert bad == BadLine(len(GOOD), len(damaged), reason)
    assert isinstance(after, Line)
    assert after.offset == len(GOOD + damaged)


def test_a_half_written_last_line_is_told_as_cut_off():
    """A run that was killed while writing, or goes on writing right now."""
    assert lines_of(GOOD + GOOD[:9])[1] == BadLine(len(GOOD), 9, "cut off")


def test_a_whole_last_line_counts_though_its_newline_is_missing():
    """An object that is complete lost nothing."""
    assert len([line for line in lines_of(GOOD + GOOD[:-1]) if isinstance(line, Line)]) == 2


def test_only_a_newline_ends_a_line():
    """Separators that `splitlines` takes for line ends are text here, whoever wrote them raw."""
    text = "a\u2028b\u0085c\u2029d\x1c"
    raw = json.dumps({"type": "x", "timestamp": "t", "content": text}, ensure_ascii=False).encode() + b"\n"
    (line,) = lines_of(raw)
    assert isinstance(line, Line)
    assert line.record["content"] == text


def test_types_and_keys_of_a_later_version_are_kept():
    """What this version does not know is no error and is not dropped."""
    (line,) = lines_of(b'{"type":"hologram","timestamp":"t","depth":[3]}\n')
    assert isinstance(line, Line)
    assert (line.type, line.record["depth"]) == ("hologram", [3])


def test_a_file_without_newlines_does_not_fill_the_memory():
    """A line over the limit is skipped piece by piece and counted once."""
    lines = lines_of(GOOD + b"x" * 1000 + b"\n" + GOOD + b"y" * 300, longest=64)
    assert [line.reason if isinstance(line, BadLine) else line.type for line in lines] == [
        "x",
        "too long",
        "x",
        "too long",
    ]
    assert [line.offset for line in lines] == [0, 29, 29 + 1001, 29 + 1001 + 29]


@st.composite
def damaged_files(draw: st.DrawFn) -> tuple[list[bytes], dict[int, bytes]]:
    """Lines of a scratchpad, and what some of them were turned into."""
    texts = draw(st.lists(st.text(max_size=20), min_size=1, max_size=12))
    lines = [encode_line("thinking", "t", {"content": text}) for text in texts]
    damage: dict[int, bytes] = {}
    for index in draw(st.sets(st.integers(0, len(lines) - 1))):
        line = lines[index]
        at = draw(st.integers(1, len(line) - 2))
        kind = draw(st.sampled_from(["cut", "zeroed", "garbled"]))
        if kind == "cut":
            damage[index] = line[:at] + b"\n"
        elif kind == "zeroed":
            damage[index] = line[:at] + b"\0" * (len(line) - at - 1) + b"\n"
        else:
            damage[index] = line[:at] + b"\xff" + line[at + 1 :]
    return lines, damage


@given(damaged_files())
def test_under_random_damage_the_count_is_true(case):
    """Every damaged line is counted, every other one is read, in order and with its right place."""
    lines, damage = case
    data = [damage.get(index, line) for index, line in enumerate(lines)]
    found = lines_of(b"".join(data))
    assert [isinstance(line, BadLine) for line in found] == [index in damage for index in range(len(lines))]
    assert [line.offset for line in found] == [sum(map(len, data[:index])) for index in range(len(data))]


@given(st.binary())
def test_no_bytes_whatever_make_the_reader_fail(data):
    """Reading anything at all raises nothing and loses no byte between the lines."""
    found = lines_of(data)
    ends = [line.offset + line.length for line in found]
    assert all(
        data[end : line.offset].isspace() or end == line.offset for end, line in zip([0, *ends], found, strict=False)
    )


def test_a_scratchpad_of_the_original_tool_is_read_without_a_skipped_line():
    """Written by the original program itself."""
    (path,) = shared("data/original_scratchpads").glob("*.jsonl")
    reading = read(path)
    assert reading.bad == ()
    assert [line.type for line in reading.lines].count("tool_result") == 6
    assert reading.lines[0].record["content"] == "Compare NVDA and AMD revenue in fiscal 2025 and 2026"


def test_reading_goes_on_from_a_known_place(tmp_path):
    """A reader that follows a file need not begin again, and places count from the file's beginning."""
    (tmp_path / "run.jsonl").write_bytes(GOOD * 3)
    (last,) = read_lines(tmp_path / "run.jsonl", start=2 * len(GOOD))
    assert last.offset == 2 * len(GOOD)


def test_a_file_that_is_not_there_is_told_with_a_remedy(tmp_path):
    """No traceback: a sentence and a command."""
    with pytest.raises(ScratchpadError, match="No such file") as caught:
        read(tmp_path / "gone.jsonl")
    assert "dexter runs" in caught.value.remedy
