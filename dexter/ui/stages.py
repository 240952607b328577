"""Each stage's report as a card with its figures."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

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
    report_from_json,
)
from dexter.events import StageRan
from dexter.ui.cards import Card, Tone
from dexter.ui.literal import literal_line
from dexter.ui.words import counted, ids, money, seconds

_TRIGGERS = {"count": "too many whole results", "token": "results too large", "edit": "after an edit", "size": "size"}
_SIMILAR = "similar"


def stage_card(event: StageRan) -> Card:
    """The card of a stage; of a stage not known here, or whose report is damaged, its figures by name."""
    try:
        report = report_from_json(event.name, event.report)
        return _CARDS[type(report)](report, event)
    except (KeyError, TypeError, ValueError, AttributeError, ArithmeticError):
        return _unknown(event)


def _microcompact(report: MicrocompactReport, _event: StageRan) -> Card:
    return Card(
        "microcompact",
        (
            f"{counted(len(report.cleared), 'old result')} cleared: {ids(report.cleared)}",
            f"{report.tokens_saved:,} tokens saved · trigger: {_TRIGGERS[report.trigger]} · read_result recalls them",
        ),
    )


def _strip_thinking(report: StripThinkingReport, _event: StageRan) -> Card:
    stripped = counted(len(report.stripped), "message")
    return Card("thinking", (f"removed from {stripped} · {report.tokens_saved:,} tokens saved",), "quiet")


def _persist(report: PersistReport, _event: StageRan) -> Card:
    lines = (*_persisted_lines(report.persisted), *_cut_lines(report.cut), *_failed_lines(report.failed))
    return Card("persisted", lines, "warn" if report.failed else "info")


def _turn_budget(report: TurnBudgetReport, _event: StageRan) -> Card:
    head = f"one turn's results: {report.chars_before:,} → {report.chars_after:,} characters"
    lines = (head, *_persisted_lines(report.persisted), *_cut_lines(report.cut), *_failed_lines(report.failed))
    return Card("turn budget", lines, "warn" if report.failed else "info")


def _persisted_lines(results: tuple[PersistedResult, ...]) -> Iterator[str]:
    for result in results:
        shown = f"{result.preview_chars:,} stay in view"
        yield f"#{result.result}: {result.chars:,} characters to disk, {shown} · {literal_line(result.path)}"


def _cut_lines(cut: tuple[int, ...]) -> Iterator[str]:
    if cut:
        yield f"cut at a line, read on by offset: {ids(cut)}"


def _failed_lines(failed: tuple[tuple[int, str], ...]) -> Iterator[str]:
    for result, reason in failed:
        yield f"#{result} could not be written ({literal_line(reason)}); it stays in view, cut"


def _soft_limit(report: SoftLimitReport, _event: StageRan) -> Card:
    most = {tool: count for tool, kind, count in report.warnings if kind != _SIMILAR}  # the last count is the highest
    counts = tuple(f"{literal_line(tool)}: {count} calls in this run" for tool, count in most.items())
    similar = tuple(f"like an earlier call: {literal_line(a)} ~ {literal_line(b)}" for a, b in report.similar)
    return Card("soft limit", counts + similar, "warn")


def _truncate(report: TruncateReport, event: StageRan) -> Card:
    return Card("truncation", (*_truncate_lines(report), _sizes(event)), "warn")


def _truncate_lines(report: TruncateReport) -> Iterator[str]:
    if report.rounds:
        lost = f": {ids(report.lost)}" if report.lost else ""
        yield f"{counted(report.rounds, 'oldest round')} left the view{lost}"
    if report.pairs:
        yield f"{counted(report.pairs, 'earlier question')} left the view with the answer"
    if report.shrunk:
        yield f"shrunk to previews: {ids(report.shrunk)}"


def _flush(report: FlushReport, _event: StageRan) -> Card:
    said: dict[str, tuple[str, Tone]] = {
        "written": (f"{report.chars:,} characters noted in {literal_line(report.path)}", "good"),
        "nothing": ("nothing about you worth keeping", "quiet"),
        "failed": (f"failed: {literal_line(report.reason)} · the run goes on", "warn"),
    }
    text, tone = said[report.outcome]
    return Card("memory flush", (text,), tone)


def _compact(report: CompactReport, event: StageRan) -> Card:
    cost = " · ".join((literal_line(report.model) or "no model", money(report.cost_usd), seconds(report.duration_s)))
    if not report.success:
        return Card("compaction failed", (f"{literal_line(report.reason)} · nothing was changed", cost), "warn")
    before, after = report.tokens_before or event.tokens_before, report.tokens_after or event.tokens_after
    figures = (
        f"figures: {report.figures_kept} kept, {report.figures_restored} restored, {report.figures_left} left to recall"
    )
    size = f"{before:,} → {after:,} tokens"
    still_full = ("still nearly full: counts as a failure",) if report.counts_as_failure else ()
    return Card(
        "compaction", (f"{size} · covers {ids(report.covered) or 'no result'}", figures, cost, *still_full), "good"
    )


def _snip(report: SnipReport, event: StageRan) -> Card:
    lost = f": {ids(report.lost)}" if report.lost else ""
    return Card("snip", (f"{counted(report.snipped, 'message')} left the view{lost}", _sizes(event)))


def _unknown(event: StageRan) -> Card:
    lines = tuple(f"{literal_line(key)}: {literal_line(str(value))}" for key, value in event.report.items())
    return Card(literal_line(event.name), (*lines, _sizes(event)))


def _sizes(event: StageRan) -> str:
    return f"{event.tokens_before:,} → {event.tokens_after:,} tokens"


_CARDS: dict[type[Report], Callable[[Any, StageRan], Card]] = {
    MicrocompactReport: _microcompact,
    StripThinkingReport: _strip_thinking,
    PersistReport: _persist,
    TurnBudgetReport: _turn_budget,
    SoftLimitReport: _soft_limit,
    TruncateReport: _truncate,
    FlushReport: _flush,
    CompactReport: _compact,
    SnipReport: _snip,
}
