"""Asks providers in order until one answers, and keeps who was tried and why they did not."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from dexter.data.provider import Capability
from dexter.errors import ProviderError
from dexter.results import Attempt


class _Provider(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def capabilities(self) -> frozenset[Capability]: ...


ProviderT = TypeVar("ProviderT", bound=_Provider)
AnswerT = TypeVar("AnswerT")


@dataclass(frozen=True)
class Asked(Generic[AnswerT]):
    """What came of asking: an answer, or the errors of all who were tried."""

    answer: AnswerT | None
    tried: tuple[Attempt, ...]
    errors: tuple[ProviderError, ...] = ()

    @property
    def reason(self) -> str:
        """Why there is no answer, every provider named, and what to do about it."""
        if not self.errors:
            return "No configured provider offers this."
        reasons = " ".join(map(_with_name, self.errors))
        remedies = dict.fromkeys(error.remedy for error in self.errors if error.remedy)
        return " ".join((reasons, *remedies))


def _with_name(error: ProviderError) -> str:
    named = error.message.startswith(f"{error.provider} ")
    return error.message if named else f"{error.provider}: {error.message}"


async def ask_in_order(
    providers: Iterable[ProviderT],
    capability: Capability,
    ask: Callable[[ProviderT], Awaitable[AnswerT]],
) -> Asked[AnswerT]:
    """The first answer among the providers with that capability. A `ProviderError` passes on to the next."""
    tried: list[Attempt] = []
    errors: list[ProviderError] = []
    for provider in providers:
        if capability not in provider.capabilities:
            continue
        try:
            answer = await ask(provider)
        except ProviderError as error:
            errors.append(error)
            tried.append(Attempt(provider.name, error.status, error.message))
        else:
            return Asked(answer, (*tried, Attempt(provider.name)), tuple(errors))
    return Asked(None, tuple(tried), tuple(errors))
