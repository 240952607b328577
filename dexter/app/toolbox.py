"""The tools of a run, built from what is configured."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

from dexter.app.background import Background, read_background
from dexter.app.discretion import discreet
from dexter.app.outside import Setup
from dexter.app.providers import Providers, open_providers
from dexter.config.limits import Limits
from dexter.config.load import LOCAL_CONFIG
from dexter.data.market import MarketSources
from dexter.tools.ask_user_question import AskUser, ask_user_question_tool
from dexter.tools.calculate import calculate_tool
from dexter.tools.changes import SeenFiles
from dexter.tools.compact import compact_tool
from dexter.tools.edit_file import edit_file_tool
from dexter.tools.folders import Folders
from dexter.tools.get_financials import get_financials_tool
from dexter.tools.get_market_data import get_market_data_tool, insiders_of
from dexter.tools.memory_get import memory_get_tool
from dexter.tools.memory_search import memory_search_tool
from dexter.tools.memory_update import memory_update_tool
from dexter.tools.read_file import read_file_tool
from dexter.tools.read_result import read_result_tool
from dexter.tools.registry import Registry
from dexter.tools.skill import skill_tool
from dexter.tools.stock_screener import stock_screener_tool
from dexter.tools.tool import Tool
from dexter.tools.write_file import write_file_tool

NEED_A_NETWORK = ("read_filings", "search_filings", "get_insider_trades", "get_holdings", "web_search", "web_fetch")
_OFFLINE = "it needs a network, and this is offline (--offline, or the setting `offline`)."


def result_cap(limits: Limits, window: int) -> int:
    """Most characters one result may have in the view of a window of so many tokens."""
    return min(limits.result_chars, int(window * limits.result_share * limits.chars_per_token))


def build_tools(
    setup: Setup,
    window: int,
    run_folder: Path,
    stack: AsyncExitStack,
    *,
    background: Background | None = None,
    ask_user: AskUser | None = None,
) -> Registry:
    """The tools in the order the model is told of them. The run's own folder is always readable, so are skills.

    Connections are closed with `stack`. `ask_user`: without it nobody is asked anything.
    """
    background = background or read_background(setup)
    limits, cap = setup.settings.context, result_cap(setup.settings.context, window)
    readable, writable = reachable(setup, run_folder, background.shelf.folders)
    seen = SeenFiles()
    providers = open_providers(setup, stack)
    tools = (
        *financial_tools(providers),
        *filing_tools(providers, setup, cap),
        *_of_the_web(setup, cap, stack),
        calculate_tool(),
        compact_tool(),
        read_result_tool(limits, cap),
        read_file_tool(limits, cap, readable, seen),
        write_file_tool(writable, seen),
        edit_file_tool(writable, seen),
        *background_tools(background, limits, cap),
        *((ask_user_question_tool(ask_user),) if ask_user else ()),
        *background.own.tools,
    )
    left_out = dict.fromkeys(NEED_A_NETWORK, _OFFLINE) if setup.settings.offline else {}
    return Registry((discreet(tool, setup.config.keys) for tool in tools), left_out)


def _of_the_web(setup: Setup, cap: int, stack: AsyncExitStack) -> Sequence[Tool[Any]]:
    """Search and fetching; none offline."""
    if setup.settings.offline:
        return ()
    from dexter.app.web import web_tools

    return web_tools(setup, cap, stack)


def reachable(setup: Setup, run_folder: Path, skills: Sequence[Path]) -> tuple[Folders, Folders]:
    """What may be read and what may be written: Dexter's own files are neither, but for this run's results and skills.

    A `config.toml` in the current folder would steer the next run, and is never written.
    """
    places, allowed = setup.config.places, setup.settings.files.allowed
    files = [places.config_file, places.key_file, places.trust_file, places.approvals_file]
    own = [places.config, places.data, places.cache, setup.config.scratchpads, *files]
    readable = Folders.of([run_folder, *allowed, *skills], own)
    return readable, Folders.of(allowed, [*own, run_folder, *skills, Path(LOCAL_CONFIG)])


def background_tools(background: Background, limits: Limits, cap: int) -> Sequence[Tool[Any]]:
    """Memory, unless it is switched off, and skills."""
    memory = background.memory
    of_memory = (
        ()
        if memory is None
        else (
            memory_search_tool(memory),
            memory_get_tool(memory, limits, cap),
            memory_update_tool(memory),
        )
    )
    return (*of_memory, skill_tool(background.shelf))


def financial_tools(providers: Providers) -> Sequence[Tool[Any]]:
    """Figures and prices; they need no run, so scripts can use them too."""
    return (
        get_financials_tool(providers.statements, providers.directory),
        get_market_data_tool(_market_sources(providers)),
        stock_screener_tool(providers.screens),
    )


def _market_sources(providers: Providers) -> MarketSources:
    insiders = insiders_of(providers.archive) if providers.archive else None
    return MarketSources(providers.prices, providers.statements, providers.directory, providers.news, insiders)


def filing_tools(providers: Providers, setup: Setup, cap: int) -> Sequence[Tool[Any]]:
    """Filings at EDGAR; none offline."""
    archive, directory = providers.archive, providers.directory
    if archive is None:
        return ()
    from dexter.tools.ownership import holdings_tool, insider_trades_tool
    from dexter.tools.read_filings import read_filings_tool
    from dexter.tools.search_filings import search_filings_tool

    return (
        read_filings_tool(archive, directory, cap),
        search_filings_tool(archive, directory, lambda: setup.outside.now().date().isoformat()),
        insider_trades_tool(archive, directory),
        holdings_tool(archive, directory),
    )
