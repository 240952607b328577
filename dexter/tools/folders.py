"""Which files tools may touch: those below allowed folders, and never secrets."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from dexter.config.paths import real_path
from dexter.errors import ToolError

# Matched from the beginning of a name in small letters. A copy (`.bak`, `~`) of a key is a key.
_SECRET_NAMES = re.compile(
    r"""\.env(?:$|[^a-z]) | \.envrc | \.netrc | _netrc | \.pgpass | \.npmrc | \.yarnrc | \.pypirc | \.gitconfig
    | \.git-credentials | \.?htpasswd | \.my\.cnf | \.mylogin\.cnf | \.dockercfg | \.boto | \.s3cfg | \.terraformrc
    | \.curlrc | \.wgetrc | \.vault-token | \.xauthority | \.viminfo | \.lesshst | \.histfile
    | \.\w*_?history | fish_history$ | consolehost_history\.txt$
    | (?:.*[-_.])?credentials? | secrets?(?:$|\.) | client_secrets? | id_(?:rsa|dsa|ecdsa|ed25519)
    | (?:.*[-_.])?service[-_]account | g?shadow-?$ | kubeconfig | (?:auth|token)\.json$
    | (?:.*[-_.])?(?:api[-_]?keys?|passwords?|passwd)(?:$|\.) | key[34]\.db$ | logins\.json$ | cookies(?:$|\.sqlite)
    | login\ data$ | wallet\.dat$
    | .*\.(?:pem|key|p8|p12|pfx|ppk|jks|jceks|keystore|kdbx?|keyring|keychain(?:-db)?|gpg|pgp|asc|ovpn|tfstate|tfvars
      |env)(?:~|\.(?:bak|backup|old|orig|save|sw[op]|txt|\d+))*$""",
    re.VERBOSE,
)
_SECRET_FOLDERS = {
    *(".ssh", ".gnupg", ".pki", ".password-store", ".1password", "keyrings", "keychains", ".mozilla", ".thunderbird"),
    *(".config", ".aws", ".azure", ".gcloud", ".kube", ".docker", ".oci", ".terraform.d", ".m2"),
    *(".git", ".hg", ".svn"),
}
# What the kernel shows as files: a process's memory and variables, devices.
_OF_THE_SYSTEM = (Path("/proc"), Path("/sys"), Path("/dev"))


@dataclass(frozen=True)
class Place:
    """A file's real path, links and `..` resolved, and the allowed folder it lies in."""

    folder: Path
    real: Path

    @property
    def is_hidden(self) -> bool:
        """Whether it, or a folder between, has a name that begins with a dot: files that programs read unasked."""
        return any(part.startswith(".") for part in self.real.relative_to(self.folder).parts)


@dataclass(frozen=True)
class Folders:
    """Allowed folders and refused places, all resolved. Of those that hold a path the innermost decides."""

    allowed: tuple[Path, ...]
    refused: tuple[Path, ...] = ()

    @classmethod
    def of(cls, allowed: Sequence[Path], refused: Sequence[Path] = ()) -> Folders:
        """Resolve the folders once; later links cannot widen them.

        Raises:
            SettingsError: one is no usable path.
        """
        return cls(tuple(map(real_path, allowed)), (*map(real_path, refused), *_OF_THE_SYSTEM))

    def place(self, path: str) -> Place:
        """Where a path leads.

        Raises:
            ToolError: it lies outside the allowed folders, or is a secret.
        """
        try:
            real = Path(path).expanduser().resolve()
            real.lstat()
        except FileNotFoundError:
            pass
        except (OSError, RuntimeError, ValueError) as error:
            raise ToolError(f"{path!r} is not a usable path.") from error
        folder = _innermost(self.allowed, real)
        if folder is None:
            raise ToolError(f"{path!r} is outside the allowed folders.", remedy=self._remedy())
        refused = _innermost(self.refused, real)
        if refused is not None and len(refused.parts) >= len(folder.parts):
            raise ToolError(f"{path!r} is Dexter's or the system's own or may hold secrets, and is never touched.")
        if is_secret(real) or self._is_linked_to_refused(real):
            raise ToolError(f"{path!r} may hold secrets and is never read or written.")
        return Place(folder if folder != real else real.parent, real)

    def _is_linked_to_refused(self, real: Path) -> bool:
        """Whether it is a refused file under another name."""
        try:
            found = real.lstat()
            return found.st_nlink > 1 and any(found.st_ino == p.lstat().st_ino for p in self.refused if p.is_file())
        except OSError:
            return False

    def _remedy(self) -> str:
        shown = ", ".join(str(folder) for folder in self.allowed) or "none"
        return f"Allowed: {shown} (setting files.allowed)."


def is_secret(path: Path) -> bool:
    """Whether files of this name, or in such a folder, hold keys."""
    return bool(_SECRET_NAMES.match(path.name.lower())) or any(part.lower() in _SECRET_FOLDERS for part in path.parts)


def _innermost(folders: Sequence[Path], path: Path) -> Path | None:
    return max((f for f in folders if path.is_relative_to(f)), key=lambda f: len(f.parts), default=None)
