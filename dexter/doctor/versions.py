"""Python, Dexter and the libraries it stands on; extras; the ranks that tokenizers need."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

from dexter.doctor.finding import Finding, note, ok, problem

_AREA = "versions"
_LEAST_PYTHON = (3, 11)
_LIBRARIES = ("anthropic", "litellm", "httpx", "pydantic", "pydantic-settings", "lxml", "rich", "typer", "tiktoken")
# Carried a credential stealer.
_MALICIOUS = {"litellm": ("1.82.7", "1.82.8")}
# The library of each extra, and what it brings.
_EXTRAS = {
    "ray": ("ray", "answers question sets and batches on a cluster (--engine ray)"),
    "search": ("ddgs", "searches the web without a key"),
}
# The file of cl100k_base as tiktoken's cache names it; LiteLLM brings it along.
_RANKS = "9b5ad71b2ce5302211f9c61530b329a4922fc6a4"

InstalledVersion = Callable[[str], str | None]


def installed_version(name: str) -> str | None:
    """The version of a distribution; None where it is not installed."""
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def check_versions(own: str, of: InstalledVersion = installed_version) -> Iterator[Finding]:
    """Whether what is needed is there.

    Args:
        own: Dexter's version.
        of: gives the version of a distribution, None where it is missing.
    """
    python = ".".join(map(str, sys.version_info[:3]))
    if sys.version_info < _LEAST_PYTHON:
        yield problem(_AREA, f"Python {python} is too old; 3.11 is needed.", "python3.11 -m pip install dexter")
    else:
        yield ok(_AREA, f"Dexter {own}, Python {python}")
    found = {name: of(name) for name in _LIBRARIES}
    for name, number in found.items():
        if number is None:
            yield problem(_AREA, f"{name} is not installed.", f"python -m pip install {name}")
        elif number in _MALICIOUS.get(name, ()):
            yield problem(_AREA, f"{name} {number} steals credentials.", f"python -m pip install --upgrade {name}")
    there = ", ".join(f"{name} {number}" for name, number in found.items() if number)
    if there:
        yield ok(_AREA, there)
    for name, (library, what) in _EXTRAS.items():
        number = of(library)
        text = f"{library} {number} is installed" if number else f"{library} is not installed; it {what}"
        yield ok("extras", text) if number else note("extras", text, f"python -m pip install 'dexter[{name}]'")


def check_ranks(folder: Path | None = None) -> Iterator[Finding]:
    """Whether counting tokens works without a download. `folder`: where the ranks lie; LiteLLM's by default."""
    folder = folder or _bundled_ranks()
    if folder is not None and (folder / _RANKS).is_file():
        yield ok("tokenizer", f"The ranks are on disk: {folder}")
        return
    yield problem(
        "tokenizer",
        "The ranks of tiktoken are not on disk: LiteLLM would download them at its first call.",
        "python -m pip install --force-reinstall litellm",
    )


def _bundled_ranks() -> Path | None:
    spec = find_spec("litellm")  # finds, does not import
    return Path(spec.origin).parent / "litellm_core_utils" / "tokenizers" if spec and spec.origin else None
