"""Where things are kept: the user's folders by the XDG rules, and the runs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from dexter.errors import SettingsError


@dataclass(frozen=True)
class Places:
    """The user's folders for settings, data and cache. Nothing in them need exist."""

    config: Path
    data: Path
    cache: Path

    @property
    def config_file(self) -> Path:
        """The user's own settings."""
        return self.config / "config.toml"

    @property
    def key_file(self) -> Path:
        """The user's `.env`: keys and endpoints."""
        return self.config / ".env"

    @property
    def trust_file(self) -> Path:
        """Which files of which folders the user trusts."""
        return self.data / "trusted.json"

    @property
    def approvals_file(self) -> Path:
        """What tools were allowed for always."""
        return self.data / "approvals.json"


def user_places() -> Places:
    """The folders of this user, as `XDG_CONFIG_HOME`, `XDG_DATA_HOME` and `XDG_CACHE_HOME` say."""
    from platformdirs import PlatformDirs

    folders = PlatformDirs("dexter", appauthor=False)
    return Places(folders.user_config_path, folders.user_data_path, folders.user_cache_path)


def scratchpads_folder(setting: Path | None, cwd: Path, places: Places) -> Path:
    """Where runs live: the setting, else `./scratchpads/` where it exists (a checkout), else the user's data."""
    if setting is not None:
        return cwd / expanded(setting)
    local = cwd / "scratchpads"
    return local if local.is_dir() else places.data / "scratchpads"


def real_path(path: Path) -> Path:
    """The path with `~`, `..` and links resolved. It need not exist.

    Raises:
        SettingsError: it names a user there is none of, or its links go round in a circle.
    """
    try:
        return expanded(path).resolve()
    except (OSError, RuntimeError) as error:
        raise SettingsError(f"{path} is not a usable path: its links lead nowhere.", remedy="Name another.") from error


def expanded(path: Path) -> Path:
    """The path with a `~` at its beginning replaced.

    Raises:
        SettingsError: there is no such user.
    """
    try:
        return path.expanduser()
    except RuntimeError as error:
        raise SettingsError(f"{path} is not a usable path: there is no such user.", remedy="Name another.") from error
