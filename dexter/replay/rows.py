"""A run turn by turn in numbers: tokens, cost, what happened to the context, figures in view."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path

from dexter.context.tokens import RunningTotal
from dexter.models.protocol import Prices
from dexter.replay.chart import context_points
from dexter.replay.entries import Response, Stage
from dexter.replay.reckon import FiguresInView, Reckoner, factor_of
from dexter.replay.timeline import Timeline, Turn
from dexter.scratchpad.lines import unpack_result
from dexter.scratchpad.reader import Line, read_lines
from dexter.scratchpad.rebuild import SentView, ViewFold
from dexter.scratchpad.run_state import known_cost
from dexter.usage import Usage


@dataclass(frozen=True)
class TurnRow:
    """One turn. `tokens` in of its last request, `output` out; `cost_usd` with that of its stages, None: unknown.

    `figures` of `known` numbers that results had brought stood in the view.
    """

    turn: int
    tokens: int | None
    output: int = 0
    cost_usd: Decimal | None = None
    events: tuple[str, ...] = ()
    figures: int = 0
    known: int = 0

    @property
    def share_in_view(self) -> float | None:
        """Which share of the known figures the view held; None where there were none."""
        return self.figures / self.known if self.known else None


def rows_of(timeline: Timeline, reckoner: Reckoner | None = None) -> tuple[TurnRow, ...]:
    """A run's turns; tokens and cost as recorded, or reckoned anew from the views in the file.

    Raises:
        ScratchpadError: the file cannot be read.
    """
    marks = {point.turn: point for point in context_points(timeline)}
    outputs = {turn.number: sum(r.usage.output for r in turn.of(Response) if r.usage) for turn in timeline.turns}
    sent = {turn: (usage, held) for turn, usage, held in _requests(timeline.path, reckoner)}
    rows = []
    for turn in timeline.turns:
        if not turn.number:
            continue
        usage, held = sent.get(turn.number, (None, (0, 0)))
        output, point = outputs[turn.number], marks[turn.number]
        if reckoner is None or usage is None:
            tokens, call = point.tokens, _recorded_cost(turn)
        else:
            tokens, call = usage.input, reckoner.cost(replace(usage, output=output))
        rows.append(TurnRow(turn.number, tokens, output, _with_stages(call, turn), point.marks, *held))
    return tuple(rows)


def reckoner_for(timeline: Timeline, prices: Prices | None) -> Reckoner:
    """Reckons this run's requests, calibrated by what its provider counted."""
    fold, counted = ViewFold(), []
    inputs = {
        turn.number: turn.response.usage.input for turn in timeline.turns if turn.response and turn.response.usage
    }
    total = RunningTotal()
    for line in read_lines(timeline.path):
        sent = fold.feed(line) if isinstance(line, Line) else None
        if isinstance(sent, SentView):
            raw = total.of(sent.messages) + sum(tool.tokens for tool in sent.tools)
            counted.append((inputs.get(sent.turn, 0), raw))
    return Reckoner(fold.tools, factor_of(counted), prices)


def _requests(path: Path, reckoner: Reckoner | None) -> Iterator[tuple[int, Usage | None, tuple[int, int]]]:
    """Every request's turn, tokens by the reckoner, and figures in view."""
    fold, figures = ViewFold(), FiguresInView()
    for line in read_lines(path):
        if not isinstance(line, Line):
            continue
        if line.type == "tool_result" and "result" in line.record:
            figures.learn(unpack_result(line.record["result"]))
        sent = fold.feed(line)
        if isinstance(sent, SentView):
            usage = reckoner.usage(sent.messages, 0) if reckoner else None
            yield sent.turn, usage, figures.look(sent.messages)


def _recorded_cost(turn: Turn) -> Decimal | None:
    costs = [known_cost(response.cost_usd) for response in turn.of(Response)]
    return None if None in costs else sum((cost for cost in costs if cost is not None), Decimal())


def _with_stages(call: Decimal | None, turn: Turn) -> Decimal | None:
    """With what the turn's compactions cost."""
    stages = [known_cost(stage.report.get("cost_usd")) for stage in turn.of(Stage) if "cost_usd" in stage.report]
    if call is None or None in stages:
        return None
    return sum((cost for cost in stages if cost is not None), call)
