"""`/model` and `/policy`: who answers, and how its context is kept bounded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dexter.context.policies import POLICIES, listing
from dexter.session.commands.command import Command
from dexter.session.front import Choice
from dexter.session.session import Session, with_settings
from dexter.ui.cards import Line
from dexter.ui.words import short

_OFFLINE = "offline"


async def _model(session: Session, arguments: str) -> None:
    if arguments:
        change = with_settings(session.setup, model=None if arguments == _OFFLINE else arguments)
        session.use(with_settings(change, offline=arguments == _OFFLINE))
    plan = session.plan
    info = plan.models.info
    fast = f" (fast: {plan.models.fast_name})" if plan.models.fast_name not in (None, info.name) else ""
    sizes = f"window {short(plan.window)}, compaction over {short(plan.threshold)} tokens"
    session.front.tell(Line(f"model {info.name}{fast} · {sizes}{_from_when(session, arguments)}"))


async def _policy(session: Session, arguments: str) -> None:
    limits = session.setup.settings.context
    if arguments:
        session.use(with_settings(session.setup, policy=arguments))
    session.front.tell(Line(listing(session.plan.policy, limits) + _from_when(session, arguments)))


def _from_when(session: Session, changed: str) -> str:
    return " · from the next question on" if changed and session.busy else ""


def _models(session: Session, _typed: str) -> Iterator[Choice]:
    """Those with a key, and what is always there."""
    from dexter.models.catalogue import FAMILIES, PROVIDER_NAMES, newest
    from dexter.models.model_table import bundled_table

    today = session.setup.outside.now().date()
    for provider, family in FAMILIES.items():
        if session.setup.config.keys.get(provider):
            for pattern in filter(None, (family.main, family.fast)):
                if name := newest(pattern, bundled_table(), today):
                    yield Choice(name, PROVIDER_NAMES.get(provider, provider))
    yield Choice(_OFFLINE, "the rule-based analyst; opens no socket")


def _policies(_session: Session, _typed: str) -> Iterable[Choice]:
    return [Choice(name, (make.__doc__ or "").split("\n")[0]) for name, make in POLICIES.items()]


MODEL = Command("model", "show or change the model", _model, "[NAME]", _models)
POLICY = Command("policy", "show or change how the context is kept bounded", _policy, "[NAME]", _policies)
