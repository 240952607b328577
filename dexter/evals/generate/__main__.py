"""Write the set: `python -m dexter.evals.generate [FILE]`."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from dexter.evals.generate.rows import Rows
from dexter.evals.generate.templates import drafts

SEED = 20_260_320
FILE = Path(__file__).parents[1] / "sets" / "sample.jsonl"


def lines(seed: int = SEED) -> Iterator[str]:
    """The lines of the set."""
    numbers: Counter[str] = Counter()
    for kind, draft in drafts(Rows.read(), seed):
        numbers[kind] += 1
        record = {
            "id": f"{kind.replace(' ', '-')}-{numbers[kind]:02}",
            "type": kind,
            "question": draft.question,
            "answer": draft.answer,
            "accessions": list(draft.accessions),
            **({"as_of": draft.as_of} if draft.as_of else {}),
        }
        yield json.dumps(record, ensure_ascii=False) + "\n"


def main() -> None:
    """Write it over the one in the package, or into the file that is named."""
    path = Path(sys.argv[1]) if sys.argv[1:] else FILE
    path.write_text("".join(lines()), encoding="utf-8")


if __name__ == "__main__":
    main()
