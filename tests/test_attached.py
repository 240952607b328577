from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dexter.attached import as_typed, with_material

LINES = st.text().filter(lambda line: "material" not in line)


@given(LINES, st.lists(st.tuples(st.text(), st.text())))
def test_what_was_typed_is_found_again(line: str, pieces: list[tuple[str, str]]):
    """However many pieces of whatever text and name a line takes along."""
    assert as_typed(with_material(line, pieces)) == line
    assert as_typed(line) == line
