"""The documentation hangs together: links lead somewhere, nothing lies unlinked, every package is named."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = sorted((*DOCS.glob("*.md"), *ROOT.glob("*.md")))
_LINK = re.compile(r"(?<!!)\[[^\]]+\]\(([^)#\s]+)(?:#([\w-]+))?\)")
_FENCE = re.compile(r"```.*?```", re.DOTALL)


def links(page: Path) -> list[tuple[str, str]]:
    return [found for found in _LINK.findall(_FENCE.sub("", page.read_text(encoding="utf-8"))) if "://" not in found[0]]


def anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    """Files exist, and so do the headings that are named."""
    for target, anchor in links(page):
        file = (page.parent / target).resolve()
        assert file.exists(), target
        assert not anchor or anchor in anchors(file), f"{target}#{anchor}"


def test_every_page_is_in_the_index() -> None:
    """docs/README.md names each page of the folder."""
    linked = {target for target, _ in links(DOCS / "README.md")}
    assert {page.name for page in DOCS.glob("*.md")} - {"README.md"} <= linked


def test_every_package_is_named_with_its_licence() -> None:
    """What pyproject.toml asks for stands in docs/third-party.md."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [project["dependencies"], *project["optional-dependencies"].values()]
    names = {re.match(r"[\w-]+", requirement)[0] for part in wanted for requirement in part}  # type: ignore[index]
    page = (DOCS / "third-party.md").read_text(encoding="utf-8")
    assert not [name for name in names if not re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", page)]
