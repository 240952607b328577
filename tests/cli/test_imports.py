from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.program import Home, make_home

HEAVY = re.compile(
    r"^(anthropic|litellm|openai|httpx2?|tiktoken|boto\w*|aiohttp|pydantic\w*|dotenv|platformdirs|prompt_toolkit|lxml|asyncio"
    r"|tokenizers|dexter\.(app|session|agent|models|tools|data|offline|context|scratchpad))(\.|$)"
)
# What answering a question offline may not load either.
HEAVY_OFFLINE = re.compile(
    r"^(anthropic|litellm|openai|httpx2?|tiktoken|boto\w*|aiohttp|prompt_toolkit|lxml|tokenizers)(\.|$)"
)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return make_home(tmp_path)


def _loaded(home: Home, *arguments: str) -> set[str]:
    command = [sys.executable, "-X", "importtime", "-m", "dexter", *arguments]
    done = subprocess.run(
        command, capture_output=True, text=True, cwd=home.work, env=home.environ(), check=True, stdin=subprocess.DEVNULL
    )
    return {line.rsplit("|", 1)[1].strip() for line in done.stderr.splitlines() if line.startswith("import time:")}


@pytest.mark.parametrize("arguments", [["--help"], ["--version"]])
def test_help_loads_nothing_heavy(home: Home, arguments: list[str]):
    """Help and version load no SDK, tokenizer, HTTP client or settings library, and none of the agent."""
    loaded = _loaded(home, *arguments)
    assert "typer" in loaded
    assert sorted(name for name in loaded if HEAVY.match(name)) == []


def test_help_of_a_command_loads_only_what_typer_does(home: Home):
    """Typer itself checks numbers with pydantic; nothing else is loaded."""
    loaded = {name for name in _loaded(home, "ask", "--help") if not re.match(r"pydantic(_core)?(\.|$)", name)}
    assert sorted(name for name in loaded if HEAVY.match(name)) == []


def test_an_offline_answer_loads_no_sdk(home: Home):
    """The offline analyst answers without any SDK, HTTP client or tokenizer."""
    loaded = _loaded(home, "ask", "--offline", "-q", "compare NVDA vs AMD")
    assert "dexter.offline.model" in loaded
    assert sorted(name for name in loaded if HEAVY_OFFLINE.match(name)) == []


def test_importing_the_package_loads_nothing(home: Home):
    """`import dexter` costs as little as the command does."""
    code = "import sys, dexter; print('\\n'.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=home.environ(), check=True)
    assert [name for name in done.stdout.split() if name.startswith("dexter.")] == []
