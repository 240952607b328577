"""The places settings come from, each read and checked by itself, so that an error names its own place."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from dexter.config import problems
from dexter.config.origins import Layer, Origin, Variable, leaves, nested
from dexter.config.settings import Settings, all_settings, sections
from dexter.config.toml_lines import line_of
from dexter.errors import SettingsError

PREFIX = "DEXTER_"
# Variables of the wider ecosystem that are settings here; DEXTER_… wins over them.
STANDARD_VARIABLES: Mapping[str, str] = {
    "ANTHROPIC_BASE_URL": "anthropic.base_url",
    "OPENAI_BASE_URL": "openai_compatible.base_url",
}

# Flags that are not called like their setting.
_FLAGS: Mapping[str, str] = {"ui.stream": "--no-stream"}


def flag_layer(flags: Mapping[str, Any]) -> Layer:
    """What the command line said, by dotted name; None means not given. Types are right already."""
    given = {name: value for name, value in flags.items() if value is not None}
    origins = {name: Origin("flag", _FLAGS.get(name) or "--" + name.replace("_", "-")) for name in given}
    return _checked(nested(given), origins)


def setting_name(variable: str) -> str | None:
    """The dotted setting a variable stands for, known or not; None for a variable that is none of Dexter's."""
    if variable in STANDARD_VARIABLES:
        return STANDARD_VARIABLES[variable]
    if variable.upper().startswith(PREFIX):
        return variable[len(PREFIX) :].lower().replace("__", ".")
    return None


def environment_layer(variables: Mapping[str, Variable]) -> Layer:
    """The variables that begin with `DEXTER_`; `__` separates a section from its setting."""
    own = {name: v for name, v in variables.items() if name.upper().startswith(PREFIX) and v.value}
    names = {name: setting_name(name) or "" for name in own}
    origins = {names[name]: variable.origin for name, variable in own.items()}
    known = {*all_settings(), *sections()}
    for name, dotted in names.items():
        if dotted not in known:
            raise problems.unknown(dotted, own[name].origin)
    return _checked(_environment_values(own), origins)


def standard_layer(variables: Mapping[str, Variable]) -> Layer:
    """The usual variables of providers that are settings here."""
    found = {STANDARD_VARIABLES[n]: v for n, v in variables.items() if n in STANDARD_VARIABLES and v.value}
    values = nested({name: variable.value for name, variable in found.items()})
    return _checked(values, {name: variable.origin for name, variable in found.items()})


def file_layer(path: Path, text: str) -> Layer:
    """A TOML file's settings, strictly typed: `"20"` is no number there.

    Raises:
        SettingsError: broken TOML, an unknown or an ill-typed setting; names file, key and line.
    """
    values = _parsed(path, text)
    origins = {
        name: Origin("file", path=path, line=line_of(text, name.split("."))) for name in (*leaves(values), *values)
    }
    try:
        Settings.model_validate_json(json.dumps(values, default=_iso), strict=True)
    except ValidationError as error:
        raise problems.from_validation(error, origins) from None
    return Layer(values, origins)


def merged(layers: Sequence[Layer]) -> tuple[Settings, Mapping[str, Origin]]:
    """The settings of all layers, the first the strongest, and where each value came from."""
    flat: dict[str, Any] = {}
    origins: dict[str, Origin] = {}
    for layer in reversed(layers):
        values = leaves(layer.values)
        flat |= values
        origins |= {name: layer.origins.get(name) or layer.origins[name.split(".", maxsplit=1)[0]] for name in values}
    return Settings.model_validate(nested(flat)), origins


def _parsed(path: Path, text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{path} is not valid TOML: {error}.", remedy="Mend that line.") from None


def _environment_values(variables: Mapping[str, Variable]) -> dict[str, Any]:
    from pydantic_settings import BaseSettings, EnvSettingsSource, SettingsConfigDict
    from pydantic_settings.exceptions import SettingsError as SourceError

    class FromEnvironment(Settings, BaseSettings):
        model_config = SettingsConfigDict(env_prefix=PREFIX, env_nested_delimiter="__")

    source = EnvSettingsSource(FromEnvironment)
    source.env_vars = {name.lower(): variable.value for name, variable in variables.items()}
    try:
        return source()
    except SourceError as error:
        raise SettingsError(f"A DEXTER_ variable is not valid JSON: {error}.") from None


def _checked(values: Mapping[str, Any], origins: Mapping[str, Origin]) -> Layer:
    try:
        Settings.model_validate(values)
    except ValidationError as error:
        raise problems.from_validation(error, origins) from None
    return Layer(values, origins)


def _iso(value: Any) -> str:
    """TOML has dates and times; JSON writes them as text."""
    return value.isoformat() if isinstance(value, date | datetime) else str(value)
