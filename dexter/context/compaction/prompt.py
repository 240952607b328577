"""The request for a summary: text only, the refusal of tools at both ends, the material in full with its status."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from string import Template

from dexter.context.compaction.material import Part, without_middle
from dexter.context.markers import is_summary, is_users_own
from dexter.messages import AssistantMessage, Message, Messages, SystemMessage, UserMessage, question_index
from dexter.scratchpad.state import ResultState, results_for_summary
from dexter.text import estimate_tokens

# Characters: the question and earlier conversation of a request, so that neither can fill it.
_QUESTION_CHARS = 8_000
_EARLIER_CHARS = 12_000
_LEFT_OUT = "\n[…]\n"


@dataclass(frozen=True)
class Task:
    """What a summary is for: the question with what was typed since, earlier answers, and what to dwell on."""

    question: str
    earlier: str = ""
    focus: str = ""


def task_of(messages: Messages, focus: str) -> Task:
    """The task as it stands in the view."""
    question = question_index(messages)
    typed = [m.text for m in messages[max(question, 0) :] if isinstance(m, UserMessage) and is_users_own(m)]
    earlier = [_line(m) for m in messages[: max(question, 0)] if _is_spoken(m)]
    return Task(
        without_middle("\n".join(typed), _QUESTION_CHARS, _LEFT_OUT),
        without_middle("\n".join(earlier), _EARLIER_CHARS, _LEFT_OUT),
        focus,
    )


def earlier_summary(messages: Messages) -> str | None:
    """What stands in the view for runs before this one: a new summary carries it on, whole. None: nothing does."""
    return "\n\n".join(m.text for m in messages if isinstance(m, UserMessage) and is_summary(m)) or None


def fitted(text: str, tokens: int) -> str:
    """The text with so much of its middle left out that it has at most `tokens` estimated tokens."""
    chars = len(text)
    while chars and estimate_tokens(text) > tokens:
        chars = chars * 4 // 5
        text = without_middle(text, chars, _LEFT_OUT)
    return text


def summary_request(task: Task, part: Part, *, earlier: str | None, number: int, parts: int) -> Messages:
    """The messages that ask for a summary of one part of the results, `earlier` being the summary so far."""
    text = Template(prompt_text("summary.md")).substitute(
        focus=f"\nThe user asks to dwell on: {task.focus}\n" if task.focus else "",
        question=task.question,
        earlier=f"\nEarlier in this conversation:\n{task.earlier}\n" if task.earlier else "",
        part=f"This is part {number} of {parts}; the summary so far stands first.\n" if parts > 1 else "",
        material=results_for_summary(ResultState(summary=earlier), part),
    )
    return (SystemMessage("s", prompt_text("system.md")), UserMessage("u", text, "harness", "note"))


@cache
def prompt_text(name: str) -> str:
    """A prompt file of this package."""
    return files("dexter.context.compaction.prompts").joinpath(name).read_text(encoding="utf-8")


def _is_spoken(message: Message) -> bool:
    """What user and model said to each other, calls aside."""
    if isinstance(message, UserMessage):
        return is_users_own(message)
    return isinstance(message, AssistantMessage) and bool(message.text) and not message.tool_calls


def _line(message: Message) -> str:
    if isinstance(message, UserMessage):
        return f"User: {message.text}"
    return f"Answer: {message.text}" if isinstance(message, AssistantMessage) else ""
