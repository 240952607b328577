"""The named policies: stages in order, each with its place in the specification."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from dexter.config.limits import Limits
from dexter.context.policy import Policy
from dexter.context.stages.microcompact import Microcompact
from dexter.context.stages.persist_results import PersistResults
from dexter.context.stages.soft_limit import SoftLimit
from dexter.context.stages.strip_thinking import StripThinking
from dexter.context.stages.truncate import Truncate
from dexter.context.stages.turn_budget import TurnBudget
from dexter.errors import UsageError

DEFAULT_POLICY = "dexter"


def dexter(_limits: Limits) -> Policy:
    """Clear in batches; over the threshold flush, compact, truncate."""
    return Policy(
        "dexter",
        before_model=(Microcompact(), StripThinking()),
        on_overflow=(Truncate(on_overflow=True),),
        after_tools=(PersistResults(), TurnBudget(), Truncate(), SoftLimit()),
    )


def lean(limits: Limits) -> Policy:
    """As `dexter`, but no seen result stays once there are a few: the cheapest at full recall."""
    base = dexter(limits)
    return Policy(
        "lean",
        before_model=(Microcompact(over=limits.lean_clear_over, keep=0), StripThinking()),
        on_overflow=base.on_overflow,
        after_tools=base.after_tools,
        on_request=base.on_request,
    )


def none(_limits: Limits) -> Policy:
    """Does nothing to the messages: the baseline."""
    return Policy("none")


POLICIES: Mapping[str, Callable[[Limits], Policy]] = {"dexter": dexter, "lean": lean, "none": none}


def policy_named(name: str, limits: Limits | None = None) -> Policy:
    """The policy of this name with these limits.

    Raises:
        UsageError: there is no such policy.
    """
    build = POLICIES.get(name)
    if build is None:
        raise UsageError(f"There is no policy {name!r}.", remedy=f"Choose one of {', '.join(POLICIES)}.")
    return build(limits or Limits())
