"""Which periods a question speaks of, by name; which period of which company that is depends on its figures."""

from __future__ import annotations

from dataclasses import dataclass

from dexter.data.provider import Period

FULL_YEAR = "FY"
# Parts of a year that are no quarter: their quarters are added up.
PARTS: dict[str, tuple[str, ...]] = {"H1": ("Q1", "Q2"), "H2": ("Q3", "Q4"), "9M": ("Q1", "Q2", "Q3")}


@dataclass(frozen=True)
class Label:
    """A fiscal period by its name: `Label(2025, "Q3")`, `FY`, `H1`, `9M`. Without a year: the newest one there is."""

    year: int | None
    period: str = FULL_YEAR


@dataclass(frozen=True)
class When:
    """The periods a question names. All empty: it names none.

    `through`: from the first label to the last; `since`: from the first label on. `newest`: the newest so many.
    `ends` are days (YYYY-MM-DD) or months (YYYY-MM) on which a period ended or a price was taken. `as_of`: a
    day on which a balance stands, or else after which nothing is to be known. `at_end`: the last day of each label is
    meant. `calendar`: the labels are calendar ones.
    """

    basis: Period | None = None
    labels: tuple[Label, ...] = ()
    through: bool = False
    since: bool = False
    newest: int | None = None
    ends: tuple[str, ...] = ()
    as_of: str = ""
    at_end: bool = False
    calendar: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether nothing was said of any period."""
        return self == NOT_SAID

    @property
    def has_parts(self) -> bool:
        """Whether halves or nine months are meant."""
        return any(label.period in PARTS for label in self.labels)

    @property
    def is_series(self) -> bool:
        """Whether several periods in a row are meant."""
        return self.through or self.since or (self.newest or 0) > 1


NOT_SAID = When()
