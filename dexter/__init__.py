"""Dexter: a terminal research agent for financial questions.

Importing this package costs nothing; the Python API is loaded on first use.
"""

from __future__ import annotations

__version__ = "0.1.0"
