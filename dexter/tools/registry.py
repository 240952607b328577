"""The tools of a run: schema for the model, list for the prompt, look-up for the loop."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from dexter.context.stage import ToolTraits
from dexter.errors import ToolError
from dexter.messages import ToolSpec
from dexter.tools.tool import Tool


class UnknownToolError(ToolError):
    """There is no such tool; the remedy names those that come near and all there are."""


class Registry:
    """Tools by name, in a fixed order: the list sent to a model never changes within a run.

    `left_out`: tools that there are, but not here, with the reason.
    """

    def __init__(self, tools: Iterable[Tool[Any]], left_out: Mapping[str, str] | None = None) -> None:
        self._tools = {tool.name: tool for tool in tools}
        self._left_out = left_out or {}

    def __iter__(self) -> Iterator[Tool[Any]]:
        return iter(self._tools.values())

    def get(self, name: str) -> Tool[Any]:
        """The tool of that name.

        Raises:
            UnknownToolError: there is none.
        """
        if name in self._tools:
            return self._tools[name]
        if name in self._left_out:
            raise UnknownToolError(f"{name} is not at hand: {self._left_out[name]}", remedy=self._what_there_is())
        near = difflib.get_close_matches(name, self._tools, n=1)
        hint = f" Did you mean {near[0]}?" if near else ""
        shown = name if len(name) <= 80 else name[:80] + "…"  # noqa: PLR2004 - a name a model made up may be endless
        raise UnknownToolError(f"there is no tool {shown!r}.{hint}", remedy=self._what_there_is())

    def _what_there_is(self) -> str:
        return f"Tools: {', '.join(self._tools)}."

    def is_concurrent(self, name: str) -> bool:
        """Whether it may run beside its neighbours; an unknown tool only makes an error and may."""
        return name not in self._tools or self._tools[name].concurrent

    def has_effects(self, name: str) -> bool:
        """Whether a call changes something outside and must not be made twice."""
        return name in self._tools and self._tools[name].needs_approval

    def specs(self) -> tuple[ToolSpec, ...]:
        """The definitions a model is sent."""
        return tuple(tool.spec for tool in self)

    def traits(self) -> dict[str, ToolTraits]:
        """What the context pipeline needs to know of each."""
        return {tool.name: tool.traits for tool in self}
