"""Numbers of a sentence, bound by where companies, figures and periods stand beside them."""

from __future__ import annotations

from collections.abc import Iterator

from dexter.figures.bind_company import bind_companies
from dexter.figures.bind_concept import bind_concepts
from dexter.figures.bind_period import bind_periods
from dexter.figures.bound import Bound, Context, own_words
from dexter.figures.sentence import Sentence, moved


def bind_sentence(sentence: Sentence, start: int, context: Context) -> Iterator[Bound]:
    """Every figure of a sentence that begins at `start` of its text."""
    if not sentence.numbers:
        return
    companies = bind_companies(sentence, context)
    figures = bind_concepts(sentence, context)
    periods = bind_periods(sentence, companies, figures, context)
    for at, number in enumerate(moved(sentence.numbers, start)):
        concepts, whole = figures[at]
        named = concepts[0] if concepts else ""
        yield Bound(
            number,
            companies[at],
            concepts,
            periods[at],
            label=sentence.before(at).strip(),
            own=own_words(sentence.text, sentence.named, named, sentence.place(at)),
            whole=whole,
            spoken=tuple(m.period for m in sentence.named.periods if not m.period.relation),
            is_dated=any(not m.period.relation for m in sentence.named.periods),
            before=sentence.before(at),
            after=sentence.after(at),
            said=sentence.text,
            start=start,
            end=start + len(sentence.text),
        )
