from __future__ import annotations

from pathlib import Path

from pytest_httpserver import HTTPServer

from dexter.config.load import Surroundings, load
from dexter.config.paths import Places
from dexter.config.settings import all_settings
from dexter.doctor.finding import Finding
from dexter.doctor.reach import check_reach

KEY = "sk-ant-api03-abcdefghijklmnop-QRST"


def reached(folder: Path, server: str, dead: str) -> dict[str, Finding]:
    """Every address leads to the server, but EDGAR's search to nowhere."""
    names = [setting.name for setting in all_settings().values() if setting.guarded == "an endpoint"]
    variables = {f"DEXTER_{name.upper().replace('.', '__')}": server for name in names}
    environ = {**variables, "DEXTER_SEC__SEARCH_URL": dead, "ANTHROPIC_API_KEY": KEY}
    config = load(Surroundings(environ, folder, Places(folder / "c", folder / "d", folder / "e")))
    return {finding.text.partition(":")[0]: finding for finding in check_reach(config)}


def test_what_answers_what_does_not_and_a_refused_key_are_told_apart(tmp_path: Path, httpserver: HTTPServer):
    """Any answer means reachable; 401 to a request with a key means that the key is refused; nothing shows the key."""
    httpserver.expect_request("/v1/models").respond_with_data("no", status=401)
    httpserver.expect_request("/").respond_with_data("there", status=404)
    found = reached(tmp_path, httpserver.url_for("").rstrip("/"), "http://127.0.0.1:9")
    assert found["anthropic.base_url"].mend == "dexter config set-key anthropic"
    assert found["sec.data_url"].verdict == "ok"
    assert found["sec.search_url"].verdict == "problem"
    assert "does not answer" in found["sec.search_url"].text
    assert not any(KEY in finding.text for finding in found.values())
    (asked,) = [request for request, _ in httpserver.log if request.path == "/v1/models"]
    assert asked.headers["x-api-key"] == KEY
