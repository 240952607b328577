"""The options of every command that runs a question, written once."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer

from dexter.cli import completing
from dexter.cli.options import Allow, ConfigFile, Debug
from dexter.errors import UsageError

_RUN = "The run"
_OUTPUT = "What is shown"


_FILE = "Write the answer there: alone, or as a report with figures and sources (.html, .md, .json)."


def _run(*names: str, metavar: str | None = None, **rules: Any) -> Any:
    return typer.Option(*names, metavar=metavar, rich_help_panel=_RUN, **rules)


def _output(*names: str, metavar: str | None = None, **rules: Any) -> Any:
    return typer.Option(*names, metavar=metavar, rich_help_panel=_OUTPUT, **rules)


@dataclass(frozen=True)
class ModelOptions:
    """Who answers and within which limits; None and False mean not given."""

    model: Annotated[str | None, _run("--model", "-m", metavar="NAME", help="The model that answers.")] = None
    fast_model: Annotated[str | None, _run("--fast-model", metavar="NAME", help="For summaries and notes.")] = None
    policy: Annotated[
        str | None,
        _run("--policy", metavar="NAME", help="How the context is kept bounded.", autocompletion=completing.policies),
    ] = None
    max_turns: Annotated[int | None, _run("--max-turns", metavar="N", min=1, help="Turns with tools.")] = None
    window: Annotated[int | None, _run("--window", metavar="TOKENS", min=1, help="A smaller context window.")] = None
    budget_usd: Annotated[str | None, _run("--budget-usd", metavar="USD", help="End the run at this cost.")] = None
    as_of: Annotated[str | None, _run("--as-of", metavar="DATE", help="Answer as on this day (YYYY-MM-DD).")] = None
    offline: Annotated[bool, _run("--offline", metavar="", help="Open no socket; the rule-based analyst answers.")] = (
        False
    )
    config_file: ConfigFile = None
    debug: Debug = False

    def flags(self) -> Mapping[str, Any]:
        """What was given, by the settings' names."""
        given = {name: getattr(self, name) for name in _SETTINGS}
        return {**given, "offline": True if self.offline else None}


@dataclass(frozen=True)
class RunOptions(ModelOptions):
    """The same, and how one run is shown."""

    allow: Allow = None
    strict: Annotated[bool, _run("--strict", metavar="", help="Status 4 if a figure of the answer is not found.")] = (
        False
    )
    json: Annotated[bool, _output("--json", metavar="", help="Print one JSON object at the end.")] = False
    events: Annotated[bool, _output("--events", metavar="", help="Print each event as a JSON line, as it happens.")] = (
        False
    )
    plain: Annotated[bool, _output("--plain", metavar="", help="Plain lines: no colours, nothing that moves.")] = False
    no_color: Annotated[bool, _output("--no-color", metavar="", help="No colours; NO_COLOR does the same.")] = False
    no_stream: Annotated[bool, _output("--no-stream", metavar="", help="Show the answer when it is whole.")] = False
    verbose: Annotated[
        bool, _output("--verbose", "-v", metavar="", help="Calls in full, each request and response.")
    ] = False
    quiet: Annotated[bool, _output("--quiet", "-q", metavar="", help="No progress.")] = False
    output: Annotated[
        Path | None,
        _output(
            "--output",
            "-o",
            metavar="FILE",
            help=_FILE,
        ),
    ] = None

    def __post_init__(self) -> None:
        if self.events and (self.json or self.output):
            other = "--json" if self.json else "--output"
            raise UsageError(f"--events and {other} exclude each other.", remedy="Leave one of them out.")

    def flags(self) -> Mapping[str, Any]:
        """What was given, by the settings' names."""
        switched = {"strict": self.strict or None, "ui.stream": False if self.no_stream else None}
        return {**super().flags(), **switched}


_SETTINGS = ("model", "fast_model", "policy", "max_turns", "window", "budget_usd", "as_of")


def with_options(kind: type[Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Put all fields of a class of options on the command line of a command that takes one `options`."""
    hints = get_type_hints(kind, include_extras=True)  # read once for all commands: it is slow

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        own = inspect.signature(command, eval_str=True).parameters.values()
        added = [
            inspect.Parameter(f.name, inspect.Parameter.KEYWORD_ONLY, default=f.default, annotation=hints[f.name])
            for f in fields(kind)
        ]

        @functools.wraps(command)
        def wrapper(**values: Any) -> None:
            options = kind(**{f.name: values.pop(f.name) for f in fields(kind)})
            command(**values, options=options)

        parameters = [*(parameter for parameter in own if parameter.name != "options"), *added]
        wrapper.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        wrapper.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
        return wrapper

    return decorate


with_run_options = with_options(RunOptions)
