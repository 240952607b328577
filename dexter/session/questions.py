"""What a run asks the user: whether a call may run, and the model's own questions. The conversation stays in sight."""

from __future__ import annotations

from collections.abc import Sequence

from dexter.agent.approvals import Approvals
from dexter.app.approving import approvals_for
from dexter.app.build import Parts
from dexter.app.outside import Setup
from dexter.approval import ApprovalRequest, Decision, DecisionKind
from dexter.session.front import Choice, Front
from dexter.tools.ask_user_question import Reply, UserQuestion
from dexter.ui.approval import request_lines
from dexter.ui.literal import literal_line
from dexter.ui.questions import question_lines

_YES = {"once": "Yes, once", "session": "Yes, for this session", "always": "Yes, always"}
_NO = "No"
_NO_BECAUSE = "No, and say what to do instead"
_OWN_WORDS = "In your own words"
_DONE = "Done"


def with_user(parts: Parts, setup: Setup, front: Front, allow: Sequence[str]) -> Parts:
    """The parts of runs whose user can be asked. What is granted for the session lives as long as they do."""
    from dataclasses import replace

    async def approve(request: ApprovalRequest) -> Decision:
        return await ask_approval(front, request)

    async def ask(questions: Sequence[UserQuestion]) -> Sequence[Reply]:
        return [await ask_question(front, question) for question in questions]

    approvals: Approvals = parts.approvals or approvals_for(setup, approve, allow)
    return replace(parts, approvals=approvals, ask_user=parts.ask_user or ask)


async def ask_approval(front: Front, request: ApprovalRequest) -> Decision:
    """Show the request whole, then let the user choose. Broken off is a no, and so is Enter alone."""
    for line in request_lines(request):
        front.tell(line)
    within = request.proposal.within
    about = {"once": "", "session": f"{request.tool} in {within}", "always": f"{request.tool} in {within}"}
    kinds: list[DecisionKind] = [*request.offers, "deny", "deny"]
    choices = [*(Choice(_YES[kind], about[kind]) for kind in request.offers), Choice(_NO), Choice(_NO_BECAUSE)]
    title = f"{literal_line(request.proposal.action)} {literal_line(request.proposal.target)}?"
    while True:
        chosen = await front.choose(title, choices, guarded=True, start=kinds.index("deny"))
        if chosen is None:
            return Decision("deny")
        if chosen < len(choices) - 1:
            return Decision(kinds[chosen])
        if (reason := await front.ask_text("what instead")) is not None:
            return Decision("deny", reason.strip())


async def ask_question(front: Front, question: UserQuestion) -> Reply:
    """Show one question of the model's whole, then let the user choose; where several may hold, until they are done."""
    for line in question_lines(question):
        front.tell(line)
    labels = [choice.label for choice in question.choices]
    chosen: list[str] = []
    while True:
        marked = [
            Choice(_marked(c.label, chosen) if question.several else c.label, c.description) for c in question.choices
        ]
        ends = [Choice(_OWN_WORDS), *([Choice(_DONE)] if question.several else [])]
        index = await front.choose(question.question, [*marked, *ends], guarded=True)
        if index is None or index > len(labels):
            return Reply(tuple(chosen))
        if index == len(labels):
            if (words := await front.ask_text("answer")) is None:
                continue
            return Reply(tuple(chosen), words.strip())
        if not question.several:
            return Reply((labels[index],))
        _toggle(chosen, labels[index])


def _marked(label: str, chosen: Sequence[str]) -> str:
    return f"[{'x' if label in chosen else ' '}] {label}"


def _toggle(chosen: list[str], label: str) -> None:
    if label in chosen:
        chosen.remove(label)
    else:
        chosen.append(label)
