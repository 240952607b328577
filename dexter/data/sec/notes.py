"""What a reader of the figures must know beside them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from dexter.data.sec.concepts import DISCONTINUED
from dexter.data.sec.facts import FactStore
from dexter.data.sec.figure import plain
from dexter.data.sec.lines import Lines
from dexter.data.sec.splits import Split
from dexter.data.sec.statements import Entry, period_label


def notes_on(entries: Sequence[Entry], lines: Lines) -> tuple[str, ...]:
    """Splits, discontinued operations, and accounts that are not under US GAAP."""
    return (*_split_note(entries, lines), *_discontinued(entries, lines), *_other_accounts(entries, lines.filed.store))


def _split_note(entries: Sequence[Entry], lines: Lines) -> Iterator[str]:
    splits = lines.filed.splits
    if any("split-adjusted" in (entry.figure.derived or "") for entry in entries):
        yield f"Shares and values per share filed before a split are in shares of today: {_told(splits)}."
    elif lines.filed.vintage == "first":
        later = [split for split in splits if any(_counts_old_shares(entry, split) for entry in entries)]
        if later:
            yield f"Shares and values per share are as first filed, not adjusted for later splits: {_told(later)}."


def _counts_old_shares(entry: Entry, split: Split) -> bool:
    unit = entry.figure.unit
    return (unit == "shares" or unit.endswith("/shares")) and entry.figure.fact.filed < split.since


def _told(splits: Iterable[Split]) -> str:
    return ", ".join(
        f"{split.ratio.numerator}:{split.ratio.denominator} (in filings since {split.since})" for split in splits
    )


def _discontinued(entries: Sequence[Entry], lines: Lines) -> Iterator[str]:
    """For each line that includes operations given up: how much of it they are, by period."""
    parts: dict[str, list[str]] = {}
    for concept, period, figure in entries:
        part = DISCONTINUED.get(concept.name)
        found = lines.figure(part, period) if part else None
        if found and found.value and found.unit == figure.unit:
            year, label = period_label(period, concept)
            when = f"FY{year}" if label == "FY" else f"{label} FY{year}"
            share = f"{when} {plain(found.value)} of {plain(figure.value)}"
            parts.setdefault(f"{concept.label} ({figure.unit})", []).append(share)
    for line, shares in parts.items():
        yield f"{line} includes discontinued operations: {', '.join(shares)}."


def _other_accounts(entries: Sequence[Entry], store: FactStore) -> Iterator[str]:
    if any(entry.figure.fact.tag.startswith("ifrs-full:") for entry in entries):
        yield (
            f"Accounts under IFRS, in {store.currency}. How their lines are matched follows the taxonomy; it has not "
            "been tried on real filings."
        )
