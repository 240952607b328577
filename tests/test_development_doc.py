"""The worked examples of docs/development.md, run as they stand."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dexter.agent.loop import run_loop
from dexter.app.api import setup_of
from dexter.config.limits import Limits
from dexter.config.settings import PathsSettings, Settings
from dexter.context.policies import policy_named
from dexter.context.policy import StageEdit, run_stages
from dexter.data.company import Company
from dexter.data.provider import PriceQuery
from dexter.errors import ProviderError
from dexter.messages import AssistantMessage, SystemMessage, ToolCall, ToolMessage, UserMessage
from dexter.models.scripted import ScriptedModel, calls, says
from dexter.scratchpad.view import apply_ops, diff_view
from tests.support.runs import echo, make_run

PAGE = Path(__file__).parents[1] / "docs" / "development.md"


@pytest.fixture(scope="module")
def example() -> Mapping[str, Any]:
    """All code of the page, in order, in one module."""
    code = "\n".join(re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL))
    names: dict[str, Any] = {"__name__": "development_example"}
    exec(compile(code, str(PAGE), "exec", dont_inherit=True), names)  # noqa: S102 - the page is ours
    return names


def repeated_view() -> tuple[Any, ...]:
    text = "revenue 130,497 million " * 60
    rounds = [
        message
        for number in (1, 2)
        for message in (
            AssistantMessage(f"a{number}", tool_calls=(ToolCall(f"c{number}", "echo", {}),)),
            ToolMessage(f"t{number}", result=number, call=f"c{number}", tool="echo", content=text, chars=len(text)),
        )
    ]
    return (SystemMessage("s", "system"), UserMessage("u", "question"), *rounds)


def test_the_stage_clears_what_repeats_and_is_done_then(example: Mapping[str, Any], tmp_path: Path) -> None:
    """The repetition names the first; a second pass returns the very same tuple; the edit can be replayed."""
    ctx = make_run(tmp_path, ScriptedModel([])).run.ctx
    edits: list[StageEdit] = []
    view = repeated_view()
    after, ctx = asyncio.run(run_stages((example["Deduplicate"](),), view, ctx, edits.append))
    assert after[:-1] == view[:-1]
    assert "The same as result 1" in after[-1].text
    assert edits[0].report.to_json() == {"repeated": ((2, 1),)}
    assert apply_ops(view, diff_view(view, after)) == after
    assert asyncio.run(run_stages((example["Deduplicate"](),), after, ctx, edits.append))[0] is after
    assert example["Deduplicate"]().rule(Limits()).startswith("a result of 1,000 characters")


def test_the_policy_runs_a_question(example: Mapping[str, Any], tmp_path: Path) -> None:
    """The same call twice: of its second result the model sees a line."""
    call = ("echo", json.dumps({"query": "x" * 2_000}))
    model = ScriptedModel([calls(call), calls(call), says("done")])
    bench = make_run(tmp_path, model, tools=[echo()], policy=example["frugal"])
    assert asyncio.run(run_loop(bench.run)).text == "done"
    seen = [message.text for message in model.requests[-1].messages if isinstance(message, ToolMessage)]
    assert "The same as result 1" in seen[-1]
    assert example["frugal"].after_tools == policy_named("lean", Limits()).after_tools


def test_the_python_api_takes_it(example: Mapping[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`dexter.ask` answers under the policy."""
    monkeypatch.setenv("DEXTER_OFFLINE", "true")
    monkeypatch.setenv("DEXTER_PATHS__SCRATCHPADS", str(tmp_path))
    assert setup_of().settings == replace_paths(Settings(offline=True), tmp_path)
    assert "215,938" in asyncio.run(example["ask_frugally"]("NVDA revenue FY2026"))


def replace_paths(settings: Settings, folder: Path) -> Settings:
    return settings.model_copy(update={"paths": PathsSettings(scratchpads=folder)})


def test_the_provider_gives_closes_of_the_days_asked_for(example: Mapping[str, Any], tmp_path: Path) -> None:
    """From a file of its folder; a company without one is an error that names the remedy."""
    (tmp_path / "NVDA.csv").write_text("date,close\n2026-01-03,190.5\n2026-01-02,188.1\n2025-12-31,186.0\n")
    provider = example["FolderOfCloses"](tmp_path)
    query = PriceQuery(Company("NVDA", "NVIDIA CORP"), start="2026-01-01")
    prices = asyncio.run(provider.prices(query))
    assert [(point.date, point.close) for point in prices.points] == [("2026-01-02", "188.1"), ("2026-01-03", "190.5")]
    with pytest.raises(ProviderError, match=r"AMD\.csv is not there"):
        asyncio.run(provider.prices(replace(query, company=Company("AMD", "AMD INC"))))
