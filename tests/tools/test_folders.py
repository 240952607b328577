"""Files outside the allowed folders, and secrets inside them, stay closed."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from dexter.config.limits import Limits
from dexter.errors import ToolError
from dexter.results import ToolResult
from dexter.tools.folders import Folders
from dexter.tools.read_file import ReadFileArguments, read_file_tool


def read(folders: Folders, path: str, **more: object) -> ToolResult:
    tool = read_file_tool(Limits(), 50_000, folders)
    arguments = ReadFileArguments.model_validate({"path": path, **more})
    return asyncio.run(tool.run(arguments, None))  # type: ignore[arg-type]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    inside = tmp_path / "work"
    inside.mkdir()
    (inside / "notes.txt").write_text("alpha\nbeta\n", encoding="utf-8")
    (tmp_path / "outside.txt").write_text("no", encoding="utf-8")
    return inside


def test_a_file_inside_is_read_whole(folder: Path) -> None:
    """An allowed file comes back as it is, with its path as the source."""
    result = read(Folders.of([folder]), str(folder / "notes.txt"))
    assert result.text == "alpha\nbeta\n"
    assert result.sources[0].url.endswith("notes.txt")


@pytest.mark.parametrize(
    "path", ["../outside.txt", "sub/../../outside.txt", "/etc/passwd", "~/x", "link", "\0", "a" * 5000]
)
def test_escapes_are_refused(folder: Path, path: str) -> None:
    """Neither `..` nor links nor absolute paths lead out."""
    (folder / "link").symlink_to(folder.parent / "outside.txt")
    with pytest.raises(ToolError):
        read(Folders.of([folder]), path if path.startswith(("/", "~")) else str(folder / path))


@pytest.mark.parametrize(
    "name", [".env", ".env.local", "server.pem", "id_rsa", ".ssh/config", ".git/config", "Credentials.json"]
)
def test_secrets_are_refused_even_inside(folder: Path, name: str) -> None:
    """Keys and environment files are never read."""
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_text("secret", encoding="utf-8")
    with pytest.raises(ToolError, match="secrets"):
        read(Folders.of([folder]), str(path))


def test_a_missing_file_names_what_is_there(folder: Path) -> None:
    """The error lists the folder."""
    with pytest.raises(ToolError) as caught:
        read(Folders.of([folder]), str(folder / "note.txt"))
    assert "notes.txt" in caught.value.remedy


def test_a_binary_file_is_said_to_be_one(folder: Path) -> None:
    """Bytes that are no text are not poured into the view."""
    (folder / "data.bin").write_bytes(b"\x00\x01")
    with pytest.raises(ToolError, match="not a text file"):
        read(Folders.of([folder]), str(folder / "data.bin"))


def test_a_folder_is_listed(folder: Path) -> None:
    """Asking for a folder shows what it holds."""
    assert read(Folders.of([folder]), str(folder)).text == "notes.txt"
