"""The documentation of lines, ratios and multiples, made from their definitions: `make definitions`."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from dexter.data.concepts import CONCEPTS, Concept
from dexter.data.metrics import METRICS, MULTIPLES, Metric

_INTRODUCTION = """# Lines, ratios and multiples

Made from the code by `make definitions`; a test keeps the two equal.

Every ratio has one definition, here, and nothing is rounded before it is computed. A figure that is missing stays
missing: no ratio is computed from it. A divisor or a base of growth that is zero or negative gives "n.m." (not
meaningful) with the reason, two currencies never meet in one ratio, and twelve trailing months are four consecutive
quarters added up or, where they are one, the fiscal year as filed. Multiples take the last close, the newest twelve
months that had ended by that day and the newest share count by then, and show those days.
"""


def definitions() -> str:
    """The whole page, as Markdown."""
    parts = (
        _INTRODUCTION,
        "## Lines of the statements\n",
        _table(("name", "label", "statement", "over time", "not for"), map(_concept_row, CONCEPTS)),
        "## Ratios and growth\n",
        _table(("name", "label", "definition", "periods", "note"), map(_metric_row, METRICS)),
        "## Multiples\n",
        _table(("name", "label", "definition", "rests on", "note"), map(_multiple_row, MULTIPLES)),
    )
    return "\n".join(parts)


def _concept_row(concept: Concept) -> Sequence[str]:
    nature, statement = concept.nature.replace("_", " "), concept.statement.replace("_", " ")
    return f"`{concept.name}`", concept.label, statement, nature, ", ".join(sorted(concept.not_for))


def _metric_row(metric: Metric) -> Sequence[str]:
    return f"`{metric.name}`", metric.label, metric.formula.text, ", ".join(sorted(metric.periods)), metric.note


def _multiple_row(metric: Metric) -> Sequence[str]:
    return f"`{metric.name}`", metric.label, metric.formula.text, ", ".join(metric.needs), metric.note


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = (head, ("---",) * len(head), *rows)
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(definitions(), encoding="utf-8")
