from __future__ import annotations

from dexter.context.groups import groups_of
from dexter.context.stages.snip import Snip
from dexter.messages import UserMessage, is_well_paired
from tests.support.stage_views import Script, shape

STAGE = Snip()


def _run(script):
    return STAGE(script.view, script.ctx())


def _marker(view):
    return next(m for m in view if isinstance(m, UserMessage) and m.kind == "snip")


def _forty_rounds():
    script = Script().q()
    for i in range(1, 41):
        script.a(500)
        if i == 10:
            script.u()
    return script


def test_the_middle_gives_way_to_a_marker_and_the_users_line():
    """82 messages: Q A1 #1, a marker for 34 with results #2–#18, the line typed, and the newest 44: 49 in all."""
    script = _forty_rounds()
    result = _run(script)
    assert len(result.messages) - 1 == 49
    assert shape(result.messages[:6]) == "Q A #1 H(snip) U"
    assert shape(result.messages).endswith("U " + " ".join(f"A #{n}" for n in range(19, 41)))
    marker = _marker(result.messages)
    assert marker.text.startswith("[snipped 34 messages]")
    assert "#2–#18" in marker.text
    assert result.report.snipped == 34
    assert result.report.lost == tuple(range(2, 19))
    assert is_well_paired(result.messages)
    assert STAGE(result.messages, script.ctx()).messages is result.messages


def test_fifty_messages_are_not_too_many():
    """The limit itself is allowed; all results of one turn are one message."""
    script = Script().q()
    for _ in range(24):
        script.a(100, 100, 100)
    script.u()
    view = script.view
    assert len(groups_of(view[1:])) == 50
    assert STAGE(view, script.ctx()).messages is view
    assert STAGE(script.u().view, script.ctx()).report is not None


def test_an_older_marker_is_merged():
    """There is one marker, which counts and names what both stand for."""
    script = _forty_rounds()
    script.messages = list(_run(script).messages)
    for _ in range(5):
        script.a(500)
    result = _run(script)
    marker = _marker(result.messages)
    assert [m.kind for m in result.messages if isinstance(m, UserMessage)].count("snip") == 1
    assert marker.covers[0][0] == 2
    assert marker.text.startswith(f"[snipped {34 + (marker.covers[0][1] - 18) * 2} messages]")
    assert len(groups_of(result.messages[1:])) <= 50


def test_it_starts_at_this_question():
    """Earlier conversation is neither counted nor snipped."""
    script = Script()
    for _ in range(40):
        script.q().a(text="answer")
    script.q("now").a(10)
    assert _run(script).report is None


def test_a_head_is_extended_to_the_results_of_its_call():
    """Q U A would part A from its results: they stay, too."""
    script = Script().q().u()
    for _ in range(40):
        script.a(300, 300)
    result = _run(script)
    assert shape(result.messages).startswith("Q U A #1 #2 H(snip) A")
    assert is_well_paired(result.messages)


def test_summaries_stay():
    """What stands for earlier work is not snipped."""
    script = Script().q().a(10).a(10).h("[Compacted]", "compacted")
    for _ in range(40):
        script.a(300)
    assert any(getattr(m, "kind", "") == "compacted" for m in _run(script).messages)


def test_without_gain_nothing_changes():
    """When nearly all is the user's own there is nothing to snip."""
    script = Script().q()
    for _ in range(60):
        script.u("one more line")
    assert _run(script).report is None
