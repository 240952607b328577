from __future__ import annotations

from dataclasses import replace

from dexter.context.stages.microcompact import Microcompact
from dexter.context.stages.strip_thinking import StripThinking
from dexter.messages import AssistantMessage, ThinkingBlock, is_well_paired
from tests.support.stage_views import Script

STAGE = StripThinking()
PLAIN = (ThinkingBlock("I should look at the filings first."),)


def _signed(number):
    return (ThinkingBlock(f"t{number}", "signed", {"type": "thinking", "signature": f"s{number}"}, "hash"),)


def _after_clearing(script):
    """Microcompact and then the stage, in one pass."""
    ctx = script.ctx()
    cleared = Microcompact()(script.view, ctx)
    assert cleared.report is not None
    ctx = replace(ctx, reports=(cleared.report,))
    return STAGE(cleared.messages, ctx), ctx


def _assistants(view):
    return [m for m in view if isinstance(m, AssistantMessage)]


def _nine_rounds(thinking=lambda _i: (), text="Let me look."):
    script = Script().q()
    for i in range(1, 10):
        script.a(12_000, text=text, thinking=thinking(i))
    return script


def test_on_a_plain_provider_texts_go_in_the_turn_of_a_clearing():
    """Nine rounds: A1 to A7 are stripped in that same turn, A8 and A9 keep theirs; the calls stay."""
    result, ctx = _after_clearing(_nine_rounds(lambda _i: PLAIN))
    assistants = _assistants(result.messages)
    assert [bool(m.text or m.thinking) for m in assistants] == [False] * 7 + [True] * 2
    assert all(m.tool_calls for m in assistants)
    assert result.report.trigger == "edit"
    assert STAGE(result.messages, ctx).messages is result.messages


def test_signed_thinking_stays_in_place_byte_for_byte():
    """No stage touches a signed block, stale or valid: the adapter knows what may go back."""
    result, _ = _after_clearing(_nine_rounds(_signed))
    assert [m.thinking for m in _assistants(result.messages)] == [_signed(i) for i in range(1, 10)]


def test_redacted_thinking_is_signed_thinking():
    """A redacted block has no text, but it goes back as it came."""
    redacted = (ThinkingBlock("", "signed", {"type": "redacted_thinking", "data": "x"}, "hash"),)
    result, _ = _after_clearing(_nine_rounds(lambda _i: redacted))
    assert all(m.thinking == redacted for m in _assistants(result.messages))


def test_the_newest_assistant_message_is_untouchable():
    """Whatever the trigger, the newest message with calls stays as it was."""
    script = _nine_rounds(lambda i: (*PLAIN, *_signed(i)))
    result, _ = _after_clearing(script)
    assert _assistants(result.messages)[-1] is _assistants(script.view)[-1]


def test_demanded_reasoning_always_goes_back():
    """Texts go, reasoning that the provider demands stays."""
    demanded = (ThinkingBlock("because", "demanded"),)
    result, _ = _after_clearing(_nine_rounds(lambda _i: demanded))
    assistants = _assistants(result.messages)
    assert all(m.thinking == demanded for m in assistants)
    assert [m.text for m in assistants[:7]] == [""] * 7


def test_without_a_clearing_little_text_stays():
    """Every turn it runs, but it does not move the cached prefix for a few words."""
    script = _nine_rounds()
    assert STAGE(script.view, script.ctx()).report is None


def test_without_a_clearing_much_text_goes():
    """Over 5,000 tokens it acts on its own."""
    script = _nine_rounds(text="Some long reflection on margins. " * 120)
    result = STAGE(script.view, script.ctx())
    assert result.report.trigger == "size"
    assert result.report.tokens_saved > 5_000
    assert STAGE(result.messages, script.ctx()).messages is result.messages


def test_size_alone_never_makes_signed_thinking_stale():
    """Nothing before a signed block is stripped unless the bytes before it have changed already."""
    script = _nine_rounds(_signed, text="Some long reflection on margins. " * 120)
    assert STAGE(script.view, script.ctx()).report is None


def test_only_what_follows_the_clearing_is_stripped():
    """A clearing further down does not pull the cached prefix back to the earliest texts."""
    script = Script().q()
    for _ in range(3):
        script.a(12_000, text="early", tool="skill")
    for _ in range(9):
        script.a(12_000, text="late")
    result, ctx = _after_clearing(script)
    assert [m.text for m in _assistants(result.messages)] == ["early"] * 3 + [""] * 7 + ["late"] * 2
    assert STAGE(result.messages, ctx).messages is result.messages


def test_a_clearing_in_an_earlier_turn_is_no_reason():
    """Only what was edited in this very pass counts."""
    script = _nine_rounds()
    ctx = script.ctx()
    report = Microcompact()(script.view, ctx).report
    assert STAGE(script.view, replace(ctx, reports=(report,), pass_start=1)).report is None


def test_answers_are_not_thinking():
    """A message without calls keeps its text, however old."""
    script = Script().q().a(text="The answer. " * 5_000).q("and AMD?")
    for _ in range(3):
        script.a(10)
    assert STAGE(script.view, script.ctx()).report is None
    assert is_well_paired(script.view)
