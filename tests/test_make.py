from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def _make(folder: Path, *arguments: str, home: Path | None = None) -> subprocess.CompletedProcess[str]:
    environ = {"PATH": os.environ["PATH"], "HOME": str(home or folder), "LANG": "C.UTF-8"}
    return subprocess.run(["make", *arguments], cwd=folder, env=environ, capture_output=True, text=True, check=False)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout whose environment is there already; its `dexter` prints its arguments, one a line."""
    for name in ("Makefile", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path / name)
    programs = tmp_path / ".venv" / "bin"
    programs.mkdir(parents=True)
    (programs / "python").symlink_to(sys.executable)
    (programs / "dexter").write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n')
    (programs / "dexter").chmod(0o755)
    (tmp_path / ".venv" / ".installed").touch()
    return tmp_path


def test_make_alone_lists_the_targets():
    """Every target that is meant to be called has a line that says what it does."""
    listed = {line.split()[1] for line in _make(ROOT).stdout.splitlines()}
    assert {"ask", "test", "test-long", "lint", "types", "imports", "check", "demo", "clean"} <= listed


def test_ask_does_not_install_twice(checkout: Path):
    """With the environment newer than pyproject.toml nothing is installed; after a change of it everything is again."""
    assert "pip install" not in _make(checkout, "-n", "ask").stdout
    os.utime(checkout / "pyproject.toml", (2**31, 2**31))
    assert "pip install" in _make(checkout, "-n", "ask").stdout


@pytest.mark.parametrize(
    "question", ["compare NVDA vs AMD", 'what is $NVDA\'s "margin"; ls', "--help", "`id` $(id) %s\\n"]
)
def test_a_question_reaches_the_program_as_it_is(checkout: Path, question: str):
    """Quotes, dollar signs and semicolons are only text."""
    assert _make(checkout, "ask", f"Q={question}").stdout.splitlines() == ["ask", "--offline", "--", question]


def test_without_a_python_it_is_said(checkout: Path):
    """Where no Python is new enough, the sentence names what is needed."""
    shutil.rmtree(checkout / ".venv")
    tools = checkout / "tools"
    tools.mkdir()
    for name in ("sh", "awk", "rm", "touch"):
        (tools / name).symlink_to(shutil.which(name) or name)
    make = shutil.which("make") or "make"
    done = subprocess.run(
        [make, "ask"], cwd=checkout, env={"PATH": str(tools)}, capture_output=True, text=True, check=False
    )
    assert done.returncode != 0
    assert "Python 3.11 or newer is needed" in done.stderr


def test_ci_runs_what_a_person_runs():
    """The CI script calls the make targets and fails where one of them does."""
    script = (ROOT / ".ci" / "run").read_text()
    assert all(target in script for target in ("lint", "types", "imports", "test"))
    assert os.access(ROOT / ".ci" / "run", os.X_OK)


def _tracked(target: Path) -> Path:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False)
    if listed.returncode:
        pytest.skip("this is no git checkout")
    for name in filter(None, listed.stdout.decode().split("\0")):
        if (ROOT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, target / name)
    return target


@pytest.mark.long
def test_a_fresh_clone_answers(tmp_path: Path):
    """In a fresh copy with an empty home `make ask` installs and answers; a second time it does not install."""
    clone, home = tmp_path / "clone", tmp_path / "home"
    home.mkdir()
    _tracked(clone)
    first = _make(clone, "ask", home=home)
    assert "215,938" in first.stdout, first.stderr
    second = _make(clone, "ask", home=home)
    assert "215,938" in second.stdout
    assert "Installing" not in second.stdout + second.stderr


@pytest.mark.long
def test_an_installed_program_works_elsewhere(tmp_path: Path):
    """`pip install .` into another environment gives a working `dexter`, the sample included."""
    source, environment, elsewhere = tmp_path / "source", tmp_path / "venv", tmp_path / "elsewhere"
    elsewhere.mkdir()
    _tracked(source)
    subprocess.run([sys.executable, "-m", "venv", str(environment)], check=True)
    subprocess.run([environment / "bin" / "pip", "install", "--quiet", str(source)], check=True)
    shutil.rmtree(source)
    command = [environment / "bin" / "dexter", "ask", "--offline", "-q", "compare NVDA vs AMD"]
    environ = {"PATH": os.environ["PATH"], "HOME": str(elsewhere)}
    done = subprocess.run(command, cwd=elsewhere, env=environ, capture_output=True, text=True, check=False)
    assert "215,938" in done.stdout, done.stderr
