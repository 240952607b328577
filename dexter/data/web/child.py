"""The process in which pages are read: whatever a hostile page does to a parser stays here.

It has no keys, no files to write, a limit on memory and on time. One request on standard input (a line of JSON, then
the body), one answer of JSON on standard output.
"""

from __future__ import annotations

import json
import resource
import sys
from typing import IO

from dexter.data.web.convert import convert
from dexter.data.web.document import UnreadableError

_MEMORY_BYTES = 2 << 30


def main() -> None:
    """Answer one request."""
    sys.stdout.write(json.dumps(serve(sys.stdin.buffer)))


def confine(cpu_seconds: int) -> None:
    """Bound this process: memory, time, no files, no core."""
    limits = (
        (resource.RLIMIT_AS, _MEMORY_BYTES),
        (resource.RLIMIT_CPU, cpu_seconds),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
    )
    for kind, value in limits:
        _, hard = resource.getrlimit(kind)
        resource.setrlimit(kind, (value if hard == resource.RLIM_INFINITY else min(value, hard), hard))


def serve(stream: IO[bytes]) -> dict[str, object]:
    """The answer to the request in a stream: a document, or why there is none."""
    request = json.loads(stream.readline())
    confine(request.pop("cpu_seconds"))
    try:
        return convert(body=stream.read(), **request).to_json()
    except UnreadableError as error:
        return {"unreadable": str(error)}
    except MemoryError:
        return {"unreadable": "it takes too much memory to read"}
