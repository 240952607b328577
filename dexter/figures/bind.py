"""Every figure of a text with what it is said of."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from dexter.figures.bind_prose import bind_sentence
from dexter.figures.bind_table import bind_table
from dexter.figures.blocks import Span, Table, blocks, sentences
from dexter.figures.bound import Bound, Context, Named, Reader
from dexter.figures.companies import companies_of, headline_company
from dexter.figures.find import find_numbers
from dexter.figures.vocabulary import labels_lexicon
from dexter.results import StoredResult

_HEADING = re.compile(r"\s*(?:#{1,6}\s.*|\*\*[^*]+\*\*:?|[^|]{1,80}:)\s*")


def reader_of(results: Iterable[StoredResult]) -> Reader:
    """What texts about these results are read with."""
    kept = tuple(results)
    labels = dict.fromkeys((cell.label, cell.concept) for result in kept for cell in result.cells)
    return Reader(companies_of(kept), labels_lexicon(labels))


def bind(text: str, reader: Reader, start: Context | None = None, *, bare: bool = False) -> Iterator[Bound]:
    """The figures of a text in order. `bare`: sentences, too, have figures without a unit.

    A heading or the line above a table says what follows is about; in a line, what a sentence leaves out is what the
    one before was about. Where there is but one company, it is the one meant.
    """
    only = (reader.companies.only,) if reader.companies.only else ()
    ground = start or Context(companies=only)
    heading = line = ground
    for block in blocks(text):
        if isinstance(block, Table):
            yield from bind_table(block, _table_context(heading, line), reader)
            continue
        if _HEADING.fullmatch(block.text) or headline_company(block.text):
            heading = line = _after(replace(ground, unit_text=block.text), _of_heading(block, reader))
            if not find_numbers(block.text, bare=bare):
                continue
        line = replace(line, periods=heading.periods, concepts=heading.concepts, unit_text=block.text)
        if heading.companies:
            line = replace(line, companies=heading.companies)
        for sentence in sentences(block):
            named = reader.named(sentence.text)
            yield from bind_sentence(sentence, named, line, bare=bare)
            line = _after(line, named)


def _table_context(heading: Context, line: Context) -> Context:
    """A table is about what the lines above it are about, but each of its rows names its own figure and period."""
    return replace(line, concepts=(), periods=heading.periods, companies=line.companies or heading.companies)


def _of_heading(block: Span, reader: Reader) -> Named:
    named = reader.named(block.text)
    ticker = headline_company(block.text)
    # The day on which a fiscal year ends, in a headline, is no period that the figures below belong to.
    return replace(named, periods=()) if ticker else named


def _after(context: Context, named: Named) -> Context:
    """What is known after a sentence."""
    periods = tuple(dict.fromkeys(mention.period for mention in named.periods if not mention.period.relation))
    return replace(
        context,
        companies=tuple(dict.fromkeys(m.ticker for m in named.companies))[:1] or context.companies,
        concepts=tuple(mention.name for mention in named.concepts[-1:]) or context.concepts,
        periods=periods[-1:] or context.periods,
    )
