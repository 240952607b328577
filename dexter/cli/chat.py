"""`dexter`, or `dexter chat`: the interactive session."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from dexter.cli.run_options import RunOptions, with_run_options
from dexter.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

    from dexter.app.build import Parts
    from dexter.app.outside import Setup
    from dexter.cli.terminal import Terminal
    from dexter.errors import ExitStatus
    from dexter.session.session import Session

Opening = Callable[["Session"], Awaitable[None]]

Continue = Annotated[
    bool,
    typer.Option("--continue", "-c", metavar="", help="Go on with the last conversation.", rich_help_panel="The run"),
]


@with_run_options
def chat(*, follow_up: Continue = False, options: RunOptions) -> None:
    """Talk: one conversation, slash commands, a line that can be written while the agent works."""
    start_session(options, follow_up=follow_up)


def start_session(
    options: RunOptions, *, follow_up: bool = False, pick: bool = False, parts: Parts | None = None
) -> NoReturn:
    """Start a session, with the last conversation, or one that the user picks; leave with its exit status.

    `parts` replace what the settings say.

    Raises:
        DexterError: settings are wrong, or there is no conversation.
    """
    import asyncio

    from dexter.app.outside import Setup
    from dexter.cli.configured import configured
    from dexter.cli.terminal import Terminal
    from dexter.scratchpad.runs import last_conversation

    _check(options)
    terminal = Terminal.here()
    setup = Setup(configured(options.flags(), options.config_file))
    path = last_conversation(setup.config.scratchpads) if follow_up else None
    opening = _opening(path, pick=pick)
    status = asyncio.run(_session(setup, terminal, options, opening, parts))
    raise typer.Exit(int(status))


def _check(options: RunOptions) -> None:
    """Raises UsageError for options that say how one answer is to be printed."""
    for name in ("json", "events", "quiet", "output"):
        if getattr(options, name):
            raise UsageError(f"A session has no --{name}.", remedy=f'One question has: dexter ask --{name} "…"')


def _opening(path: Path | None, *, pick: bool) -> Opening:
    async def opening(session: Session) -> None:
        from dexter.session.opening import open_picked, open_run

        if pick:
            await open_picked(session)
        elif path is not None:
            open_run(session, path)

    return opening


async def _session(
    setup: Setup, terminal: Terminal, options: RunOptions, opening: Opening, parts: Parts | None
) -> ExitStatus:
    from dexter.session.streams import Streams

    allow = options.allow or ()
    if options.plain or not (terminal.is_one and terminal.stdin.isatty()):
        from dexter.session.plain import run_plain_session

        streams = Streams(terminal.stdin, terminal.stdout, terminal.stderr, terminal.environ)
        return await run_plain_session(setup, streams, parts=parts, allow=allow, opening=opening)
    from dexter.session.terminal.prompt import Look
    from dexter.session.terminal.start import run_session
    from dexter.ui.links import use_links

    shown = terminal.without_colours() if options.no_color else terminal
    look = Look(
        hyperlinks=use_links(setup.settings.ui.links, shown.environ),
        stream=setup.settings.ui.stream,
        verbose=options.verbose,
        colours=not shown.environ.get("NO_COLOR"),
    )
    streams = Streams(shown.stdin, shown.stdout, shown.stderr, shown.environ)
    return await run_session(setup, streams, look, parts=parts, allow=allow, opening=opening)
