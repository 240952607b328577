"""Writing and editing files: asked with the whole difference, whole or not at all, never over something unseen."""

from __future__ import annotations

import asyncio
import stat
from pathlib import Path
from typing import Any

import pytest

from dexter.approval import Proposal
from dexter.config.limits import Limits
from dexter.errors import ToolError
from dexter.tools.changes import SeenFiles
from dexter.tools.edit_file import EditFileArguments, edit_file_tool
from dexter.tools.folders import Folders
from dexter.tools.read_file import ReadFileArguments, read_file_tool
from dexter.tools.tool import Tool, ToolContext, proposal_of
from dexter.tools.write_file import WriteFileArguments, write_file_tool
from tests.support.runs import no_results


class Desk:
    """The three tools over one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        allowed, seen = Folders.of([folder]), SeenFiles()
        self.reading = read_file_tool(Limits(), 50_000, allowed, seen)
        self.writing, self.editing = write_file_tool(allowed, seen), edit_file_tool(allowed, seen)

    def read(self, name: str) -> str:
        return self._do(self.reading, ReadFileArguments(path=str(self.folder / name)))

    def write(self, name: str, content: str, **more: Any) -> str:
        return self._do(self.writing, WriteFileArguments(path=str(self.folder / name), content=content, **more))

    def edit(self, name: str, old: str, new: str) -> str:
        return self._do(self.editing, EditFileArguments(path=str(self.folder / name), old=old, new=new))

    def proposed(self, tool: Tool[Any], arguments: Any) -> Proposal:
        found = asyncio.run(proposal_of(tool, arguments, ToolContext(no_results())))
        assert found is not None
        return found

    def _do(self, tool: Tool[Any], arguments: Any) -> str:
        proposal = asyncio.run(proposal_of(tool, arguments, ToolContext(no_results())))
        return asyncio.run(tool.run(arguments, ToolContext(no_results(), approved=proposal))).text


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def test_a_new_file_is_written_whole_with_its_folders(desk: Desk) -> None:
    """Content as given, byte for byte; missing folders are made; the result says what was done."""
    assert "Created" in desk.write("reports/q3/nvda.md", "Umsatz: 57,0 Mrd. €\r\nend")
    assert (desk.folder / "reports/q3/nvda.md").read_bytes() == "Umsatz: 57,0 Mrd. €\r\nend".encode()
    assert [path.name for path in (desk.folder / "reports/q3").iterdir()] == ["nvda.md"]


def test_what_is_asked_is_the_whole_content_with_its_real_path(desk: Desk) -> None:
    """Every line of a new file is in the request; an answer for more than once covers its folder."""
    content = "\n".join(f"line {n}" for n in range(500))
    asked = desk.proposed(desk.writing, WriteFileArguments(path=str(desk.folder / "x/../a.md"), content=content))
    assert (asked.action, asked.target, asked.within) == (
        "create the file",
        str(desk.folder / "a.md"),
        str(desk.folder),
    )
    assert [line[1:] for line in asked.detail.split("\n") if line.startswith("+")] == content.split("\n")


def test_a_hidden_file_needs_a_yes_of_its_own(desk: Desk) -> None:
    """What programs read unasked is never covered by an answer for more than once."""
    asked = desk.proposed(desk.writing, WriteFileArguments(path=str(desk.folder / ".bashrc"), content="x"))
    assert asked.within == ""


def test_nothing_is_written_over_unless_that_was_said(desk: Desk) -> None:
    """An existing file is an error without `replace`; with it the request shows the difference."""
    (desk.folder / "a.md").write_text("old\nsame\n", encoding="utf-8")
    with pytest.raises(ToolError, match="there already"):
        desk.write("a.md", "new\nsame\n")
    arguments = WriteFileArguments(path=str(desk.folder / "a.md"), content="new\nsame\n", replace=True)
    asked = desk.proposed(desk.writing, arguments)
    assert (asked.action, asked.detail) == ("replace the file", "@@ -1,2 +1,2 @@\n-old\n+new\n same")
    desk.write("a.md", "new\nsame\n", replace=True)
    assert (desk.folder / "a.md").read_text(encoding="utf-8") == "new\nsame\n"


@pytest.mark.parametrize("now", [None, "theirs"])
def test_a_file_that_changed_while_the_user_was_asked_stays(desk: Desk, now: str | None) -> None:
    """What appears or changes between question and answer is not written over."""
    path = desk.folder / "a.md"
    arguments = WriteFileArguments(path=str(path), content="mine", replace=now is not None)
    if now is not None:
        path.write_text("before", encoding="utf-8")
    approved = desk.proposed(desk.writing, arguments)
    path.write_text("theirs", encoding="utf-8")
    with pytest.raises(ToolError, match="changed meanwhile"):
        asyncio.run(desk.writing.run(arguments, ToolContext(no_results(), approved=approved)))
    assert path.read_text(encoding="utf-8") == "theirs"
    assert list(desk.folder.iterdir()) == [path]


def test_an_edit_changes_one_place_and_keeps_the_mode(desk: Desk) -> None:
    """All other bytes stay; the file's mode, too."""
    path = desk.folder / "a.md"
    path.write_bytes(b"a\r\nRevenue 10\r\nb\xc3\xa9\n")
    path.chmod(0o640)
    desk.read("a.md")
    asked = desk.proposed(desk.editing, EditFileArguments(path=str(path), old="Revenue 10", new="Revenue 12"))
    assert "-Revenue 10\r\n+Revenue 12\r" in asked.detail
    desk.edit("a.md", "Revenue 10", "Revenue 12")
    desk.edit("a.md", "Revenue 12", "Revenue 13")  # what was just written is known
    assert path.read_bytes() == b"a\r\nRevenue 13\r\nb\xc3\xa9\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_an_edit_needs_one_place(desk: Desk) -> None:
    """Text that is not there, or there twice, or unchanged, is an error that says so."""
    (desk.folder / "a.md").write_text("x x", encoding="utf-8")
    desk.read("a.md")
    for old, new, said in (("y", "z", "does not occur"), ("x", "z", "occurs 2 times"), ("x x", "x x", "the same")):
        with pytest.raises(ToolError, match=said):
            desk.edit("a.md", old, new)


def test_an_edit_rests_on_what_was_read(desk: Desk) -> None:
    """A file that was not read, or has changed since, is not edited."""
    path = desk.folder / "a.md"
    path.write_text("one", encoding="utf-8")
    with pytest.raises(ToolError, match="not read in this run"):
        desk.edit("a.md", "one", "two")
    desk.read("a.md")
    path.write_text("one more", encoding="utf-8")
    with pytest.raises(ToolError, match="changed meanwhile"):
        desk.edit("a.md", "one", "two")
    assert path.read_text(encoding="utf-8") == "one more"


def test_what_is_no_text_is_neither_written_nor_edited(desk: Desk) -> None:
    """Half characters, binary files, and more than two million characters."""
    with pytest.raises(ToolError, match="halves"):
        desk.write("a.md", "\ud800")
    with pytest.raises(ToolError, match="2,000,000"):
        desk.write("a.md", "x" * 2_000_001)
    (desk.folder / "b.bin").write_bytes(b"\xff\x00")
    with pytest.raises(ToolError, match="not UTF-8"):
        desk.write("b.bin", "x", replace=True)
    assert [path.name for path in desk.folder.iterdir()] == ["b.bin"]


def test_without_approval_nothing_is_written(desk: Desk) -> None:
    """The tool itself refuses, whoever calls it."""
    arguments = WriteFileArguments(path=str(desk.folder / "a.md"), content="x")
    with pytest.raises(ToolError, match="not approved"):
        asyncio.run(desk.writing.run(arguments, ToolContext(no_results())))
    assert list(desk.folder.iterdir()) == []


def test_a_folder_that_cannot_be_written_to_is_said(desk: Desk, tmp_path: Path) -> None:
    """A file in the place of a folder: an error, and nothing left behind."""
    (tmp_path / "plain").write_text("x", encoding="utf-8")
    with pytest.raises(ToolError):
        desk.write("plain/a.md", "x")
    assert [path.name for path in desk.folder.iterdir()] == ["plain"]


@pytest.mark.parametrize("name", ["a" * 255, "分" * 85, "e\u0301" * 85, "a\nb.md", " .md"])
def test_every_name_that_a_file_may_have_is_written(desk: Desk, name: str) -> None:
    """Also one as long as names may be, in bytes; and nothing else is left in the folder."""
    desk.write(name, "x")
    desk.write(name, "y", replace=True)
    assert [(path.name, path.read_text(encoding="utf-8")) for path in desk.folder.iterdir()] == [(name, "y")]


def test_a_folder_is_no_file_to_write(desk: Desk) -> None:
    """It is an error the model can act on, not the end of the run."""
    (desk.folder / "sub").mkdir()
    for name in ("sub", "."):
        with pytest.raises(ToolError, match="not a file"):
            desk.write(name, "x", replace=True)
        with pytest.raises(ToolError, match="not a file"):
            desk.edit(name, "x", "y")


def test_a_read_only_file_stays_as_it_is(desk: Desk) -> None:
    """Who has taken away their own permission to write a file has not given it to Dexter."""
    path = desk.folder / "a.md"
    path.write_text("old", encoding="utf-8")
    path.chmod(0o444)
    desk.read("a.md")
    with pytest.raises(ToolError, match="read-only"):
        desk.edit("a.md", "old", "new")
    assert path.read_text(encoding="utf-8") == "old"
    assert list(desk.folder.iterdir()) == [path]
