"""Policies of peers, played by drivers that run in the peers' own environments."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.context.measure import CHARS_PER_TOKEN, Played
from benchmarks.context.replay import WINDOW
from benchmarks.context.sessions import Session
from benchmarks.environments import Environment, UnavailableError, run_quietly

DRIVERS = Path(__file__).parent / "peers"
# What a driver needs of this process's surroundings. Tracing is off: it would call home.
_KEPT = ("PATH", "HOME", "LANG", "TMPDIR")
_SWITCHES = {"LANGSMITH_TRACING": "false", "LANGCHAIN_TRACING_V2": "false"}


@dataclass(frozen=True)
class Peer:
    """A policy of a library: the driver that plays it, and the list of pins for its environment."""

    name: str
    pins: str
    driver: str
    arguments: tuple[str, ...] = ()

    def environment(self, cache: Path) -> Environment:
        """Its environment below a cache folder."""
        return Environment(DRIVERS / self.pins, cache)


PEERS = (
    Peer("LangChain clear tool uses", "langchain.txt", "langchain_clear.py"),
    Peer("LangChain clear tool uses, 40 k", "langchain.txt", "langchain_clear.py", ("40000",)),
    Peer("LangChain summarise, 40 k", "langchain.txt", "langchain_summarise.py", ("40000",)),
    Peer("deepagents", "deepagents.txt", "deepagents_default.py"),
)


def play(peer: Peer, session: Session, cache: Path) -> tuple[Played, Mapping[str, str]]:
    """Play a session through a peer; also the versions of its packages.

    Raises:
        UnavailableError: there is no environment for it here, or the driver does not fit the library.
    """
    python = peer.environment(cache).ensure()
    env = {name: os.environ[name] for name in _KEPT if name in os.environ} | _SWITCHES
    given = {**session.to_json(), "window": WINDOW, "chars_per_token": CHARS_PER_TOKEN}
    command = [str(python), str(DRIVERS / peer.driver), *peer.arguments]
    output = run_quietly(command, given=json.dumps(given), env=env)
    return read_output(peer.name, output)


def read_output(policy: str, output: str) -> tuple[Played, Mapping[str, str]]:
    """A driver's JSON lines: requests, summaries, files, and at the end seconds and versions.

    Raises:
        UnavailableError: they are not what a driver prints.
    """
    try:
        lines = [json.loads(line) for line in output.splitlines()]
        played = Played(
            policy,
            requests=_texts(lines, "request"),
            summaries=_texts(lines, "summary"),
            recallable=tuple(line["file"] for line in lines if "file" in line),
            pipeline_s=lines[-1]["seconds"],
        )
        versions = lines[-1]["versions"]
    except (ValueError, KeyError, IndexError, TypeError) as error:
        raise UnavailableError(f"the driver printed something else: {error!r}") from error
    if not played.requests:
        raise UnavailableError("the driver sent no request")
    return played, versions


def _texts(lines: list[dict[str, Any]], kind: str) -> tuple[str, ...]:
    return tuple("\n".join(line[kind]) for line in lines if kind in line)
