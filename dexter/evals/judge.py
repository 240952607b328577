"""A model as judge: it checks an answer against a rubric, and has to show the words that it rests on.

A verdict without its criterion, or whose quotation does not stand in the answer, is none: the judge is asked again, and
if it never gives one, the answer stays ungraded. A score is never guessed.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from itertools import islice
from typing import Any

from dexter.errors import KINDS_FOR_ALL, ModelError
from dexter.evals.grade import Check, Grade
from dexter.evals.prompts import judge_prompt
from dexter.evals.questions import Criterion, Question
from dexter.evals.wording import plain
from dexter.messages import AssistantMessage, Messages, SystemMessage, UserMessage
from dexter.models.protocol import Model, ModelResponse
from dexter.models.retry import RetryPolicy
from dexter.usage import Usage

_TRIES = 3
_LEAST_OUTPUT = 1_000
_OUTPUT_EACH = 200
_MOST_BRACES = 200
_LEAST_QUOTE = 3
_MARK = re.compile(r"<(?=\s*/?\s*answer\b)", re.IGNORECASE)


@dataclass(frozen=True)
class Judge:
    """A model that grades. `timeout_s` is for one of its replies; `random` and `sleep` are for waits before retries."""

    model: Model
    random: Callable[[], float]
    timeout_s: float = 120.0
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep

    async def grade(self, question: Question, answer: str) -> Grade:
        """The score by the question's rubric; None where no usable verdict could be had.

        Raises:
            ModelError: the judge can be asked nothing: its key is refused, or its account is empty.
        """
        if not answer.strip():
            missed = tuple(Check(c.text, met=False, why="there is no answer") for c in question.rubric)
            return Grade(Decimal(0), missed)
        bill = _Bill()
        messages, why = _request(question, answer), ""
        for attempt in range(_TRIES):
            try:
                response = await self._ask(messages, question.rubric)
            except TimeoutError:
                why = f"the judge said nothing for {self.timeout_s:g} s"
                continue
            except ModelError as error:
                if error.kind in KINDS_FOR_ALL:
                    raise
                return bill.on(Grade(None, why=f"the judge failed: {error.message}"))
            bill.add(response)
            verdicts = read_verdicts(response.text, question.rubric, answer)
            if not isinstance(verdicts, str):
                return bill.on(graded(question.rubric, verdicts))
            why = verdicts
            messages = (*messages, *_again(attempt, response.text, why))
        return bill.on(Grade(None, why=f"no usable verdict: {why}"))

    async def _ask(self, messages: Messages, rubric: Sequence[Criterion]) -> ModelResponse:
        """One reply; failures that pass are waited out.

        Raises:
            TimeoutError: it took too long.
            ModelError: failed for good.
        """
        retries = RetryPolicy(random=self.random)
        attempt, waited = 1, 0.0
        while True:
            try:
                async with asyncio.timeout(self.timeout_s):
                    return await self._one_reply(messages, _LEAST_OUTPUT + _OUTPUT_EACH * len(rubric))
            except ModelError as error:
                wait = retries.wait_before_retry(error, attempt=attempt, waited_s=waited)
                if wait is None:
                    raise
            await self.sleep(wait)
            attempt, waited = attempt + 1, waited + wait

    async def _one_reply(self, messages: Messages, room: int) -> ModelResponse:
        max_tokens = min(room, self.model.info.output_limit)
        async for item in self.model.stream(messages, tools=(), tool_choice="none", max_tokens=max_tokens):
            if isinstance(item, ModelResponse):
                return item
        raise ModelError("The judge's stream ended without an answer.", kind="network")


@dataclass
class _Bill:
    """What a judge used for one answer; an unknown price makes the sum unknown."""

    usage: Usage = field(default_factory=Usage)
    cost_usd: Decimal | None = Decimal(0)

    def add(self, response: ModelResponse) -> None:
        """One more reply."""
        self.usage += response.usage or Usage()
        known = self.cost_usd is not None and response.cost_usd is not None
        self.cost_usd = (self.cost_usd or Decimal(0)) + (response.cost_usd or Decimal(0)) if known else None

    def on(self, grade: Grade) -> Grade:
        """A grade with what it took."""
        return replace(grade, usage=self.usage, cost_usd=self.cost_usd)


def _request(question: Question, answer: str) -> Messages:
    criteria = "\n".join(
        f"{number}. [{criterion.operator}] {criterion.text}" for number, criterion in enumerate(question.rubric, 1)
    )
    text = f"Question:\n{question.question}\n\nCriteria:\n{criteria}\n\n<answer>\n{_fenced(answer)}\n</answer>"
    return (SystemMessage("m1", judge_prompt()), UserMessage("m2", text, "question"))


def _fenced(answer: str) -> str:
    """An answer that can't write the marks it stands between."""
    return _MARK.sub("‹", answer)


def _again(attempt: int, reply: str, why: str) -> Messages:
    text = f"That can't be used: {why}. Reply with the JSON object alone, one verdict for each criterion."
    number = 3 + 2 * attempt
    said = AssistantMessage(f"m{number}", reply or "(nothing)")
    return (said, UserMessage(f"m{number + 1}", text, "harness"))


def read_verdicts(reply: str, rubric: Sequence[Criterion], answer: str) -> list[Check] | str:
    """A judge's verdicts in the order of the rubric, or why they can't be used.

    Two lists that differ are none: a judge may have repeated what the answer itself says of its verdicts.
    """
    found = list(_lists(reply))
    if not found:
        return "there is no JSON object with verdicts in it"
    if any(other != found[0] for other in found):
        return "there are several lists of verdicts in it, and they differ"
    checks = []
    said = plain(answer)
    for number, criterion in enumerate(rubric, 1):
        verdicts = [v for v in found[0] if isinstance(v, Mapping) and _criterion_of(v) == number]
        if not verdicts or not all(isinstance(verdict.get("met"), bool) for verdict in verdicts):
            return f"criterion {number} has no verdict"
        verdict = verdicts[0]
        if any(other["met"] is not verdict["met"] for other in verdicts):
            return f"criterion {number} has two verdicts"
        needs_quote = verdict["met"] is (criterion.operator == "correctness")
        if needs_quote and not _stands_in(plain(_quote_of(verdict)), said):
            return f"the quotation for criterion {number} does not stand in the answer"
        checks.append(Check(criterion.text, met=verdict["met"], why=str(verdict.get("why") or "")))
    return checks


def _criterion_of(verdict: Mapping[str, Any]) -> int | None:
    """The number that a verdict gives its criterion: 3, "3" or 3.0."""
    number = re.fullmatch(r"(\d+)(?:\.0)?", str(verdict.get("criterion")).strip())
    return int(number[1]) if number else None


def _quote_of(verdict: Mapping[str, Any]) -> str:
    quote = verdict.get("quote")
    return quote if isinstance(quote, str) else ""


def _stands_in(quote: str, said: str) -> bool:
    """Whether the words stand in the answer, whole; a judge may leave some out between two of its pieces.

    A letter or two stand anywhere and show nothing.
    """
    pieces = list(filter(None, (piece.strip(" .") for piece in re.split(r"\.{3,}|…", quote))))
    shown = sum(map(len, pieces))
    return bool(pieces) and (shown >= _LEAST_QUOTE or quote == said) and all(_is_in(piece, said) for piece in pieces)


def _is_in(piece: str, said: str) -> bool:
    """Whether some words stand in a text, not as a part of a longer word or number: `$60` is no part of `$60.9`.

    Letters of Chinese have no such ends.
    """
    before = r"(?<![a-z0-9])(?<!\d\.)" if re.match(r"[a-z0-9]", piece) else ""
    after = r"(?![a-z0-9]|\.\d)" if re.search(r"[a-z0-9]$", piece) else ""
    return bool(re.search(before + re.escape(piece) + after, said))


def _lists(reply: str) -> Iterator[list[Any]]:
    """The lists of verdicts in a reply that may have prose or fences around its JSON."""
    decoder, end = json.JSONDecoder(), 0
    for match in islice(re.finditer(r"\{", reply), _MOST_BRACES):
        if match.start() < end:
            continue
        try:
            value, end = decoder.raw_decode(reply, match.start())
        except (ValueError, RecursionError):
            continue
        verdicts = value.get("verdicts") if isinstance(value, dict) else None
        if isinstance(verdicts, list):
            yield verdicts
        else:
            end = match.start()  # what it holds may be looked into


def graded(rubric: Sequence[Criterion], checks: Sequence[Check]) -> Grade:
    """The share of the weight of correctness that is met; nothing where a dealbreaker or a contradiction stands.

    A rubric of contradictions alone is met as a whole where none of them is missed.
    """
    broken = any(
        not check.met and (criterion.dealbreaker or criterion.operator == "contradiction")
        for criterion, check in zip(rubric, checks, strict=True)
    )
    if broken:
        return Grade(Decimal(0), tuple(checks))
    weighed = [(c.weight, check.met) for c, check in zip(rubric, checks, strict=True) if c.operator == "correctness"]
    whole = sum((weight for weight, _ in weighed), Decimal(0))
    met = sum((weight for weight, met in weighed if met), Decimal(0))
    return Grade(met / whole if whole else Decimal(1), tuple(checks))
