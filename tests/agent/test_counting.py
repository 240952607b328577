"""Where an estimate could decide wrongly about the threshold, the provider counts."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from dexter.agent.loop import run_loop
from dexter.messages import Messages, ToolSpec
from dexter.models.scripted import ScriptedModel, calls, says
from tests.support.runs import Bench, make_run

WINDOW = 20_000  # threshold 14,000


@dataclass
class Counting(ScriptedModel):
    """A scripted model whose provider counts so many tokens, or can't count."""

    answer: int | None = None
    asked: list[Messages] = field(default_factory=list)

    async def count(self, messages: Messages, *, tools: Sequence[ToolSpec]) -> int | None:
        self.asked.append(messages)
        return self.answer


def run(folder: Path, words: int, answer: int | None) -> tuple[Bench, Counting]:
    """A run with one result of about so many tokens."""
    turn = calls(("echo", f'{{"query": "revenue ", "size": {words}}}'))
    model = Counting([turn, says("done")], answer=answer)
    bench = make_run(folder, model, window=WINDOW)
    asyncio.run(run_loop(bench.run))
    return bench, model


def test_the_provider_counts_near_the_threshold(tmp_path: Path) -> None:
    """The count takes the place of the estimate, and the estimate learns from it."""
    bench, model = run(tmp_path, 8_200, 12_000)
    assert len(model.asked) == 1
    assert bench.run.ctx.meter.factor != 1.0


@pytest.mark.parametrize("words", [50, 40_000])
def test_nobody_is_asked_where_the_answer_is_plain(tmp_path: Path, words: int) -> None:
    """Far below or above the threshold a count would change nothing."""
    assert run(tmp_path, words, 12_000)[1].asked == []


def test_a_provider_that_cannot_count_leaves_the_estimate(tmp_path: Path) -> None:
    """No count, no difference."""
    bench, model = run(tmp_path, 8_200, None)
    assert len(model.asked) == 1
    assert bench.run.ctx.meter.factor == pytest.approx(1.0, abs=0.2)
