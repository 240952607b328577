"""The kind of a failure, by the weight of the evidence for it.

In this order: a provider's own numbers, names that say something (`insufficient_quota`), sentences from the first to
the last, names that say little (`invalid_request_error`), the library's class, the HTTP status, a status that is only
quoted. Words come before the status because providers send an empty balance as 429, an overload as 200 inside a
stream, and a malformed call as 500. The first sentence says what happened; later ones give advice ("reduce the prompt
or raise your plan"), which would mislead.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from dexter.models.error_codes import (
    ERROR_KINDS,
    NUMBERED_ALIASES,
    NUMBERED_CODES,
    POSSIBLE_KINDS,
    STATUS_KINDS,
    VAGUE_NAMES,
    ErrorKind,
)
from dexter.models.error_figures import compare_sizes
from dexter.models.error_rules import RULES
from dexter.models.error_text import Said, speak

_GOOGLE = re.compile(r"gemini|google|vertex")
# What a later sentence may overrule. A request is called bad, or its caller without rights, for a reason that is told
# afterwards; a prompt may be longer than the money reaches; a server short of capacity turns requests away.
_VAGUE_KINDS: frozenset[ErrorKind] = frozenset({"bad_request", "other"})
_OVERRULED_BY: dict[ErrorKind, frozenset[ErrorKind]] = {
    **dict.fromkeys(_VAGUE_KINDS, frozenset(ERROR_KINDS) - _VAGUE_KINDS),
    "auth": frozenset({"billing"}),
    "context_overflow": frozenset({"billing"}),
    "rate_limit": frozenset({"overloaded"}),
    "network": frozenset({"overloaded"}),
}
_TOKENS = re.compile(r"\d tokens\b")
_ROOM = re.compile("output|completion|cach|batch|minimum|at least")
_WINDOW = re.compile(r"context[ _](?:length|window|size|limit)")


def kind_of(said: Said, status: int | None, provider: str, code: str | None) -> ErrorKind:
    """Weigh what was said, the HTTP status and the error's own `code`, where the library hands that over."""
    stated = _from_status(status) or _from_status(said.status)
    if said.page:  # from something between us and the provider: only its status is to be believed
        return stated or "network"
    names = (speak(code), *said.names) if code else said.names
    telling = [name for name in names if _squeezed(name) not in VAGUE_NAMES]
    google = bool(_GOOGLE.search(f"{provider} {said.hosts} {said.text}"))
    kind = (
        _from_number(names, provider, said.text)
        or _from_sizes(_from_words([*telling, *said.sentences], google=google), said.sentences)
        or _from_vague([*names, *said.classes])
        or _from_words(said.classes, google=google)
        or stated
        or "other"
    )
    return _within_status(kind, status or said.status, said.text)


def _from_sizes(kind: ErrorKind | None, sentences: Sequence[str]) -> ErrorKind | None:
    """The kind, or an overflow where the words decide nothing but two numbers of tokens are set against each other."""
    text = " ".join(sentences)
    set_against = compare_sizes(sentences).used is not None and _TOKENS.search(text) and not _ROOM.search(text)
    return "context_overflow" if set_against and kind in (None, *_VAGUE_KINDS) else kind


def _within_status(kind: ErrorKind, status: int | None, text: str) -> ErrorKind:
    """The kind, if the status leaves room for it; else what the status says of itself."""
    if status not in POSSIBLE_KINDS or kind in POSSIBLE_KINDS[status]:
        return kind
    if kind == "context_overflow" and _WINDOW.search(text):
        return kind
    return STATUS_KINDS.get(status, "other")


def _from_words(sentences: Iterable[str], *, google: bool) -> ErrorKind | None:
    decided: ErrorKind | None = None
    for sentence in sentences:
        kind = next((rule.kind for rule in RULES if rule.fits(sentence, google=google)), None)
        if kind and (decided is None or kind in _OVERRULED_BY.get(decided, ())):
            decided = kind
    return decided


def _from_vague(names: Iterable[str]) -> ErrorKind | None:
    return next((kind for name in names if (kind := VAGUE_NAMES.get(_squeezed(name)))), None)


def _from_number(names: Iterable[str], provider: str, text: str) -> ErrorKind | None:
    table = NUMBERED_CODES.get(NUMBERED_ALIASES.get(provider, provider), {})
    stated = re.findall(r"(?:\b(?:error|code)\W{1,4}|\()(\d{4})\b", text) if table else []
    return next((table[number] for number in [*names, *stated] if number in table), None)


def _from_status(status: int | None) -> ErrorKind | None:
    return None if status is None else STATUS_KINDS.get(status)


def _squeezed(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())
