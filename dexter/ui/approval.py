"""A request for approval as lines: everything it is about, whole. Pure: nothing is asked here."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from dexter.approval import ApprovalRequest, Decision
from dexter.ui.cards import Line, Tone
from dexter.ui.literal import literal_line

_ORIGINS_SHOWN = 5
_YES = {"y": "once", "yes": "once", "once": "once", "s": "session", "session": "session", "a": "always"} | {
    "always": "always"
}
_NO = ("", "n", "no")


def request_lines(request: ApprovalRequest) -> Iterator[Line]:
    """What would be done, to what, why, who may be behind it, and the whole diff, body or arguments."""
    proposal = request.proposal
    yield Line(f"{literal_line(request.tool)} wants to {literal_line(proposal.action)}", "warn", "?")
    yield Line(f"  {literal_line(proposal.target)}", "info")
    if request.reason:
        yield Line(f"  The model's reason: {literal_line(request.reason)}", "quiet")
    if request.origins:
        yield Line(f"  {_warning(request.origins)}", "warn")
    lines = proposal.detail.removesuffix("\n").split("\n") if proposal.detail else ()
    for tone, block in groupby(map(literal_line, lines), _tone):
        yield Line("\n".join(f"  {line}" for line in block), tone)


def choices_line(request: ApprovalRequest) -> Line:
    """The answers there are; the target once more, because a long diff has scrolled it away."""
    words = {"once": "y yes, once", "session": "s for this session", "always": "a always"}
    offered = ", ".join(words[scope] for scope in request.offers)
    within = request.proposal.within
    covered = f" (s, a: {literal_line(request.tool)} in {literal_line(within)})" if within else ""
    text = f"{literal_line(request.proposal.action)} {literal_line(request.proposal.target)}?"
    return Line(f"{text}\n  {offered}{covered}, n no, or write what to do instead", "warn", "?")


def decision_of(answer: str, request: ApprovalRequest) -> Decision:
    """What a typed answer means. Words that are no yes are a no, and told to the model."""
    word = answer.strip()
    kind = _YES.get(word.lower())
    if kind is None:
        return Decision("deny", "" if word.lower() in _NO else word)
    scope = next((offer for offer in request.offers if offer == kind), None)
    return Decision(scope) if scope else Decision("deny", "")


def _warning(origins: tuple[str, ...]) -> str:
    shown = ", ".join(literal_line(origin) for origin in origins[:_ORIGINS_SHOWN])
    more = f" and {len(origins) - _ORIGINS_SHOWN} more" if len(origins) > _ORIGINS_SHOWN else ""
    return f"Text that strangers wrote was read before, and may be behind this: {shown}{more}"


def _tone(line: str) -> Tone:
    if line.startswith("+"):
        return "good"
    return "bad" if line.startswith("-") else "quiet"
