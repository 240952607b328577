"""What requests cost, reckoned the same way for every policy, and which figures a view holds.

Tokens are estimates times what a provider's own counts in this run were of the estimates. What a request shares with
the one before from its beginning was cached; the rest is written to the cache.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from statistics import median

from dexter.context.tokens import RunningTotal
from dexter.messages import Message, Messages, ToolSpec
from dexter.models.pricing import cost_of
from dexter.models.protocol import Prices
from dexter.usage import Usage
from dexter.view_growth import shared_start

_NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?(?![\w])")
_YEAR = re.compile(r"(?:19|20)\d\d")
_LEAST_DIGITS = 3


@dataclass
class Reckoner:
    """Reckons the requests of one run, in order. `prices` None: cost unknown."""

    tools: Sequence[ToolSpec]
    factor: float = 1.0
    prices: Prices | None = None
    _before: Messages = ()
    _total: RunningTotal = field(default_factory=RunningTotal)
    _shared: RunningTotal = field(default_factory=RunningTotal)

    def tokens(self, messages: Messages) -> int:
        """Tokens of a request."""
        return self._scaled(self._total.of(messages))

    def usage(self, messages: Messages, output: int) -> Usage:
        """A request's tokens, by what the one before had cached of them; it is the one before for the next."""
        whole = self.tokens(messages)
        shared = messages[: shared_start(self._before, messages)]
        cached = self._scaled(self._shared.of(shared)) if shared else 0
        self._before = messages
        return Usage(cache_read=cached, cache_write=whole - cached, output=output)

    def cost(self, usage: Usage) -> Decimal | None:
        """USD, None where the model's prices are unknown."""
        return cost_of(usage, self.prices)

    def _scaled(self, tokens: int) -> int:
        return round(self.factor * (sum(tool.tokens for tool in self.tools) + tokens))


def factor_of(counted: Iterable[tuple[int, int]]) -> float:
    """How many tokens a provider counts where one is estimated: the median over (counted, estimated) pairs."""
    ratios = [provider / estimate for provider, estimate in counted if provider and estimate]
    return median(ratios) if ratios else 1.0


class FiguresInView:
    """Which of the numbers that results have brought stand in the view now.

    A number counts with three digits or more, once however often it occurs; years do not.
    """

    def __init__(self) -> None:
        self._known: set[str] = set()
        self._in_view: Counter[str] = Counter()
        self._messages: dict[int, tuple[Message, frozenset[str]]] = {}

    def learn(self, text: str) -> None:
        """A result has brought these."""
        self._known |= numbers_in(text)

    def look(self, view: Messages) -> tuple[int, int]:
        """How many of the known numbers the view holds, and how many are known."""
        now = {id(message): message for message in view}
        for gone in self._messages.keys() - now.keys():
            self._in_view.subtract(self._messages.pop(gone)[1])
        for key, message in now.items():
            if key not in self._messages:
                found = numbers_in("\n".join(message.text_parts()))
                self._messages[key] = (message, found)
                self._in_view.update(found)
        return sum(self._in_view[number] > 0 for number in self._known), len(self._known)


def numbers_in(text: str) -> frozenset[str]:
    """The numbers of a text, without grouping: `26,044` is `26044`."""
    found = (match.replace(",", "") for match in _NUMBER.findall(text))
    return frozenset(
        number for number in found if sum(map(str.isdigit, number)) >= _LEAST_DIGITS and not _YEAR.fullmatch(number)
    )
