"""Reads a fetched page: data at once, HTML and PDF in a confined process that is ended when it takes too long."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from dataclasses import replace
from pathlib import Path

from dexter.data.web.convert import convert, kind_of
from dexter.data.web.document import Document, Kind, UnreadableError
from dexter.data.web.fetching import Fetched

_ROOT = str(Path(__file__).parents[3])
# Isolated: the current folder, its modules and the environment with its keys have no part in it.
_START = "import sys; sys.path.insert(0, sys.argv[1]); from dexter.data.web.child import main; main()"
_COMMAND = (sys.executable, "-I", "-c", _START, _ROOT)


async def read_page(fetched: Fetched, *, seconds: float = 25.0) -> Document:
    """The document a page is.

    Raises:
        UnreadableError: it holds no text, is broken, or takes longer than `seconds` to read.
    """
    response = fetched.response
    kind = kind_of(response)
    if kind == "text":
        document = await asyncio.to_thread(convert, kind, response.body, response.charset)
    else:
        document = await _read_apart(kind, fetched, seconds)
    note = f"The page is larger than {len(response.body):,} bytes: only its start was read."
    return replace(document, notes=(*document.notes, note)) if fetched.cut else document


async def _read_apart(kind: Kind, fetched: Fetched, seconds: float) -> Document:
    response = fetched.response
    request = {"kind": kind, "charset": response.charset, "url": response.url, "cpu_seconds": int(seconds) + 1}
    process = await asyncio.create_subprocess_exec(
        *_COMMAND,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        env={},
    )
    try:
        async with asyncio.timeout(seconds):
            output, _ = await process.communicate(json.dumps(request).encode() + b"\n" + response.body)
    except TimeoutError as error:
        raise UnreadableError(f"reading it took longer than {seconds:g} seconds") from error
    finally:
        await _end(process)
    return _document(output, kind)


async def _end(process: asyncio.subprocess.Process) -> None:
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()


def _document(output: bytes, kind: Kind) -> Document:
    try:
        answer = json.loads(output)
    except ValueError as error:
        raise UnreadableError(f"its {kind.upper()} is broken in a way that ended the reader") from error
    if "unreadable" in answer:
        raise UnreadableError(answer["unreadable"])
    return Document.from_json(answer)
