"""Items of filings through edgartools and through Dexter: which each finds, whether their texts agree, time.

    python -m benchmarks.filings_beside_edgartools [--python PYTHON] FILE...

FILE is a 10-K or 10-Q as filed, its form in its name, plain or gzipped. edgartools runs in an environment of its own.
Two texts of an item agree where nine in ten words of the shorter stand in the longer and neither has twice the words
of the other; every other item is named with both lengths, so that a reader can look who is right.
"""

from __future__ import annotations

import json
import re
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from benchmarks.beside import asked, options, plain
from dexter.data.filings.document import read_document
from dexter.data.filings.items import read_items

AGREE_FROM = 0.9
OTHER = """
import json, sys, time
html, form = json.load(sys.stdin)
from edgar.documents import HTMLParser, ParserConfig
begun = time.perf_counter()
sections = HTMLParser(ParserConfig(form=form)).parse(html).sections
items = {name: section.text() for name, section in sections.items() if "_item_" in name}
print(json.dumps({"items": items, "work": time.perf_counter() - begun}))
"""


def main() -> None:
    """Compare file by file and print."""
    given = options("Items of filings beside edgartools.")
    print("| filing | items here | there | agree | seconds here | there |\n|---|---|---|---|---|---|")
    notes: list[str] = []
    for path in given.files:
        html, form, name = plain(path), form_of(path), path.name.partition(".")[0]
        other = asked(given.python, OTHER, json.dumps([html, form]))
        found, seconds = ours(html, form)
        different = list(differences(found, other["items"]))
        agree = len(found.keys() | other["items"].keys()) - len(different)
        here, there = len(found), len(other["items"])
        print(f"| {name} | {here} | {there} | {agree} | {seconds:.2f} | {other['work']:.2f} |")
        notes += [f"{name}, {difference}" for difference in different]
    print("", *notes, sep="\n")


def form_of(path: Path) -> str:
    """`10-K` or `10-Q`, from the file's name."""
    return "10-Q" if "10-q" in path.name.lower() else "10-K"


def ours(html: str, form: str) -> tuple[dict[str, str], float]:
    """Texts by the names edgartools gives them, and seconds."""
    begun = time.perf_counter()
    items = read_items(read_document(html.encode()), form).items
    found = {f"part_{item.part}_item_{item.number}".lower(): item.text for item in items if item.blocks and item.part}
    return found, time.perf_counter() - begun


def differences(here: Mapping[str, str], there: Mapping[str, str]) -> Iterator[str]:
    """Items that only one has, and those whose texts do not agree."""
    for name in sorted(here.keys() | there.keys()):
        one, other = here.get(name), there.get(name)
        if one is None or other is None:
            yield f"{name}: {'only there' if one is None else 'only here'}, {len(one or other or ''):,} characters"
        elif not agree(one, other):
            yield f"{name}: {len(one):,} characters here, {len(other):,} there"


def agree(one: str, other: str) -> bool:
    """Whether two texts say the same words, whatever their layout."""
    few, many = sorted((Counter(re.findall(r"\w+", one)), Counter(re.findall(r"\w+", other))), key=Counter.total)
    return (few & many).total() >= AGREE_FROM * few.total() and many.total() <= 2 * max(few.total(), 10)


if __name__ == "__main__":
    main()
