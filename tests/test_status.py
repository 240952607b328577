"""docs/status.md names only what is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
STATUS = (ROOT / "docs" / "status.md").read_text(encoding="utf-8")
NAMED = sorted(set(re.findall(r"`((?:tests|docs|benchmarks)/[\w./-]+(?:::\w+)?)`", STATUS)))
MODULES = sorted(set(re.findall(r"`python -m (benchmarks\.[\w.]+)", STATUS)))


@pytest.mark.parametrize("name", NAMED)
def test_every_file_and_test_that_is_named_exists(name: str) -> None:
    """A line whose proof was renamed or removed is found."""
    file, _, function = name.partition("::")
    assert (ROOT / file).exists()
    if function:
        assert f"def {function}(" in (ROOT / file).read_text(encoding="utf-8")


def test_every_benchmark_that_is_named_exists() -> None:
    """Numbers can be measured again."""
    assert MODULES
    for path in (ROOT / module.replace(".", "/") for module in MODULES):
        assert path.with_suffix(".py").is_file() or (path / "__main__.py").is_file()
