"""`dexter doctor`: what is configured and missing, with the command that mends each."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dexter import __version__
from dexter.cli.options import AsJson, ConfigFile, Debug
from dexter.cli.terminal import Terminal
from dexter.errors import ExitStatus, SettingsError, UsageError

if TYPE_CHECKING:
    from dexter.config.load import Configuration
    from dexter.doctor.finding import Finding
    from dexter.doctor.terminal import TerminalFacts

_MARKS = {"ok": "✓", "note": "·", "problem": "✗"}


def doctor(
    *,
    online: Annotated[
        bool, typer.Option("--online", metavar="", help="Ask the configured addresses, and try the keys.")
    ] = False,
    as_json: AsJson = False,
    config_file: ConfigFile = None,
    debug: Debug = False,
) -> None:
    """Check keys, models, providers, folders, terminal and versions; no socket is opened without --online.

    Exit status 0: all well; 1: something to mend.
    """
    del debug  # the edge reads it
    from dexter.ui.literal import literal
    from dexter.ui.safe_json import safe_json

    findings = _findings(config_file, online=online)
    bad = [finding for finding in findings if finding.verdict == "problem"]
    if as_json:
        typer.echo(safe_json({"ok": not bad, "findings": [finding.to_json() for finding in findings]}))
    else:
        typer.echo(literal("\n".join(_lines(findings, len(bad)))))
    if bad:
        raise typer.Exit(int(ExitStatus.FAILED))


def _findings(config_file: Path | None, *, online: bool) -> list[Finding]:
    """What was found; settings that can't be read are a finding, too, and then the defaults are looked at."""
    from datetime import UTC, datetime

    from dexter.cli.configured import configured
    from dexter.doctor.examine import examine
    from dexter.doctor.finding import problem

    found = []
    try:
        config = configured(config_file=config_file)
    except SettingsError as error:
        found.append(problem("settings", error.message, error.remedy))
        config = _defaults()
    today = datetime.now(UTC).date()
    found += examine(config, os.environ, _terminal(), today=today, version=__version__)
    if online and config.settings.offline:
        raise UsageError("Offline is set, so no address is asked.", remedy="Leave out --online, or unset it.")
    if online:
        from dexter.doctor.reach import check_reach

        found += check_reach(config)
    return found


def _defaults() -> Configuration:
    """The settings as if no file and no variable had been there."""
    from dexter.cli.configured import surroundings
    from dexter.config.load import Surroundings, load

    places = surroundings().places
    nowhere = places.config / "nowhere"
    return load(Surroundings({}, nowhere, replace(places, config=nowhere)))


def _terminal() -> TerminalFacts:
    from dexter.doctor.terminal import TerminalFacts

    terminal = Terminal.here()
    environ = terminal.environ
    return TerminalFacts(
        is_terminal=terminal.stdout.isatty(),
        columns=shutil.get_terminal_size().columns,
        encoding=terminal.stdout.encoding or "",
        term=environ.get("TERM", ""),
        no_color=bool(environ.get("NO_COLOR")),
    )


def _lines(findings: Sequence[Finding], bad: int) -> Iterator[str]:
    area = ""
    for finding in findings:
        if finding.area != area:
            area = finding.area
            yield area
        yield f"  {_MARKS[finding.verdict]} {finding.text}"
        if finding.mend:
            yield f"      → {finding.mend}"
    yield ""
    yield "All well." if not bad else f"{bad} to mend."
