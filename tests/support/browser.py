"""A real browser that looks at pages of ours: headless Chromium, where there is one."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


@contextmanager
def a_browser() -> Iterator[Browser]:
    """Chromium; the test is skipped where it or its driver is absent."""
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if chromium is None:
        pytest.skip("there is no Chromium; `apt-get install chromium` brings it")
    driver = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with driver.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield browser
        browser.close()


class Watched:
    """An opened page, and what it did that a page of ours must not do: requests, console messages, dialogs."""

    def __init__(
        self, browser: Browser, path: Path, *, scheme: Literal["light", "dark"] = "light", **size: Any
    ) -> None:
        self.page: Page = browser.new_page(color_scheme=scheme, **size)
        self.page.set_default_timeout(10_000)
        self.faults: list[str] = []
        self.page.on("console", lambda message: self.faults.append(f"console: {message.text}"))
        self.page.on("pageerror", lambda error: self.faults.append(f"error: {error}"))
        self.page.on("dialog", lambda dialog: (self.faults.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        self.page.on("request", lambda request: self._requested(request.url, path))
        self.page.goto(path.as_uri())

    def _requested(self, url: str, path: Path) -> None:
        if url.split("#", maxsplit=1)[0] != path.as_uri():
            self.faults.append(f"request: {url}")
