"""Making a view whole again whose record lost lines: every call answered once, every result behind its call."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from operator import is_

from dexter.messages import AssistantMessage, Message, Messages, ToolMessage, rounds


def whole_rounds(messages: Messages, recorded: Iterable[ToolMessage] = ()) -> Messages:
    """The view without what no provider would take after lines were lost; the same tuple if nothing was.

    A result that is missing in a round is taken from `recorded` if it is there; otherwise the round's calls and results
    go, and what the user and the harness said in it stays. Results without their call go. The newest round may have
    open calls: they are the business of whoever takes the run up.
    """
    known = {message.call: message for message in recorded}
    found = rounds(messages)
    start = found[0].start if found else len(messages)
    mended: list[Message] = [message for message in messages[:start] if not isinstance(message, ToolMessage)]
    for part in found:
        newest = part is found[-1]
        mended.extend(_whole_round(messages[part.start : part.stop], {} if newest else known, newest=newest))
    same = len(mended) == len(messages) and all(map(is_, mended, messages))
    return messages if same else tuple(mended)


def _whole_round(messages: Messages, known: Mapping[str, ToolMessage], *, newest: bool) -> Sequence[Message]:
    assistant = messages[0]
    calls = [call.id for call in assistant.tool_calls] if isinstance(assistant, AssistantMessage) else []
    others = [message for message in messages[1:] if not isinstance(message, ToolMessage)]
    entered = {message.call: message for message in messages if isinstance(message, ToolMessage)}
    answers = {call: answer for call in calls if (answer := entered.get(call) or known.get(call))}
    if len(answers) < len(calls) and not newest:
        return others
    paired = 1 + len(answers) + len(others) == len(messages) and answers.keys() == entered.keys()
    return messages if paired else (assistant, *answers.values(), *others)
