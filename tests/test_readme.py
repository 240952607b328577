from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_two_commands_head_it():
    """The first thing one reads is how to get an answer and how to run the tests."""
    first = re.search(r"```sh\n(.*?)```", README, re.DOTALL)
    assert first is not None
    assert [line.split("#")[0].strip() for line in first[1].splitlines()] == ["make ask", "make test"]
    assert README.index(first[0]) < 30


def test_it_has_two_screens_and_says_that_it_does_not_advise():
    """Two screens of forty lines, the listing that is folded away aside, and plain about what Dexter is not."""
    open_part = re.sub(r"<details>.*?</details>", "", README, flags=re.DOTALL)
    assert len(open_part.splitlines()) <= 80
    assert "does not advise" in README


def test_its_links_lead_somewhere():
    """Every file it names is there."""
    targets = re.findall(r"\]\(([^)#]+)\)|src=\"([^\"]+)\"", README)
    assert [t for pair in targets for t in pair if t and not (ROOT / t).exists()] == []
