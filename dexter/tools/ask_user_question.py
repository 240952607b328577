"""`ask_user_question`: one to four multiple-choice questions. How they are asked comes in as an argument."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from pydantic import BaseModel, Field

from dexter.results import Source, ToolResult
from dexter.tools.tool import Tool, ToolContext

_TIMEOUT_S = 24 * 3600.0


class Choice(BaseModel):
    """One possible answer."""

    label: str = Field(description="One to five words.", min_length=1, max_length=80)
    description: str = Field(default="", description="What choosing it means.", max_length=300)


class UserQuestion(BaseModel):
    """One question. The user can always answer in words of their own; that choice is added and not listed here."""

    question: str = Field(description="The whole question.", min_length=1, max_length=500)
    choices: list[Choice] = Field(description="Choices that exclude each other.", min_length=2, max_length=6)
    several: bool = Field(default=False, description="Whether more than one may be chosen.")


class AskUserArguments(BaseModel):
    """What to ask, together."""

    questions: list[UserQuestion] = Field(description="One to four questions.", min_length=1, max_length=4)


@dataclass(frozen=True)
class Reply:
    """What the user answered: labels of choices, and words of their own ('' for none). Neither: not answered."""

    chosen: tuple[str, ...] = ()
    other: str = ""

    @property
    def text(self) -> str:
        """In a line."""
        own = (f"in the user's own words: {self.other}",) if self.other else ()
        return "; ".join((*self.chosen, *own)) or "not answered"


AskUser = Callable[[Sequence[UserQuestion]], Awaitable[Sequence[Reply]]]
"""Asks the user; one reply for each question, in order. Cancelled when the run is."""


def ask_user_question_tool(ask: AskUser) -> Tool[AskUserArguments]:
    """The tool. It is there only where somebody can answer."""

    async def run(arguments: AskUserArguments, _context: ToolContext) -> ToolResult:
        replies = await ask(arguments.questions)
        lines = (f"{q.question}\n→ {reply.text}" for q, reply in zip(arguments.questions, replies, strict=True))
        return ToolResult("\n\n".join(lines), sources=(Source("other", "the user"),))

    return Tool(
        name="ask_user_question",
        description=(
            "Ask the user one to four multiple-choice questions; another answer in the user's own words is always"
            " possible. Only for what you can't find out and what changes the answer."
        ),
        arguments=AskUserArguments,
        run=run,
        clearable=False,
        limited=False,
        interactive_only=True,
        timeout_s=_TIMEOUT_S,
    )
