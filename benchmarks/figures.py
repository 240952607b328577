"""What figures cost: a compaction's ledger, what a summary states, and the check of an answer against megabytes.

    python benchmarks/figures.py [--megabytes 5] [--figures 100] [--runs 7]

Times are medians; each is also given as a ratio to finding every number of the same text with one regular expression,
because ratios hold across machines where milliseconds do not.
"""

from __future__ import annotations

import argparse
import re
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[1]))

from dexter.figures.bind import reader_of
from dexter.figures.check import check_answer
from dexter.figures.ledger import figures_of, stated_in
from dexter.results import Cell, StoredResult

LABELS = {
    "Revenues": "Revenue",
    "GrossProfit": "Gross profit",
    "OperatingIncome": "Operating income",
    "NetIncome": "Net income",
    "TotalAssets": "Total assets",
}
TICKERS = ("NVDA", "AMD", "AAPL")
RESULTS = 40


def median_ms(runs: int, work: Callable[[], object]) -> float:
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        work()
        times.append((time.perf_counter() - start) * 1000)
    return statistics.median(times)


def with_cells(random: Random) -> list[StoredResult]:
    """40 results with 15 cells each: 600 figures."""
    results = []
    for number in range(1, RESULTS + 1):
        cells = [
            Cell(ticker, concept, f"{random.randint(10**9, 10**12)}", "USD", 1985 + number, "FY", label=label)
            for ticker in TICKERS
            for concept, label in LABELS.items()
        ]
        results.append(StoredResult(number, "get_financials", {"tickers": list(TICKERS)}, "ok", "", cells))
    return results


def filings(random: Random, megabytes: float) -> list[StoredResult]:
    """Texts without cells, as dense with numbers as filings are."""
    texts: list[str] = []
    while sum(map(len, texts)) < megabytes * 1_000_000:
        lines = ["NVDA 10-K for fiscal 2025"]
        for _ in range(400):
            item = random.choice(("Segment", "Region", "Product", "Lease", "Grant"))
            lines.append(
                f"{item} {random.randint(1, 99)} had sales of ${random.uniform(1, 900):.1f} million in fiscal 2025, "
                f"up {random.uniform(1, 60):.1f}% from ${random.uniform(1, 900):.1f} million in fiscal 2024, which "
                "reflects higher demand and a different mix of products and customers in most of the markets served."
            )
        texts.append("\n".join(lines))
    return [StoredResult(n, "read_filings", {"ticker": "NVDA"}, "ok", text) for n, text in enumerate(texts, 1)]


def main() -> None:
    options = argparse.ArgumentParser(description="Ledger, summary, check.")
    options.add_argument("--megabytes", type=float, default=5)
    options.add_argument("--figures", type=int, default=100)
    options.add_argument("--runs", type=int, default=7)
    arguments = options.parse_args()
    random = Random(1)
    cells, texts = with_cells(random), filings(random, arguments.megabytes)
    reader = reader_of(cells)
    figures = [figure for result in cells for figure in figures_of(result, reader)]
    stated_half = (f"- {f.company} {f.label} {f.period}: ${f.value / 10**6:,.0f} million" for f in figures[::2])
    summary = "\n".join(stated_half)
    lines = [random.choice(r.text.splitlines()[1:]) for r in random.choices(texts, k=arguments.figures // 3)]
    answer, whole = "\n\n".join(lines), "\n".join(result.text for result in texts)
    plain = median_ms(arguments.runs, lambda: re.findall(r"\d[\d,.]*", whole))

    def stated() -> int:
        return sum(map(stated_in(summary, reader), figures))

    rows: dict[str, Callable[[], object]] = {
        f"ledger: {len(figures)} figures of {RESULTS} results": lambda: [figures_of(r, reader) for r in cells],
        f"summary of {len(summary):,} characters: {stated()} stated": stated,
        f"check of {len(check_answer(answer, texts).figures)} figures": lambda: check_answer(answer, texts),
    }
    print(f"every number by one regular expression: {plain:.0f} ms")
    for name, work in rows.items():
        took = median_ms(arguments.runs, work)
        print(f"{name}: {took:.0f} ms, ×{took / plain:.2f}")


if __name__ == "__main__":
    main()
