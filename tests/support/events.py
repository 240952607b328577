"""A run's events, made up to show everything once; deterministic."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict

from dexter.context.reports import (
    CompactReport,
    FlushReport,
    MicrocompactReport,
    PersistedResult,
    PersistReport,
    Report,
    SnipReport,
    SoftLimitReport,
    StripThinkingReport,
    TruncateReport,
    TurnBudgetReport,
)
from dexter.events import (
    Answered,
    Approval,
    ContextUsed,
    Emitted,
    ErrorRaised,
    Event,
    ModelCall,
    ModelResponded,
    Notice,
    Queue,
    Retry,
    RunFinished,
    RunStarted,
    StageRan,
    Subagent,
    TextDelta,
    ToolFinished,
    ToolProgress,
    ToolStarted,
)
from dexter.usage import Usage

FIGURES = (
    {"start": 106, "end": 113, "text": "130,497", "status": "found", "company": "NVDA", "concept": "Revenues"},
    {
        "start": 116,
        "end": 122,
        "text": "25,785",
        "status": "not_found",
        "company": "AMD",
        "concept": "Revenues",
        "period": "FY2025",
        "nearest": {"text": "this is FY2024"},
    },
)
ANSWER = """\
**NVDA earned more on every dollar.** Figures in USD millions.

| Fiscal 2025 | NVDA | AMD |
| --- | ---: | ---: |
| Revenue | 130,497 | 25,785 |
| Operating margin | 62.4 % | 7.4 % |
| 营业利润率 | 62.4 % | 7.4 % |

NVDA's year ended 2025-01-26, AMD's 2024-12-28.

Sources: [NVDA 10-K](https://www.sec.gov/nvda), [AMD 10-K](https://www.sec.gov/amd)
"""
NARRATION = "First the income statements of **both**."
STARTED = RunStarted(
    question="compare NVDA vs AMD",
    conversation="2026-11-30-170945_903448abce74",
    parent=None,
    model="offline",
    fast_model="offline",
    policy="dexter",
    window=128_000,
    threshold=95_000,
    reason="No key is set, so the offline analyst answers.",
    path="/runs/2026-11-30-170945_903448abce74.jsonl",
)
REPORTS: tuple[Report, ...] = (
    MicrocompactReport((1, 2, 3, 5), 41_200, "count"),
    StripThinkingReport(("m4", "m6"), 6_100, "size"),
    PersistReport(
        (PersistedResult(7, 128_400, "/runs/r/results/7.txt", 1_987),), (8,), ((9, "No space left on device"),)
    ),
    TurnBudgetReport((PersistedResult(10, 90_000, "/runs/r/results/10.txt", 2_000),), 212_000, 122_000),
    SoftLimitReport((("get_financials", "limit", 3),), (("nvda revenue", "nvda revenues"),), "text for the model"),
    TruncateReport(3, (1, 2, 3), 1, (4,)),
    FlushReport("written", "/memory/2026-11-30.md", 240),
    CompactReport(
        success=True,
        counts_as_failure=False,
        tokens_before=118_000,
        tokens_after=31_000,
        boundary=5,
        covered=(1, 2, 3, 4, 5),
        figures_kept=214,
        figures_restored=12,
        figures_left=3,
        model="claude-haiku-5-5",
        cost_usd="0.0123",
        duration_s=4.2,
        summary="…",
    ),
    SnipReport(12, (1, 2)),
)


def stage(report: Report) -> StageRan:
    """The event of a report."""
    return StageRan(report.stage, 118_000, 31_000, asdict(report))


def whole_run() -> Iterator[Event]:
    """Two turns, two tools side by side, every stage, a retry, the queue, the answer."""
    yield STARTED
    yield ModelCall("h1", 1_200)
    yield TextDelta("Let me see.", thinking=True)
    yield from (TextDelta(NARRATION[i : i + 7]) for i in range(0, len(NARRATION), 7))
    calls = ({"call": "c1", "tool": "get_financials", "arguments": {}},)
    yield ModelResponded(NARRATION, calls, "tool_use", Usage(1_200, 0, 0, 50), "0.01", 1.0)
    yield ToolStarted("c1", "get_financials", {"tickers": ["NVDA", "AMD"], "period": "annual", "limit": 2})
    yield ToolStarted("c2", "get_market_data", {"tickers": ["NVDA", "AMD"]})
    yield ToolProgress("c1", "1 of 2 companies")
    yield ToolFinished(
        "c2", 1, "ok", 812, 200, 0.02, ({"kind": "market", "title": "Month-end closes"},), "get_market_data"
    )
    sources = ({"kind": "filing", "title": "NVDA 10-K"}, {"kind": "filing", "title": "AMD 10-K"})
    yield ToolFinished("c1", 2, "ok", 3_214, 1_000, 0.2, sources, "get_financials")
    yield ContextUsed(31_204, 95_000, 128_000)
    yield from (stage(report) for report in REPORTS)
    yield Retry("rate_limit", 1, 2.0, "429: slow down")
    yield Retry("context_overflow", 1, 0.0, "prompt is too long: 210000 tokens > 200000 maximum")
    yield Queue("queued", "and INTC?")
    yield Queue("drained", "and INTC?")
    yield Notice("fixed_share", "System prompt and tools fill 81 % of the threshold.")
    yield Approval("c3", "allowed once")
    yield Subagent("2026-11-30-170950_1", "answered")
    yield ModelCall("h2", 31_500)
    yield from (TextDelta(ANSWER[i : i + 11]) for i in range(0, len(ANSWER), 11))
    yield ModelResponded(ANSWER, (), "end_turn", Usage(11_500, 20_000, 0, 400), "0.02", 2.0)
    yield Answered(
        ANSWER, True, FIGURES, ({"kind": "filing", "title": "INTC 10-K", "url": "https://www.sec.gov/intc"},)
    )
    yield RunFinished("answered", 0, Usage(12_700, 20_000, 0, 450), "0.03")


def failing_run() -> Iterator[Event]:
    """A run that ends with an error after one call."""
    yield STARTED
    yield ModelCall("h1", 1_200)
    yield ErrorRaised("auth", "The key was refused.", "Set another with `dexter config set-key anthropic`.")
    yield RunFinished("failed", 1, Usage(), "0")


def emitted(event: Event, seq: int = 1) -> Emitted:
    """The event in its envelope."""
    return Emitted(seq, "2026-11-30T17:09:45.562Z", "2026-11-30-170945_903448abce74", 1, event)
