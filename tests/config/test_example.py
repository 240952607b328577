from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from dexter.config.layers import file_layer
from dexter.config.origins import leaves
from dexter.config.settings import Settings, all_settings, value_of

EXAMPLE = Path(__file__).parents[2] / "config.example.toml"
_SETTING = re.compile(r"^#(?=\w+ = )", re.MULTILINE)


def _uncommented(text: str) -> str:
    return _SETTING.sub("", text)


def _without_unset(text: str) -> str:
    return "\n".join(line for line in text.splitlines() if not line.endswith("# unset"))


def test_as_shipped_it_sets_nothing():
    """Copied as it is, the example changes no setting."""
    assert leaves(tomllib.loads(EXAMPLE.read_text())) == {}


def test_it_names_every_setting_once_and_no_other():
    """The names in the file are the names in the code, in the same order."""
    documented = leaves(tomllib.loads(_uncommented(EXAMPLE.read_text())))
    assert list(documented) == list(all_settings())


def test_its_defaults_are_the_defaults():
    """Taking every `#` away gives the very settings one has without the file."""
    layer = file_layer(EXAMPLE, _without_unset(_uncommented(EXAMPLE.read_text())))
    assert Settings.model_validate(layer.values) == Settings()
    named = leaves(layer.values)
    assert {n for n, s in all_settings().items() if s.default is not None} == set(named)


def test_the_example_values_of_unset_settings_are_valid():
    """A value shown for a setting without a default is one it takes."""
    layer = file_layer(EXAMPLE, _uncommented(EXAMPLE.read_text()))
    settings = Settings.model_validate(layer.values)
    unset = [name for name, setting in all_settings().items() if setting.default is None]
    assert unset
    assert all(value_of(settings, name) is not None for name in unset)


@pytest.mark.parametrize("name", list(all_settings()))
def test_every_setting_is_explained(name: str):
    """Each stands under a comment, its own or that of its group."""
    lines = EXAMPLE.read_text().splitlines()
    section, _, last = name.rpartition(".")
    start = lines.index(f"[{section}]") if section else 0
    at = next(i for i in range(start, len(lines)) if lines[i].startswith(f"#{last} = "))
    above = next(lines[i] for i in range(at - 1, -1, -1) if not re.match(r"#\w+ = ", lines[i]))
    assert above.startswith("# ") or above == f"[{section}]"
