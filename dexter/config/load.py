"""Settings from flags, environment, `./config.toml`, the user's file and defaults, in that order."""

from __future__ import annotations

import stat
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dexter.config.dotenv import assignments
from dexter.config.keys import Keys, find_keys, is_key_variable
from dexter.config.origins import DEFAULT, Layer, Origin, Variable
from dexter.config.paths import Places, expanded, scratchpads_folder
from dexter.config.project import FOLDER, Project
from dexter.config.trust import is_trusted
from dexter.errors import SettingsError

if TYPE_CHECKING:
    from dexter.config.settings import Settings

LOCAL_CONFIG = "config.toml"
LOCAL_DOTENV = ".env"
_MOST_BYTES = 1_000_000


@dataclass(frozen=True)
class Surroundings:
    """What the process finds itself in: variables, current folder, the user's folders."""

    environ: Mapping[str, str] = field(repr=False)
    cwd: Path
    places: Places


@dataclass(frozen=True)
class Configuration:
    """Settings, where each value came from, the keys, where runs live, and what comes with the current folder."""

    settings: Settings
    origins: Mapping[str, Origin]
    keys: Keys
    places: Places
    scratchpads: Path
    project: Project

    def origin(self, name: str) -> Origin:
        """Where the value of a dotted name came from."""
        return self.origins.get(name, DEFAULT)


def load(
    around: Surroundings, flags: Mapping[str, Any] | None = None, config_file: Path | None = None
) -> Configuration:
    """Read every place and merge. `config_file` stands in for `./config.toml`, and is trusted: the user named it.

    Raises:
        SettingsError: a file is broken, a setting unknown or ill-typed, or a file of the current folder names what
            it may not.
    """
    from dexter.config.layers import environment_layer, flag_layer, merged, standard_layer

    variables = _variables(around)
    layers = (
        flag_layer(flags or {}),
        environment_layer(variables),
        standard_layer(variables),
        _named_file(config_file) if config_file else _local_file(around),
        _user_file(around.places.config_file),
    )
    settings, origins = merged(layers)
    places = _places(around, settings)
    folder = scratchpads_folder(settings.paths.scratchpads, around.cwd, places)
    project = Project(around.cwd / FOLDER, around.places.trust_file)
    return Configuration(settings, origins, find_keys(variables), places, folder, project)


def keys_to_hide(around: Surroundings) -> Keys:
    """All keys that lie about, whether they may be used or not; where settings are broken, too."""
    lines: dict[str, Variable] = {}
    for path in (around.cwd / LOCAL_DOTENV, around.places.key_file):
        with suppress(SettingsError):
            lines |= _dotenv(path, read_local(path) or "")
    return find_keys({**lines, **{name: Variable(name, value, DEFAULT) for name, value in around.environ.items()}})


def _places(around: Surroundings, settings: Settings) -> Places:
    """The user's folders, where settings do not name others."""
    data, cache = (
        around.cwd / expanded(setting) if setting else default
        for setting, default in ((settings.paths.data, around.places.data), (settings.paths.cache, around.places.cache))
    )
    return Places(around.places.config, data, cache)


def _variables(around: Surroundings) -> dict[str, Variable]:
    """The environment, and below it the lines of `./.env` and of the user's `.env`."""
    own = {name: Variable(name, value, Origin("environment", name)) for name, value in around.environ.items()}
    key_file = around.places.key_file
    return {**_dotenv(key_file, read_text(key_file) or ""), **_local_dotenv(around), **own}


def _dotenv(path: Path, text: str) -> dict[str, Variable]:
    return {
        found.name: Variable(found.name, found.value, Origin("environment", found.name, path, found.line))
        for found in assignments(text)
    }


def _local_dotenv(around: Surroundings) -> dict[str, Variable]:
    from dexter.config import problems
    from dexter.config.layers import setting_name

    path = around.cwd / LOCAL_DOTENV
    text = read_local(path) or ""
    variables = {name: v for name, v in _dotenv(path, text).items() if is_key_variable(name) or setting_name(name)}
    if variables and not is_trusted(path, text, around.places.trust_file):
        for name, variable in variables.items():
            what = "a key" if is_key_variable(name) else _guarded(setting_name(name) or "")
            if what:
                raise problems.untrusted(name, what, variable.origin)
    return variables


def _guarded(name: str) -> str:
    """What a setting, or any setting of a section, may name only in trusted files; '' for nothing."""
    from dexter.config.settings import all_settings

    return next((s.guarded for s in all_settings().values() if s.guarded and f"{s.name}.".startswith(f"{name}.")), "")


def _named_file(path: Path) -> Layer:
    from dexter.config.layers import file_layer

    text = read_text(path)
    if text is None:
        raise SettingsError(f"There is no file {path}.", remedy="Give --config the path of a TOML file.")
    return file_layer(path, text)


def _user_file(path: Path) -> Layer:
    from dexter.config.layers import file_layer

    return file_layer(path, read_text(path) or "")


def _local_file(around: Surroundings) -> Layer:
    from dexter.config import problems
    from dexter.config.layers import file_layer
    from dexter.config.origins import leaves
    from dexter.config.settings import all_settings

    path = around.cwd / LOCAL_CONFIG
    text = read_local(path) or ""
    layer = file_layer(path, text)
    guarded = {name: setting.guarded for name, setting in all_settings().items() if setting.guarded}
    named = [name for name in leaves(layer.values) if name in guarded]
    if named and not is_trusted(path, text, around.places.trust_file):
        raise problems.untrusted(named[0], guarded[named[0]], layer.origins[named[0]])
    return layer


def read_local(path: Path) -> str | None:
    """The text of a file of the current folder, which anybody may have put there; None where there is none.

    A folder of that name (`.env` is one where Python's `venv` made it) is no such file.

    Raises:
        SettingsError: it is a pipe or a device, which would never end, too long, or can't be read.
    """
    try:
        found = path.stat()
    except OSError:
        return read_text(path)  # says what is wrong
    if stat.S_ISDIR(found.st_mode):
        return None
    if not stat.S_ISREG(found.st_mode) or found.st_size > _MOST_BYTES:
        raise SettingsError(
            f"{path} is no file of settings: it is a pipe, a device, or longer than {_MOST_BYTES:,} bytes.",
            remedy="Remove it, or go to another folder.",
        )
    return read_text(path)


def read_text(path: Path) -> str | None:
    """A file's text, None where there is none."""
    try:
        return path.read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return None
    except UnicodeDecodeError:
        raise SettingsError(f"{path} is not UTF-8 text.", remedy="Save it as UTF-8, or remove it.") from None
    except OSError as error:
        raise SettingsError(
            f"{path} can't be read: {error.strerror}.", remedy="Make it readable, or remove it."
        ) from error
