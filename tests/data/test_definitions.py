from __future__ import annotations

from pathlib import Path

from dexter.data.definitions import definitions
from dexter.data.metrics import METRICS, MULTIPLES

PAGE = Path(__file__).parents[2] / "docs" / "definitions.md"


def test_the_documentation_states_the_definitions_the_code_has() -> None:
    """`docs/definitions.md` is what `make definitions` writes."""
    assert PAGE.read_text(encoding="utf-8") == definitions()


def test_every_ratio_is_listed_once_with_its_formula() -> None:
    """One definition each."""
    page = definitions()
    for metric in (*METRICS, *MULTIPLES):
        assert page.count(f"| `{metric.name}` |") == 1
        assert metric.formula.text in page
