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

from dexter.errors import ModelError
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


@dataclass(frozen=True)
class Judge:
    """A model that grades. `timeout_s` is for one of its replies; `random` and `sleep` are for waits before retries."""

    model: Model
    random: Callable[[], float]
    timeout_s: float = 120.0
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep

    async def grade(self, question: Question, answer: str) -> Grade:
        """The score by the question's rubric; None where no usable verdict could be had."""
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
    fenced = answer.replace("</answer>", "< /answer>")
    text = f"Question:\n{question.question}\n\nCriteria:\n{criteria}\n\n<answer>\n{fenced}\n</answer>"
    return (SystemMessage("m1", judge_prompt()), UserMessage("m2", text, "question"))


def _again(attempt: int, reply: str, why: str) -> Messages:
    text = f"That can't be used: {why}. Reply with the JSON object alone, one verdict for each criterion."
    number = 3 + 2 * attempt
    said = AssistantMessage(f"m{number}", reply or "(nothing)")
    return (said, UserMessage(f"m{number + 1}", text, "harness"))


def read_verdicts(reply: str, rubric: Sequence[Criterion], answer: str) -> list[Check] | str:
    """A judge's verdicts in the order of the rubric, or why they can't be used."""
    found = next(_objects(reply), None)
    if found is None:
        return "there is no JSON object with verdicts in it"
    given = {verdict.get("criterion"): verdict for verdict in found if isinstance(verdict, Mapping)}
    checks = []
    said = plain(answer)
    for number, criterion in enumerate(rubric, 1):
        verdict = given.get(number, given.get(str(number)))
        if verdict is None or not isinstance(verdict.get("met"), bool):
            return f"criterion {number} has no verdict"
        needs_quote = verdict["met"] is (criterion.operator == "correctness")
        quote = plain(str(verdict.get("quote") or ""))
        if needs_quote and (not quote or not _stands_in(quote, said)):
            return f"the quotation for criterion {number} does not stand in the answer"
        checks.append(Check(criterion.text, met=verdict["met"], why=str(verdict.get("why") or "")))
    return checks


def _stands_in(quote: str, said: str) -> bool:
    """Whether the words stand in the answer; a judge may leave some out between two of its pieces."""
    pieces = [piece.strip(" .") for piece in re.split(r"\.{3,}|…", quote)]
    return all(piece in said for piece in pieces if piece)


def _objects(reply: str) -> Iterator[list[Any]]:
    """The lists of verdicts in a reply that may have prose or fences around its JSON."""
    decoder = json.JSONDecoder()
    for match in islice(re.finditer(r"\{", reply), _MOST_BRACES):
        try:
            value, _ = decoder.raw_decode(reply, match.start())
        except (ValueError, RecursionError):
            continue
        verdicts = value.get("verdicts") if isinstance(value, dict) else None
        if isinstance(verdicts, list):
            yield verdicts


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
