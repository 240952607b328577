"""Rules of the user: `RULES.md` in the user's settings folder, and in a project's where that is trusted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from dexter.config.project import RULES, Project
from dexter.errors import SettingsError

# About eight thousand tokens, which leaves half of the smallest window.
_MOST_BYTES = 32_000


@dataclass(frozen=True)
class RuleFile:
    """A file of rules: its text, and whether it counts. That of an untrusted folder does not, and is not read."""

    path: Path
    text: str
    counts: bool


def read_rules(config: Path, project: Project) -> tuple[RuleFile, ...]:
    """Every file of rules, the user's own first.

    Raises:
        SettingsError: the user's own can't be read.
    """
    own, theirs = config / RULES, project.rules
    files = [RuleFile(own, text, counts=True)] if (text := _text(own)) else []
    if project.trusts(theirs):
        files.append(RuleFile(theirs, _text(theirs), counts=True))
    elif theirs.is_file():
        files.append(RuleFile(theirs, "", counts=False))
    return tuple(files)


def rules_text(files: Sequence[RuleFile]) -> str:
    """The rules that count, as the model gets them; '' for none."""
    return "\n\n".join(file.text for file in files if file.counts)


def _text(path: Path) -> str:
    """What the file says, '' where there is none."""
    try:
        data = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except OSError as error:
        raise SettingsError(
            f"{path} can't be read: {error.strerror}.", remedy="Make it readable, or remove it."
        ) from error
    if len(data) > _MOST_BYTES:
        raise SettingsError(
            f"{path} has {len(data):,} bytes, and rules are sent with every request.",
            remedy=f"Shorten it to {_MOST_BYTES:,} bytes; what is only sometimes needed makes a skill.",
        )
    return data.decode("utf-8-sig", "replace").replace("\r\n", "\n").strip()
