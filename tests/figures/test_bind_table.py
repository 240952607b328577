"""What the cells of a table are said to be of."""

from __future__ import annotations

from dexter.figures.bind import bind, reader_of
from dexter.figures.periods import Period

TABLE = """|company|period|period end|Revenue (USD million)|
|-|-|-|-|
|AMZN|FY2023|2023-12-31|574,785|
|AAPL|FY2023|2023-09-30|383,285|
"""


def test_a_period_and_its_end_in_columns_of_their_own_are_one_period():
    """A ranking's row names its period twice; that is no doubt about it."""
    found = [(bound.companies, bound.periods) for bound in bind(TABLE, reader_of(()))]
    assert found == [
        (("AMZN",), (Period("FY", 2023, "2023-12-31"),)),
        (("AAPL",), (Period("FY", 2023, "2023-09-30"),)),
    ]
