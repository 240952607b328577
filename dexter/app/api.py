"""The Python API: `dexter.ask`, `dexter.get_financials`, `dexter.open_run`. Public contract (docs/interfaces.md)."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

from dexter.agent.outcome import Answer
from dexter.app.approving import approvals_for
from dexter.app.ask import ask as ask_in
from dexter.app.build import Parts
from dexter.app.models import ModelChoice
from dexter.app.outside import Setup
from dexter.app.providers import open_providers
from dexter.app.toolbox import financial_tools
from dexter.approval import Approver
from dexter.config.load import Surroundings, load
from dexter.config.paths import scratchpads_folder, user_places
from dexter.config.settings import Settings
from dexter.context.policies import policy_named
from dexter.context.policy import Policy
from dexter.events import Sink
from dexter.models.protocol import Model
from dexter.results import ToolResult
from dexter.scratchpad.run_state import RunState, read_state
from dexter.scratchpad.runs import find_run
from dexter.tools.ask_user_question import AskUser
from dexter.tools.registry import Registry
from dexter.tools.tool import Tool


def setup_of(settings: Settings | None = None, flags: Mapping[str, Any] | None = None) -> Setup:
    """The settings of this process, or those handed in, with this process's keys and folders.

    Raises:
        SettingsError: a file or variable holds what it may not.
    """
    cwd = Path.cwd()
    config = load(Surroundings(os.environ, cwd, user_places()), flags or {})
    if settings is None:
        return Setup(config)
    runs = scratchpads_folder(settings.paths.scratchpads, cwd, config.places)
    return Setup(replace(config, settings=settings, scratchpads=runs))


async def ask(
    question: str,
    *,
    settings: Settings | None = None,
    model: Model | str | None = None,
    tools: Iterable[Tool[Any]] | None = None,
    policy: Policy | str | None = None,
    sinks: Sequence[Sink] = (),
    approve: Approver | None = None,
    ask_user: AskUser | None = None,
) -> Answer:
    """Answer a question as `dexter ask` does.

    Args:
        question: in words.
        settings: instead of those of files and environment.
        model: a model, or a model's name.
        tools: instead of all there are.
        policy: a context policy, or the name of one.
        sinks: take every event as it happens.
        approve: is asked before anything is written or sent; without it such calls are refused.
        ask_user: puts the model's own questions to the user; without it the model can't ask any.

    Raises:
        UsageError: the question or a setting is unusable.
        DexterError: the run failed; what was found is on record.
    """
    setup = setup_of(settings, {"model": model} if isinstance(model, str) else {})
    parts = Parts(
        models=None if model is None or isinstance(model, str) else ModelChoice.of(model),
        tools=None if tools is None else Registry(tools),
        policy=policy_named(policy, setup.settings.context) if isinstance(policy, str) else policy,
        approvals=approvals_for(setup, approve),
        ask_user=ask_user,
    )
    return await ask_in(question, setup, sinks=sinks, parts=parts)


async def get_financials(tickers: str | Sequence[str], **arguments: Any) -> ToolResult:
    """Statements and ratios as the tool of that name gives them: text, cells, sources.

    Args:
        tickers: one to ten tickers or company names.
        **arguments: `statements`, `period`, `limit`, `concepts`, `as_of`, `exact`, as `dexter tools` shows them.

    Raises:
        ToolError: the request is wrong.
        pydantic.ValidationError: an argument is of the wrong kind.
    """
    from dexter.app.run_tool import run_tool

    names = [tickers] if isinstance(tickers, str) else list(tickers)
    setup = setup_of()
    async with AsyncExitStack() as stack:
        registry = Registry(financial_tools(open_providers(setup, stack)))
        return await run_tool(registry, "get_financials", {"tickers": names, **arguments}, setup)


def open_run(name: str | Path) -> RunState:
    """What a run's scratchpad says: view, calls, results, answer. `name`: a path, an id, a unique prefix, or `last`.

    Raises:
        UsageError: none or several runs are meant.
        ScratchpadError: the file cannot be read.
    """
    return read_state(find_run(setup_of().config.scratchpads, str(name)))
