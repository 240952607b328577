"""What `--help` says of an option."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import typer.main

from dexter.cli.main import app
from tests.support.program import make_home

_TYPERS_OWN = {"help", "install_completion", "show_completion"}


def commands(command: Any) -> Iterator[Any]:
    yield command
    for below in getattr(command, "commands", {}).values():
        yield from commands(below)


def test_a_flag_does_not_look_as_if_it_took_a_value() -> None:
    """Typer would write `<bool>` behind it; an empty metavar keeps that away."""
    flags = [
        (command.name, parameter.name)
        for command in commands(typer.main.get_command(app))
        for parameter in command.params
        if getattr(parameter, "is_flag", False) and parameter.metavar != "" and parameter.name not in _TYPERS_OWN
    ]
    assert flags == []


def test_the_help_of_a_question_shows_names_of_values_and_nothing_behind_flags(tmp_path: Any) -> None:
    """`--model NAME`, `--offline`."""
    lines = make_home(tmp_path).dexter("ask", "--help").stdout.splitlines()
    assert any("--model" in line and "NAME" in line for line in lines)
    assert [line for line in lines if "<bool>" in line and "--help" not in line] == []
