"""Writes docs/model-faults.md from what the fault tests expect and prove: python -m tests.support.fault_table."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from tests.support.faults import FAULTS
from tests.support.protocols import PROTOCOLS

GENERATED = """# What happens when a provider fails

Written by `python -m tests.support.fault_table` from the runs of `tests/models/test_faults.py`; do not edit by hand.
Each cell is a whole run of the loop against a server on loopback that fails in that provider's own way. "Asked again"
waits longer each time, at most 5 attempts and 120 seconds in all, obeys `Retry-After` up to 60 seconds, and shows the
countdown. An error is named by its kind, and says what to do. Nothing of a broken answer is kept, and what was shown is
not shown twice.

"""


def table(cells: Mapping[tuple[str, str], str]) -> str:
    """Fault by provider, in Markdown."""
    names = [protocol.name for protocol in PROTOCOLS]
    lines = [f"| fault | {' | '.join(names)} |", f"| --- |{' --- |' * len(names)}"]
    for fault in FAULTS:
        row = [cells.get((fault.name, name), "cannot happen") for name in names]
        lines.append(f"| {fault.name} | {' | '.join(row)} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Write the page."""
    cells = {(f.name, p.name): f.expected for f in FAULTS for p in PROTOCOLS if f.applies_to(p)}
    page = Path(__file__).parents[2] / "docs" / "model-faults.md"
    page.write_text(GENERATED + table(cells), encoding="utf-8")


if __name__ == "__main__":
    main()
