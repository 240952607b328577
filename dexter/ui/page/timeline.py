"""The turns of a run as the template takes them, those of its sub-agents folded into them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from dexter.ui.cards import Card, Line
from dexter.ui.page.content import PageCall, PageContent, PageItem, PageSubagent, PageText, PageTurn
from dexter.ui.page.html import as_markup, source_link
from dexter.ui.page.markdown import answer_html
from dexter.ui.words import counted, money, short

# All previews of results together have about so many characters; each has at least the least, at most the most.
_PREVIEWS, _LEAST_PREVIEW, _MOST_PREVIEW = 900_000, 300, 6_000
_SAID = 6_000
# Of a very long run, the page has the first and the last turns.
_FIRST_TURNS, _LAST_TURNS = 100, 400
_ANSWERED, _SILENT = Line("No call: the answer."), Line("Neither a call nor text.")
_TONES = {"ok": "good", "partial": "warn", "interrupted": "warn", "error": "bad", "timeout": "bad", "": "warn"}

ResultText = Callable[[int, int], str]
"""The beginning of a result's text: its id, and how many characters are wanted."""


@dataclass(frozen=True)
class Record:
    """What a page shows of a run besides what its events say: its results' texts, and its sub-agents by name."""

    result_text: ResultText
    subagents: Mapping[str, tuple[PageContent, Record]] = field(default_factory=dict)


class PageTimeline:
    """The timeline as the template takes it, and which results are on the page; empty without a record.

    `preview` is how many characters of a result are shown.
    """

    def __init__(self, content: PageContent, record: Record | None, preview: int) -> None:
        happened = any(turn.items for turn in content.turns)
        self._turns = _kept(content.turns) if record and happened else ()
        self._all = content.turns
        self._answers = content.turns[-1] if content.turns and content.answer else None
        self._record = record
        self._preview = preview
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
            items = turn.items or self._nothing_else(turn)
            if items:
                yield {
                    "number": turn.number,
                    "title": f"Turn {turn.number}" if turn.number else "Before the first turn",
                    "summary": _turn_summary(turn),
                    "gap": gap,
                    "entries": [self._item(item) for item in items],
                }

    def _nothing_else(self, turn: PageTurn) -> tuple[Line, ...]:
        """What is told of a turn without calls and notices, so that none is missing."""
        if not turn.number:
            return ()
        return (_ANSWERED,) if turn is self._answers else (_SILENT,)

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
        return self._subagent(item) if isinstance(item, PageSubagent) else self._call(item)

    def _subagent(self, item: PageSubagent) -> Mapping[str, Any]:
        """With its task, turns and answer, where its record is there."""
        content, record = (self._record.subagents if self._record else {}).get(item.run, (None, None))
        answer = content.answer.text if content and content.answer else ""
        return {
            "kind": "subagent",
            "run": item.run,
            "status": item.status,
            "task": content.question if content else "",
            "turns": list(PageTimeline(content, record, self._preview).turns()) if content else [],
            "answer": as_markup(answer_html(_cut(answer, _SAID))),
        }

    def _call(self, item: PageCall) -> Mapping[str, Any]:
        text = self._record.result_text(item.result, self._preview) if self._record and item.result else ""
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


def preview_chars(runs: Iterable[tuple[PageContent, Record | None]]) -> int:
    """How many characters of each result are shown: the more results on a page, the fewer."""
    calls = sum(_calls(content.turns, record) for content, record in runs)
    return min(max(_PREVIEWS // max(calls, 1), _LEAST_PREVIEW), _MOST_PREVIEW)


def _calls(turns: Iterable[PageTurn], record: Record | None) -> int:
    """How many calls there are, those of sub-agents too."""
    own = sum(isinstance(item, PageCall) for turn in turns for item in turn.items)
    return own + sum(_calls(content.turns, part) for content, part in (record.subagents.values() if record else ()))


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
