from __future__ import annotations

import pytest

from dexter.context.compaction.parse import NoSummaryError, has_all_sections, read_summary
from tests.support.summarisers import MISBEHAVING, USABLE, answer, nine_sections, tagged


def test_draft_and_tags_are_left_out():
    """Only the nine sections remain."""
    assert read_summary(answer(tagged(nine_sections()))) == nine_sections()


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("says nothing", "nothing"),
        ("blank", "nothing"),
        ("empty tags", "empty"),
        ("no tags, no headings", "no summary"),
        ("cut off", "cut off"),
        ("never closes", "no end"),
        ("calls a tool", "tool"),
        ("calls a tool beside a summary", "tool"),
        ("refuses", "refusal"),
    ],
)
def test_a_useless_answer_says_why(name, reason):
    """Each fault has a reason a person understands."""
    with pytest.raises(NoSummaryError, match=reason):
        read_summary(MISBEHAVING[name])


@pytest.mark.parametrize("name", USABLE)
def test_a_usable_answer_is_used(name):
    """Whatever it holds, no tag is left in it."""
    summary = read_summary(MISBEHAVING[name])
    assert summary
    assert "<summary>" not in summary
    assert "</analysis>" not in summary


def test_a_fake_end_does_not_cut_the_summary():
    """A closing tag quoted from a page is not the end."""
    assert read_summary(MISBEHAVING["a fake end"]).endswith("9. Next steps: as far as known.")


@pytest.mark.parametrize("decorated", ["## {n}. {t}", "**{n}. {t}**", "{n}) {t}", "{n}. **{t}**:"])
def test_headings_are_known_however_they_are_decorated(decorated):
    """Markdown around number and title."""
    from dexter.context.compaction.parse import SECTIONS

    text = "\n".join(decorated.format(n=n, t=t) + "\nwords" for n, t in enumerate(SECTIONS, 1))
    assert has_all_sections(text)
    assert not has_all_sections(text.replace("Current state", "Where we are"))
