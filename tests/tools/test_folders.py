"""Files outside the allowed folders, and secrets inside them, stay closed."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from dexter.config.limits import Limits
from dexter.errors import SettingsError, ToolError
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


SECRETS = """
.env .env.local .ENV .env~ .envrc prod.env server.pem tls.key.bak x.p12~ a.kdbx keyrings/login.keyring
.ssh/config .git/config .hg/hgrc .config/gh/hosts.yml .aws/x .kube/config id_rsa id_ed25519.old Credentials.json
aws_credentials my-credentials.json client_secret_1.json gcp-service-account.json secrets.yaml .netrc .npmrc
.pypirc .pgpass .my.cnf .gitconfig .curlrc .s3cfg .vault-token .bash_history fish_history .lesshst api_key.txt
api-keys passwords.txt token.json logins.json wallet.dat shadow
""".split()  # noqa: SIM905 - a list of names is read as one
ORDINARY = """
environment.md key-figures.csv keys.md secretary.md token-economy.md price_history.txt history.md keyring.md
10-K.htm capital.pem.md nvda.envelope password-managers-market.md cookies-and-snacks-industry.csv tokens.json
.hidden
""".split()  # noqa: SIM905 - a list of names is read as one


@pytest.mark.parametrize("name", SECRETS)
def test_secrets_are_refused_even_inside(folder: Path, name: str) -> None:
    """Keys and environment files are never read."""
    path = folder / name
    path.parent.mkdir(exist_ok=True, parents=True)
    path.write_text("secret", encoding="utf-8")
    with pytest.raises(ToolError, match="secrets"):
        read(Folders.of([folder]), str(path))


@pytest.mark.parametrize("name", ORDINARY)
def test_names_that_only_sound_like_secrets_are_read(folder: Path, name: str) -> None:
    """What is refused is what programs keep keys in, not what is written about them."""
    (folder / name).write_text("fine", encoding="utf-8")
    assert read(Folders.of([folder]), str(folder / name)).text == "fine"


@pytest.mark.parametrize("path", ["/proc/self/environ", "/proc/self/mem", "/dev/null", "/sys/kernel/notes"])
def test_what_the_system_shows_as_files_is_refused(path: str) -> None:
    """A process's variables hold keys: also where everything is allowed."""
    with pytest.raises(ToolError, match="never touched"):
        Folders.of([Path("/")]).place(path)


@pytest.mark.parametrize("path", ["~nobody-there/x", "loop/x"])
def test_a_folder_that_cannot_be_is_an_error_in_words(folder: Path, path: str) -> None:
    """Allowed folders come from settings: a user there is none of, or links in a circle."""
    (folder / "loop").symlink_to(folder / "loop")
    with pytest.raises(SettingsError, match="not a usable path"):
        Folders.of([Path(path) if path.startswith("~") else folder / path])


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
