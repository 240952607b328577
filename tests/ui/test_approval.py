"""A request is shown whole and literally; what is typed means what it says, and nothing else means yes."""

from __future__ import annotations

import re
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dexter.approval import ApprovalRequest, Decision, Proposal
from dexter.ui.approval import choices_line, decision_of, request_lines
from dexter.ui.literal import UNSAFE
from dexter.ui.render import plain_lines

DIFF = "--- old\n+++ new\n@@ -1 +1 @@\n-Revenue 10\n+Revenue 12\n unchanged"
REQUEST = ApprovalRequest(
    "c1", "edit_file", Proposal("change the file", "/r/a.md", "/r", DIFF), "the figure was restated", ("evil.example",)
)


def shown(request: ApprovalRequest) -> str:
    return "\n".join(text for line in (*request_lines(request), choices_line(request)) for text in plain_lines(line))


def test_everything_is_shown() -> None:
    """Tool, action, target, reason, origins and the whole diff, with the ways to answer."""
    assert shown(REQUEST) == (
        "? edit_file wants to change the file\n"
        "  /r/a.md\n"
        "  The model's reason: the figure was restated\n"
        "  Text that strangers wrote was read before, and may be behind this: evil.example\n"
        "  --- old\n  +++ new\n  @@ -1 +1 @@\n  -Revenue 10\n  +Revenue 12\n   unchanged\n"
        "? change the file /r/a.md?\n"
        "    y yes, once, s for this session (s, a: edit_file in /r), n no, or write what to do instead"
    )


@given(st.text(min_size=1))
def test_no_part_of_a_request_acts_on_the_terminal(text: str) -> None:
    """Paths, reasons, origins and diffs come out spelled, whatever they hold, and none is left out."""
    request = ApprovalRequest("c1", text, Proposal(text, text, text, text), text, (text,))
    assert not re.search(UNSAFE, shown(request))


@given(st.lists(st.text(string.ascii_letters + "+-@", min_size=1, max_size=30), min_size=1, max_size=300))
def test_no_line_of_a_diff_is_left_out(lines: list[str]) -> None:
    """However long it is."""
    request = ApprovalRequest("c1", "write_file", Proposal("create the file", "/r/a", "/r", "\n".join(lines)))
    assert [line.strip() for line in shown(request).split("\n")[2:-2]] == lines


@pytest.mark.parametrize(
    ("typed", "decision"),
    [
        ("y", Decision("once")),
        (" YES ", Decision("once")),
        ("s", Decision("session")),
        ("a", Decision("deny")),
        ("n", Decision("deny")),
        ("", Decision("deny")),
        ("yy", Decision("deny", "yy")),
        ("yes but in notes/", Decision("deny", "yes but in notes/")),
    ],
)
def test_what_a_typed_answer_means(typed: str, decision: Decision) -> None:
    """Only the words for yes are a yes, and only those that are offered; other words go to the model."""
    assert decision_of(typed, REQUEST) == decision
