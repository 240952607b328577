"""The web tools as a user configures them, against loopback servers that stand in for vendors and sites."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from pytest_httpserver import HTTPServer

from dexter.agent.approvals import Approvals
from dexter.app.run_tool import run_tool
from dexter.app.toolbox import build_tools
from dexter.approval import ApprovalRequest, Decision
from dexter.errors import DexterError, ToolError
from dexter.results import ToolResult
from tests.support.setups import make_setup

KEYS = {"EXA_API_KEY": "exa-key-0123456789", "TAVILY_API_KEY": "tvly-key-0123456789"}
HIT = {"url": "https://a.example/1", "title": "One", "content": "text", "text": "text"}


def call(
    folder: Path, environ: dict[str, str], name: str, approvals: Approvals | None = None, **arguments: Any
) -> ToolResult:
    setup = make_setup(folder, environ)

    async def run() -> ToolResult:
        async with AsyncExitStack() as stack:
            registry = build_tools(setup, 200_000, folder, stack)
            return await run_tool(registry, name, arguments, setup, approvals)

    return asyncio.run(run())


def at(server: HTTPServer, **more: str) -> dict[str, str]:
    """Every vendor of these tests at the server, below a path of its name; its host may be fetched from."""
    urls = {f"DEXTER_SEARCH__{name.upper()}_URL": server.url_for(f"/{name}") for name in ("exa", "tavily", "searxng")}
    return {**KEYS, **urls, "DEXTER_WEB__ALLOWED_HOSTS": f"localhost:{server.port}", **more}


def test_vendors_are_asked_in_the_configured_order(tmp_path: Path, httpserver: HTTPServer) -> None:
    """One that fails passes on to the next; both are named, and the key it repeats is not shown."""
    httpserver.expect_request("/exa/search").respond_with_json({"error": KEYS["EXA_API_KEY"]}, status=401)
    httpserver.expect_request("/tavily/search").respond_with_json({"results": [HIT]})
    environ = at(httpserver, DEXTER_SEARCH__PROVIDERS="exa,tavily")
    result = call(tmp_path, environ, "web_search", query="nvidia")
    assert [attempt.provider for attempt in result.tried] == ["exa", "tavily"]
    assert KEYS["EXA_API_KEY"] not in str(result.to_json())
    turned = call(tmp_path, {**environ, "DEXTER_SEARCH__PROVIDERS": "tavily,exa"}, "web_search", query="nvidia")
    assert [attempt.provider for attempt in turned.tried] == ["tavily"]


@pytest.mark.parametrize("placeholder", ["your-exa-key", "your-api-key-here", "changeme", "<key>", "xxx", ""])
def test_a_placeholder_is_no_key(tmp_path: Path, httpserver: HTTPServer, placeholder: str) -> None:
    """What an example file has where a key should stand lets nobody be asked."""
    environ = at(httpserver, EXA_API_KEY=placeholder, DEXTER_SEARCH__PROVIDERS="exa")
    with pytest.raises(ToolError, match="no search provider"):
        call(tmp_path, environ, "web_search", query="nvidia")
    assert not httpserver.log


def test_searxng_needs_an_address_and_no_key(tmp_path: Path, httpserver: HTTPServer) -> None:
    """One's own search engine, and the keys of others are not sent to it."""
    httpserver.expect_request("/searxng/search").respond_with_json({"results": [HIT]})
    result = call(tmp_path, at(httpserver, DEXTER_SEARCH__PROVIDERS="searxng"), "web_search", query="nvidia")
    assert result.tried[-1].provider == "searxng"
    request, _ = httpserver.log[0]
    assert not any(key in f"{request.url}{request.headers}" for key in KEYS.values())


def test_only_the_named_host_is_fetched_from(tmp_path: Path, httpserver: HTTPServer) -> None:
    """`web.allowed_hosts` opens one door; the same machine under another name stays shut."""
    httpserver.expect_request("/page").respond_with_data("hello", content_type="text/plain")
    environ = at(httpserver)
    assert "hello" in call(tmp_path, environ, "web_fetch", url=httpserver.url_for("/page")).text
    with pytest.raises(DexterError, match="this machine"):
        call(tmp_path, environ, "web_fetch", url=f"http://127.0.0.1:{httpserver.port}/page")
    assert len(httpserver.log) == 1


def test_no_key_goes_to_a_fetched_host(tmp_path: Path, httpserver: HTTPServer) -> None:
    """Neither in a header, nor in an address that a model was talked into."""
    httpserver.expect_request("/page").respond_with_data("hello", content_type="text/plain")
    environ = at(httpserver)
    call(tmp_path, environ, "web_fetch", url=httpserver.url_for("/page"))
    request, _ = httpserver.log[0]
    assert not any(key in f"{request.url}{request.headers}" for key in KEYS.values())
    with pytest.raises(DexterError, match="one of your keys") as caught:
        call(tmp_path, environ, "web_fetch", url=httpserver.url_for(f"/page?k={KEYS['EXA_API_KEY']}"))
    assert KEYS["EXA_API_KEY"] not in str(caught.value)
    with pytest.raises(ToolError, match="was not sent"):
        call(tmp_path, environ, "web_search", query=f"what is {KEYS['EXA_API_KEY']}")
    assert len(httpserver.log) == 1


def test_a_request_that_carries_text_out_waits_for_the_user(tmp_path: Path, httpserver: HTTPServer) -> None:
    """Nobody to ask: refused, naming the flag. A yes lets just this one through."""
    httpserver.expect_request("/x").respond_with_data("hello", content_type="text/plain")
    url, asked = httpserver.url_for("/x?d=TXkgY2xpZW50IEphbmUgUm9lIHdhbnRz"), []

    async def yes(request: ApprovalRequest) -> Decision:
        asked.append(request)
        return Decision("once")

    with pytest.raises(ToolError) as caught:
        call(tmp_path, at(httpserver), "web_fetch", url=url)
    assert f"--allow 'web_fetch:{url}'" in caught.value.remedy
    assert not httpserver.log
    assert "hello" in call(tmp_path, at(httpserver), "web_fetch", Approvals(yes), url=url).text
    assert (asked[0].proposal.target, asked[0].offers) == (url, ("once",))


def test_offline_there_is_no_web(tmp_path: Path) -> None:
    """No tool is offered that would need a socket."""

    async def names() -> list[str]:
        async with AsyncExitStack() as stack:
            return [
                tool.name
                for tool in build_tools(make_setup(tmp_path, {"DEXTER_OFFLINE": "true"}), 200_000, tmp_path, stack)
            ]

    assert not [name for name in asyncio.run(names()) if name.startswith("web_")]
