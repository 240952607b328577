"""The answer as Markdown: tables, sentences that follow from them, notes, sources, and who answered."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dexter.offline.analysis import Analysis
from dexter.offline.notes import notes
from dexter.offline.phrases import Phrases
from dexter.offline.refusals import refusals
from dexter.offline.sentences import sentences
from dexter.offline.sources import sources
from dexter.offline.tables import tables
from dexter.offline.valuation import Valuation
from dexter.offline.valuation_text import valuation_parts
from dexter.offline.values import CompanyOf, Values


def write_answer(analyses: Sequence[Analysis], company_of: CompanyOf, sample: Sequence[str]) -> str:
    """The answer to every open question, one after the other. `sample` are the tickers there are without a network."""
    parts = [part for analysis in analyses for part in _parts(analysis, company_of, sample)]
    phrases = Phrases(analyses[-1].intent.language if analyses else "en")
    figures = any(analysis.evidence.cells for analysis in analyses)
    return "\n\n".join((*parts, phrases.say("rule_based" if figures else "rule_based_none"))) + "\n"


def _parts(analysis: Analysis, company_of: CompanyOf, sample: Sequence[str]) -> Iterator[str]:
    phrases = Phrases(analysis.intent.language)
    values = Values(analysis, company_of)
    declined = refusals(analysis, phrases, sample)
    yield from declined
    if analysis.intent.does("dcf"):
        yield from _valued(analysis, company_of, phrases)
        yield from _listed(phrases.say("sources_head"), sources(analysis, values, phrases))
        return
    shown = tables(analysis, values, phrases)
    yield from shown
    said = sentences(analysis, values, phrases)
    if said:
        yield "\n".join(f"- {sentence}" for sentence in said) if len(said) > 1 else said[0]
    if not shown and not declined:
        yield phrases.say("nothing_found")
    if not analysis.evidence.cells:
        return
    yield from _listed(phrases.say("notes_head"), notes(analysis, values, phrases))
    yield from _listed(phrases.say("sources_head"), sources(analysis, values, phrases))


def _valued(analysis: Analysis, company_of: CompanyOf, phrases: Phrases) -> Iterator[str]:
    for ticker in analysis.tickers:
        company = phrases.company(ticker, company_of(ticker).name)
        yield from valuation_parts(Valuation.of(ticker, analysis), phrases, company)


def _listed(head: str, lines: Sequence[str]) -> Iterator[str]:
    if lines:
        yield "\n".join((head, "", *(f"- {line}" for line in dict.fromkeys(lines))))
