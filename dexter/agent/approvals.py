"""The gate before every call that writes or sends: earlier decisions first, then the user, one question at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable

from dexter.approval import ApprovalRequest, Approver, Decision, Grant
from dexter.errors import DexterError, ToolError


class Approvals:
    """Who is asked, and what was granted. One for a session: grants for the session live as long as it does.

    Without an approver whatever no grant covers is refused. `remember` keeps a grant for always.
    """

    def __init__(
        self,
        ask: Approver | None = None,
        *,
        grants: Iterable[Grant] = (),
        remember: Callable[[Grant], None] = lambda _grant: None,
    ) -> None:
        self._ask = ask
        self._grants = list(grants)
        self._remember = remember
        self._one_at_a_time = asyncio.Lock()

    async def decide(self, request: ApprovalRequest) -> Decision:
        """Whether the call may run."""
        async with self._one_at_a_time:
            if any(grant.covers(request) for grant in self._grants):
                return Decision("granted")
            if self._ask is None:
                return Decision("unasked", how_to_allow(request))
            return self._kept(request, await self._ask(request))

    def _kept(self, request: ApprovalRequest, decision: Decision) -> Decision:
        """Keep what was granted for more than once; more than was offered counts as once."""
        if decision.kind == "once" or not decision.is_yes:
            return decision
        if decision.kind not in request.offers:
            return Decision("once")
        grant = Grant(request.tool, request.proposal.within, frozenset(request.origins))
        self._grants.append(grant)
        if decision.kind == "always":
            try:
                self._remember(grant)
            except DexterError as error:
                return Decision("session", error.message)
        return decision


def how_to_allow(request: ApprovalRequest) -> str:
    """The flag that would allow this one call where nobody can be asked."""
    target = f":{request.proposal.target}" if request.proposal.target != request.tool else ""
    return f"Nobody can be asked without a terminal. Let the user pass --allow '{request.tool}{target}'."


def denial(request: ApprovalRequest, decision: Decision) -> ToolError:
    """What the model is told of a no."""
    if decision.kind == "unasked":
        return ToolError(f"{request.tool} needs the user's approval and was not run.", remedy=decision.reason)
    said = f"They said: {decision.reason}" if decision.reason else "Do not try it another way; ask or go on without."
    return ToolError(f"the user did not allow {request.tool}; nothing was done.", remedy=said)
