"""EDGAR's frames, made of the recorded facts: a fact's `frame` names the one it stands in."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from tests.support.shared import shared

Rows = Mapping[str, list[dict[str, Any]]]
_UNITS = {"USD": "USD", "USD/shares": "USD-per-shares", "shares": "shares"}


@cache
def recorded_frames() -> Rows:
    """Rows by path below the base URL, of the companies whose full facts are recorded and of the cut ones."""
    frames: dict[str, dict[int, dict[str, Any]]] = {}
    for folder in ("companyfacts_cut", "companyfacts"):
        for file in sorted(shared(f"data/sec/{folder}").glob("*.json.gz")):
            _add(frames, json.loads(gzip.decompress(file.read_bytes())))
    return {path: list(rows.values()) for path, rows in frames.items()}


def _add(frames: dict[str, dict[int, dict[str, Any]]], facts: dict[str, Any]) -> None:
    for tag, body in facts["facts"].get("us-gaap", {}).items():
        for unit, rows in body["units"].items():
            for row in rows:
                if "frame" in row and unit in _UNITS:
                    path = f"/api/xbrl/frames/us-gaap/{tag}/{_UNITS[unit]}/{row['frame']}.json"
                    cik = int(facts["cik"])
                    kept = {key: row[key] for key in ("start", "end", "val", "accn") if key in row}
                    frames.setdefault(path, {})[cik] = {"cik": cik, "entityName": facts["entityName"], **kept}


def serve_frames(server: HTTPServer, frames: Rows) -> None:
    """Each frame at its path; what is not there is not found, as at EDGAR."""

    def answer(request: Request) -> Response:
        rows = frames.get(request.path)
        if rows is None:
            return Response("<Error><Code>NoSuchKey</Code></Error>", 404, content_type="application/xml")
        return Response(json.dumps({"taxonomy": "us-gaap", "pts": len(rows), "data": rows}))

    server.expect_request(re.compile(r"/api/xbrl/frames/.*")).respond_with_handler(answer)
