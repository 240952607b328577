from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dexter.messages import (
    AssistantMessage,
    SystemMessage,
    ToolCall,
    ToolMessage,
    UserMessage,
    is_well_paired,
)
from dexter.scratchpad.repair import whole_rounds
from tests.support.conversations import conversations

SYSTEM, QUESTION = SystemMessage("m0", "s"), UserMessage("m1", "q")
FIRST = AssistantMessage("m2", "", (), (ToolCall("c1", "t", {}), ToolCall("c2", "t", {})))
ONE, TWO = ToolMessage("m3", 1, "c1", "t", "ok", "one"), ToolMessage("m4", 2, "c2", "t", "ok", "two")
QUEUED = UserMessage("m5", "wait", "queued")
LAST = AssistantMessage("m6", "", (), (ToolCall("c3", "t", {}),))
VIEW = (SYSTEM, QUESTION, FIRST, ONE, TWO, QUEUED, LAST)


def without(*lost):
    return tuple(message for message in VIEW if message not in lost)


def test_a_whole_view_stays_the_very_same():
    """Nothing to mend is the same tuple, open calls of the newest round included."""
    assert whole_rounds(VIEW) is VIEW


def test_a_result_that_is_on_record_takes_its_place_again():
    """Only its message line was lost."""
    assert whole_rounds(without(ONE), [ONE]) == VIEW


def test_a_round_that_lost_a_result_goes_but_not_what_the_user_said_in_it():
    """Half a round is refused by providers; the results that stay on record can be recalled."""
    assert whole_rounds(without(ONE)) == (SYSTEM, QUESTION, QUEUED, LAST)


def test_results_whose_calls_were_lost_go():
    """Also before the first round, and when the lost answer stood between two others."""
    assert whole_rounds(without(FIRST)) == (SYSTEM, QUESTION, QUEUED, LAST)
    earlier = AssistantMessage("m9", "text")
    assert whole_rounds((SYSTEM, QUESTION, earlier, ONE, LAST)) == (SYSTEM, QUESTION, earlier, LAST)


def test_the_newest_round_keeps_the_results_it_has():
    """Its other calls are open and will be made or answered."""
    stray = ToolMessage("m8", 9, "c9", "t", "ok", "stray")
    assert whole_rounds((SYSTEM, QUESTION, FIRST, TWO, stray)) == (SYSTEM, QUESTION, FIRST, TWO)
    open_round = (SYSTEM, QUESTION, FIRST, TWO)
    assert whole_rounds(open_round, [ONE]) is open_round


def test_a_call_has_one_result_and_only_its_own():
    """A result that stands twice stays once; one that took another's place gives it back."""
    assert whole_rounds((SYSTEM, QUESTION, FIRST, ONE, TWO, TWO, QUEUED, LAST)) == VIEW
    stray = ToolMessage("m8", 9, "c9", "t", "ok", "stray")
    assert whole_rounds((SYSTEM, QUESTION, FIRST, stray, TWO, QUEUED, LAST), [ONE]) == VIEW


@given(conversations(), st.data())
@settings(suppress_health_check=[HealthCheck.too_slow])
def test_whatever_lines_are_lost_the_view_can_be_sent_again(view, data):
    """Once the newest round's open calls are answered, every call has its result; what the user said stays."""
    lost = data.draw(st.sets(st.sampled_from([message.id for message in view])))
    damaged = tuple(message for message in view if message.id not in lost)
    on_record = [m for m in view if m.id in lost and isinstance(m, ToolMessage) and data.draw(st.booleans())]
    mended = whole_rounds(damaged, on_record)
    newest = next((m for m in reversed(mended) if isinstance(m, AssistantMessage)), AssistantMessage("none"))
    answered = {m.call for m in mended if isinstance(m, ToolMessage)}
    late = tuple(ToolMessage(f"x{c.id}", 0, c.id) for c in newest.tool_calls if c.id not in answered)
    assert is_well_paired((*mended, *late))
    said = [m for m in damaged if isinstance(m, UserMessage | SystemMessage)]
    assert [m for m in mended if isinstance(m, UserMessage | SystemMessage)] == said
    assert whole_rounds(mended) is mended
