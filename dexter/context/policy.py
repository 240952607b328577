"""A policy is data: stages in order for four moments. Running them records every edit and carries the state on."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeAlias

from dexter.context.reports import Report
from dexter.context.stage import RunContext, Stage
from dexter.messages import Messages
from dexter.view_growth import shared_start


@dataclass(frozen=True)
class Policy:
    """Stages in order: before each model call, on an overflow (one step a retry), after the tools, on request."""

    name: str
    before_model: tuple[Stage, ...] = ()
    on_overflow: tuple[Stage, ...] = ()
    after_tools: tuple[Stage, ...] = ()
    on_request: tuple[Stage, ...] = ()


@dataclass(frozen=True)
class StageEdit:
    """One stage's work: the view before and after, tokens used before and after, and the report."""

    before: Messages
    after: Messages
    tokens_before: int
    tokens_after: int
    report: Report


OnEdit: TypeAlias = Callable[[StageEdit], None]


async def run_stage(stage: Stage, messages: Messages, ctx: RunContext, on_edit: OnEdit) -> tuple[Messages, RunContext]:
    """Run one stage. `on_edit` is called before the new view is used, so that the record comes first."""
    outcome = stage(messages, ctx)
    result = await outcome if inspect.isawaitable(outcome) else outcome
    if result.report is None:
        return messages, ctx
    before = ctx.used(messages)
    meter = ctx.meter
    if result.messages is not messages and not is_extension(messages, result.messages):
        meter = meter.voided()
    on_edit(StageEdit(messages, result.messages, before, meter.used(result.messages), result.report))
    return result.messages, replace(ctx, reports=(*ctx.reports, result.report), meter=meter)


async def run_stages(
    stages: tuple[Stage, ...], messages: Messages, ctx: RunContext, on_edit: OnEdit
) -> tuple[Messages, RunContext]:
    """Run the stages in order over the view: one pass."""
    ctx = replace(ctx, pass_start=len(ctx.reports))
    for stage in stages:
        messages, ctx = await run_stage(stage, messages, ctx, on_edit)
    return messages, ctx


def is_extension(before: Messages, after: Messages) -> bool:
    """Whether `after` is `before` with messages appended and nothing else changed."""
    return shared_start(before, after) == len(before)
