from __future__ import annotations

import asyncio

import pytest

from dexter.app.discretion import DiscreetModel, discreet
from dexter.app.run_tool import NoResults
from dexter.config.keys import Keys, find_keys
from dexter.config.origins import Origin, Variable
from dexter.errors import ModelError, ToolError
from dexter.models.scripted import ScriptedModel
from dexter.results import Attempt, ToolResult
from dexter.tools.tool import ToolContext
from tests.support.runs import AnyArguments, tool

KEY = "abc-secret-0123456789"


def _keys() -> Keys:
    return find_keys({"TAVILY_API_KEY": Variable("TAVILY_API_KEY", KEY, Origin())})


def _run(outcome: ToolResult | Exception) -> ToolResult:
    def give(_arguments: AnyArguments, _context: ToolContext) -> ToolResult:
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    return asyncio.run(discreet(tool("t", give), _keys()).run(AnyArguments(), ToolContext(NoResults())))


def test_a_result_that_repeats_a_key_is_cleaned():
    """Text, notes and reasons lose the key; the rest of the result stays."""
    found = _run(ToolResult(f"a {KEY} b", notes=(KEY,), tried=(Attempt("x", 401, f"bad {KEY}"),), data={"n": 1}))
    assert KEY not in repr(found)
    assert found.text == "a [TAVILY_API_KEY] b"
    assert found.data == {"n": 1}


def test_an_error_of_a_tool_is_cleaned_and_has_no_cause():
    """Neither the error nor what a traceback would print beside it has the key."""
    cause = ValueError(KEY)
    error = ToolError(f"refused {KEY}", remedy=f"not {KEY}")
    error.__cause__ = cause
    with pytest.raises(ToolError) as caught:
        _run(error)
    assert KEY not in f"{caught.value} {caught.value.message} {caught.value.remedy}"
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__


def test_an_error_of_a_model_stays_what_it_was_but_for_the_key():
    """Kind, sizes and waiting time are kept."""
    model = DiscreetModel(ScriptedModel([ModelError(f"bad {KEY}", kind="auth", used=7, retry_after=2.0)]), _keys())

    async def ask() -> None:
        async for _ in model.stream((), tools=(), tool_choice="auto", max_tokens=1):
            pass

    with pytest.raises(ModelError) as caught:
        asyncio.run(ask())
    assert (caught.value.kind, caught.value.used, caught.value.retry_after) == ("auth", 7, 2.0)
    assert caught.value.message == "bad [TAVILY_API_KEY]"


def test_without_a_key_a_tool_is_left_alone():
    """Nothing is wrapped where there is nothing to hide."""
    plain = tool("t", lambda _a, _c: "x")
    assert discreet(plain, Keys()) is plain
