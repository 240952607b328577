"""Where a value came from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal


@dataclass(frozen=True)
class Origin:
    """A flag, a variable (`where` it stands, if in a file), a line of a file, or the default."""

    kind: Literal["flag", "environment", "file", "default"] = "default"
    name: str = ""
    path: Path | None = None
    line: int | None = None

    def __str__(self) -> str:
        place = f"{self.path}, line {self.line}" if self.line else str(self.path or "")
        return ", ".join(part for part in (self.name, place) if part) or self.kind


DEFAULT = Origin()


@dataclass(frozen=True)
class Variable:
    """An environment variable, or a line of a `.env` file that stands for one."""

    name: str
    value: str = field(repr=False)
    origin: Origin


@dataclass(frozen=True)
class Layer:
    """Nested values from one place, and where each leaf (by dotted name) stands there."""

    values: Mapping[str, Any]
    origins: Mapping[str, Origin]


def leaves(values: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Nested mappings as dotted names."""
    flat: dict[str, Any] = {}
    for key, value in values.items():
        if isinstance(value, Mapping):
            flat |= leaves(value, f"{prefix}{key}.")
        else:
            flat[prefix + key] = value
    return flat


def nested(flat: Mapping[str, Any]) -> dict[str, Any]:
    """Dotted names as nested dictionaries."""
    tree: dict[str, Any] = {}
    for name, value in flat.items():
        *sections, last = name.split(".")
        branch = tree
        for section in sections:
            branch = branch.setdefault(section, {})
        branch[last] = value
    return tree
