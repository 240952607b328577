"""The four-level compaction: the conversation itself is saved, then condensed; the user's words remain."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from string import Template

from dexter.config.limits import Limits
from dexter.context.compaction.draft import Draft
from dexter.context.compaction.material import without_middle
from dexter.context.compaction.parse import check_is_whole_text
from dexter.context.compaction.prompt import prompt_text
from dexter.context.compaction.splice import split_at
from dexter.context.compaction.summarise import Summary
from dexter.context.groups import groups_of
from dexter.context.markers import is_users_own
from dexter.context.mentions import ranges_text
from dexter.context.stage import RunContext
from dexter.context.text_call import TextRoom, ask_for_text, candidates
from dexter.errors import ModelError
from dexter.messages import (
    AssistantMessage,
    IdRange,
    Message,
    Messages,
    SystemMessage,
    ToolMessage,
    UserMessage,
)
from dexter.models.protocol import Model
from dexter.text import estimate_tokens

_LEFT_OUT = "\n[… the middle of the conversation is left out here …]\n"


@dataclass(frozen=True)
class Conversation:
    """The messages are saved and summarised as they stand.

    The last `tail` messages stay, with the call that their first results belong to.
    """

    tail: int = 0

    def is_due(self, messages: Messages, ctx: RunContext) -> bool:
        """Whether the conversation has too many characters."""
        return characters(messages) > most_characters(ctx)

    async def draft(self, messages: Messages, ctx: RunContext) -> Draft:
        """Save the messages, condense them, splice; nothing is changed yet.

        Raises:
            ScratchpadError: the transcript could not be written.
            NoSummaryError: the answer is useless.
            ModelError: no model could be reached.
        """
        transcript = ctx.results.transcript(messages)
        answer = await _condensed(messages, ctx)
        part = split_at(messages, self._tail_start(messages))
        covers = part.covers
        message = UserMessage(ctx.new_id(), _text(answer.text, covers), "harness", "compacted", covers)
        newest = covers[-1][1] if covers else 0
        return Draft(part.view(message), answer, newest, covers, part.unseen, transcript=str(transcript))

    def is_tight(self, view: Messages, ctx: RunContext) -> bool:
        """Whether the new view leaves too little room to count as a success."""
        return characters(view) > ctx.limits.compaction_goal_share * most_characters(ctx)

    def when(self, limits: Limits) -> str:
        """What makes it due, with its numbers."""
        return f"over {limits.level_compact_chars:,} characters"

    def what(self, limits: Limits) -> str:
        """What it makes, with its numbers."""
        kept = f", the last {self.tail} messages" if self.tail else ""
        return f"transcript, summary ({limits.level_summary_tokens:,} tokens), the user's words{kept}"

    def _tail_start(self, messages: Messages) -> int:
        """Where the kept tail begins: never at results whose call would be left behind."""
        groups = groups_of(messages[1:])
        first = max(len(groups) - self.tail, 0)
        while 0 < first < len(groups) and isinstance(groups[first][0], ToolMessage):
            first -= 1
        return 1 + sum(map(len, groups[:first]))


def characters(messages: Messages) -> int:
    """Characters of the conversation, the system prompt aside."""
    return sum(message.size for message in messages[1:])


def most_characters(ctx: RunContext) -> int:
    """Characters over which the conversation is compacted: a number, in small windows a share of the window."""
    share = int(ctx.window * ctx.limits.level_compact_share * ctx.limits.chars_per_token)
    return min(ctx.limits.level_compact_chars, share)


async def _condensed(messages: Messages, ctx: RunContext) -> Summary:
    """One request to the first model that does not refuse it."""
    refused: ModelError | None = None
    for model in candidates(ctx):
        try:
            return await _by_model(model, messages, ctx)
        except ModelError as error:
            if error.retryable:
                raise
            refused = error
    raise refused or ModelError("There is no model to summarise with.", kind="other")


async def _by_model(model: Model, messages: Messages, ctx: RunContext) -> Summary:
    room = TextRoom.of(model.info, ctx, output=ctx.limits.level_summary_tokens)
    focus = f"\nThe user asks to dwell on: {ctx.focus}\n" if ctx.focus else ""
    frame = Template(prompt_text("levels.md"))
    free = room.prompt - estimate_tokens(frame.substitute(material="", focus=focus))
    text = frame.substitute(material=_material(messages, ctx.limits.level_summary_input_chars, free), focus=focus)
    request = (SystemMessage("s", prompt_text("system.md")), UserMessage("u", text, "harness", "note"))
    response = await ask_for_text(model, request, ctx, max_tokens=room.output)
    check_is_whole_text(response)
    return Summary(response.text.strip(), model.info.name).after(response)


def _material(messages: Messages, chars: int, room: int) -> str:
    """The conversation with its middle cut so that it has at most so many characters and tokens."""
    whole = "\n".join(_lines(messages))
    while True:
        text = without_middle(whole, chars, _LEFT_OUT)
        if estimate_tokens(text) <= room or chars <= len(_LEFT_OUT):
            return text
        chars = chars * 4 // 5


def _lines(messages: Messages) -> Iterator[str]:
    """The conversation as text: no tool blocks, which a request without tools may not hold."""
    for message in messages[1:]:
        yield _line(message)


def _line(message: Message) -> str:
    if isinstance(message, UserMessage):
        return f"{'User' if is_users_own(message) else 'Harness'}: {message.text}"
    if isinstance(message, AssistantMessage):
        calls = [f"calls {c.name} {json.dumps(c.arguments, ensure_ascii=False)}" for c in message.tool_calls]
        return "\n".join([f"Assistant: {message.text}", *calls])
    if isinstance(message, ToolMessage):
        return f"#{message.result} {message.tool} [{message.status}]: {message.text}"
    return message.text


def _text(summary: str, covers: tuple[IdRange, ...]) -> str:
    results = (
        f"\n\nIt rests on results {ranges_text(covers)}; read_result(id) gives any of them back whole."
        if covers
        else ""
    )
    return f"[Compacted]\n\n{summary}{results}"
