"""The tools as every provider must take them."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

from dexter.app.toolbox import build_tools
from dexter.messages import ToolSpec
from tests.support.setups import make_setup

# What Anthropic, OpenAI, Gemini, xAI, DeepSeek and Ollama all take; Gemini refuses or drops the rest.
KEYWORDS = {"type", "properties", "required", "items", "enum", "description", "default"}
KEYWORDS |= {"minimum", "maximum", "minItems", "maxItems"}
TYPES = {"object", "array", "string", "integer", "number", "boolean"}
LONGEST_DESCRIPTION = 1_024  # OpenAI's limit


def specs(folder: Path) -> tuple[ToolSpec, ...]:
    """Every tool there is, with all that can be configured."""
    setup = make_setup(folder, {"DEXTER_SEC__CONTACT": "A Tester tester@example.com"})

    async def build() -> tuple[ToolSpec, ...]:
        async with AsyncExitStack() as stack:
            return tuple(build_tools(setup, 200_000, folder, stack).specs())

    return asyncio.run(build())


def nodes(schema: dict[str, Any], depth: int = 0) -> Iterator[tuple[int, dict[str, Any]]]:
    """Every schema in the schema, with its depth."""
    yield depth, schema
    for child in schema.get("properties", {}).values():
        yield from nodes(child, depth + 1)
    if "items" in schema:
        yield from nodes(schema["items"], depth + 1)


def test_schemas_stay_in_the_subset_that_all_providers_take(tmp_path: Path) -> None:
    """One plain type at each place, no references, no alternatives, no keywords that one of them refuses."""
    found = specs(tmp_path)
    assert len(found) > 5
    for spec in found:
        for depth, node in nodes(dict(spec.parameters)):
            assert set(node) <= KEYWORDS, (spec.name, set(node) - KEYWORDS)
            assert node.get("type") in TYPES, (spec.name, node)
            assert depth <= 3, spec.name
            assert ("items" in node) == (node["type"] == "array"), (spec.name, node)
            assert set(node.get("required", ())) <= set(node.get("properties", {})), spec.name


def test_names_and_descriptions_fit_every_provider(tmp_path: Path) -> None:
    """Names of letters, digits, `_` and `-`; descriptions there and not too long; each name once."""
    found = specs(tmp_path)
    assert len({spec.name for spec in found}) == len(found)
    for spec in found:
        assert re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", spec.name)
        assert 20 <= len(spec.description) <= LONGEST_DESCRIPTION, (spec.name, len(spec.description))


def test_the_list_is_the_same_bytes_every_time(tmp_path: Path) -> None:
    """Prompt caches live on it: two builds give the same JSON."""
    first, second = (json.dumps([spec.to_json() for spec in specs(tmp_path / name)]) for name in ("a", "b"))
    assert first == second
