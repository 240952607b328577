"""The approvals of a session: what the user allowed before, what the command line allows, and who is asked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from dexter.agent.approvals import Approvals
from dexter.app.outside import Setup
from dexter.approval import ApprovalRequest, Approver, Decision, Grant
from dexter.config.approvals import allow_always, allowed_always
from dexter.config.keys import Keys
from dexter.config.paths import real_path
from dexter.errors import UsageError

_FILE_TOOLS = ("write_file", "edit_file")


def approvals_for(setup: Setup, ask: Approver | None = None, allow: Iterable[str] = ()) -> Approvals:
    """Approvals that know what is allowed for always, and remember more of it.

    Args:
        setup: names the user's data folder.
        ask: who shows a request to the user; None where nobody can be asked.
        allow: what was allowed beforehand, as `TOOL` or `TOOL:TARGET`.

    Raises:
        UsageError: one of `allow` is neither.
        SettingsError: its target is no usable path.
    """
    store = setup.config.places.approvals_file
    remembered = (Grant(tool, what) for tool, what in allowed_always(store))
    return Approvals(
        _discreet(ask, setup.config.keys) if ask else None,
        grants=[*remembered, *_named(allow)],
        remember=lambda grant: allow_always(store, (grant.tool, grant.what)),
    )


def _discreet(ask: Approver, keys: Keys) -> Approver:
    """The same question and answer without keys: the file that is to change may hold one, so may a reason."""

    async def asked(request: ApprovalRequest) -> Decision:
        proposal = replace(request.proposal, detail=keys.redact(request.proposal.detail))
        decision = await ask(replace(request, proposal=proposal, reason=keys.redact(request.reason)))
        return replace(decision, reason=keys.redact(decision.reason))

    return asked


def _named(allow: Iterable[str]) -> Iterator[Grant]:
    for text in allow:
        tool, _, target = text.partition(":")
        if not tool or (tool in _FILE_TOOLS and not target):
            raise UsageError(
                f"--allow {text!r} does not say what is allowed.",
                remedy="Like --allow write_file:reports/nvda.md, or a folder, or the name of a tool of your own.",
            )
        what = str(real_path(Path(target))) if tool in _FILE_TOOLS else target or tool
        yield Grant(tool, what, named=True)
