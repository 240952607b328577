"""Write docs/reference.md from the code: commands, settings, tools, events, exit statuses.

Usage: python -m docs.generate          (a test holds the page to what this gives)
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import AsyncExitStack
from dataclasses import fields
from pathlib import Path
from typing import Any, get_args

import typer.main

from dexter import events
from dexter.app.outside import Setup
from dexter.app.toolbox import build_tools
from dexter.cli.main import app
from dexter.config.load import Surroundings, load
from dexter.config.paths import Places
from dexter.config.settings import all_settings
from dexter.errors import ExitStatus
from dexter.tools.spawn_subagent import spawn_subagent_tool

PAGE = Path(__file__).parent / "reference.md"
_HEAD = """\
# Reference

Made from the code by `make reference`; a test holds the two together. What the parts mean is told in the
[guide](guide.md), what programs may rely on in [interfaces](interfaces.md).

[Commands](#commands) · [Settings](#settings) · [Tools](#tools) · [Events](#events) · [Exit statuses](#exit-statuses)
"""
_STATUSES = {
    "ANSWERED": "answered; a command did what it was asked",
    "FAILED": "failed: the model, a source or the record; the sentence says what to do. Also a closed pipe",
    "USAGE": "a wrong option or argument, a setting that can't be, a missing key",
    "INCOMPLETE": "the run ended without a complete answer (turns, budget, output limit, a refusal)",
    "FIGURE_NOT_FOUND": "`--strict`, and a figure of the answer is in no result",
    "BELOW_MINIMUM": "an evaluation below its `--min`",
    "HUNG_UP": "the terminal went away (SIGHUP)",
    "INTERRUPTED": "Ctrl-C; what was found is on record",
    "TERMINATED": "SIGTERM; what was found is on record",
}


def page() -> str:
    """The whole page."""
    parts = (_HEAD, *_commands(), *_settings(), *_tools(), *_events(), *_exit_statuses())
    return "\n".join(parts).rstrip() + "\n"


def _commands() -> Iterator[str]:

    yield "## Commands\n"
    group: Any = typer.main.get_command(app)
    yield "`dexter` alone opens a session where a terminal is.\n"
    yield from _group(group, "dexter")


def _group(group: Any, path: str) -> Iterator[str]:
    for name, command in sorted(group.commands.items()):
        if command.hidden:
            continue
        full = f"{path} {name}"
        arguments = " ".join(_metavar(param) for param in command.params if param.param_type_name == "argument")
        yield f"### `{' '.join(filter(None, (full, arguments)))}`\n"
        yield f"{_one_line(command.help)}\n"
        options = [param for param in command.params if param.param_type_name == "option" and not param.hidden]
        if options:
            yield "| option | does |\n| --- | --- |"
            yield from (f"| `{_names(param)}` | {_cell(param.help)} |" for param in options)
            yield ""
        if hasattr(command, "commands"):
            yield from _group(command, full)


def _names(param: Any) -> str:
    value = "" if param.is_flag else f" {_metavar(param)}"
    return ", ".join((*param.opts, *param.secondary_opts)) + value


def _metavar(param: Any) -> str:
    shown = param.metavar or param.name.upper()
    return shown if param.required or param.param_type_name == "option" else f"[{shown}]"


def _settings() -> Iterator[str]:

    yield "## Settings\n"
    yield (
        "In `config.toml` under the section's name, in the environment as `DEXTER_SECTION__NAME`. `guarded` ones in the"
        " current folder need `dexter config trust`. [config.example.toml](../config.example.toml) explains each.\n"
    )
    yield "| setting | default | what it is |\n| --- | --- | --- |"
    for name, setting in all_settings().items():
        guarded = f" *(guarded: {setting.guarded})*" if setting.guarded else ""
        yield f"| `{name}` | {_default(setting.default)} | {_cell(setting.description)}{guarded} |"
    yield ""


def _default(value: Any) -> str:
    if value in (None, "", ()):
        return "–"
    if isinstance(value, tuple):
        return f"`{', '.join(map(str, value))}`"
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


def _tools() -> Iterator[str]:
    yield "## Tools\n"
    yield "What a model may call, and `dexter tool NAME` runs without one.\n"
    for tool in sorted(_registry(), key=lambda tool: tool.name):
        spec = tool.spec
        yield f"### `{spec.name}`\n"
        yield f"{_one_line(spec.description)}\n"
        if flags := ", ".join(_flags(tool)):
            yield f"*{flags}*\n"
        needed = spec.parameters.get("required", ())
        properties: Mapping[str, Any] = spec.parameters.get("properties", {})
        if properties:
            yield "| argument | type | what it is |\n| --- | --- | --- |"
            for name, schema in properties.items():
                must = "" if name in needed else " (optional)"
                yield f"| `{name}`{must} | {_type(schema)} | {_cell(schema.get('description', ''))} |"
            yield ""


def _registry() -> list[Any]:
    """Every tool there is, with default settings; nothing is opened and nobody is asked."""

    async def nobody(*_: Any) -> Any:
        return ()

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        config = load(Surroundings({}, folder, Places(folder, folder, folder)))
        tools = build_tools(Setup(config), 128_000, folder, AsyncExitStack(), ask_user=nobody)
        return [*tools, spawn_subagent_tool(nobody)]


def _flags(tool: Any) -> Iterator[str]:
    if tool.concurrent:
        yield "may run beside others"
    if tool.clearable:
        yield "old results may leave the view"
    if tool.needs_approval:
        yield "asks first"
    if tool.interactive_only:
        yield "only where a user can be asked"


def _type(schema: Mapping[str, Any]) -> str:
    kind = str(schema.get("type", "any"))
    if "enum" in schema:
        return " \\| ".join(f"`{value}`" for value in schema["enum"])
    return f"list of {_type(schema['items'])}" if kind == "array" and "items" in schema else kind


def _events() -> Iterator[str]:

    yield "## Events\n"
    yield (
        'One JSON object a line with `--events`: `{"v": 1, "seq", "ts", "run", "turn", "type", …}` and its'
        " type's fields.\n"
    )
    yield "| type | fields | says |\n| --- | --- | --- |"
    for kind in get_args(events.Event):
        names = ", ".join(f"`{field.name}`" for field in fields(kind))
        yield f"| `{kind.type}` | {names} | {_cell(_one_line(kind.__doc__ or ''))} |"
    yield ""


def _exit_statuses() -> Iterator[str]:

    yield "## Exit statuses\n"
    yield "| status | when |\n| --- | --- |"
    yield from (f"| {status.value} | {_STATUSES[status.name]} |" for status in ExitStatus)


def _one_line(text: str | None) -> str:
    return " ".join((text or "").split())


def _cell(text: str | None) -> str:
    return _one_line(text).replace("|", "\\|")


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
