"""What stands above a timeline: the question, the model, time and cost, how it ended, and what of the file was lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from shlex import quote

from dexter.replay.entries import Result, Resumed, Retry, Skipped, Stage
from dexter.replay.timeline import Header, Timeline
from dexter.ui.cards import Line
from dexter.ui.literal import literal, literal_line
from dexter.ui.telling import ENDINGS
from dexter.ui.words import counted, cut, money, seconds, short

_SKIPPED_SHOWN = 3
_QUESTION_CELLS = 600


def head(timeline: Timeline) -> Iterator[Line]:
    """The lines, the question first."""
    yield Line(cut(literal(timeline.header.question.strip()) or "(the question is not on record)", _QUESTION_CELLS))
    yield Line(" · ".join(filter(None, _facts(timeline))), "quiet")
    if timeline.header.schema is not None:
        yield Line(" · ".join(filter(None, _model(timeline))), "quiet")
        yield Line(" · ".join(filter(None, _sizes(timeline))), "quiet")
    else:
        yield Line(" · ".join(_of_the_original(timeline)), "quiet")
    if timeline.status not in ("answered", "running", ""):
        yield Line(_why(timeline), "warn", "!")
    if timeline.skipped:
        yield Line(skipped_line(timeline.skipped), "warn", "!")


def duration_s(timeline: Timeline) -> float | None:
    """Seconds a process worked on the run: pauses before a resume are left out. None where a time cannot be read."""
    spent, begun, last = 0.0, timeline.header.started, timeline.header.started
    try:
        for entry in timeline.entries:
            if isinstance(entry, Resumed):
                spent, begun = spent + _between(begun, last), entry.at
            last = entry.at
        return spent + _between(begun, timeline.updated)
    except (ValueError, TypeError):
        return None


def _between(earlier: str, later: str) -> float:
    return max((datetime.fromisoformat(later) - datetime.fromisoformat(earlier)).total_seconds(), 0.0)


def skipped_line(skipped: tuple[Skipped, ...]) -> str:
    """How many lines were of no use, and where and why the first of them were."""
    places = [f"byte {entry.span.offset:,}: {entry.reason}" for entry in skipped[:_SKIPPED_SHOWN]]
    more = ["…"] if len(skipped) > _SKIPPED_SHOWN else []
    lines = f"{counted(len(skipped), 'line')} could not be used and {'was' if len(skipped) == 1 else 'were'} skipped"
    return f"{lines} ({'; '.join(places + more)})"


def _facts(timeline: Timeline) -> Iterator[str]:
    yield f"run {literal_line(timeline.run)}"
    yield _moment(timeline.header.started)
    if (spent := duration_s(timeline)) is not None:
        yield seconds(spent)
    yield ENDINGS.get(timeline.status, literal_line(timeline.status))
    if timeline.header.parent:
        how = "sub-agent of" if timeline.header.spawned_by else "follows"
        yield f"{how} {literal_line(timeline.header.parent)}"


def _moment(at: str) -> str:
    """`2026-11-30 17:09:45 UTC`; a time written in another way stands as it is."""
    try:
        return f"{datetime.fromisoformat(at):%Y-%m-%d %H:%M:%S} UTC"
    except ValueError:
        return literal_line(at)


def _model(timeline: Timeline) -> Iterator[str]:
    header = timeline.header
    fast = header.fast_model if header.fast_model != header.model else ""
    yield f"model {literal_line(header.model) or 'unknown'}" + (f" (fast: {literal_line(fast)})" if fast else "")
    yield f"policy {literal_line(header.policy) or 'unknown'}"
    if header.window:
        yield f"window {short(header.window)}, compaction over {short(header.threshold)} tokens"


def _sizes(timeline: Timeline) -> Iterator[str]:
    usage = timeline.usage
    yield counted(_turns(timeline), "turn")
    yield _results(timeline)
    cached = f" ({short(usage.cache_read)} from cache)" if usage.cache_read else ""
    yield f"{short(usage.input)} tokens in{cached}, {short(usage.output)} out"
    yield "cost n/a" if timeline.cost_usd is None else money(format(timeline.cost_usd, "f"))
    yield _events(timeline)


def _of_the_original(timeline: Timeline) -> Iterator[str]:
    yield counted(_turns(timeline), "turn")
    yield _results(timeline)
    yield "no model, tokens or view are on record in this file: it has no `run` line, as those of the original"


def _turns(timeline: Timeline) -> int:
    return sum(turn.number > 0 for turn in timeline.turns)


def _results(timeline: Timeline) -> str:
    sizes = [result.text.chars for result in timeline.of(Result)]
    return f"{counted(len(sizes), 'result')} ({short(sum(sizes))} characters)"


def _events(timeline: Timeline) -> str:
    """How often what happened to the context: `2 compact, 5 microcompact`."""
    names = Counter(literal_line(stage.name).replace("_", " ") for stage in timeline.of(Stage))
    if retries := sum(1 for _ in timeline.of(Retry)):
        names["retry" if retries == 1 else "retries"] = retries
    return ", ".join(f"{count} {name}" for name, count in names.most_common())


def cut_off_line(path: Path, header: Header) -> str:
    """That a run has no end, and what goes on with it; with a sub-agent's run that is the one that started it."""
    if header.spawned_by and header.parent:
        path = path.parent.parent.with_name(f"{header.parent}.jsonl")
    return f"It has no end line: it was cut off. `dexter resume {literal_line(quote(str(path)))}` goes on with it."


def _why(timeline: Timeline) -> str:
    ended = timeline.end
    if ended is None:
        return cut_off_line(timeline.path, timeline.header)
    return literal_line(ended.error) or ENDINGS.get(ended.status, literal_line(ended.status))
