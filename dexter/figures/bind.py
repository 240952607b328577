"""Every figure of a text with what it is said of."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from dexter.figures.bind_concept import topics
from dexter.figures.bind_prose import bind_sentence
from dexter.figures.bind_table import bind_table
from dexter.figures.blocks import Span, Table, blocks, sentences
from dexter.figures.bound import Bound, Context, Reader
from dexter.figures.companies import companies_of, headline_company
from dexter.figures.periods import Period
from dexter.figures.sentence import Sentence, read_sentence
from dexter.figures.vocabulary import labels_lexicon
from dexter.results import StoredResult

_PRONOUN = re.compile(r"\s*(?:it|its|that|this|they|their|the company)\b", re.IGNORECASE)
# `in 2023 it had been 67%` goes back for a moment.
_BACKGROUND = re.compile(r"\bhad\s+(?:been|already|still|stood|come)\b", re.IGNORECASE)
_OPENING = 12
_TWO = 2
_MOST = 5
_LONGEST_TITLE = 40
_HEADING = re.compile(r"\s*(?:#{1,6}\s.*|\*\*[^*]+\*\*:?|[^|]{1,80}:)\s*")


def reader_of(results: Iterable[StoredResult]) -> Reader:
    """What texts about these results are read with."""
    kept = tuple(results)
    labels = dict.fromkeys((cell.label, cell.concept) for result in kept for cell in result.cells)
    return Reader(companies_of(kept), labels_lexicon(labels))


def bind(text: str, reader: Reader, start: Context | None = None, *, bare: bool = False) -> Iterator[Bound]:
    """The figures of a text in order. `bare`: sentences, too, have figures without a unit.

    A heading or the line above a table says what follows is about; in a line, what a sentence leaves out is what the
    one before was about. Where there is but one company, in the results or in the text, it is the one meant.
    """
    ground = start or Context(companies=_only_company(text, reader), all_companies=_two_companies(reader))
    heading = line = ground
    for block in blocks(text):
        if isinstance(block, Table):
            bounds = tuple(bind_table(block, _table_context(heading, line, reader), reader))
            yield from bounds
            named = tuple(dict.fromkeys(bound.concepts[0] for bound in bounds if bound.concepts))
            line = replace(
                line, concepts=named[:1], all_concepts=named, of_company={**line.of_company, **_spoken_of(bounds)}
            )
            continue
        line = _with_heading(replace(line, unit_text=block.text), heading)
        if _HEADING.fullmatch(block.text) or headline_company(block.text):
            heading = line = _after(replace(ground, unit_text=block.text), _heading(block, reader), ())
        for span in sentences(block):
            sentence = read_sentence(span.text, reader, bare=bare)
            bounds = tuple(bind_sentence(sentence, span.start, line))
            yield from bounds
            line = _after(line, sentence, bounds)


def _only_company(text: str, reader: Reader) -> tuple[str, ...]:
    if reader.companies.only:
        return (reader.companies.only,)
    named = {mention.ticker for mention in reader.companies.find(text)}
    return tuple(named) if len(named) == 1 else ()


def _two_companies(reader: Reader) -> tuple[str, ...]:
    """Where a run is about two companies, one is compared with the other."""
    known = reader.companies.known
    return known if len(known) == _TWO else ()


def _with_heading(line: Context, heading: Context) -> Context:
    """A new line is about what its heading says, else about what the line before was."""
    return replace(
        line,
        companies=heading.companies or line.companies,
        concepts=heading.concepts or line.concepts,
        periods=heading.periods or line.periods,
    )


def _heading(block: Span, reader: Reader) -> Sentence:
    """A heading; the day in a headline on which a fiscal year ends is no period of the figures below."""
    named = reader.named(block.text)
    return Sentence("", (), replace(named, periods=()) if headline_company(block.text) else named)


def _table_context(heading: Context, line: Context, reader: Reader) -> Context:
    """A table is about what the lines above it are about, but each of its rows names its own figure and period.

    It is of no company of which nothing was found, if there is another one: that is what the line above says.
    """
    companies = line.companies or heading.companies
    known = tuple(company for company in (*companies, reader.companies.only) if company in reader.companies.known)
    return replace(line, concepts=(), periods=heading.periods, companies=known or companies)


def _after(context: Context, sentence: Sentence, bounds: Sequence[Bound]) -> Context:
    """What is known after a sentence. What it compares with is not what the text is about."""
    named = sentence.named
    stated = [mention for mention in named.periods if not mention.period.relation]
    about = [m.period for m in stated if not sentence.stands_against(m) and not sentence.is_aside(m)]
    goes_back = bool(context.periods and _BACKGROUND.search(sentence.text)) or _opens_earlier(sentence)
    about = [] if goes_back else _joined(about)
    spoken = tuple(dict.fromkeys(mention.period for mention in stated))
    return replace(
        context,
        companies=_subject(sentence, context),
        concepts=topics(sentence) or context.concepts,
        is_titled=_is_title(sentence) or (context.is_titled and not named.concepts),
        all_companies=tuple(dict.fromkeys((*(m.ticker for m in named.companies), *context.all_companies)))[:_MOST],
        all_concepts=tuple(mention.name for mention in named.concepts) or context.all_concepts,
        periods=tuple(dict.fromkeys((*_latest(about), *context.periods)))[:2],
        of_company={
            **(context.of_company if bounds or not about else {}),
            **({} if goes_back else _spoken_of(_about(bounds, sentence, about))),
        },
        span=_span(spoken) or (() if about else context.span),
        spoken=spoken if len(spoken) > 1 else context.spoken,
    )


def _joined(periods: Sequence[Period]) -> list[Period]:
    """`closed 2025 with a strong fourth quarter`: one quarter without a year, and one year, are one period."""
    quarters = [
        period for period in periods if period.name[:1] in ("Q", "H") and period.year is None and not period.end
    ]
    years = [period for period in periods if period.name in ("", "FY") and period.year is not None]
    if len(set(quarters)) == 1 == len(set(years)):
        return [replace(quarters[0], year=years[0].year)]
    return list(periods)


def _opens_earlier(sentence: Sentence) -> bool:
    """`One year earlier A was still ahead: $5 in FY2024 against …` looks back, and the text then goes on."""
    return any(mention.period.relation and mention.start <= _OPENING for mention in sentence.named.periods[:1])


def _span(periods: Sequence[Period]) -> tuple[Period, ...]:
    """The first and the last in time of the periods of a sentence that names several."""
    ordered = sorted(periods, key=lambda period: (period.year or 0, period.name, period.end))
    return (ordered[0], ordered[-1]) if len(ordered) > 1 else ()


def _about(bounds: Sequence[Bound], sentence: Sentence, about: Sequence[Period]) -> Iterator[Bound]:
    """The figures of what the sentence is about; what its first company is compared with is of another company."""
    first = sentence.named.company
    for bound in bounds:
        if set(bound.periods[:1]) <= {*about} or (first and first not in bound.companies):
            yield bound


def _is_title(sentence: Sentence) -> bool:
    """Whether a sentence only says what the next ones are about: `Revenue.`, `## Gross margin`."""
    return bool(sentence.named.concepts) and not sentence.numbers and len(sentence.text) <= _LONGEST_TITLE


def _subject(sentence: Sentence, context: Context) -> tuple[str, ...]:
    """The company that the text is about after a sentence; one that opens with a pronoun goes on about the same."""
    first = tuple(mention.ticker for mention in sentence.named.companies[:1])
    return context.companies if context.companies and _PRONOUN.match(sentence.text) else first or context.companies


def _latest(periods: Sequence[Period]) -> Sequence[Period]:
    """Of periods in a row the last in time is what the text is about; of others the first."""
    years = [period.year for period in periods]
    if len(set(periods)) > 1 and None not in years and len(set(years)) == len(set(periods)):
        return (max(periods, key=lambda period: period.year or 0),)
    return periods[:1]


def _spoken_of(bounds: Iterable[Bound]) -> Mapping[str, Period]:
    """The period of each company all of whose figures here are of one."""
    found: dict[str, set[Period]] = {}
    for bound in bounds:
        if len(bound.companies) == 1 and bound.periods and not bound.periods[0].relation:
            found.setdefault(bound.companies[0], set()).add(bound.periods[0])
    return {company: periods.pop() for company, periods in found.items() if len(periods) == 1}
