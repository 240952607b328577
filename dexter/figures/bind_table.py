"""Numbers of a table, bound by their row, their column, the table's corner, and the line above it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from dexter.figures.blocks import Span, Table
from dexter.figures.bound import NOTHING_NAMED, Bound, Context, Named, Reader, own_words
from dexter.figures.find import find_in_cell, find_numbers
from dexter.figures.labels import label_words
from dexter.figures.numbers import Number
from dexter.figures.periods import Period
from dexter.figures.unit_notes import NO_NOTE, UnitNote, unit_note, with_note
from dexter.figures.vocabulary import kind_of, margin_of

# Columns whose numbers only count the rows.
_COUNTING = re.compile(r"\s*(?:#|no\.?|rank|id|序号|排名)\s*", re.IGNORECASE)
_MARKS = re.compile(r"[*_`†‡§¶]+")
_SHARE = re.compile(
    r"(?:%|\bpercent(?:age)?|\bshare|\bas an? (?:%|percentage|share))\s+of\s+(?:total\s+|net\s+)*$|占\s*$",
    re.IGNORECASE,
)
# A column that says how much the one beside it grew.
_GROWTH = re.compile(
    r"growth|change|increase|decrease|\brise\b|chg\b|\byoy\b|\by/y\b|\bqoq\b|\bq/q\b|[Δ±]|同比|环比|增速|增幅|变动",
    re.IGNORECASE,
)
# A column of margins beside one of amounts.
_MARGIN = re.compile(r"\bmargins?\b|利润率", re.IGNORECASE)
# A row that says how much the one above it grew.
_ONLY_GROWTH = re.compile(
    r"\s*(?:% )?(?:growth|change|increase|yoy|y/y|qoq|q/q|year[- ]over[- ]year|同比|环比|增速|同比增长)[^|]{0,16}",
    re.IGNORECASE,
)
_LONGEST_FIGURE = 48


@dataclass(frozen=True)
class _Head:
    """What a row, a column or a corner says of its cells."""

    text: str = ""
    named: Named = NOTHING_NAMED
    note: UnitNote = NO_NOTE
    period: Period | None = None

    @property
    def concepts(self) -> tuple[str, ...]:
        """The figures it names."""
        return tuple(mention.name for mention in self.named.concepts)

    @property
    def names_another(self) -> bool:
        """Whether it has words of its own that are no figure known here, no company and no period: `Terminal value`."""
        companies = ((mention.start, mention.end) for mention in self.named.companies)
        periods = ((mention.start, mention.end) for mention in self.named.periods)
        places = {place for start, end in (*companies, *periods) for place in range(start, end)}
        words = label_words("".join(letter if at not in places else " " for at, letter in enumerate(self.text)))
        return not self.concepts and bool(words)

    @property
    def is_share(self) -> bool:
        """Whether it names what a percentage is of, and nothing else."""
        return len(self.concepts) == 1 and bool(_SHARE.search(self.text[: self.named.concepts[0].start]))


def bind_table(table: Table, context: Context, reader: Reader) -> Iterator[Bound]:
    """Every figure of a table's cells; the first column and the head are names, not figures."""
    columns = [_head(span.text, reader) for span in table.head]
    dates = _dates_of_columns(table, reader)
    columns = [replace(head, period=_joined(head.named.period, dates.get(at))) for at, head in enumerate(columns)]
    columns = list(_with_company_beside(columns))
    corner = columns[0] if columns else _Head()
    spoken = tuple(dict.fromkeys(head.period for head in columns if head.period))
    group = above = _Head()
    for row in table.rows:
        if _is_group(row):
            group = _head(row[0].text, reader)
            continue
        head = _head(row[0].text, reader) if row else _Head()
        head = replace(head, period=_joined(head.named.period, _date_in(row[1:], reader)))
        if not head.concepts and _ONLY_GROWTH.fullmatch(head.text):
            head = replace(head, named=replace(head.named, concepts=above.named.concepts))
        above = head if head.concepts else above
        for at, cell in enumerate(row[1:], 1):
            column = columns[at] if at < len(columns) else _Head()
            if not _COUNTING.fullmatch(column.text):
                place = _Place(head, column, corner, group, _named_before(columns, at), spoken)
                yield from _bind_cell(cell, row, place, context, reader)


@dataclass(frozen=True)
class _Place:
    """All that speaks of a cell, the nearest first."""

    row: _Head
    column: _Head
    corner: _Head
    group: _Head
    beside: _Head
    spoken: tuple[Period, ...]

    def company(self) -> tuple[str, ...]:
        """The company that the nearest of them names."""
        return _first((head.named.company,) if head.named.company else () for head in self._all)

    def concept(self) -> tuple[str, ...]:
        """The figure: the row's, else the column's, else the corner's; of a share, the one beside it."""
        if self.whole():
            return _first(head.concepts[:1] for head in (*self._not_shares(), self.beside))
        if _MARGIN.search(self.column.text) and not self.column.concepts and self.row.concepts:
            return (margin_of(self.row.concepts[0]) or self.row.concepts[0],)
        heads = (self.row, self.column) if self.row.names_another else self._all
        named = _first(head.concepts[:1] for head in heads)
        return named or self.beside.concepts[:1] * bool(_GROWTH.search(self.column.text))

    def whole(self) -> str:
        """What the cell is a share of, where its row or column says `% of revenue`."""
        shares = (head for head in self._all if head.is_share)
        return next((head.concepts[0] for head in shares), "")

    def _not_shares(self) -> tuple[_Head, ...]:
        return tuple(head for head in self._all if not head.is_share)

    def label(self) -> str:
        """What names the figure: the row, unless only the column names one."""
        head = self.column if self.column.concepts and not self.row.concepts else self.row
        return head.text.strip()

    def own(self) -> frozenset[str]:
        """The words before the figure's name, where it is the row or the column that names it."""
        head = next((head for head in self._all if head.concepts), None)
        return own_words(head.text, head.named, head.concepts[0], (0, len(head.text))) if head else frozenset()

    def periods(self) -> tuple[Period, ...]:
        """The period of row and column together, else the corner's."""
        period = _joined(self.row.period, self.column.period)
        found = period or self.group.period or self.group.named.period or self.corner.named.period
        return (found,) if found else ()

    @property
    def _all(self) -> tuple[_Head, ...]:
        return (self.row, self.column, self.group, self.corner)


def _bind_cell(cell: Span, row: Sequence[Span], place: _Place, context: Context, reader: Reader) -> Iterator[Bound]:
    text = _MARKS.sub(lambda match: " " * len(match.group()), cell.text)
    is_prose = len(text.strip()) > _LONGEST_FIGURE
    numbers = find_numbers(text) if is_prose else find_in_cell(text)
    own = reader.named(cell.text) if is_prose or len(numbers) > 1 else NOTHING_NAMED
    concepts = place.concept() or context.concepts
    corner = place.corner.note if not place.corner.note.is_empty else unit_note(context.unit_text)
    notes = (place.row.note, place.column.note, corner)
    for number in numbers:
        scaled = with_note(_moved(number, cell.start), notes, kind_of(concepts[0]) if concepts else "")
        yield Bound(
            scaled,
            (own.company,) if own.company else place.company() or context.companies,
            (own.concept,) if own.concept else concepts,
            (own.period,) if own.period else place.periods() or context.periods_of(place.company()),
            label=place.label(),
            own=place.own(),
            whole=place.whole(),
            spoken=place.spoken,
            is_dated=bool(own.period or place.periods()),
            before=f"{place.row.text.strip()} | {place.column.text.strip()} | {text[: number.start].strip()}",
            after=text[number.end :],
            said=f"{place.row.text} | {place.column.text} | {place.group.text} | {cell.text}",
            start=row[0].start,
            end=row[-1].end,
            in_table=True,
        )


def _with_company_beside(columns: Sequence[_Head]) -> Iterator[_Head]:
    """The columns; one that only says `growth` is of the company and period of the one to its left."""
    left = _Head()
    for head in columns:
        names_nothing = not (head.named.companies or head.period or head.concepts)
        if names_nothing and left.named.companies and _GROWTH.search(head.text):
            yield replace(head, named=replace(head.named, companies=left.named.companies), period=left.period)
        else:
            yield head
        left = head


def _named_before(columns: Sequence[_Head], at: int) -> _Head:
    """The nearest column to the left that names a figure."""
    left = (head for head in reversed(columns[1:at]) if head.concepts and not head.is_share)
    return next(left, _Head())


def _head(text: str, reader: Reader) -> _Head:
    plain = _MARKS.sub(" ", text)
    return _Head(plain, reader.named(plain), unit_note(plain))


def _is_group(row: Sequence[Span]) -> bool:
    """A row with a name and nothing else stands above those that follow."""
    return bool(row) and bool(row[0].text.strip()) and not any(cell.text.strip(" -–—*") for cell in row[1:])


def _dates_of_columns(table: Table, reader: Reader) -> Mapping[int, Period]:
    """The periods that a row of periods only (`period end | 2026-01-25 | …`) gives the columns."""
    for row in table.rows:
        periods = [_only_period(cell, reader) for cell in row[1:]]
        if periods and all(periods) and not reader.named(row[0].text).concepts:
            return {at: period for at, period in enumerate(periods, 1) if period}
    return {}


def _date_in(cells: Sequence[Span], reader: Reader) -> Period | None:
    """The period in a row that stands in a cell of its own, or in two: `FY2025 | 2025-01-26`."""
    found = [period for cell in cells if (period := _only_period(cell, reader))]
    match found:
        case [named, Period(name="", year=None) as day] if not named.end:
            return _joined(named, day)
    return found[0] if len(found) == 1 else None


def _only_period(cell: Span, reader: Reader) -> Period | None:
    text = cell.text.strip(" *_")
    if not text or not any(character.isdigit() for character in text):
        return None
    named = reader.named(text)
    if len(named.periods) != 1 or named.companies or named.concepts:
        return None
    mention = named.periods[0]
    return mention.period if mention.end - mention.start >= len(text) - 2 else None


def _joined(first: Period | None, second: Period | None) -> Period | None:
    """Two sayings about one period: what the first leaves out, the second tells."""
    if first is None or second is None:
        return first or second
    return Period(
        first.name or second.name,
        first.year if first.year is not None else second.year,
        first.end or second.end,
        first.relation or second.relation,
    )


def _moved(number: Number, by: int) -> Number:
    return replace(number, start=number.start + by, end=number.end + by)


def _first(found: Iterator[tuple[str, ...]]) -> tuple[str, ...]:
    return next((names for names in found if names), ())
