"""The same facts through edgartools and through Dexter: cells equal, cells different, time and memory.

    python -m benchmarks.facts_beside_edgartools [--python PYTHON] FILE...

FILE is a response of the SEC's companyfacts, plain or gzipped. edgartools runs in an environment of its own. Cells are
compared where both name the same tag and period; every difference is printed, so that a reader can look up in the
filing who is right.
"""

from __future__ import annotations

import resource
import time

from benchmarks.beside import asked, options, plain
from dexter.data.body import parse_json
from dexter.data.company import Company
from dexter.data.provider import StatementQuery
from dexter.data.sec.facts import fact_store
from dexter.data.sec.statements import cell, statement_entries, statement_lines

PERIODS = {"quarterly": 8, "annual": 5}
OTHER = """
import json, resource, sys, time
begun = time.perf_counter()
from edgar.entity.parser import EntityFactsParser
imported = time.perf_counter()
facts = EntityFactsParser.parse_company_facts(json.load(sys.stdin))
cells = {}
for annual, periods in ((False, 8), (True, 5)):
    for name in ("income_statement", "balance_sheet", "cash_flow"):
        table = getattr(facts, name)(periods=periods, annual=annual, as_dataframe=True)
        for tag, row in ([] if table is None else table.iterrows()):
            for label, value in row.items():
                if isinstance(value, float) and value == value and any(c.isdigit() for c in str(label)):
                    cells[f"{tag} {label}"] = value
done = time.perf_counter()
memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps({"cells": cells, "import": imported - begun, "work": done - imported, "memory": memory}))
"""


def ours(body: bytes) -> tuple[dict[str, str], float]:
    begun = time.perf_counter()
    store = fact_store(parse_json(body))
    found = {}
    for period, limit in PERIODS.items():
        query = StatementQuery(Company("X", "X"), ("income", "balance", "cash_flow"), period, limit)
        for entry in statement_entries(statement_lines(store, query), query):
            made = cell(entry, query.company)
            tag = made.source.partition(",")[0].rpartition(":")[2]
            found[f"{tag} {made.fiscal_period} {made.fiscal_year}"] = made.value
    return found, time.perf_counter() - begun


def main() -> None:
    given = options("Dexter's statements beside those of edgartools.")
    for path in given.files:
        body = plain(path)
        found, seconds = ours(body.encode())
        other = asked(given.python, OTHER, body)
        shared = found.keys() & other["cells"].keys()
        different = sorted(
            key for key in shared if abs(float(found[key]) - other["cells"][key]) > 1e-9 * abs(other["cells"][key])
        )
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"{path.name}: {len(shared)} cells in both, {len(different)} different, {len(found)} in Dexter")
        for key in different:
            print(f"  {key}: {found[key]} here, {other['cells'][key]:.15g} there")
        print(
            f"  {seconds:.2f} s and {memory:.0f} MB here, "
            f"{other['work']:.2f} s (and {other['import']:.1f} s to import) and {other['memory']:.0f} MB there"
        )


if __name__ == "__main__":
    main()
