"""What stands on a page, before any HTML is thought of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from dexter.attached import as_typed
from dexter.events import Answered, RunFinished, RunStarted
from dexter.ui.cards import Told
from dexter.usage import Usage

Json: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True)
class PageText:
    """What the model said in a turn, beside its calls."""

    text: str


@dataclass(frozen=True)
class PageCall:
    """A tool call and its outcome. `result` is 0 while it has none; `path`: the file a large result was written to."""

    tool: str
    arguments: str
    result: int = 0
    status: str = ""
    outcome: str = ""
    sources: tuple[Json, ...] = ()
    path: str = ""


@dataclass(frozen=True)
class PageSubagent:
    """A sub-agent's run, and how it stands with it."""

    run: str
    status: str


PageItem: TypeAlias = PageText | PageCall | PageSubagent | Told


@dataclass(frozen=True)
class PageTurn:
    """One turn: when it began, how many tokens its request had (None: not recorded), and what happened, in order.

    `cuts` are the context stages that made the view smaller: name, tokens before and after.
    """

    number: int
    at: str
    tokens: int | None = None
    usage: Usage | None = None
    cost_usd: str = ""
    items: tuple[PageItem, ...] = ()
    cuts: tuple[tuple[str, int, int], ...] = ()


@dataclass(frozen=True)
class PageContent:
    """A run: how it began and ended, its turns, the answer. `started` and `ended` are ISO times.

    `state` is what is known of a run without an end: `running`, `cut off`, '' where nothing tells.
    """

    run: str = ""
    started: str = ""
    ended: str = ""
    beginning: RunStarted | None = None
    turns: tuple[PageTurn, ...] = ()
    answer: Answered | None = None
    finish: RunFinished | None = None
    errors: tuple[str, ...] = ()
    state: str = ""

    @property
    def question(self) -> str:
        """What was asked, as it was typed: what it took along is no title."""
        return as_typed(self.beginning.question) if self.beginning else ""

    @property
    def status(self) -> str:
        """How it ended, or its state."""
        return self.finish.status if self.finish else self.state
