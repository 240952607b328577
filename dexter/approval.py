"""What must be asked before it is done: the request, the decision, and what an earlier decision covers.

Public contract (docs/interfaces.md). Whoever shows a request to a person is an `Approver`: an async callable that takes
the whole request and gives a decision. It is cancelled like any task when the run is interrupted.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

Scope: TypeAlias = Literal["once", "session", "always"]
DecisionKind: TypeAlias = Literal["once", "session", "always", "deny", "granted", "unasked"]


@dataclass(frozen=True)
class Proposal:
    """Exactly what a tool is about to do.

    Attributes:
        action: what happens, as a verb phrase: `create the file`, `send a request to`.
        target: what it happens to, whole: a real path, a URL, a command.
        within: the folder or host that an answer for more than once may cover; '' if each needs its own.
        detail: the whole diff, body or arguments.
        basis: digest of what the proposal rests on, so that the tool can tell whether it has changed since.
    """

    action: str
    target: str
    within: str = ""
    detail: str = ""
    basis: str = ""


@dataclass(frozen=True)
class ApprovalRequest:
    """A question to the user.

    Attributes:
        call: id of the call that waits.
        tool: the tool's name.
        proposal: what it would do.
        reason: why, in the model's words; '' if it gave none.
        origins: where untrusted text in this conversation came from; whoever wrote that may be behind the call.
    """

    call: str
    tool: str
    proposal: Proposal
    reason: str = ""
    origins: tuple[str, ...] = ()

    @property
    def offers(self) -> tuple[Scope, ...]:
        """The ways to say yes. What a stranger may be behind is never allowed for always."""
        if not self.proposal.within:
            return ("once",)
        return ("once", "session") if self.origins else ("once", "session", "always")


@dataclass(frozen=True)
class Decision:
    """What was decided. `reason` is what the user said to a denial: it goes to the model.

    An approver gives `once`, `session`, `always` or `deny`. The harness adds `granted` (an earlier decision covers the
    call) and `unasked` (nobody could be asked: refused).
    """

    kind: DecisionKind
    reason: str = ""

    @property
    def is_yes(self) -> bool:
        """Whether the call may run."""
        return self.kind not in ("deny", "unasked")


Approver: TypeAlias = Callable[[ApprovalRequest], Awaitable[Decision]]


@dataclass(frozen=True)
class Grant:
    """A decision that covers later calls of a tool: `what` is one target, or a folder or host.

    It covers as much untrusted text as the user knew of (`origins`) when giving it: text from anywhere else, read
    later, cannot use it. A target that the user named beforehand, exactly, stays granted whatever is read (`named`).
    """

    tool: str
    what: str
    origins: frozenset[str] = frozenset()
    named: bool = False

    def covers(self, request: ApprovalRequest) -> bool:
        """Whether the call may run without asking."""
        proposal = request.proposal
        if self.tool != request.tool:
            return False
        exact = self.what == proposal.target
        if exact and self.named:
            return True
        return (exact or _is_within(proposal.within, self.what)) and self.origins.issuperset(request.origins)


def _is_within(place: str, folder: str) -> bool:
    """Folders hold their subfolders; a host is itself alone."""
    return bool(place and folder) and (place == folder or place.startswith(folder.rstrip("/") + "/"))
