"""A page's content as HTML: one file with its own style and script, which asks the network for nothing."""

from __future__ import annotations

import hashlib
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from dexter.figures.check import CheckedFigure, FigureCheck
from dexter.ui.cards import Card, Line
from dexter.ui.literal import literal
from dexter.ui.page.chart import HEIGHT, WIDTH, drawing
from dexter.ui.page.content import PageCall, PageContent, PageItem, PageText, PageTurn
from dexter.ui.page.markdown import answer_html, link_html
from dexter.ui.telling import ENDINGS
from dexter.ui.tools import source_name
from dexter.ui.words import counted, money, short

if TYPE_CHECKING:
    from markupsafe import Markup

# All previews of results together have about so many characters; each has at least the least, at most the most.
_PREVIEWS, _LEAST_PREVIEW, _MOST_PREVIEW = 900_000, 300, 6_000
_SAID = 6_000
# Of a very long run, the page has the first and the last turns.
_FIRST_TURNS, _LAST_TURNS = 100, 400
_TONES = {"ok": "good", "partial": "warn", "interrupted": "warn", "error": "bad", "timeout": "bad", "": "warn"}

ResultText = Callable[[int, int], str]
"""The beginning of a result's text: its id, and how many characters are wanted."""


def render_page(content: PageContent, result_text: ResultText | None = None) -> str:
    """The page: answer, figures, sources; with `result_text` chart and timeline, too."""
    whole = result_text is not None
    css, script = _part("page.css"), _part("page.js") if whole and content.turns else ""
    answer = content.answer
    check = FigureCheck.from_json(answer.figures if answer else ())
    sources = list(answer.sources) if answer else []
    shown = _Shown(content, result_text)
    return _environment().get_template("page.html").render(
        content=content,
        policy=_security_policy(css, script),
        css=_markup(css),
        script=_markup(script),
        title=content.question.strip() or "A run",
        ending=ENDINGS.get(content.status, content.status),
        facts=list(_facts(content)),
        answer=_markup(_answer(content, check, shown)),
        counts=[(status, count) for status, count in check.counts.items() if count],
        figures=[_figure_row(figure, shown) for figure in check.figures],
        sources=[_source_row(source) for source in sources],
        chart=drawing(content.turns, content.beginning.threshold if content.beginning else 0) if whole else None,
        chart_width=WIDTH,
        chart_height=HEIGHT,
        turns=list(shown.turns()),
    )


class _Shown:
    """The timeline as the template takes it, and which results are on the page."""

    def __init__(self, content: PageContent, result_text: ResultText | None) -> None:
        self._turns = _kept(content.turns) if result_text else ()
        self._all = content.turns
        self._text = result_text
        count = sum(isinstance(item, PageCall) for turn in self._turns for item in turn.items)
        self._preview = min(max(_PREVIEWS // max(count, 1), _LEAST_PREVIEW), _MOST_PREVIEW)
        self.results = frozenset(
            item.result for turn in self._turns for item in turn.items if isinstance(item, PageCall) and item.result
        )

    def turns(self) -> Iterator[Mapping[str, Any]]:
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
            return {"kind": "text", "html": _markup(answer_html(_cut(item.text, _SAID)))}
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
            "sources": list(dict.fromkeys(map(_source_link, item.sources))),
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


def _facts(content: PageContent) -> Iterator[tuple[str, str]]:
    begun, finish = content.beginning, content.finish
    yield "Run", content.run
    yield "Started", content.started.replace("T", " ")[:19]
    if begun:
        yield "Model", begun.model or "not recorded"
        yield "Policy", begun.policy or "not recorded"
    yield "Turns", str(sum(turn.number > 0 for turn in content.turns))
    if finish:
        yield "Tokens", f"{short(finish.usage.input)} in, {short(finish.usage.output)} out"
        yield "Cost", money(finish.cost_usd)


def _answer(content: PageContent, check: FigureCheck, shown: _Shown) -> str:
    if content.answer is None:
        return ""
    figures = sorted(check.figures, key=lambda figure: figure.start)
    places = {id(figure): at for at, figure in enumerate(check.figures, 1)}

    def mark(at: int, html: str) -> str:
        figure = figures[at]
        target = f"r{figure.result}" if figure.result in shown.results else f"f{places[id(figure)]}"
        title = escape(literal(" · ".join(filter(None, (figure.status.replace("_", " "), _of(figure), _origin(figure))))))
        return f'<a class="figure {figure.status}" href="#{target}" title="{title}">{html}</a>'

    return answer_html(content.answer.text, [(figure.start, figure.end) for figure in figures], mark)


def _figure_row(figure: CheckedFigure, shown: _Shown) -> Mapping[str, Any]:
    on_page = figure.result in shown.results
    url = figure.source.url if figure.source else ""
    origin = _origin(figure)
    return {
        "text": figure.text,
        "of": _of(figure),
        "status": figure.status,
        "result": figure.result if on_page else 0,
        "target": f"r{figure.result}",
        "origin": _markup(link_html(url, origin)) if figure.status != "not_found" else origin,
        "how": figure.how,
        "untrusted": figure.untrusted,
    }


def _of(figure: CheckedFigure) -> str:
    return " ".join(filter(None, (figure.company, figure.concept, figure.period)))


def _origin(figure: CheckedFigure) -> str:
    if figure.status == "not_found":
        return f"nearest: {figure.nearest.text}" if figure.nearest else "nothing like it in the results"
    source = figure.source
    return " ".join(filter(None, (source.title, source.accession))) if source else ""


def _source_row(source: Mapping[str, Any]) -> Mapping[str, Any]:
    more = [str(source.get(name) or "") for name in ("accession", "as_of", "retrieved_at")]
    return {
        "link": _source_link(source),
        "more": " · ".join(dict.fromkeys(part for part in more if part and part not in source_name(source))),
    }


def _source_link(source: Mapping[str, Any]) -> Markup:
    return _markup(link_html(str(source.get("url") or ""), source_name(source)))


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]}…"


def _security_policy(css: str, script: str) -> str:
    """Nothing is loaded, and only the page's own style and script count, whatever else stands in it."""
    scripts = f"script-src {_hash(script)}" if script else "script-src 'none'"
    return f"default-src 'none'; style-src {_hash(css)}; {scripts}; base-uri 'none'; form-action 'none'"


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(hashlib.sha256(text.encode()).digest()).decode('ascii')}'"


@cache
def _part(name: str) -> str:
    return (files("dexter.ui.page") / "templates" / name).read_text(encoding="utf-8")


@cache
def _environment() -> Any:
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    return Environment(
        loader=FunctionLoader(_part),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        finalize=lambda value: literal(value) if type(value) is str else value,
    )


def _markup(html: str) -> Markup:
    """HTML that is safe as it is."""
    from markupsafe import Markup

    return Markup(html)  # noqa: S704 - every caller's text went through escaping or is the package's own
