"""A page's content as HTML: one file with its own style and script, which asks the network for nothing."""

from __future__ import annotations

import hashlib
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from importlib.resources import files
from typing import Any

from dexter.figures.check import FigureCheck
from dexter.ui.literal import literal
from dexter.ui.page.chart import HEIGHT, WIDTH, drawing
from dexter.ui.page.content import PageContent
from dexter.ui.page.figures import answer_with_figures, figure_row
from dexter.ui.page.html import as_markup, source_link
from dexter.ui.page.timeline import PageTimeline, Record, preview_chars
from dexter.ui.telling import ENDINGS
from dexter.ui.tools import source_name
from dexter.ui.words import money, short


def render_page(
    content: PageContent, record: Record | None = None, earlier: Sequence[tuple[PageContent, Record]] = ()
) -> str:
    """The page: answer, figures, sources; with `record` chart and timeline, too.

    `earlier` are the runs before it in its conversation, the oldest first: they stand above it, and a figure leads to
    the result it comes from, whichever run that is of.
    """
    whole = record is not None
    preview = preview_chars([*earlier, (content, record)])
    timelines = [PageTimeline(part, kept, preview) for part, kept in [*earlier, (content, record)]]
    turns = [list(timeline.turns()) for timeline in timelines]
    css, script = _part("page.css"), _part("page.js") if any(turns) else ""
    results = frozenset().union(*(timeline.results for timeline in timelines))
    title = earlier[0][0].question if earlier else content.question
    threshold = content.beginning.threshold if content.beginning else 0
    page: str = (
        _environment()
        .get_template("page.html")
        .render(
            content=content,
            policy=_security_policy(css, script),
            css=as_markup(css),
            script=as_markup(script),
            title=title.strip() or "A run",
            ending=ENDINGS.get(content.status, content.status),
            facts=[*([("Questions", str(len(timelines)))] if earlier else []), *_facts(content)],
            earlier=[
                _findings(part, results, f"e{number}-") | {"turns": folds}
                for number, ((part, _), folds) in enumerate(zip(earlier, turns, strict=False), 1)
            ],
            newest=_findings(content, results),
            chart=drawing(content.turns, threshold) if whole else None,
            chart_width=WIDTH,
            chart_height=HEIGHT,
            turns=turns[-1],
        )
    )
    return page


def _findings(content: PageContent, results: AbstractSet[int], prefix: str = "") -> dict[str, Any]:
    """A run's question, answer, figures and sources. `prefix` begins the names of its places on the page."""
    answer = content.answer
    check = FigureCheck.from_json(answer.figures if answer else ())
    return {
        "prefix": prefix,
        "question": content.question.strip() or "A run",
        "facts": " · ".join(f"{name} {value}" for name, value in _facts(content)),
        "ending": ENDINGS.get(content.status, content.status),
        "answer": as_markup(answer_with_figures(answer.text, check, results, prefix)) if answer else None,
        "complete": answer.complete if answer else False,
        "counts": [(status, count) for status, count in check.counts.items() if count],
        "figures": [figure_row(figure, results) for figure in check.figures],
        "sources": [_source_row(source) for source in answer.sources] if answer else [],
    }


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
        yield "Cost", money(finish.cost_usd).removeprefix("cost ")


def _source_row(source: Mapping[str, Any]) -> Mapping[str, Any]:
    more = [str(source.get(name) or "") for name in ("accession", "as_of", "retrieved_at")]
    return {
        "link": source_link(source),
        "more": " · ".join(dict.fromkeys(part for part in more if part and part not in source_name(source))),
    }


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
