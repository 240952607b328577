"""The tools of the command line: those of a run, without a run."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dexter.app.outside import Setup
    from dexter.tools.registry import Registry

# Results are cut to a share of a window; this is a large one.
_WINDOW = 200_000


@asynccontextmanager
async def open_tools(flags: Mapping[str, Any], config_file: Path | None) -> AsyncIterator[tuple[Setup, Registry]]:
    """The settings and the tools they give; connections are closed at the end.

    Raises:
        SettingsError: a setting is not what it should be.
    """
    from dexter.app.outside import Setup
    from dexter.app.toolbox import build_tools
    from dexter.cli.configured import configured

    setup = Setup(configured(flags, config_file))
    async with AsyncExitStack() as stack:
        yield setup, build_tools(setup, _WINDOW, setup.config.scratchpads, stack)
