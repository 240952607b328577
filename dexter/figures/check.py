"""Every figure of an answer against the run: found, derived, not found, or not to be told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dexter.figures.bind import bind
from dexter.figures.claims import Claim, claim_of
from dexter.figures.facts import Fact
from dexter.figures.judge import NOT_FOUND, STATUSES, Ruling, Run, Status, Verdict
from dexter.figures.judged import Judged
from dexter.figures.links import tied
from dexter.figures.nearest import Nearest, nearest_to, whole
from dexter.figures.origins import origin_of
from dexter.figures.rows import in_order_of_time
from dexter.figures.turns import turned_round
from dexter.figures.undated import dated_by_neighbours
from dexter.results import Source, StoredResult


@dataclass(frozen=True)
class CheckedFigure:
    """One figure of an answer, at `answer[start:end]`.

    `company`, `concept` and `period` are what it was taken to be of. `result` is the id of the result that says it or
    that it is derived from (0: none), `source` where that has it from, `untrusted` whether anybody may have written it
    (a web page), `how` its derivation, `nearest` what the run says instead.
    """

    start: int
    end: int
    text: str
    status: Status
    company: str = ""
    concept: str = ""
    period: str = ""
    result: int = 0
    source: Source | None = None
    untrusted: bool = False
    how: str = ""
    nearest: Nearest | None = None

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> CheckedFigure:
        """What `to_json` gave; in a damaged or newer file what cannot be read is left empty."""
        texts = {name: str(stored.get(name) or "") for name in ("text", "company", "concept", "period", "how")}
        source, nearest = stored.get("source"), stored.get("nearest")
        return cls(
            start=whole(stored.get("start")),
            end=whole(stored.get("end")),
            status=next((status for status in STATUSES if status == stored.get("status")), "unchecked"),
            result=whole(stored.get("result")),
            source=_source_from_json(source) if isinstance(source, Mapping) else None,
            untrusted=stored.get("untrusted") is True,
            nearest=Nearest.from_json(nearest) if isinstance(nearest, Mapping) and nearest.get("text") else None,
            **texts,
        )

    def to_json(self) -> dict[str, Any]:
        """A JSON object without what is empty."""
        fields: dict[str, Any] = {
            "start": self.start,
            "end": self.end,
            "text": self.text,
            "status": self.status,
            "company": self.company,
            "concept": self.concept,
            "period": self.period,
            "result": self.result,
            "source": self.source.to_json() if self.source else None,
            "untrusted": self.untrusted,
            "how": self.how,
            "nearest": self.nearest.to_json() if self.nearest else None,
        }
        return {name: value for name, value in fields.items() if value or name == "start"}


def _source_from_json(stored: Mapping[str, Any]) -> Source:
    return Source.from_json({"kind": "other", "title": "", **{name: str(value) for name, value in stored.items()}})


@dataclass(frozen=True)
class FigureCheck:
    """What became of every figure of an answer, in order. `failed`: the check broke, nothing was looked up."""

    figures: tuple[CheckedFigure, ...] = ()
    failed: bool = False

    @classmethod
    def from_json(cls, stored: Iterable[Mapping[str, Any]]) -> FigureCheck:
        """What `to_json` gave, as an answer's event and record hold it."""
        return cls(tuple(map(CheckedFigure.from_json, stored)))

    @property
    def counts(self) -> Mapping[Status, int]:
        """How many of each status."""
        counted = Counter(figure.status for figure in self.figures)
        return {status: counted[status] for status in STATUSES}

    @property
    def not_found(self) -> tuple[CheckedFigure, ...]:
        """Those that the run contradicts or does not know."""
        return tuple(figure for figure in self.figures if figure.status == "not_found")

    def line(self) -> str:
        """One line for under the answer; '' where it has no figures."""
        counts = (f"{count} {status.replace('_', ' ')}" for status, count in self.counts.items())
        untrusted = sum(figure.untrusted for figure in self.figures)
        from_the_web = (f"{untrusted} of them said by web pages only",) if untrusted else ()
        return "Figures: " + " · ".join((*counts, *from_the_web)) if self.figures else ""

    def to_json(self) -> list[dict[str, Any]]:
        """The figures as JSON objects."""
        return [figure.to_json() for figure in self.figures]


def check_answer(text: str, results: Sequence[StoredResult]) -> FigureCheck:
    """Check every figure of an answer against the results of its run (and of its conversation).

    Number matching proves nothing: a figure is looked for as that of its company, name and period, as its sentence or
    its row and column say.
    """
    run = Run.of(results)
    judged, wrong = tied(_judged(text, run), run)
    turned = {
        **turned_round(text, [_for_turns(claim, verdict) for claim, verdict in judged], run.reader, run.facts),
        **wrong,
    }
    return FigureCheck(
        tuple(
            _figure(claim, NOT_FOUND if at in turned else verdict, turned.get(at, ""), run)
            for at, (claim, verdict) in enumerate(judged)
        )
    )


def _judged(text: str, run: Run) -> list[Ruling]:
    """Every claim with its verdict; those before it are what a figure may be derived from."""
    named: list[Fact] = []
    judged: list[Ruling] = []
    for bound in bind(text, run.reader):
        claim = claim_of(bound, judged[-1][0] if judged else None)
        verdict = run.judge(claim, named)
        judged.append((claim, verdict))
        if claim.sort == "level":
            named += verdict.facts[:1]
    return dated_by_neighbours(_looked_again(in_order_of_time(judged, run), run), run)


def _looked_again(judged: Sequence[Ruling], run: Run) -> list[Ruling]:
    """What is derived of figures that only their neighbours settled."""
    named: list[Fact] = []
    again: list[Ruling] = []
    for claim, verdict in judged:
        is_open = claim.sort != "level" and not verdict.is_known
        again.append((claim, run.judge(claim, named) if is_open else verdict))
        if claim.sort == "level":
            named += again[-1][1].facts[:1]
    return again


def _for_turns(claim: Claim, verdict: Verdict) -> Judged:
    return Judged(claim, verdict.facts, verdict.is_known)


def _figure(claim: Claim, verdict: Verdict, turned: str, run: Run) -> CheckedFigure:
    bound = claim.bound
    nearest = None
    if verdict.status == "not_found":
        nearest = Nearest(turned) if turned else nearest_to(claim, run.facts, run.passages)
    fact = verdict.facts[0] if verdict.facts else None
    return CheckedFigure(
        bound.number.start,
        bound.number.end,
        bound.number.text,
        verdict.status,
        bound.companies[0] if bound.companies else "",
        bound.concepts[0] if bound.concepts else "",
        bound.periods[0].text if bound.periods else fact.period.text if fact else "",
        verdict.result,
        origin_of(run.results[verdict.result], fact.accession if fact else "") if verdict.result else None,
        verdict.is_untrusted,
        verdict.how,
        nearest,
    )
