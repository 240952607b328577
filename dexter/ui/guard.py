"""Sinks must not raise; streams do. The guard stands between and tells once that a stream is gone."""

from __future__ import annotations

from collections.abc import Callable

from dexter.events import Emitted, Sink


class Guard:
    """Hands events on until writing fails; from then on it drops them. `failure` is what happened."""

    def __init__(self, sink: Sink, on_failure: Callable[[], object]) -> None:
        self._sink = sink
        self._on_failure = on_failure
        self.failure: OSError | None = None

    def __call__(self, emitted: Emitted) -> None:
        """Hand on one event."""
        self.attempt(lambda: self._sink(emitted))

    def attempt(self, write: Callable[[], None]) -> None:
        """Do something that writes, unless writing has failed before."""
        if self.failure is not None:
            return
        try:
            write()
        except OSError as error:
            self.failure = error
            self._on_failure()
