"""The project folder `./.dexter`: rules and skills that come with a folder, and count only once it is trusted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from dexter.config.trust import is_named, is_trusted
from dexter.errors import SettingsError

FOLDER = ".dexter"
RULES = "RULES.md"
SKILLS = "skills"
_MOST_FILES = 2_000
_MOST_BYTES = 20_000_000


@dataclass(frozen=True)
class Project:
    """`folder` need not exist; `store` holds what the user trusts."""

    folder: Path
    store: Path

    @property
    def rules(self) -> Path:
        """Its rules."""
        return self.folder / RULES

    @property
    def skills(self) -> Path:
        """Its skills."""
        return self.folder / SKILLS

    def trusts(self, path: Path) -> bool:
        """Whether the user has trusted this file as it stands. It is read only if it was ever trusted."""
        try:
            known = path.is_file() and is_named(path, self.store)
            return known and is_trusted(path, _as_text(path.read_bytes()), self.store)
        except (OSError, RuntimeError):  # unreadable, or a loop of links
            return False

    def trusts_all(self, folder: Path) -> bool:
        """Whether there are files below the folder and every one is trusted as it stands."""
        try:
            files = list(_files(folder))
        except OSError:
            return False
        return bool(files) and all(map(self.trusts, files))

    def texts(self) -> Mapping[Path, str]:
        """Everything that trust in the project covers.

        Raises:
            SettingsError: it is too much, or can't be read.
        """
        try:
            files = [path for path in (self.rules, *_files(self.skills)) if path.is_file()]
            if len(files) > _MOST_FILES or sum(path.stat().st_size for path in files) > _MOST_BYTES:
                raise SettingsError(
                    f"{self.folder} holds more than {_MOST_FILES:,} files or {_MOST_BYTES // 1_000_000} MB.",
                    remedy="Keep only rules and skills there.",
                )
            return {path: _as_text(path.read_bytes()) for path in files}
        except OSError as error:
            raise SettingsError(
                f"{self.folder} can't be read: {error.strerror}.", remedy="Make it readable."
            ) from error


def _files(folder: Path) -> Iterator[Path]:
    return (path for path in sorted(folder.rglob("*")) if path.is_file()) if folder.is_dir() else iter(())


def _as_text(data: bytes) -> str:
    """Any bytes as text, one character each, so that trust covers them to the byte."""
    return data.decode("latin-1")
