from __future__ import annotations

import asyncio
from dataclasses import replace
from decimal import Decimal

import pytest

from dexter.config.limits import Limits
from dexter.context.policy import run_stages
from dexter.context.reports import compaction_failures
from dexter.context.stage import Effects
from dexter.context.stages.compact import Compact
from dexter.context.stages.truncate import Truncate
from dexter.context.tokens import TokenMeter
from dexter.errors import ModelError
from dexter.messages import UserMessage, is_well_paired
from dexter.results import Cell
from tests.support.stage_views import Script, shape
from tests.support.summarisers import GOOD, MISBEHAVING, USABLE, answer, material_of, nine_sections, summariser, tagged

STAGE = Compact()
ON_REQUEST = Compact(moment="on request")
OVER = TokenMeter(counted=170_000, covered=1)


async def _no_sleep(_seconds):
    return None


def _ctx(script, model=None, **changes):
    changes.setdefault("meter", OVER)
    changes.setdefault("limits", Limits(ledger_chars=10_000))
    effects = Effects(clock=lambda: 0.0, sleep=_no_sleep)
    return script.ctx(fast_model=model or summariser(), model=summariser(name="main"), effects=effects, **changes)


def _run(script, model=None, stage=STAGE, **changes):
    return asyncio.run(stage(script.view, _ctx(script, model, **changes)))


def _summary(view):
    return next(m for m in view if isinstance(m, UserMessage) and m.kind == "summary")


def _revenue(value, year=2025, quarter="Q1", ticker="NVDA"):
    return Cell(ticker, "Revenues", value, "USD", fiscal_year=year, fiscal_period=quarter)


def _worked_example():
    """`sys Hist Q A #1 U A #2,#3 A #4`, with one figure in #2."""
    script = Script().q("old question").a(text="old answer")
    script.q("How did NVDA do?").a(9_000).u("also AMD").a(9_000, 9_000).a(9_000)
    script.store.stored[2] = replace(script.store.stored[2], cells=(_revenue("26044000000"),))
    return script


def test_the_users_words_stay_and_a_summary_with_the_dropped_figure_takes_the_rest():
    """A summary lacking 26,044 of #2 gets it back in its sixth section; the newest round stays; the boundary is #3."""
    script = _worked_example()
    result = _run(script)
    assert shape(result.messages) == "Q Q U H(summary) A #4"
    assert is_well_paired(result.messages)
    text = _summary(result.messages).text
    assert "#2 NVDA USD million | Revenues: Q1 FY2025 26,044" in text
    assert text.index("6. All numbers") < text.index("26,044") < text.index("7. Data still needed")
    assert result.report.boundary == 3
    assert result.report.covered == (1, 2, 3)
    assert (result.report.figures_kept, result.report.figures_restored, result.report.figures_left) == (0, 1, 0)
    assert result.report.success
    assert not result.report.counts_as_failure


def test_a_figure_the_summary_has_is_not_put_back():
    """26.044 billion in the summary is the figure, in other clothes."""
    script = _worked_example()
    result = _run(script, summariser(answer(tagged(nine_sections(s6="NVDA revenue Q1 FY2025: $26.044 billion (#2)")))))
    assert result.report.figures_kept == 1
    assert "26,044" not in _summary(result.messages).text


def test_figures_of_earlier_summaries_survive_later_ones():
    """The ledger is what stands on record: a second compaction puts the first one's figure back again."""
    script = _worked_example()
    first = _run(script)
    script.messages = list(first.messages)
    script.a(9_000).a(9_000).a(9_000)
    second = _run(script, reports=(first.report,))
    assert second.report.boundary == 6
    assert "26,044" in _summary(second.messages).text
    assert _summary(second.messages).covers == ((1, 6),)


def test_without_a_named_company_the_models_own_figures_come_first():
    """The question names nobody: what the model has written itself is put back before what is merely newer."""
    script = Script().q("Who earns most with chips?").a(9_000)
    script.a(9_000, text="NVDA: Q1 FY2025 revenue is $26,044 million.").a(9_000).a(9_000)
    newer = tuple(_revenue(f"{5_000 + year}000000", year=year, ticker="AMD") for year in range(2010, 2025))
    for number, cells in {1: (_revenue("26044000000"),), 3: newer}.items():
        script.store.stored[number] = replace(script.store.stored[number], cells=cells)
    result = _run(script, limits=Limits(ledger_tokens=60))
    text = _summary(result.messages).text
    assert "#1 NVDA USD million | Revenues: Q1 FY2025 26,044" in text
    assert "only by read_result: #3" in text


def test_the_summariser_reads_the_record_and_not_the_cleared_view():
    """Old summary, separator, then every result after the boundary in full with its status, cleared or not."""
    script = _worked_example()
    first = _run(script)
    script.messages = list(first.messages)
    script.a("whole text of five", status="timeout").a(9_000).a(9_000)
    script.messages = [
        replace(m, content="[Old tool result content cleared]", form="cleared") if getattr(m, "result", 0) == 5 else m
        for m in script.messages
    ]
    model = summariser()
    _run(script, model, reports=(first.report,))
    material = material_of(model.requests[0].messages)
    assert material.startswith(first.report.summary)
    assert "whole text of five" in material
    assert "[timeout]" in material
    assert "#4 " in material
    assert "#3 get" not in material


def test_the_request_is_text_without_tools_and_refuses_them_at_both_ends():
    """No tool blocks and no tool definitions; the refusal stands first and last."""
    script = _worked_example()
    model = summariser()
    _run(script, model)
    request = model.requests[0]
    assert request.tools == ()
    assert request.tool_choice == "none"
    assert [m.role for m in request.messages] == ["system", "user"]
    text = request.messages[1].text
    assert "tool call is refused" in text[:200]
    assert "tool call is refused" in text[-200:]
    assert "How did NVDA do?" in text
    assert "old answer" in text


@pytest.mark.parametrize("fault", [name for name in MISBEHAVING if name not in USABLE])
def test_a_failure_leaves_everything_as_it_was(fault):
    """An answer that is none changes nothing, counts as one failure and says why."""
    script = _worked_example()
    view = script.view
    ctx = replace(_ctx(script, summariser(MISBEHAVING[fault])), model=None)
    result = asyncio.run(STAGE(view, ctx))
    assert result.messages is view
    assert not result.report.success
    assert result.report.reason
    assert compaction_failures([result.report]) == 1


@pytest.mark.parametrize("oddity", USABLE)
def test_odd_but_usable_summaries_are_kept_as_lossy_text(oddity):
    """A summary with a fake end is taken to its real end; it is called lossy and no instruction."""
    result = _run(_worked_example(), summariser(MISBEHAVING[oddity]))
    text = _summary(result.messages).text
    assert result.report.success
    assert "lossy" in text
    assert "no instruction" in text
    assert "#1–#3" in text
    assert oddity != "a fake end" or "9. Next steps" in text


def test_nothing_happens_at_or_below_the_threshold():
    """Exactly 167,000 tokens of a 200,000 window are not over it; 900 more with the new results are."""
    script = Script().q().a(10).a(10).a(10)
    at = TokenMeter(counted=167_000, covered=len(script.view))
    assert _run(script, meter=at).report is None


def test_results_that_just_arrived_count():
    """150,000 counted and 900 of output, then two results of 30k characters: over the threshold of 167,000."""
    script = Script().q().a(10).a(10)
    counted = TokenMeter(counted=150_900, covered=len(script.view) + 1)
    script.a(30_000, 30_000)
    ctx = _ctx(script, meter=counted)
    assert 165_000 < ctx.used(script.view) < 175_000
    assert asyncio.run(STAGE(script.view, ctx)).report is not None


def test_fewer_than_three_results_are_not_worth_a_summary():
    """Two results after the boundary: truncation's turn."""
    assert _run(Script().q().a(9_000).a(9_000)).report is None


def test_after_three_failures_in_a_row_it_is_not_tried_again():
    """The breaker opens; a success would have closed it, a request goes past it."""
    script = _worked_example()
    bad = summariser(answer(""))
    reports = ()
    for _ in range(5):
        result = _run(script, bad, reports=reports)
        reports = (*reports, result.report) if result.report else reports
    assert len(bad.requests) == 3
    assert _run(script, stage=ON_REQUEST, reports=reports).report.success


def test_a_compaction_that_hardly_helps_is_kept_but_counts_as_failure():
    """Above 70 % of the threshold afterwards: judged by its outcome."""
    script = _worked_example()
    long = answer(tagged(nine_sections(s5="and on " * 5_500)))
    result = _run(script, summariser(long), window=16_000)
    assert result.report.success
    assert result.report.counts_as_failure


def test_the_newest_round_goes_too_where_the_whole_would_not_fit():
    """Over 60 % of the threshold with it: its results are covered, and the event counts them as unseen."""
    script = Script().q().a(9_000).a(9_000).a(49_000, 49_000)
    result = _run(script, window=64_000)
    assert shape(result.messages) == "Q H(summary)"
    assert result.report.boundary == 4
    assert result.report.unseen == 2


def test_a_count_from_before_does_not_fire_it_again():
    """A compaction voids the last count: the next pass sees the new view's size."""
    script = _worked_example()
    ctx = _ctx(script)
    view, ctx = asyncio.run(run_stages((STAGE, Truncate()), script.view, ctx, lambda _edit: None))
    again, after = asyncio.run(run_stages((STAGE, Truncate()), view, ctx, lambda _edit: None))
    assert again is view
    assert len(after.reports) == 1


def test_when_it_fails_truncation_follows_at_once():
    """Each step only if the one before did not suffice."""
    script = _worked_example()
    for _ in range(6):
        script.a(9_000)
    ctx = _ctx(script, summariser(answer("")))
    _, ctx = asyncio.run(run_stages((STAGE, Truncate()), script.view, ctx, lambda _edit: None))
    assert [report.stage for report in ctx.reports] == ["compact", "truncate"]


def test_the_main_model_summarises_where_the_fast_one_is_refused():
    """A refused fast model costs nothing but its refusal."""
    script = _worked_example()
    result = _run(script, summariser(ModelError("No such model.", kind="bad_request")))
    assert result.report.success
    assert result.report.model == "main"


def test_an_overloaded_model_is_asked_again():
    """What passes is waited out."""
    result = _run(_worked_example(), summariser(ModelError("Overloaded.", kind="overloaded"), GOOD))
    assert result.report.success


def test_a_prompt_too_large_for_the_summarising_model_is_summarised_in_parts():
    """Every request fits the smaller window; each carries the summary so far; nothing is left out."""
    script = Script().q()
    for _ in range(6):
        script.a(24_000)
    script.store.stored[6] = replace(script.store.stored[6], text=script.store.stored[6].text + "THE END")
    model = summariser(window=32_000)
    result = _run(script, model)
    assert result.report.success
    assert result.report.parts == len(model.requests) > 1
    assert all(sum(m.tokens for m in r.messages) + r.max_tokens < 32_000 for r in model.requests)
    assert "THE END" in material_of(model.requests[-1].messages)
    assert "summary so far" in model.requests[0].messages[1].text


def test_a_provider_that_finds_the_prompt_too_long_gets_smaller_parts():
    """An estimate that was too low does not end the run."""
    script = Script().q()
    for _ in range(4):
        script.a(40_000)
    refused = ModelError("prompt is too long", kind="context_overflow")
    result = _run(script, summariser(refused, GOOD))
    assert result.report.success
    assert result.report.parts > 1


def test_a_result_of_fifty_megabytes_does_not_take_a_hundred_requests():
    """The largest results lose their middle where more than eight parts would be needed."""
    script = _worked_example()
    script.store.stored[3] = replace(script.store.stored[3], text="9,876 " * 8_000_000)
    model = summariser()
    result = _run(script, model, limits=Limits(ledger_chars=20_000))
    assert result.report.success
    assert len(model.requests) <= 9
    assert "Further figures only by read_result: #1, #3" in _summary(result.messages).text


def test_cancelling_changes_nothing():
    """A compaction that is cancelled leaves no report and no edit."""

    async def cancelled():
        script = _worked_example()
        edits = []

        async def forever(_seconds):
            await asyncio.Event().wait()

        ctx = replace(_ctx(script, summariser(MISBEHAVING["overloaded"])), effects=Effects(sleep=forever))
        task = asyncio.create_task(run_stages((STAGE,), script.view, ctx, edits.append))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return edits

    assert asyncio.run(cancelled()) == []


def test_costs_are_summed_and_unknown_prices_say_so():
    """Two parts at a known price cost their sum; one unknown price makes the sum unknown."""
    script = Script().q()
    for _ in range(4):
        script.a(24_000)
    priced = replace(GOOD, cost_usd=Decimal("0.01"))
    result = _run(script, summariser(priced, window=32_000))
    assert Decimal(result.report.cost_usd) == Decimal("0.01") * result.report.parts
    assert _run(script, summariser(priced, GOOD, window=32_000)).report.cost_usd == ""


def test_on_request_the_focus_reaches_the_summariser():
    """`/compact margins` dwells on margins, below the threshold too."""
    script = _worked_example()
    model = summariser()
    result = _run(script, model, stage=ON_REQUEST, focus="gross margins", meter=TokenMeter())
    assert "gross margins" in model.requests[0].messages[1].text
    assert result.report.requested
    assert compaction_failures([replace(result.report, counts_as_failure=True)]) == 0


def test_a_round_with_an_open_call_is_not_kept():
    """The compact tool's own call has no result yet: it leaves with the rest, its siblings' results are covered."""
    script = _worked_example()
    script.a(5_000, 5_000)
    script.messages = script.messages[:-1]
    result = _run(script, stage=ON_REQUEST, meter=TokenMeter())
    assert shape(result.messages) == "Q Q U H(summary)"
    assert result.report.boundary == 6


def test_the_report_goes_through_the_record():
    """Written as JSON and read back it is the same report."""
    from dexter.context.reports import report_from_json
    from dexter.messages import canonical_json

    report = _run(_worked_example()).report
    import json

    assert report_from_json("compact", json.loads(canonical_json(report.to_json()))) == report


def test_figures_of_earlier_runs_of_the_conversation_are_put_back_too():
    """A follow-up's view holds an earlier run's result: it leaves with the compaction, its figure stays."""
    script = Script().q("NVDA?").a(9_000).a(text="Revenue was fine.").q("And AMD?").a(9_000).a(9_000).a(9_000)
    earlier = replace(script.store.stored.pop(1), cells=(_revenue("26044000000"),))
    script.store.parents[1] = earlier
    text = _summary(_run(script).messages).text
    assert "#1 NVDA USD million | Revenues: Q1 FY2025 26,044" in text
    assert "#1–#3" in text


def test_a_summary_may_have_what_the_threshold_keeps_free_for_it():
    """In a window of 16,000 tokens that is 3,200, however much the summarising model could write."""
    script, model = _worked_example(), summariser(window=1_000_000)
    _run(script, model, window=16_000)
    assert [request.max_tokens for request in model.requests] == [3_200]


def test_the_summary_of_an_earlier_run_is_carried_on_whole():
    """A follow-up's view begins with a summary: the summariser gets all of it, before the new results."""
    script = Script().q("old question")
    script.h("Summary:\n" + "".join(f"finding {n} about the moat.\n" for n in range(900)), "summary")
    script.a(text="old answer").q("How did NVDA do?").a(9_000).a(9_000).a(9_000).a(9_000)
    model = summariser()
    assert _run(script, model).report.success
    material = material_of(model.requests[0].messages)
    assert all(f"finding {n} about" in material for n in range(900))
    assert material.index("finding 899") < material.index("#1 get_financials")


def test_a_chinese_conversation_fits_a_small_summarising_model():
    """What stands beside the results is cut by tokens: twenty thousand Chinese characters are no quarter of that."""
    script = Script()
    for _ in range(3):
        script.q("比较英伟达与超威的营收毛利率增长。" * 300).a(text="营业收入与毛利率。" * 700)
    script.q("比较英伟达与超威的营收。" * 700).a(9_000).a(9_000).a(9_000).a(9_000)
    model = summariser(window=16_000)
    assert _run(script, model, window=64_000).report.success
    assert all(sum(m.tokens for m in r.messages) + r.max_tokens <= 16_000 for r in model.requests)
