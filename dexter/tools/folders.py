"""Which files tools may touch: those below allowed folders, and never secrets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from dexter.errors import ToolError

_SECRET_NAMES = (".env", ".netrc", ".pgpass", "credentials", "id_rsa", "id_ed25519", "id_ecdsa", "id_dsa")
_SECRET_SUFFIXES = (".pem", ".key", ".p12", ".pfx", ".keystore")
_SECRET_FOLDERS = (".ssh", ".gnupg", ".aws", ".git")


@dataclass(frozen=True)
class Folders:
    """Allowed folders (resolved), and paths refused even below them (the user's own configuration)."""

    allowed: tuple[Path, ...]
    refused: tuple[Path, ...] = ()

    @classmethod
    def of(cls, allowed: Sequence[Path], refused: Sequence[Path] = ()) -> Folders:
        """Resolve the folders once; later links cannot widen them."""
        return cls(tuple(p.expanduser().resolve() for p in allowed), tuple(p.expanduser().resolve() for p in refused))

    def check(self, path: str) -> Path:
        """The real path, links and `..` resolved.

        Raises:
            ToolError: it lies outside the allowed folders, or is a secret.
        """
        try:
            real = Path(path).expanduser().resolve()
        except (OSError, RuntimeError, ValueError) as error:
            raise ToolError(f"{path!r} is not a usable path.") from error
        if not any(real.is_relative_to(folder) for folder in self.allowed):
            raise ToolError(f"{path!r} is outside the allowed folders.", remedy=self._remedy())
        if self._is_secret(real) or any(real.is_relative_to(folder) for folder in self.refused):
            raise ToolError(f"{path!r} may hold secrets and is never read or written.")
        return real

    def _remedy(self) -> str:
        shown = ", ".join(str(folder) for folder in self.allowed) or "none"
        return f"Allowed: {shown} (setting files.allowed)."

    @staticmethod
    def _is_secret(path: Path) -> bool:
        name = path.name.lower()
        return (
            name.startswith(_SECRET_NAMES)
            or name.endswith(_SECRET_SUFFIXES)
            or any(part.lower() in _SECRET_FOLDERS for part in path.parts)
        )
