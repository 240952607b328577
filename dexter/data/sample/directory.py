"""Who is meant, with what the sample knows of its companies."""

from __future__ import annotations

from functools import cache

from dexter.data.identity.directory import Directory
from dexter.data.sample.provider import SampleProvider


@cache
def packaged_directory() -> Directory:
    """The directory of all listed companies. Its lists are read and its indexes made once in a process."""
    return Directory(SampleProvider().companies)
