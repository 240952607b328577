"""One skill: a folder whose `SKILL.md` says what it is for, in its front matter, and how to go about it, below."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Literal

from dexter.text import cut, one_line

FILE = "SKILL.md"
Origin = Literal["package", "user", "project"]

_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(?P<head>.*?)^---[ \t]*$\n?", re.DOTALL | re.MULTILINE)
_PLAIN_LINE = re.compile(r"(?P<key>[A-Za-z][\w-]*):[ \t]*(?P<value>.*)")
_NAME = re.compile(r"[\w][\w .-]{0,63}")
_DESCRIPTION_CHARS = 1_024
_LARGEST_BYTES = 1_000_000
_LISTED_FILES = 100


class SkillFault(Exception):  # noqa: N818 - the reason why a folder is no skill, never raised to a person
    """The folder is no usable skill; the message says why."""


@dataclass(frozen=True)
class Skill:
    """A workflow. `text` stands below the front matter of `SKILL.md`; `files` lie beside it, relative to `folder`."""

    name: str
    description: str
    text: str
    folder: Path
    origin: Origin
    files: tuple[str, ...] = ()

    @property
    def line(self) -> str:
        """Name and description, as a list shows them."""
        return f"{self.name}: {self.description}"


def read_skill(folder: Path, origin: Origin) -> Skill:
    """The skill in a folder.

    Raises:
        SkillFault: there is none that could be used.
    """
    text = _file_text(folder / FILE)
    match = _FRONT_MATTER.match(text)
    if match is None:
        raise SkillFault("SKILL.md has no front matter between two lines of ---")
    head = front_matter(match["head"])
    name, description = _line(head.get("name")), _line(head.get("description"))
    if not _NAME.fullmatch(name):
        raise SkillFault("the front matter has no usable name" if not name else f"{cut(name, 80)!r} is no usable name")
    if not description:
        raise SkillFault("the front matter has no description")
    body = text[match.end() :].strip()
    return Skill(name, cut(description, _DESCRIPTION_CHARS), body, folder, origin, _beside(folder))


def front_matter(text: str) -> Mapping[str, Any]:
    """The front matter as YAML whose scalars are all text; where it is not quite that, as plain `key: value` lines."""
    import yaml

    try:
        found = yaml.load(text, Loader=yaml.BaseLoader)  # noqa: S506 - it makes texts, lists and mappings only
    except (yaml.YAMLError, ValueError, RecursionError):
        found = None
    if isinstance(found, dict):
        return {str(key): value for key, value in found.items()}
    lines = (_PLAIN_LINE.fullmatch(line.rstrip()) for line in text.split("\n"))
    return {match["key"]: match["value"].strip("\"' ") for match in lines if match}


def _line(value: Any) -> str:
    """A scalar on one line; anything else is as good as missing."""
    return one_line(value) if isinstance(value, str) else ""


def _file_text(path: Path) -> str:
    try:
        if not path.is_file():  # a pipe would keep us waiting
            raise SkillFault("SKILL.md is no file")
        if path.stat().st_size > _LARGEST_BYTES:
            raise SkillFault(f"SKILL.md is larger than {_LARGEST_BYTES // 1_000_000} MB")
        return path.read_text(encoding="utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise SkillFault("SKILL.md is not UTF-8 text") from error
    except OSError as error:
        raise SkillFault(f"SKILL.md can't be read: {error.strerror}") from error


def _beside(folder: Path) -> tuple[str, ...]:
    """The other files of the skill; nothing that a link leads out to."""
    root = folder.resolve()
    inside = (path for path in _files(folder) if path.is_file() and path.resolve().is_relative_to(root))
    return tuple(path.relative_to(folder).as_posix() for path in islice(inside, _LISTED_FILES))


def _files(folder: Path) -> Iterator[Path]:
    """The files but `SKILL.md` and hidden ones, those of a folder before those of the folders in it."""
    for name, folders, files in os.walk(folder):
        folders[:] = sorted(inner for inner in folders if not inner.startswith((".", "__pycache__")))
        yield from (Path(name, file) for file in sorted(files) if file != FILE and not file.startswith("."))
