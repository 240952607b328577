"""Which model judges: never the one that is judged, unless that is asked for."""

from __future__ import annotations

import re
from collections.abc import Iterable

from dexter.errors import UsageError

_NAME_ONE = "Name one with --judge."
# What names add to a model's own: dates, `latest`, Bedrock's version, OpenRouter's variants; before it, its maker.
_SUFFIX = re.compile(
    r"(?:[@-](?:\d{8}|\d{4}-\d\d-\d\d|latest|default)|-v\d+:\d+|:(?:free|extended|thinking|online|nitro|floor|exacto))+$"
)
_PREFIX = re.compile(r"^(?:\w+\.)*(?:anthropic|openai|google|deepseek|meta|mistral)\.")


def is_same_model(one: str, other: str) -> bool:
    """Whether two names mean one model, by whatever way it is reached: `openrouter/x/m:free` is `m`."""
    return _own_name(one) == _own_name(other)


def _own_name(name: str) -> str:
    return _SUFFIX.sub("", _PREFIX.sub("", name.rpartition("/")[2].lower()))


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
    if wanted and is_same_model(wanted, judged) and not self_judge:
        raise UsageError(
            f"{judged} would judge its own answers.", remedy="Name another with --judge, or add --self-judge."
        )
    if wanted:
        return wanted
    found = next((name for name in candidates if self_judge or not is_same_model(name, judged)), None)
    if found is None:
        raise UsageError("Its rubrics need a judge, and there is no model that could be it.", remedy=_NAME_ONE)
    return found
