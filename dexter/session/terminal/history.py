"""prompt_toolkit's view of the history file."""

from __future__ import annotations

from collections.abc import Iterable

from prompt_toolkit.history import History

from dexter.session.history import HistoryFile, is_kept


class SessionHistory(History):
    """Each line once; what this session adds is on disk at once."""

    def __init__(self, file: HistoryFile) -> None:
        super().__init__()
        self._file = file

    def load_history_strings(self) -> Iterable[str]:
        """Newest first, as prompt_toolkit wants it."""
        return reversed(self._file.load())

    def append_string(self, string: str) -> None:
        """Add a line, in place of the same line earlier."""
        if not is_kept(string):
            return
        self._loaded_strings = [line for line in self._loaded_strings if line != string]
        super().append_string(string)

    def store_string(self, string: str) -> None:
        """Write it down."""
        self._file.add(string)
