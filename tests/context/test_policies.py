from __future__ import annotations

from pathlib import Path

import pytest

from dexter.config.limits import Limits
from dexter.context.policies import POLICIES, listing, policy_named
from dexter.context.policy import Policy
from dexter.errors import UsageError

README = Path(__file__).parents[2] / "README.md"
LIMITS = Limits()


def _names(stages):
    return [stage.name for stage in stages]


def test_the_default_policy_runs_its_stages_in_the_specified_order():
    """Clear and strip before a call; govern, flush, compact, truncate, notice after the tools."""
    policy = policy_named("dexter")
    assert _names(policy.before_model) == ["microcompact", "strip_thinking"]
    assert _names(policy.after_tools) == [
        "persist_results",
        "turn_budget",
        "memory_flush",
        "compact",
        "truncate",
        "soft_limit",
    ]
    assert _names(policy.on_overflow) == ["truncate"]
    assert _names(policy.on_request) == ["compact"]


def test_four_levels_run_before_every_call_the_cheapest_first():
    """Persist and budget, snip, microcompact, compact; nothing after the tools."""
    policy = policy_named("four-level")
    assert _names(policy.before_model) == ["persist_results", "turn_budget", "snip", "microcompact", "compact"]
    assert policy.after_tools == ()
    assert _names(policy.on_overflow) == ["compact"]


def test_lean_is_dexter_with_another_microcompact():
    """Everything else is equal: policies are data."""
    lean, dexter = policy_named("lean"), policy_named("dexter")
    assert lean.before_model[1:] == dexter.before_model[1:]
    assert lean.before_model[0] != dexter.before_model[0]
    assert (lean.after_tools, lean.on_overflow, lean.on_request) == (
        dexter.after_tools,
        dexter.on_overflow,
        dexter.on_request,
    )


def test_none_does_nothing():
    """The baseline has no stage at any moment."""
    assert policy_named("none") == Policy("none")


@pytest.mark.parametrize("name", POLICIES)
def test_policies_are_comparable_and_hashable(name):
    """Built twice from the same limits they are the same."""
    assert policy_named(name) == policy_named(name)
    assert len({policy_named(name), policy_named(name)}) == 1


def test_an_unknown_policy_names_those_there_are():
    """A person is told what to choose from."""
    with pytest.raises(UsageError) as error:
        policy_named("five-level")
    assert "four-level" in error.value.remedy


def test_the_listing_shows_the_numbers_in_force():
    """Other limits, other numbers."""
    text = listing(policy_named("dexter", Limits(keep_results=3)), Limits(keep_results=3))
    assert "all but the newest 3 become a line" in text


@pytest.mark.parametrize("name", ["dexter", "four-level"])
def test_the_readme_shows_what_the_code_does(name):
    """The README's copy of the listing is the listing."""
    shown = listing(policy_named(name), LIMITS)
    assert shown in README.read_text(encoding="utf-8"), f"the README should hold:\n{shown}"


def test_the_readme_says_how_lean_differs():
    """Its one other line stands there."""
    lines = set(listing(policy_named("lean"), LIMITS).splitlines()) - set(
        listing(policy_named("dexter"), LIMITS).splitlines()
    )
    assert lines - {"lean"} <= set(README.read_text(encoding="utf-8").splitlines())
