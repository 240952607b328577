"""How long a company's facts take to become statements, and what they weigh.

    python benchmarks/facts.py FILE [--runs N]

FILE is one response of the SEC's companyfacts, plain or gzipped. Times are medians; each is also given as a ratio to
parsing the same JSON with the standard library, because ratios hold across machines where milliseconds do not.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import json
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from dexter.data.body import parse_json
from dexter.data.cache import DiskCache
from dexter.data.company import Company
from dexter.data.provider import StatementQuery
from dexter.data.response import Response
from dexter.data.sec.client import EDGAR, sec_client
from dexter.data.sec.facts import fact_store
from dexter.data.sec.provider import SecProvider
from dexter.data.sec.statements import cell, statement_entries, statement_lines


def median_ms(runs: int, work: Callable[[], object]) -> float:
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        work()
        times.append((time.perf_counter() - start) * 1000)
    return statistics.median(times)


def main() -> None:
    options = argparse.ArgumentParser(description="Facts to eight quarters of all statements.")
    options.add_argument("file", type=Path)
    options.add_argument("--runs", type=int, default=9)
    arguments = options.parse_args()
    body = arguments.file.read_bytes()
    body = gzip.decompress(body) if body[:2] == b"\x1f\x8b" else body
    cik = int(json.loads(body)["cik"])
    query = StatementQuery(
        Company("X", "X", cik, exchange="X", fiscal_year_end="12-31"),
        statements=("income", "balance", "cash_flow"),
        period="quarterly",
        limit=8,
    )

    def from_store(store: object = None) -> int:
        found = store or fact_store(parse_json(body))
        return sum(1 for entry in statement_entries(statement_lines(found, query), query) if cell(entry, query.company))

    with tempfile.TemporaryDirectory() as folder:
        cache = DiskCache(Path(folder))
        cache.put(EDGAR.facts(cik), Response(EDGAR.facts(cik), body))

        def from_cache() -> None:
            provider = SecProvider(sec_client("", cache=cache))  # without a contact no request can leave
            asyncio.run(provider.statements(query))

        asyncio.run(asyncio.sleep(0))
        plain = median_ms(arguments.runs, lambda: json.loads(body))
        cached = median_ms(arguments.runs, from_cache)
    store = fact_store(parse_json(body))
    cells = from_store(store)
    parsed = median_ms(arguments.runs, lambda: from_store(store))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{len(body) / 1e6:.1f} MB of facts, {cells} cells")
    print(f"json.loads            {plain:8.1f} ms   1.00")
    print(f"from the cached file  {cached:8.1f} ms   {cached / plain:.2f}")
    print(f"from the parsed store {parsed:8.1f} ms   {parsed / plain:.2f}")
    print(f"peak memory           {peak:8.1f} MB")


if __name__ == "__main__":
    main()
