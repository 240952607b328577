"""No path leads a tool out of the allowed folders, into Dexter's own files, or to a secret, to read or to write."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from pydantic import BaseModel

from dexter.approval import Proposal
from dexter.config.limits import Limits
from dexter.errors import ToolError
from dexter.tools.changes import SeenFiles
from dexter.tools.edit_file import EditFileArguments, edit_file_tool
from dexter.tools.folders import Folders
from dexter.tools.read_file import ReadFileArguments, read_file_tool
from dexter.tools.safe_files import read_bytes, write_bytes
from dexter.tools.tool import Tool, ToolContext, proposal_of
from dexter.tools.write_file import WriteFileArguments, write_file_tool
from tests.support.runs import no_results

OUTSIDE = "the secret outside"


@pytest.fixture
def box(tmp_path: Path) -> Path:
    """An allowed folder `in` among others, with every kind of way out built into it."""
    inside, outside = tmp_path / "in", tmp_path / "out"
    for folder in (inside / "sub", inside / ".ssh", inside / ".git", inside / ".aws", outside, tmp_path / "in-evil"):
        folder.mkdir(parents=True)
    (outside / "plain.txt").write_text(OUTSIDE, encoding="utf-8")
    (tmp_path / "in-evil" / "f.txt").write_text(OUTSIDE, encoding="utf-8")
    own = inside / "own"
    own.mkdir()
    for name in ("config.toml", "trusted.json", "run.jsonl"):
        (own / name).write_text(OUTSIDE, encoding="utf-8")
    for name, target in {
        "link.txt": outside / "plain.txt",
        "linked": outside,
        "sub/up": tmp_path,
        "chain": inside / "link.txt",
        "loop": inside / "loop",
        "relative": Path("../out/plain.txt"),
        "to-own": own,
        "dangling.txt": outside / "new.txt",
        "to-env": inside / ".env",
        "proc": Path("/proc/self/environ"),
    }.items():
        (inside / name).symlink_to(target)
    os.link(own / "trusted.json", inside / "hardlink.txt")
    for name in (".env", "id_rsa", ".ssh/config", ".git/config", ".aws/config", "tls.pem", "secrets.yaml", ".netrc"):
        (inside / name).write_text(OUTSIDE, encoding="utf-8")
    os.mkfifo(inside / "pipe")
    return inside


def folders(box: Path) -> Folders:
    return Folders.of([box], [box / "own", box / "own" / "trusted.json"])


# Relative to the allowed folder, but for those that begin with / or ~; {out} and {in} are the folders' real paths.
ESCAPES = [
    "../out/plain.txt",
    "sub/../../out/plain.txt",
    "./././../out/plain.txt",
    "sub/..//../out//plain.txt",
    "../in/../out/plain.txt",
    "../in-evil/f.txt",
    "{in}/../out/plain.txt",
    "{in}-evil/f.txt",
    "{out}/plain.txt",
    "/etc/passwd",
    "//etc/passwd",
    "/proc/self/environ",
    "/proc/self/root/etc/passwd",
    "/proc/self/cwd/pyproject.toml",
    "/dev/stdin",
    "~/.ssh/id_rsa",
    "~root/.bashrc",
    "~nobody-there/x",
    "link.txt",
    "linked/plain.txt",
    "sub/up/out/plain.txt",
    "sub/up/in/../out/plain.txt",
    "chain",
    "loop",
    "relative",
    "to-own/config.toml",
    "own/config.toml",
    "own/trusted.json",
    "own/new.json",
    "hardlink.txt",
    "dangling.txt",
    "to-env",
    "proc",
    "pipe",
    ".env",
    ".ENV",
    ".env.production",
    "sub/../.env",
    "id_rsa",
    ".ssh/config",
    ".SSH/new",
    ".git/config",
    ".git/hooks/pre-commit",
    ".aws/config",
    "tls.pem",
    "secrets.yaml",
    ".netrc",
    ".config/gh/hosts.yml",
    "sub/server.KEY.bak",
    "keyrings/login.keyring",
    "client_secret_12.json",
    "a\0b",
    "x" * 300,
    "sub/" * 2000 + "x",
    "..",
    "/",
]


def spelled(box: Path, path: str) -> str:
    path = path.replace("{in}", str(box)).replace("{out}", str(box.parent / "out"))
    return path if path.startswith(("/", "~")) else f"{box}/{path}"


def call(tool: Tool[BaseModel], arguments: BaseModel) -> str:
    """What the loop does, with a user who agrees to everything."""

    async def go() -> str:
        context = ToolContext(no_results())
        approved = await proposal_of(tool, arguments, context)
        return (await tool.run(arguments, ToolContext(no_results(), approved=approved))).text

    return asyncio.run(go())


def world(box: Path) -> dict[str, str | bytes]:
    """All files around the box and in it."""
    found = (path for path in box.parent.rglob("*") if path.is_symlink() or path.is_file())
    return {str(path): str(path.readlink()) if path.is_symlink() else path.read_bytes() for path in found}


@pytest.mark.parametrize("path", ESCAPES, ids=lambda path: repr(path[:40]))
def test_nothing_is_read_outside(box: Path, path: str) -> None:
    """Each way out is an error, and the error holds nothing of what is there."""
    tool = read_file_tool(Limits(), 50_000, folders(box))
    with pytest.raises(ToolError) as caught:
        call(tool, ReadFileArguments(path=spelled(box, path)))
    assert OUTSIDE not in caught.value.as_text()
    assert "plain.txt" not in caught.value.remedy


@pytest.mark.parametrize("path", ESCAPES, ids=lambda path: repr(path[:40]))
@pytest.mark.parametrize("replace", [False, True])
def test_nothing_is_written_outside(box: Path, path: str, replace: bool) -> None:
    """Each way out is an error even if the user agrees to everything, and not a byte changes anywhere."""
    before = world(box)
    seen = SeenFiles()
    with pytest.raises(ToolError):
        call(
            write_file_tool(folders(box), seen),
            WriteFileArguments(path=spelled(box, path), content="x", replace=replace),
        )
    with pytest.raises(ToolError):
        call(edit_file_tool(folders(box), seen), EditFileArguments(path=spelled(box, path), old="secret", new="x"))
    assert world(box) == before


def _link_the_file(box: Path) -> None:
    (box / "sub" / "f.txt").unlink()
    (box / "sub" / "f.txt").symlink_to(box.parent / "out" / "plain.txt")


def _link_the_folder(box: Path) -> None:
    (box / "sub").rename(box / "gone")
    (box / "sub").symlink_to(box.parent / "out")


@pytest.mark.parametrize(
    ("swap", "name"), [(_link_the_file, "f.txt"), (_link_the_folder, "f.txt"), (_link_the_folder, "plain.txt")]
)
def test_a_link_put_there_after_the_check_is_not_followed(box: Path, swap: Callable[[Path], None], name: str) -> None:
    """What was checked is what is opened, for reading and for writing."""
    (box / "sub" / "f.txt").write_text("fine", encoding="utf-8")
    place = folders(box).place(str(box / "sub" / name))
    swap(box)
    out = world(box.parent / "out" / "x")
    for basis in ("", "0" * 64):
        with pytest.raises(ToolError):
            write_bytes(place, b"evil", basis=basis)
    if (box / "sub" / name).exists():
        with pytest.raises(ToolError, match="link"):
            read_bytes(place)
    assert world(box.parent / "out" / "x") == out
    assert not list((box.parent / "out").glob(".*"))


def test_a_proposal_for_one_file_does_not_write_another(box: Path) -> None:
    """What was approved is what is written."""
    tool, arguments = (
        write_file_tool(folders(box), SeenFiles()),
        WriteFileArguments(path=str(box / "b.md"), content="x"),
    )
    context = ToolContext(no_results(), approved=Proposal("create the file", str(box / "a.md")))
    with pytest.raises(ToolError, match="not approved"):
        asyncio.run(tool.run(arguments, context))
