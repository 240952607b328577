"""Which model judges: never the one that is judged, unless that is asked for."""

from __future__ import annotations

from collections.abc import Iterable

from dexter.errors import UsageError

_NAME_ONE = "Name one with --judge."


def choose_judge(judged: str, wanted: str, candidates: Iterable[str], *, self_judge: bool) -> str:
    """The judge's name.

    Args:
        judged: the model that answers.
        wanted: the judge that was named; '' for any.
        candidates: models that there are keys for, the best first.
        self_judge: whether a model may judge itself.

    Raises:
        UsageError: there is no judge, or the judged model would be it.
    """
    if wanted == "offline":
        raise UsageError("The offline analyst can't judge.", remedy="Name a language model with --judge.")
    if wanted == judged and not self_judge:
        raise UsageError(
            f"{judged} would judge its own answers.", remedy="Name another with --judge, or add --self-judge."
        )
    if wanted:
        return wanted
    found = next((name for name in candidates if self_judge or name != judged), None)
    if found is None:
        raise UsageError("Its rubrics need a judge, and there is no model that could be it.", remedy=_NAME_ONE)
    return found
