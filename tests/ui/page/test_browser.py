"""The page of a run as a browser shows it: folds, search, links, colours, and hostile content that does nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from dexter.events import Answered, ModelCall, ModelResponded, Subagent
from dexter.ui.page.render import render_page
from dexter.ui.page.timeline import Record
from dexter.usage import Usage
from tests.support.browser import Watched, a_browser
from tests.support.events import ANSWER, STARTED
from tests.support.pages import HOSTILE, a_page, hostile_page, page_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with a_browser() as opened:
        yield opened


@pytest.fixture
def page_file(tmp_path: Path) -> Path:
    path = tmp_path / "run.html"
    page = render_page(a_page(), Record(lambda number, most: f"needle{number} in a haystack"[:most]))
    path.write_text(page, encoding="utf-8")
    return path


def test_folds_open_and_close(browser: Browser, page_file: Path) -> None:
    """Turns are folded at first; one opens by a click, all by a button."""
    watched = Watched(browser, page_file)
    page = watched.page
    assert not page.locator("details.turn").first.get_attribute("open")
    page.locator("details.turn > summary").first.click()
    assert page.locator("#r1").is_visible()
    page.locator("#close").click()
    assert not page.locator("#r1").is_visible()
    page.locator("#open").click()
    assert page.locator("#r1").is_visible()
    assert not watched.faults


def test_search_finds_what_is_folded_away(browser: Browser, page_file: Path) -> None:
    """Only the turns that hold the words stay, opened down to the result; an empty search brings all back."""
    watched = Watched(browser, page_file)
    page = watched.page
    page.keyboard.press("/")
    page.keyboard.type("NEEDLE2")
    assert page.locator("details.turn:not([hidden])").count() == 1
    assert page.get_by_text("needle2 in a haystack").is_visible()
    page.keyboard.press("Escape")
    assert page.locator("details.turn[hidden]").count() == 0
    page.locator("#search").fill("nowhere")
    assert page.locator("details.turn:not([hidden])").count() == 0
    assert "0 of" in page.locator("#found").inner_text()
    assert not watched.faults


def test_search_finds_what_a_sub_agent_found(browser: Browser, tmp_path: Path) -> None:
    """Its run lies folded in the turn that started it; a search opens all the way down, and it leads nowhere else."""
    path = tmp_path / "run.html"
    part = (hostile_page(), Record(lambda number, most: f"thread{number} {HOSTILE}"[:most]))
    whole = page_of([(1, STARTED), (1, Subagent(HOSTILE, "started")), (1, Subagent(HOSTILE, "answered"))])
    path.write_text(render_page(whole, Record(lambda _number, _most: "", {HOSTILE: part})), encoding="utf-8")
    watched = Watched(browser, path)
    page = watched.page
    assert (page.locator("details.turn details.part > summary").first.text_content() or "").endswith("answered")
    page.locator("#search").fill("thread1 ")
    assert page.get_by_text("thread1 ").is_visible()
    page.locator("#search").fill("")
    assert not page.get_by_text("thread1 ").is_visible()
    assert page.locator("details.part [id]").count() == 0
    assert not watched.faults
    assert page.evaluate("window.pwned === undefined")


def test_a_run_without_a_call_is_a_page_without_a_timeline(browser: Browser, tmp_path: Path) -> None:
    """Nothing to fold and nothing to search, and no script that looks for them; after a run that has them, too."""
    events = [STARTED, ModelCall("h", 9), ModelResponded("Hello.", (), "end_turn", Usage(9), "", 0.1)]
    content = page_of((1, event) for event in (*events, Answered("Hello.", True, (), ())))
    record = Record(lambda _number, _most: "")
    for number, earlier in enumerate(((), ((a_page(), record),))):
        path = tmp_path / f"{number}.html"
        path.write_text(render_page(content, record, earlier), encoding="utf-8")
        watched = Watched(browser, path)
        assert watched.page.locator("#search").count() == 0
        assert watched.page.get_by_text("Hello.").is_visible()
        if earlier:
            watched.page.locator("a.figure.found").first.click()
            assert watched.page.locator("#r1").is_visible()
        assert not watched.faults


def test_many_figures_are_folded_on_the_screen_and_open_on_paper(browser: Browser, tmp_path: Path) -> None:
    """In a report, too, which has no script."""
    row = {"start": 0, "end": 7, "text": "130,497", "status": "found", "result": 1}
    events = [STARTED, Answered(ANSWER, True, tuple({**row, "text": f"{n}"} for n in range(20)), ())]
    for number, record in enumerate((None, Record(lambda _number, _most: ""))):
        path = tmp_path / f"{number}.html"
        path.write_text(render_page(page_of((1, event) for event in events), record), encoding="utf-8")
        page = Watched(browser, path).page
        assert not page.locator("#f20").is_visible()
        page.emulate_media(media="print")
        assert page.locator("#f20").is_visible()


def test_a_figure_leads_to_the_result_it_comes_from(browser: Browser, page_file: Path) -> None:
    """A click on a number of the answer opens its result; one that was not found leads to its row."""
    watched = Watched(browser, page_file)
    page = watched.page
    page.locator("a.figure.found").first.click()
    assert page.get_by_text("needle1 in a haystack").is_visible()
    page.locator("a.figure.not_found").first.click()
    assert page.locator("tr:target").get_by_text("this is FY2024").is_visible()
    assert not watched.faults


def test_dark_and_light_are_both_readable(browser: Browser, page_file: Path) -> None:
    """The page follows the reader's scheme: dark ink on light paper, and the other way round."""

    def colours(scheme: str) -> tuple[int, int]:
        page = Watched(browser, page_file, scheme=scheme).page  # type: ignore[arg-type]
        style = "getComputedStyle(document.body)"
        values = [page.evaluate(f"{style}.{name}.match(/\\d+/g).map(Number)") for name in ("backgroundColor", "color")]
        return sum(values[0]), sum(values[1])

    paper, ink = colours("light")
    dark_paper, light_ink = colours("dark")
    assert paper - ink > 400
    assert light_ink - dark_paper > 400


@pytest.mark.parametrize("width", [360, 1280])
def test_nothing_sticks_out_sideways(browser: Browser, page_file: Path, width: int) -> None:
    """On a phone and on a desk the page is as wide as the window; wide tables scroll in themselves."""
    page = Watched(browser, page_file, viewport={"width": width, "height": 700}).page
    page.locator("#open").click()
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_everything_is_open_on_paper(browser: Browser, page_file: Path) -> None:
    """A print has what is folded away on the screen, and none of the buttons."""
    page = Watched(browser, page_file).page
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("#r1").is_visible()
    assert not page.locator("#search").is_visible()


def test_hostile_content_is_inert(browser: Browser, tmp_path: Path) -> None:
    """Whatever stands in question, calls, results, sources, notices and answer: no script, no request, no dialog."""
    path = tmp_path / "hostile.html"
    path.write_text(render_page(hostile_page(), Record(lambda _number, _most: HOSTILE)), encoding="utf-8")
    watched = Watched(browser, path)
    page = watched.page
    page.locator("#open").click()
    page.wait_for_timeout(300)
    assert not watched.faults
    assert page.evaluate("window.pwned === undefined")
    assert page.evaluate("[...document.querySelectorAll('script')].length") == 1
    assert page.locator("img, iframe, object, form, base, [onclick], [onerror], [onload]").count() == 0
    hrefs = page.evaluate("[...document.querySelectorAll('a')].map((link) => link.getAttribute('href'))")
    assert all(href.startswith(("#", "http://", "https://")) for href in hrefs)
