from __future__ import annotations

import tomllib

from hypothesis import given
from hypothesis import strategies as st

from dexter.config.toml_lines import line_of

_names = st.from_regex(r"[a-z][a-z_0-9]{0,8}", fullmatch=True)
_filler = st.sampled_from(["", "# sec.contact = 1", "  # x"])


@given(st.dictionaries(_names, st.dictionaries(_names, st.integers(), min_size=1, max_size=4), max_size=4), st.data())
def test_the_line_of_any_setting_is_found(tables: dict[str, dict[str, int]], data: st.DataObject):
    """In a file of tables with comments and blank lines between, each key is found on the line that sets it."""
    lines: list[str] = []
    expected: dict[tuple[str, str], int] = {}
    for table, values in tables.items():
        lines.append(f"[{table}]")
        for key, value in values.items():
            lines.append(data.draw(_filler))
            lines.append(f"{key} = {value}")
            expected[(table, key)] = len(lines)
    text = "\n".join(lines)
    assert tomllib.loads(text) == tables
    assert {path: line_of(text, path) for path in expected} == expected


def test_keys_inside_a_multi_line_string_are_text():
    """What looks like a key within a string is not one."""
    text = 'model = """\nmax_turns = 3\n"""\nmax_turns = 4\n'
    assert line_of(text, ["max_turns"]) == 4


def test_an_inline_table_is_named_by_its_own_line():
    """`sec = { contact = 1 }` is the line of `sec.contact`."""
    assert line_of("\nsec = { contact = 1 }\n", ["sec", "contact"]) == 2


def test_quoted_keys_count():
    """Quotes around a key change nothing."""
    assert line_of('[sec]\n"contact" = 1\n', ["sec", "contact"]) == 2


def test_a_key_that_is_nowhere_has_no_line():
    """Nothing is guessed."""
    assert line_of("a = 1\n", ["b"]) is None
