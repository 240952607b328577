"""The check of an answer's figures against everything its conversation found. It never costs the answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from dexter.context.stage import ResultStore
from dexter.errors import ScratchpadError
from dexter.events import Notice
from dexter.results import StoredResult

if TYPE_CHECKING:
    from dexter.figures.check import FigureCheck

_MOST_CHARACTERS = 30_000_000
_KIND = "figures"

Notify = Callable[[str], None]


def checked_figures(text: str, store: ResultStore) -> tuple[FigureCheck, Sequence[Notice]]:
    """What became of every figure of an answer, and what a person should know about the check.

    Whatever goes wrong is such a notice, and the answer stands. Takes a second or more where there are megabytes of
    results; it may run in a thread, for it tells nobody anything by itself.
    """
    from dexter.figures.check import FigureCheck, check_answer  # a quarter of a second to import, needed once a run

    told: list[str] = []
    try:
        results = tuple(_results(store, told.append))
        check = check_answer(text, results[::-1])
    except Exception as error:  # noqa: BLE001 - a fault in the check must not cost the answer
        told.append(f"The figures of the answer could not be checked: {type(error).__name__}: {error}")
        check = FigureCheck(failed=True)
    return check, [Notice(_KIND, notice) for notice in told]


def _results(store: ResultStore, notify: Notify) -> Iterator[StoredResult]:
    """The conversation's results, the newest first, as many as can be read in a moment."""
    characters = 0
    for result in store.newest_first():
        if characters > _MOST_CHARACTERS:
            notify(f"There is more than the figures were compared with: results up to #{result} were left out.")
            return
        try:
            stored = store.read(result)
        except ScratchpadError as error:
            notify(f"Its figures could not be compared with. {error.message}")
            continue
        characters += len(stored.text)
        yield stored
