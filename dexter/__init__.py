"""Dexter: a terminal research agent for financial questions.

    import asyncio, dexter
    answer = asyncio.run(dexter.ask("compare NVDA vs AMD"))

Importing this package costs nothing; the API is loaded on first use. See docs/interfaces.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"
__all__ = ["__version__", "ask", "get_financials", "open_run"]

if TYPE_CHECKING:
    from dexter.app.api import ask, get_financials, open_run


def __getattr__(name: str) -> Any:
    if name in __all__:
        from dexter.app import api

        return getattr(api, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
