"""`dexter config`: each value and where it came from; keys; trust."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dexter.cli import completing
from dexter.cli.options import AsJson, ConfigFile, Debug
from dexter.errors import UsageError

if TYPE_CHECKING:
    from dexter.config.load import Configuration

app = typer.Typer(help="Show settings with their origin; store keys; trust a folder.", invoke_without_command=True)


@app.callback()
def show(
    ctx: typer.Context,
    *,
    policy: Annotated[
        bool, typer.Option("--policy", metavar="", help="Print the stages of the context policy, in order.")
    ] = False,
    as_json: AsJson = False,
    config_file: ConfigFile = None,
    debug: Debug = False,
) -> None:
    """Print every setting, its value and where that came from. Keys are named, never shown."""
    del debug  # the edge reads it
    if ctx.invoked_subcommand is not None:
        return
    from dexter.cli.configured import configured
    from dexter.ui.literal import literal
    from dexter.ui.safe_json import safe_json

    found = configured(config_file=config_file)
    if as_json:
        typer.echo(safe_json({name: {"value": v, "origin": o} for name, v, o in _rows(found)}))
        return
    for line in _policy_lines(found) if policy else _lines(found):
        typer.echo(literal(line))


@app.command("set-key")
def set_key(
    provider: Annotated[
        str,
        typer.Argument(
            help="anthropic, openai, financialdatasets, exa, tavily, …", autocompletion=completing.key_names
        ),
    ],
) -> None:
    """Store a provider's key in your own .env, readable by you alone. The key is asked for, or read from a pipe."""
    from dexter.cli.configured import surroundings
    from dexter.config.keys import KEY_VARIABLES, store_key

    if provider not in KEY_VARIABLES:
        raise UsageError(f"No provider is called “{provider}”.", remedy=f"Known: {', '.join(KEY_VARIABLES)}.")
    path = surroundings().places.key_file
    name = store_key(path, provider, _asked_key(provider))
    typer.echo(f"{name} is stored in {path}.", err=True)


@app.command()
def trust() -> None:
    """Let ./config.toml and ./.env, as they stand now, name endpoints, keys and paths; use the skills of ./.dexter."""
    from dexter.cli.configured import surroundings
    from dexter.config.load import LOCAL_CONFIG, LOCAL_DOTENV, read_local
    from dexter.config.project import FOLDER, Project
    from dexter.config.trust import trust as remember
    from dexter.ui.literal import literal_line

    around = surroundings()
    texts = {around.cwd / name: read_local(around.cwd / name) for name in (LOCAL_CONFIG, LOCAL_DOTENV)}
    files = {path: text for path, text in texts.items() if text is not None}
    files |= Project(around.cwd / FOLDER, around.places.trust_file).texts()
    if not files:
        raise UsageError(
            f"There is no config.toml, .env or {FOLDER} in {around.cwd}.", remedy="Nothing needs trust here."
        )
    remember(files, around.places.trust_file)
    for path in files:
        typer.echo(literal_line(f"Trusted until it changes: {path}"), err=True)


@app.command()
def approvals(
    revoke: Annotated[int | None, typer.Option("--revoke", metavar="N", help="Take back this one.", min=1)] = None,
    *,
    revoke_all: Annotated[bool, typer.Option("--revoke-all", metavar="", help="Take back all.")] = False,
) -> None:
    """List what tools may do without asking, for always; take it back."""
    from dexter.cli.configured import configured
    from dexter.config.approvals import allowed_always
    from dexter.config.approvals import revoke as take_back
    from dexter.ui.literal import literal_line

    store = configured().places.approvals_file
    allowed = allowed_always(store)
    if revoke is not None and revoke > len(allowed):
        raise UsageError(f"There is no approval {revoke}.", remedy="`dexter config approvals` lists them.")
    for gone in allowed if revoke_all else allowed[revoke - 1 : revoke] if revoke else ():
        take_back(store, gone)
    for number, (tool, what) in enumerate(allowed_always(store), start=1):
        typer.echo(f"{number}  {literal_line(tool)}  {literal_line(what)}")
    if not allowed_always(store):
        typer.echo("Nothing is allowed for always: every call that writes or sends is asked first.", err=True)


def _asked_key(provider: str) -> str:
    """The key, typed unseen at a terminal or piped in."""
    if not sys.stdin.isatty():
        return sys.stdin.readline()
    return str(typer.prompt(f"Key of {provider} (not shown)", hide_input=True, err=True))


def _rows(found: Configuration) -> Iterator[tuple[str, Any, str]]:
    from dexter.config.settings import all_settings, value_of

    for name in all_settings():
        yield name, value_of(found.settings, name), str(found.origin(name))


def _lines(found: Configuration) -> Iterator[str]:
    rows = [(name, _shown(value), origin) for name, value, origin in _rows(found)]
    names, values = (max(len(row[column]) for row in rows) for column in (0, 1))
    for name, value, origin in rows:
        yield f"{name:{names}}  {value:{values}}  {origin}".rstrip()
    yield ""
    yield from _key_lines(found)
    yield f"Runs: {found.scratchpads}"
    yield f"Your settings: {found.places.config_file}"


def _policy_lines(found: Configuration) -> Iterator[str]:
    """The stages of the four moments, each with its rule in force."""
    from dexter.context.policies import listing, policy_named

    limits = found.settings.context
    yield f"Set by {found.origin('policy')}:"
    yield listing(policy_named(found.settings.policy, limits), limits)


def _key_lines(found: Configuration) -> Iterator[str]:
    for provider in found.keys.providers:
        yield f"Key of {provider}: set ({found.keys.origin(provider)})"
    if not found.keys.providers:
        yield "Keys: none set. `dexter config set-key anthropic` stores one."


def _shown(value: Any) -> str:
    if value is None:
        return "(unset)"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return ",".join(map(str, value)) or "(none)"
    return str(value) if value != "" else "(empty)"
