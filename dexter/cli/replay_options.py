"""Which options of `dexter replay` go together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dexter.errors import UsageError

TWO_RUNS = "two runs"
_TIMELINE = "a timeline"

# Each way to show a run, and what may be said with it. `--plain` and `--no-pager` go with all.
TAKES: Mapping[str, Sequence[str]] = {
    _TIMELINE: ("--turn", "--tool", "--grep", "--results", "--json", "--events"),
    "--figures": ("--json",),
    "--view": ("--turn", "--json"),
    "--policy": ("--json",),
    TWO_RUNS: ("--json",),
    "--follow": ("--events",),
    "--html": (),
}
_REMEDIES: Mapping[frozenset[str], str] = {
    frozenset(("--json", "--events")): "--json prints one object at the end, --events a line for each event.",
    frozenset(("--follow", "--json")): "--events prints events as they come.",
    frozenset(("--policy", TWO_RUNS)): "Name one run and the policy, or two runs without it.",
}


def check_options(given: Sequence[str]) -> None:
    """Raises UsageError where two of the options that were given mean different things.

    Args:
        given: options by their long names, and `TWO_RUNS`.
    """
    ways = [option for option in given if option in TAKES]
    way = ways[0] if ways else _TIMELINE
    other = next((option for option in given if option != way and option not in TAKES[way]), None)
    if other is not None:
        raise _apart(way, other)
    if "--json" in given and "--events" in given:
        raise _apart("--json", "--events")


def _apart(way: str, other: str) -> UsageError:
    told = _REMEDIES.get(frozenset((way, other)))
    if told is None:
        told = f"Leave one of them out: with {way} goes {f'{_listed(TAKES[way])} only' if TAKES[way] else 'no other'}."
    return UsageError(f"{way[0].upper()}{way[1:]} and {other} exclude each other.", remedy=told)


def _listed(options: Sequence[str]) -> str:
    return " and ".join(options)
