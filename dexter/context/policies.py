"""The named policies: stages in order, as the specification lists them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from dexter.config.limits import Limits
from dexter.context.compaction.conversation import Conversation
from dexter.context.policy import Policy
from dexter.context.stages.compact import Compact
from dexter.context.stages.memory_flush import MemoryFlush
from dexter.context.stages.microcompact import Microcompact
from dexter.context.stages.persist_results import PersistResults
from dexter.context.stages.snip import Snip
from dexter.context.stages.soft_limit import SoftLimit
from dexter.context.stages.strip_thinking import StripThinking
from dexter.context.stages.truncate import Truncate
from dexter.context.stages.turn_budget import TurnBudget
from dexter.errors import UsageError

DEFAULT_POLICY = "dexter"


def dexter(_limits: Limits) -> Policy:
    """Clear old results in batches; over the threshold flush, compact, truncate."""
    return Policy(
        "dexter",
        before_model=(Microcompact(), StripThinking()),
        on_overflow=(Truncate(on_overflow=True),),
        after_tools=(PersistResults(), TurnBudget(), MemoryFlush(), Compact(), Truncate(), SoftLimit()),
        on_request=(Compact(moment="on request"),),
    )


def lean(limits: Limits) -> Policy:
    """As `dexter`, but once there are a few results no seen one stays: the cheapest at full recall."""
    base = dexter(limits)
    return Policy(
        "lean",
        before_model=(Microcompact(over=limits.lean_clear_over, keep=0), StripThinking()),
        on_overflow=base.on_overflow,
        after_tools=base.after_tools,
        on_request=base.on_request,
    )


def four_level(limits: Limits) -> Policy:
    """Persist, snip, microcompact, compact before every call, cheapest first; reactive compaction on an overflow."""
    return Policy(
        "four-level",
        before_model=(
            PersistResults(chars=limits.level_persist_chars, wording="four-level"),
            TurnBudget(spare=limits.level_persist_chars, wording="four-level"),
            Snip(),
            Microcompact(
                over=limits.level_micro_keep,
                keep=limits.level_micro_keep,
                by_size=False,
                spare=limits.level_micro_chars,
                least_gain=0,
                wording="four-level",
            ),
            Compact(Conversation()),
        ),
        on_overflow=(Compact(Conversation(tail=limits.reactive_tail), moment="on overflow"),),
        on_request=(Compact(Conversation(), moment="on request"),),
    )


def none(_limits: Limits) -> Policy:
    """Does nothing to the messages: the baseline."""
    return Policy("none")


POLICIES: Mapping[str, Callable[[Limits], Policy]] = {
    "dexter": dexter,
    "lean": lean,
    "four-level": four_level,
    "none": none,
}


def policy_named(name: str, limits: Limits | None = None) -> Policy:
    """The policy of this name with these limits.

    Raises:
        UsageError: there is no such policy.
    """
    build = POLICIES.get(name)
    if build is None:
        raise UsageError(f"There is no policy {name!r}.", remedy=f"Choose one of {', '.join(POLICIES)}.")
    return build(limits or Limits())


def listing(policy: Policy, limits: Limits) -> str:
    """A policy for people: its stages in order, each with its moment and its numbers."""
    return "\n".join([policy.name, *_rows(policy, limits)])


def _rows(policy: Policy, limits: Limits) -> Iterator[str]:
    moments = {
        "before a call": policy.before_model,
        "after tools": policy.after_tools,
        "on overflow": policy.on_overflow,
        "on request": policy.on_request,
    }
    for moment, stages in moments.items():
        for number, stage in enumerate(stages):
            yield f"  {'' if number else moment:14}{stage.name}: {stage.rule(limits)}"
    if not any(moments.values()):
        yield "  no stage: the messages stay as they are"
