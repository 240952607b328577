"""Before a compaction, what the user has said about themselves goes to long-term memory."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from dexter.config.limits import Limits
from dexter.context.compaction.material import without_middle
from dexter.context.compaction.parse import NoSummaryError, check_is_whole_text
from dexter.context.compaction.prompt import prompt_text
from dexter.context.markers import is_users_own
from dexter.context.reports import FlushReport, flushed_this_cycle
from dexter.context.stage import MemoryWriter, RunContext, StageResult
from dexter.context.text_call import ask_for_text, candidates
from dexter.errors import ModelError
from dexter.messages import Messages, SystemMessage, UserMessage
from dexter.text import cut, one_line

_NOTHING = re.compile(r"\W*nothing\W*", re.IGNORECASE)
_ORIGIN = "memory flush"
_SAID_CHARS = 20_000
_NOTE_CHARS = 300


@dataclass(frozen=True)
class MemoryFlush:
    """Over the threshold, once in a compaction cycle, if memory is on. Its failure never fails the run.

    The model reads only the user's own words, so that nothing a page says can become a fact about the user.
    """

    name: str = "memory_flush"

    async def __call__(self, messages: Messages, ctx: RunContext) -> StageResult:
        """Write notes if a flush is due; the view stays as it is."""
        if ctx.memory is None or not ctx.over_threshold(messages) or flushed_this_cycle(ctx.reports):
            return StageResult(messages)
        try:
            notes = await _notes(messages, ctx)
            report = _written(notes, ctx.memory) if notes else FlushReport("nothing")
        except (ModelError, NoSummaryError, OSError) as error:
            report = FlushReport("failed", reason=str(error))
        return StageResult(messages, report)

    def rule(self, limits: Limits) -> str:
        """What it does, with its numbers."""
        return f"over the threshold, once before a compaction: up to {limits.flush_notes} notes about the user"


async def _notes(messages: Messages, ctx: RunContext) -> str:
    """The facts as a Markdown list, '' where there are none.

    Raises:
        ModelError: no model could be reached.
        NoSummaryError: the answer is useless.
    """
    model = next(candidates(ctx), None)
    if model is None:
        raise ModelError("There is no model to ask.", kind="other")
    said = "\n\n".join(m.text for m in messages if isinstance(m, UserMessage) and is_users_own(m))
    said = without_middle(said, min(_SAID_CHARS, model.info.window), "\n[…]\n")
    request = (
        SystemMessage("s", prompt_text("flush.md")),
        UserMessage("u", f"What the user has written:\n\n{said}\n\nThe notes, or NOTHING:", "harness", "note"),
    )
    response = await ask_for_text(model, request, ctx, max_tokens=min(ctx.limits.flush_output, model.info.output_limit))
    check_is_whole_text(response)
    return as_list(response.text, ctx.limits.flush_notes)


def as_list(text: str, most: int) -> str:
    """The items of a list, at most `most`, each as one short line; '' for NOTHING. What is no item is left out."""
    if _NOTHING.fullmatch(text.strip()):
        return ""
    items = [one_line(line.strip()[1:]) for line in text.split("\n") if line.strip().startswith(("-", "*", "•"))]
    return "\n".join(f"- {cut(item, _NOTE_CHARS)}" for item in items[:most] if item and not _NOTHING.fullmatch(item))


def _written(notes: str, memory: MemoryWriter) -> FlushReport:
    path: Path = memory.append(notes, origin=_ORIGIN)
    return FlushReport("written", str(path), len(notes))
