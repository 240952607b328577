"""The turns of a run as the template takes them, and which results are on the page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from dexter.ui.cards import Card, Line
from dexter.ui.page.content import PageCall, PageItem, PageText, PageTurn
from dexter.ui.page.html import as_markup, source_link
from dexter.ui.page.markdown import answer_html
from dexter.ui.words import counted, money, short

# All previews of results together have about so many characters; each has at least the least, at most the most.
_PREVIEWS, _LEAST_PREVIEW, _MOST_PREVIEW = 900_000, 300, 6_000
_SAID = 6_000
# Of a very long run, the page has the first and the last turns.
_FIRST_TURNS, _LAST_TURNS = 100, 400
_TONES = {"ok": "good", "partial": "warn", "interrupted": "warn", "error": "bad", "timeout": "bad", "": "warn"}

ResultText = Callable[[int, int], str]
"""The beginning of a result's text: its id, and how many characters are wanted."""


class PageTimeline:
    """The turns that are shown; none where there is nobody to tell the results' texts."""

    """The timeline as the template takes it, and which results are on the page."""

    def __init__(self, turns: Sequence[PageTurn], result_text: ResultText | None) -> None:
        self._turns = _kept(turns) if result_text else ()
        self._all = turns
        self._text = result_text
        count = sum(isinstance(item, PageCall) for turn in self._turns for item in turn.items)
        self._preview = min(max(_PREVIEWS // max(count, 1), _LEAST_PREVIEW), _MOST_PREVIEW)
        self.results = frozenset(
            item.result for turn in self._turns for item in turn.items if isinstance(item, PageCall) and item.result
        )

    def turns(self) -> Iterator[Mapping[str, Any]]:
        """Each turn with its title, a summary, and its entries; `gap` says what is left out before it."""
        before: PageTurn | None = None
        for turn in self._turns:
            missing = turn.number - before.number - 1 if before else 0
            gap = f"{counted(missing, 'turn')} between are left out here." if before and self._is_gap(before) else ""
            before = turn
            if turn.items:
                yield {
                    "number": turn.number,
                    "title": f"Turn {turn.number}" if turn.number else "Before the first turn",
                    "summary": _turn_summary(turn),
                    "gap": gap,
                    "entries": [self._item(item) for item in turn.items],
                }

    def _is_gap(self, before: PageTurn) -> bool:
        return len(self._turns) < len(self._all) and before is self._turns[_FIRST_TURNS - 1]

    def _item(self, item: PageItem) -> Mapping[str, Any]:
        if isinstance(item, PageText):
            return {"kind": "text", "html": as_markup(answer_html(_cut(item.text, _SAID)))}
        if isinstance(item, Card):
            return {"kind": "told", "title": item.title, "tone": item.tone, "lines": item.lines}
        if isinstance(item, Line):
            lines = f"{item.mark} {item.text}".strip().split("\n")
            return {"kind": "told", "title": "", "tone": item.tone, "lines": lines}
        text = self._text(item.result, self._preview) if self._text and item.result else ""
        return {
            "kind": "call",
            "tool": item.tool,
            "arguments": _cut(item.arguments, _SAID),
            "result": item.result,
            "tone": _TONES.get(item.status, "warn"),
            "outcome": item.outcome or "no result on record",
            "path": item.path,
            "sources": list(dict.fromkeys(map(source_link, item.sources))),
            "text": text,
            "shown": "Result" if len(text) < self._preview else f"Result, its first {short(len(text))} characters",
        }


def _kept(turns: Sequence[PageTurn]) -> Sequence[PageTurn]:
    if len(turns) <= _FIRST_TURNS + _LAST_TURNS:
        return turns
    return (*turns[:_FIRST_TURNS], *turns[-_LAST_TURNS:])


def _turn_summary(turn: PageTurn) -> str:
    calls = sum(isinstance(item, PageCall) for item in turn.items)
    parts = [turn.at[11:19]]
    parts += [f"{short(turn.tokens)} tokens"] if turn.tokens else []
    parts += [counted(calls, "call")] if calls else []
    parts += [money(turn.cost_usd)] if turn.cost_usd else []
    parts += dict.fromkeys(name.replace("_", " ") for name, _, _ in turn.cuts)
    return " · ".join(filter(None, parts))


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]}…"
