"""What is packed and installed: everything the program reads, one version, nothing that runs by itself."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import dexter

ROOT = Path(__file__).parents[1]
# Lines of these run whenever Python starts: setuptools' own, and how a checkout or a virtual environment is found.
EXPECTED_PTH = (
    "distutils-precedence",
    "_virtualenv",
    "_dexter",
    "_editable_impl_dexter",
    "__editable__",
    "a1_coverage",
)


def test_no_dependency_runs_code_whenever_python_starts() -> None:
    """A `.pth` file in the environment is one that is known; a stealer of credentials once came as one."""
    folders = {Path(sysconfig.get_path(name)) for name in ("purelib", "platlib")}
    found = [path.name for folder in folders for path in folder.glob("*.pth")]
    assert [name for name in found if not name.startswith(EXPECTED_PTH)] == []


def test_there_is_one_source_of_the_version() -> None:
    """The package says it, the build reads it there, and nobody else has one."""
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert 'dynamic = ["version"]' in project
    assert "\nversion = " not in project
    done = subprocess.run(
        [sys.executable, "-m", "dexter", "--version"], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert done.stdout.strip() == f"dexter {dexter.__version__}"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(folder), str(ROOT)],
        check=True,
        capture_output=True,
    )
    return next(folder.glob("dexter-*.whl"))


@pytest.mark.long
def test_the_wheel_has_every_file_of_the_package_and_no_other(wheel: Path) -> None:
    """Data, prompts, templates and skills come along; tests and caches do not."""
    tracked = subprocess.run(
        ["git", "ls-files", "dexter"], capture_output=True, text=True, check=True, cwd=ROOT
    ).stdout.split()
    packed = [name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name]
    assert sorted(packed) == sorted(tracked)


def interpreters(python: str) -> Iterator[str]:
    """Where one may be: on the path, or among those of pyenv, whose shims on the path serve the chosen one only."""
    found = shutil.which(python)
    if found:
        yield found
    root = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    yield from map(str, root.glob(f"versions/{python.removeprefix('python')}.*/bin/{python}"))


def works(interpreter: str) -> bool:
    return subprocess.run([interpreter, "-c", ""], capture_output=True, check=False).returncode == 0


@pytest.mark.long
def test_the_source_archive_makes_the_same_wheel_and_has_what_the_checks_need(wheel: Path, tmp_path: Path) -> None:
    """Built from the archive alone, with pages, tests and the files that they read."""
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "v")], check=True)
    python = str(tmp_path / "v/bin/python")
    subprocess.run([python, "-m", "pip", "install", "-q", "hatchling"], check=True, capture_output=True)
    build = [python, "-m", "hatchling", "build", "-d", str(tmp_path), "-t"]
    subprocess.run([*build, "sdist"], check=True, capture_output=True, cwd=ROOT)
    with tarfile.open(next(tmp_path.glob("dexter-*.tar.gz"))) as archive:
        archive.extractall(tmp_path, filter="data")
    unpacked = next(tmp_path.glob("dexter-*/"))
    tracked = subprocess.run(["git", "ls-files"], capture_output=True, text=True, check=True, cwd=ROOT).stdout.split()
    assert [name for name in tracked if not (unpacked / name).is_file() and not name.startswith("scratchpads")] == []
    subprocess.run([*build, "wheel"], check=True, capture_output=True, cwd=unpacked)
    again = zipfile.ZipFile(next(tmp_path.glob("dexter-*.whl")))
    assert sorted(again.namelist()) == sorted(zipfile.ZipFile(wheel).namelist())


@pytest.mark.long
@pytest.mark.parametrize("python", ["python3.11", "python3.12", "python3.13"])
def test_it_installs_and_answers_on_every_version(wheel: Path, tmp_path: Path, python: str) -> None:
    """A clean environment, the wheel, one question."""
    interpreter = next(filter(works, interpreters(python)), None)
    environ = {**os.environ, "HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path)}
    if interpreter is None:
        pytest.skip(f"{python} is not here")
    subprocess.run([interpreter, "-m", "venv", str(tmp_path / "v")], check=True)
    subprocess.run([str(tmp_path / "v/bin/pip"), "install", "-q", str(wheel)], check=True, capture_output=True)
    done = subprocess.run(
        [str(tmp_path / "v/bin/dexter"), "ask", "--offline", "-q", "NVDA revenue FY2026"],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
        env=environ,
    )
    assert "215,938" in done.stdout
