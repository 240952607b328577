"""Which options of `dexter replay` go together: each pair is either taken or refused with a sentence."""

from __future__ import annotations

from itertools import combinations

import pytest

from dexter.cli.replay_options import TAKES, TWO_RUNS, check_options
from dexter.errors import UsageError

OPTIONS = sorted(
    {
        *(way for way in TAKES if way.startswith("-")),
        TWO_RUNS,
        *(option for takes in TAKES.values() for option in takes),
    }
)
TOGETHER = {
    *(frozenset((way, option)) for way, takes in TAKES.items() for option in takes if way in OPTIONS),
    *(frozenset(pair) for pair in combinations(TAKES["a timeline"], 2)),
} - {frozenset(("--json", "--events"))}


@pytest.mark.parametrize(("one", "other"), list(combinations(OPTIONS, 2)))
def test_a_pair_is_taken_or_refused_by_name(one, other):
    """In either order; who is refused reads both names and what to do. Each option alone is taken."""
    check_options([one])
    check_options([other])
    for given in ([one, other], [other, one]):
        if frozenset(given) in TOGETHER:
            check_options(given)
            continue
        with pytest.raises(UsageError) as caught:
            check_options(given)
        assert set(caught.value.message.casefold().removesuffix(" exclude each other.").split(" and ")) == set(given)
        assert caught.value.remedy
