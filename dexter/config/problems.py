"""From a fault in a setting to a sentence that names it, where it stands, and what would be right."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from dexter.config.origins import DEFAULT, Origin
from dexter.config.settings import all_settings, sections
from dexter.errors import SettingsError

if TYPE_CHECKING:
    from pydantic import ValidationError

_SHOWN = 40
_LOOKS_LIKE_KEY = re.compile(r"(?:^|[._])(?:api_?)?(?:key|token|secret|password)$", re.IGNORECASE)
_EXTRA = {"extra_forbidden", "unexpected_keyword_argument"}


def from_validation(error: ValidationError, origins: Mapping[str, Origin]) -> SettingsError:
    """The first fault of a validation. `origins` tells where each dotted name stands."""
    first = error.errors(include_url=False)[0]
    name = ".".join(str(part) for part in first["loc"] if isinstance(part, str))
    origin = _origin_of(name, origins)
    if first["type"] in _EXTRA:
        return unknown(name, origin)
    message = first["msg"].removeprefix("Input should be ").removeprefix("Value error, ")
    if first["type"].startswith("date"):
        message = "a day like 2026-01-31"
    return SettingsError(f"{origin}: “{name}” should be {message}, not {_shown(first['input'])}.", remedy=_remedy(name))


def unknown(name: str, origin: Origin) -> SettingsError:
    """No setting has this name."""
    if _LOOKS_LIKE_KEY.search(name):
        return SettingsError(
            f"{origin}: “{name}” looks like a key, and keys never stand in config.toml.",
            remedy="Remove the line and set the key with `dexter config set-key NAME`.",
        )
    close = difflib.get_close_matches(name, [*all_settings(), *sections()], n=1)
    hint = f"Did you mean “{close[0]}”?" if close else "`dexter config` lists every setting."
    return SettingsError(f"{origin}: there is no setting “{name}”.", remedy=hint)


def untrusted(name: str, what: str, origin: Origin) -> SettingsError:
    """A file in the current folder names something it may not name yet."""
    return SettingsError(
        f"{origin}: “{name}” names {what}, which a file in the current folder may do only once you trust it.",
        remedy="Read the file; if it is yours, run `dexter config trust` in this folder.",
    )


def _origin_of(name: str, origins: Mapping[str, Origin]) -> Origin:
    parts = name.split(".")
    dotted = [".".join(parts[:stop]) for stop in range(len(parts), 0, -1)]
    return next((origins[part] for part in dotted if part in origins), DEFAULT)


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def _remedy(name: str) -> str:
    setting = all_settings().get(name)
    default = "" if setting is None or setting.default in (None, "", ()) else f" The default is {setting.default}."
    return f"{setting.description}{default}" if setting and setting.description else default.strip()
