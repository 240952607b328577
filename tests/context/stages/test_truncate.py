from __future__ import annotations

from dexter.context.stages.truncate import Truncate
from dexter.context.tokens import TokenMeter
from dexter.messages import UserMessage, is_well_paired
from tests.support.stage_views import Script, forms, shape, tool_messages

FULL = TokenMeter(counted=10_000_000, covered=1)
OVERFLOW = Truncate(on_overflow=True)


def _over(script, keep=None, **ctx):
    """The threshold form over the threshold."""
    return Truncate(keep=keep)(script.view, script.ctx(meter=FULL, **ctx))


def _index(view):
    return next(m for m in view if isinstance(m, UserMessage) and m.kind == "index")


def test_the_oldest_rounds_go_and_one_line_names_what_they_held():
    """`Q A1 #1 U A2 #2,#3 A3 #4` keeping two rounds: A1 and #1 go, index and typed line stay; again: same tuple."""
    script = Script().q("old").a(500).a(text="answer").q().a(5_000).u().a(5_000, 5_000).a(5_000)
    result = _over(script, keep=2)
    assert shape(result.messages) == "Q A #1 A Q H(index) U A #3 #4 A #5"
    assert "#2 get_financials" in _index(result.messages).text
    assert result.report.rounds == 1
    assert result.report.lost == (2,)
    assert is_well_paired(result.messages)
    assert Truncate(keep=2)(result.messages, script.ctx()).messages is result.messages


def test_below_the_threshold_nothing_happens():
    """The threshold step acts on the count alone, at exactly the threshold not at all."""
    script = Script().q().a(100).a(100).a(100)
    ctx = script.ctx(meter=TokenMeter(counted=167_000, covered=len(script.view)))
    view = script.view
    assert Truncate(keep=1)(view, ctx).messages is view
    over = script.ctx(meter=TokenMeter(counted=167_001, covered=len(view)))
    assert Truncate(keep=1)(view, over).report is not None


def test_few_but_giant_rounds_stay_at_the_threshold_and_shrink_on_overflow():
    """Two rounds of four 49k results: nothing to drop; on a real overflow the newest become previews."""
    script = Script().q().a(*[49_000] * 4).a(*[49_000] * 4)
    assert _over(script).report is None
    result = OVERFLOW(script.view, script.ctx(learnt_limit=200_000))
    assert result.report.rounds == 0
    assert result.report.shrunk == (5, 6, 7, 8)
    assert set(script.store.files) == {5, 6, 7, 8}


def test_on_overflow_rounds_go_until_the_stated_limit_is_kept():
    """Three rounds of about 60k tokens against a limit of 150,000: the oldest goes, no more."""
    script = Script().q()
    for _ in range(3):
        script.a(*[40_000] * 4)
    result = OVERFLOW(script.view, script.ctx(learnt_limit=150_000))
    assert result.report.rounds == 1
    assert result.report.lost == (1, 2, 3, 4)


def test_on_overflow_a_single_round_becomes_previews():
    """With one round there is nothing to drop: its results shrink, largest or not."""
    script = Script().q().a(*[60_000] * 4)
    result = OVERFLOW(script.view, script.ctx(learnt_limit=50_000))
    assert set(forms(result.messages).values()) == {"preview"}


def test_when_nothing_can_be_removed_the_tuple_is_the_same():
    """Question and tiny results only: the caller gets the very same view and can say what is too big."""
    script = Script().q("word " * 100_000).a(10)
    view = script.view
    assert OVERFLOW(view, script.ctx(learnt_limit=1_000)).messages is view


def test_a_truncation_that_would_not_shrink_changes_nothing():
    """Dropping a round whose index line is larger than the round itself gains nothing."""
    script = Script().q()
    for _ in range(6):
        script.a("", arguments=[{}], tool="x" * 300)
    assert _over(script).report is None


def test_earlier_questions_go_with_their_answers_oldest_first():
    """With the rounds down to five and still too much, whole pairs of the earlier conversation go."""
    script = Script()
    for i in range(4):
        script.q(f"old {i}").a(40_000, 40_000).a(text="answer " * 50)
    script.q("now").a(2_000)
    ctx = script.ctx(window=64_000)
    result = Truncate()(script.view, ctx)
    questions = [m.text for m in result.messages if isinstance(m, UserMessage) and m.origin == "question"]
    assert questions == ["old 3", "now"]
    assert 3 <= result.report.pairs <= 4
    assert _index(result.messages).covers == ((1, 6),)
    assert is_well_paired(result.messages)


def test_the_current_question_is_never_dropped_for_an_old_answer():
    """With earlier conversation in the view, this run's rounds begin after this question."""
    script = Script().q("old").a(100).a(text="old answer").q("now")
    for _ in range(8):
        script.a(5_000)
    result = _over(script)
    assert any(m.text == "now" for m in result.messages if isinstance(m, UserMessage))
    assert result.report.rounds == 3


def test_a_second_hole_is_merged_into_the_first():
    """One index message, with the newest twenty results line by line and the rest as ranges."""
    script = Script().q()
    for _ in range(30):
        script.a(3_000)
    first = _over(script)
    script.messages = list(first.messages)
    for _ in range(10):
        script.a(3_000)
    second = _over(script)
    index = _index(second.messages)
    assert [m.kind for m in second.messages if isinstance(m, UserMessage)].count("index") == 1
    assert index.id == _index(first.messages).id
    assert index.covers == ((1, 35),)
    assert [number for number, _ in index.entries] == list(range(16, 36))
    assert "#1–#15" in index.text


def test_what_the_user_typed_and_summaries_stay():
    """Lines typed during dropped rounds and a summary of earlier work outlive them, in order."""
    script = Script().q().h("Summary: …", "summary").a(3_000).u("one").h().a(3_000).u("two")
    for _ in range(5):
        script.a(3_000)
    assert shape(_over(script).messages).startswith("Q H(index) H(summary) U U A #3")


def test_a_refused_request_shrinks_older_results_where_the_newest_are_small():
    """Few messages but two giant ones, and the newest result is tiny: the giants shrink."""
    script = Script().q().a(49_000, 49_000).a(20)
    result = OVERFLOW(script.view, script.ctx(learnt_limit=1_000_000))
    assert result.report.shrunk == (1, 2)
    assert [m.form for m in tool_messages(result.messages)] == ["preview", "preview", "whole"]


def test_a_refusal_without_a_limit_of_what_seemed_to_fit_still_makes_room():
    """The estimate says it fits, the provider says no: earlier questions go until half of it is left."""
    script = Script()
    for _ in range(6):
        script.q("pasted text " * 4_000).a(text="an answer " * 500)
    script.q("and now?")
    before = sum(message.tokens for message in script.view)
    result = OVERFLOW(script.view, script.ctx())
    assert 3 <= result.report.pairs <= 4
    assert sum(message.tokens for message in result.messages) <= before / 2
    assert shape(result.messages).endswith("Q")
    assert result.messages[-1] is script.view[-1]


def test_a_refusal_without_a_limit_goes_down_to_the_newest_round():
    """Three rounds whose results are no longer than previews: the oldest go, and are named."""
    script = Script().q().a(*[1_000] * 20).a(*[1_000] * 20).a(*[1_000] * 20)
    result = OVERFLOW(script.view, script.ctx())
    assert result.report.rounds == 2
    assert _index(result.messages).covers == ((1, 40),)
    assert is_well_paired(result.messages)
