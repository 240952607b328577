"""Large results as previews: what stays in the view when the whole goes to a file of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Literal

from dexter.config.limits import Limits
from dexter.context.pages import cut_page
from dexter.context.reports import PersistedResult
from dexter.context.stage import RunContext
from dexter.errors import ScratchpadError
from dexter.messages import MediaBlock, Message, Messages, TextBlock, ToolMessage
from dexter.text import cut_at_line

Wording = Literal["dexter", "four-level"]

# What a preview says beside the text it shows, at most, unless the path is very long.
_NOTE_CHARS = 400
_NOTE_TOKENS = 150


@dataclass(frozen=True)
class ResultLimits:
    """Characters: of one result in the view, of one turn's results together, of a preview."""

    result: int
    turn: int
    preview: int


def result_limits(limits: Limits, window: int) -> ResultLimits:
    """The limits at this window (tokens): in small windows each is at most a share of it."""
    chars = window * limits.chars_per_token
    return ResultLimits(
        result=min(limits.result_chars, int(chars * limits.result_share)),
        turn=min(limits.turn_chars, int(chars * limits.turn_share)),
        preview=min(limits.preview_chars, int(chars * limits.preview_share)),
    )


@dataclass(frozen=True)
class Shrunk:
    """A result made shorter: as a preview of a file, or cut because it is a page or the file could not be written."""

    message: ToolMessage
    persisted: PersistedResult | None = None
    failure: str = ""


def shrink(message: ToolMessage, ctx: RunContext, *, preview: int, keep: int, wording: Wording) -> Shrunk | None:
    """The result as a preview of `preview` characters, the whole in a file; None where that is no shorter.

    A page is cut to `keep` characters instead, and so is a result whose file cannot be written.
    """
    if message.form == "cleared" or message.path:
        return None
    if ctx.traits(message.tool).pages:
        return _as_cut(message, keep, lambda room: with_text(message, cut_page(message.text, room)))
    if message.form == "preview":
        return _as_cut(message, keep, lambda room: _without_file(message, room))
    if not _worthwhile(message, preview, wording):
        return None
    try:
        return _to_file(message, ctx, preview, wording)
    except ScratchpadError as error:
        return _as_cut(message, keep, lambda room: _without_file(message, room), failure=str(error))


@dataclass
class Shrinking:
    """A view in which results are made shorter one by one, and what became of each, for the report."""

    view: list[Message]
    persisted: list[PersistedResult] = field(default_factory=list)
    cut: list[int] = field(default_factory=list)
    failed: list[tuple[int, str]] = field(default_factory=list)

    def put(self, index: int, shrunk: Shrunk | None) -> None:
        """Put a shortened result in its place; None leaves it as it is."""
        if shrunk is None:
            return
        self.view[index] = shrunk.message
        if shrunk.persisted:
            self.persisted.append(shrunk.persisted)
        elif shrunk.failure:
            self.failed.append((shrunk.message.result, shrunk.failure))
        else:
            self.cut.append(shrunk.message.result)

    @property
    def results(self) -> tuple[int, ...]:
        """The ids of those made shorter."""
        return (*(p.result for p in self.persisted), *self.cut, *(result for result, _ in self.failed))

    @property
    def changed(self) -> bool:
        """Whether any result was made shorter."""
        return bool(self.results)

    @property
    def messages(self) -> Messages:
        """The view as it is now."""
        return tuple(self.view)


def results_from(messages: Messages, start: int) -> Iterable[tuple[int, ToolMessage]]:
    """The results from a place in the view on, with their places."""
    return ((index, m) for index, m in enumerate(messages[start:], start) if isinstance(m, ToolMessage))


def is_smaller(new: ToolMessage, old: ToolMessage) -> bool:
    """Whether a change of the content pays: fewer tokens, and less text or fewer pictures."""
    return new.tokens < old.tokens and (new.size < old.size or new.media_count() < old.media_count())


def with_text(message: ToolMessage, text: str) -> ToolMessage:
    """The message with another text; its media parts stay."""
    if isinstance(message.content, str):
        return replace(message, content=text)
    media = tuple(block for block in message.content if isinstance(block, MediaBlock))
    return replace(message, content=(TextBlock(text), *media))


def preview_text(message: ToolMessage, path: str, limit: int, wording: Wording) -> str:
    """What the view keeps of a result that is whole in the file at `path`."""
    text = message.text
    shown = cut_at_line(text, limit)
    if wording == "four-level":
        return (
            f"<persisted-output>\nFull output: {path}\n#{message.result}, {len(text):,} characters,"
            f" also by read_result(id={message.result})\nPreview:\n{shown}\n</persisted-output>"
        )
    return (
        f"[#{message.result} is too large to stand here: {len(text):,} characters, of which the first {len(shown):,}"
        f" follow. Any part of it: read_result(id={message.result}), or read_file of {path}]\n{shown}"
    )


def _worthwhile(message: ToolMessage, preview: int, wording: Wording) -> bool:
    """Whether a preview would be shorter, judged before anything is written."""
    draft = with_text(message, preview_text(message, "", preview, wording))
    return draft.size + _NOTE_CHARS < message.size and draft.tokens + _NOTE_TOKENS < message.tokens


def _to_file(message: ToolMessage, ctx: RunContext, preview: int, wording: Wording) -> Shrunk | None:
    text = message.text
    path = str(ctx.results.persist(message.result, text))
    shown = preview_text(message, path, preview, wording)
    short = replace(with_text(message, shown), form="preview", path=path, chars=len(text))
    if not is_smaller(short, message):
        return None
    return Shrunk(short, PersistedResult(message.result, len(text), path, len(shown)))


def _as_cut(message: ToolMessage, keep: int, cut: Callable[[int], ToolMessage], failure: str = "") -> Shrunk | None:
    """The result cut to `keep` characters, or to a little less where saying so costs more than the cut gains."""
    for room in (keep, keep - _NOTE_CHARS):
        short = cut(room)
        if is_smaller(short, message):
            return Shrunk(short, failure=failure)
    return None


def _without_file(message: ToolMessage, limit: int) -> ToolMessage:
    """The result cut so that it and the sentence that says so have at most `limit` characters."""
    text = message.text
    total = message.chars or len(text)

    def note(shown: int) -> str:
        return (
            f"\n[Cut: {shown:,} of {total:,} characters, because the whole could not be written to a file."
            f" Any part of it: read_result(id={message.result})]"
        )

    shown = cut_at_line(text, limit - len(note(total)))
    return replace(with_text(message, shown + note(len(shown))), form="preview", chars=total)
