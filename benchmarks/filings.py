"""How long it takes to read filings, against the limits that are promised.

    python benchmarks/filings.py FOLDER

FOLDER holds `filings/` and `xml/` with the given files. Each line: what, best of five in seconds, its limit, and the
ratio (below 1 is within the limit). Memory is the peak of the whole process.
"""

from __future__ import annotations

import gzip
import resource
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from dexter.data.filings.document import read_document
from dexter.data.filings.holdings import read_table
from dexter.data.filings.items import Items, read_items
from dexter.data.filings.passages import find_passages
from dexter.data.filings.segments import read_segments

_RUNS = 5
_MEGABYTE = 1024  # ru_maxrss counts kilobytes on Linux


def main(folder: Path) -> None:
    """Measure and print."""
    for what, limit, action in _cases(folder):
        seconds = min(_timed(action) for _ in range(_RUNS))
        print(f"{what:45} {seconds:7.3f} s   limit {limit:5.2f} s   ratio {seconds / limit:5.2f}")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / _MEGABYTE
    print(f"{'peak memory':45} {peak:7.0f} MB  limit {200:5} MB  ratio {peak / 200:5.2f}")


def _cases(folder: Path) -> Iterator[tuple[str, float, Callable[[], object]]]:
    ten_k = gzip.decompress((folder / "filings/nvda-10-k-2025-02-26.html.gz").read_bytes())
    eight_k = (folder / "filings/nvda-8-k-20260302.htm").read_bytes()
    table = (folder / "xml/13F-HR.infotable.xml").read_bytes()
    items = _items(ten_k, "10-K").items
    large = ten_k * (40_000_000 // len(ten_k))
    yield f"items of a 10-K of {len(ten_k) / 1e6:.1f} MB", 0.5, lambda: _items(ten_k, "10-K")
    yield f"items of an 8-K of {len(eight_k) / 1e3:.0f} kB", 0.1, lambda: _items(eight_k, "8-K")
    yield "13F table of 255 lines", 0.15, lambda: read_table(table, filed="2023-02-10")
    yield "segments of the 10-K", 0.5, lambda: read_segments(ten_k)
    yield "passages of the 10-K", 0.5, lambda: find_passages(items, "export controls on data center products")
    yield f"items of {len(large) / 1e6:.0f} MB", 10.0, lambda: _items(large, "10-K")


def _items(content: bytes, form: str) -> Items:
    return read_items(read_document(content), form)


def _timed(action: Callable[[], object]) -> float:
    started = time.perf_counter()
    action()
    return time.perf_counter() - started


if __name__ == "__main__":
    main(Path(sys.argv[1]))
