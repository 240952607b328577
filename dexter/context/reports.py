"""What a stage did, one frozen shape per kind of stage.

Reports are recorded with every edit of the view and are the only state of the pipeline: "already flushed?", "failures
in a row?" are folds over them, so a replay of the file and the live run cannot disagree.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, ClassVar, Literal

from dexter.scratchpad.state import ResultState


@dataclass(frozen=True)
class Report:
    """Base of all reports. `stage` is the name of the file in `stages/`."""

    stage: ClassVar[str]

    def to_json(self) -> dict[str, Any]:
        """The fields as JSON values."""
        return asdict(self)


@dataclass(frozen=True)
class MicrocompactReport(Report):
    """Results whose content became a placeholder."""

    stage: ClassVar[str] = "microcompact"
    cleared: tuple[int, ...]
    tokens_saved: int
    trigger: Literal["count", "token"]


@dataclass(frozen=True)
class StripThinkingReport(Report):
    """Assistant messages whose text and unsigned thinking was removed."""

    stage: ClassVar[str] = "strip_thinking"
    stripped: tuple[str, ...]
    tokens_saved: int
    trigger: Literal["edit", "size"]


@dataclass(frozen=True)
class PersistedResult:
    """One result that went to a file: id, whole size in characters, path, characters left in the view."""

    result: int
    chars: int
    path: str
    preview_chars: int


@dataclass(frozen=True)
class PersistReport(Report):
    """Results over the cap: to files, cut at a line (pages), or kept cut because the disk failed (`failed`)."""

    stage: ClassVar[str] = "persist_results"
    persisted: tuple[PersistedResult, ...]
    cut: tuple[int, ...] = ()
    failed: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True)
class TurnBudgetReport(Report):
    """Results that went to files because one turn's results together were over the budget."""

    stage: ClassVar[str] = "turn_budget"
    persisted: tuple[PersistedResult, ...]
    chars_before: int
    chars_after: int
    cut: tuple[int, ...] = ()
    failed: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True)
class SoftLimitReport(Report):
    """The warnings of this turn: (tool, kind, call count), and the text that was put in the view."""

    stage: ClassVar[str] = "soft_limit"
    warnings: tuple[tuple[str, str, int], ...]
    similar: tuple[tuple[str, str], ...]
    text: str


@dataclass(frozen=True)
class TruncateReport(Report):
    """Rounds that left the view, the results they held, results shrunk to previews, and earlier pairs dropped."""

    stage: ClassVar[str] = "truncate"
    rounds: int
    lost: tuple[int, ...]
    pairs: int = 0
    shrunk: tuple[int, ...] = ()


@dataclass(frozen=True)
class FlushReport(Report):
    """A memory flush: `written`, `nothing` or `failed` (with the reason). `path` and characters of what was written."""

    stage: ClassVar[str] = "memory_flush"
    outcome: Literal["written", "nothing", "failed"]
    path: str = ""
    chars: int = 0
    reason: str = ""


@dataclass(frozen=True)
class CompactReport(Report):
    """A compaction, kept or not.

    Token counts are of the view. `covered` are the results the summary stands for, `unseen` how many of those no
    request had carried. Figures were kept by the summary, restored beside it, or left to recall. `parts` is how many
    requests the summary took, `transcript` the path of the saved messages, `turn` the turn it ran in, `reactive`
    whether that was after an overflow.
    """

    stage: ClassVar[str] = "compact"
    success: bool
    counts_as_failure: bool
    reason: str = ""
    tokens_before: int = 0
    tokens_after: int = 0
    boundary: int = 0
    covered: tuple[int, ...] = ()
    unseen: int = 0
    figures_kept: int = 0
    figures_restored: int = 0
    figures_left: int = 0
    model: str = ""
    cost_usd: str = ""
    duration_s: float = 0.0
    requested: bool = False
    reactive: bool = False
    turn: int = 0
    parts: int = 1
    transcript: str = ""
    summary: str = ""


@dataclass(frozen=True)
class SnipReport(Report):
    """Messages replaced by one marker, and the results they held."""

    stage: ClassVar[str] = "snip"
    snipped: int
    lost: tuple[int, ...]


REPORTS: tuple[type[Report], ...] = (
    MicrocompactReport,
    StripThinkingReport,
    PersistReport,
    TurnBudgetReport,
    SoftLimitReport,
    TruncateReport,
    FlushReport,
    CompactReport,
    SnipReport,
)
_BY_STAGE = {kind.stage: kind for kind in REPORTS}


def report_from_json(stage: str, data: Mapping[str, Any]) -> Report:
    """Read back what `to_json` wrote; unknown keys are ignored.

    Raises:
        KeyError: no such stage.
    """
    kind = _BY_STAGE[stage]
    known = {f.name for f in fields(kind)}
    return kind(**{key: _frozen(value) for key, value in data.items() if key in known})


def _frozen(value: Any) -> Any:
    if isinstance(value, Mapping) and "preview_chars" in value:
        return PersistedResult(**value)
    if isinstance(value, list | tuple):
        return tuple(_frozen(item) for item in value)
    return value


def compaction_failures(reports: Sequence[Report]) -> int:
    """Failures in a row since the last good compaction; one that was asked for and failed does not count."""
    failures = 0
    for report in reports:
        if isinstance(report, CompactReport):
            if not report.counts_as_failure:
                failures = 0 if report.success else failures
            elif not report.requested:
                failures += 1
    return failures


def flushed_this_cycle(reports: Sequence[Report]) -> bool:
    """Whether a flush ran (with whatever outcome) since the last successful compaction."""
    flushed = False
    for report in reports:
        if isinstance(report, FlushReport):
            flushed = True
        elif isinstance(report, CompactReport) and report.success:
            flushed = False
    return flushed


def result_state(reports: Sequence[Report]) -> ResultState:
    """What is cleared and what the summary covers, as those know it who read the results back."""
    state = ResultState()
    for report in reports:
        if isinstance(report, MicrocompactReport):
            state = state.clear(report.cleared)
        elif isinstance(report, CompactReport):
            state = state.apply(report.to_json())
    return state


def boundary(reports: Sequence[Report]) -> int:
    """The last result id the current summary covers, 0 without one."""
    return result_state(reports).boundary


def cleared(reports: Sequence[Report]) -> frozenset[int]:
    """Result ids cleared since the last successful compaction."""
    return result_state(reports).cleared
