"""prompt_toolkit's view of the completions."""

from __future__ import annotations

from collections.abc import Iterable

from prompt_toolkit.completion import CompleteEvent, Completer
from prompt_toolkit.completion import Completion as Offered
from prompt_toolkit.document import Document

from dexter.session.completion import Completion


class SessionCompleter(Completer):
    """Offers what may stand before the cursor."""

    def __init__(self, completion: Completion) -> None:
        self._completion = completion

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Offered]:
        """All candidates."""
        asked = complete_event.completion_requested
        for found in self._completion.candidates(document.text_before_cursor, asked=asked):
            yield Offered(found.text, start_position=-found.length, display=found.text, display_meta=found.about)
