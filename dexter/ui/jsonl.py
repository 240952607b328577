"""The event stream as JSON lines, as it happens (`--events`)."""

from __future__ import annotations

from typing import TextIO

from dexter.events import Emitted
from dexter.ui.safe_json import safe_json


class JsonLinesSink:
    """Writes one JSON object a line and flushes each."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def __call__(self, emitted: Emitted) -> None:
        """Write one event. Raises OSError where the stream is gone."""
        self._stream.write(safe_json(emitted.to_json()) + "\n")
        self._stream.flush()
