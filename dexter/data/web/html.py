"""A web page as Markdown: what a reader came for, with headings, links, lists and tables, and nothing that is hidden.

Nothing is guessed away: navigation and what the page itself marks as surroundings go, the rest stays. Tools that pick
the "main text" lose press releases made of tables. markdownify writes the Markdown; tables are read by the reader of
filings, which knows figures that are drawn over several cells.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from dexter.data.filings.blocks import Block, markdown_table, render
from dexter.data.filings.html_text import html_blocks
from dexter.data.filings.tables import TableCell, span, table_blocks
from dexter.data.web.document import Document, tidy
from dexter.text import one_line

if TYPE_CHECKING:
    from bs4 import BeautifulSoup, Tag

# What is larger or deeper than these is read as a stream, which keeps no links.
_LARGEST_TREE = 5_000_000  # characters
_MOST_TAGS = 300_000
_DEEPEST = 150
_LONGEST_LINK = 1_000
_LONGEST_TITLE = 300
_LEAST_SHARE = 0.5  # of the page's text, for a part to be taken for all that matters
_LITTLE_TEXT = 200
_MUCH_MARKUP = 5_000
_TABLE = "dexter-table"
_NEVER_SHOWN = (
    "script",
    "style",
    "template",
    "noscript",
    "svg",
    "math",
    "iframe",
    "object",
    "canvas",
    "head",
    "dialog",
)
_CONTROLS = ("button", "input", "select", "textarea", "datalist")
_SURROUNDINGS = ("navigation", "banner", "contentinfo", "search", "dialog", "alertdialog", "menu", "menubar")
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?![.\d])|opacity\s*:\s*0(?![.\d])")
_CONSENT = re.compile(r"(?:^|[\s_-])(?:cookie|consent|gdpr)s?(?:$|[\s_-])", re.IGNORECASE)
_LONG_GAP = 200
_GAP = re.compile(rf"\s{{{_LONG_GAP},}}")
_LINE_ENDS = re.compile(r"[\t\r\n]")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_DATES = ("article:published_time", "datepublished", "date", "dc.date", "dcterms.date", "pubdate", "publish-date")
_UNREAD = "The page is built by scripts in the browser or holds little text: more may be there than could be read."


def html_document(text: str, url: str = "") -> Document:
    """The document a page is. `url` makes its links whole."""
    if len(text) > _LARGEST_TREE or text.count("<") > _MOST_TAGS:
        return _streamed(text, "The page is large: it was read without its links.")
    soup = _soup(text)
    if _depth(soup) > _DEEPEST:
        return _streamed(text, "The page is nested absurdly deep: it was read without its links.")
    return _built(soup, url, markup=len(text))


def _soup(text: str) -> BeautifulSoup:
    from bs4 import BeautifulSoup, XMLParsedAsHTMLWarning

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", XMLParsedAsHTMLWarning)  # XHTML is read as the HTML it nearly is
        return BeautifulSoup(text, "lxml")


def _depth(soup: BeautifulSoup) -> int:
    """How deep elements stand in each other. What follows walks up and down from each of them."""
    depths = {id(soup): 0}
    for tag in soup.find_all(True):
        depths[id(tag)] = depths[id(tag.parent)] + 1
    return max(depths.values())


def _built(soup: BeautifulSoup, url: str, markup: int) -> Document:
    title, published, base = _title(soup), _published(soup), _base(soup, url)
    _drop_unseen(soup)
    part = _main(soup)
    for table in reversed(part.find_all("table")):
        _settle(table, base)
    _tame(part)
    _close_gaps(part)
    markdown = tidy(_markdown(part, base))
    is_thin = len(markdown) < _LITTLE_TEXT and markup > _MUCH_MARKUP
    return Document(markdown, title, published, (_UNREAD,) if is_thin else ())


def _streamed(text: str, note: str) -> Document:
    blocks = html_blocks(text.encode("utf-8", "replace"))
    return Document(tidy(render(blocks)), notes=(note,))


def _title(soup: BeautifulSoup) -> str:
    found = soup.find("title") or soup.find("h1")
    return tidy(one_line(found.get_text(" ")))[:_LONGEST_TITLE] if found else ""


def _published(soup: BeautifulSoup) -> str:
    """The day the page says it is from, by the name that is most used for it."""
    found: dict[str, str] = {}
    for meta in soup.find_all("meta"):
        match = _DAY.match(_attribute(meta, "content"))
        for key in ("property", "name", "itemprop") if match else ():
            found.setdefault(_attribute(meta, key).lower(), match[0] if match else "")
    return next((found[name] for name in _DATES if name in found), "")


def _base(soup: BeautifulSoup, url: str) -> str:
    found = soup.find("base", href=True)
    return _joined(url, str(found["href"])) if found else url


def _drop_unseen(soup: BeautifulSoup) -> None:
    """Take out what is never shown, what is hidden, and what the page marks as its surroundings."""
    for tag in list(soup.find_all(True)):
        if not tag.decomposed and _is_unseen(tag):
            tag.decompose()


def _is_unseen(tag: Tag) -> bool:
    if tag.name in _NEVER_SHOWN or tag.name in _CONTROLS or tag.name.startswith("ix:header"):
        return True
    if tag.has_attr("hidden") or _attribute(tag, "aria-hidden") == "true":
        return True
    if _HIDDEN.search(_attribute(tag, "style").lower()):
        return True
    return _is_surrounding(tag)


def _is_surrounding(tag: Tag) -> bool:
    if _attribute(tag, "role").lower() in _SURROUNDINGS or tag.name == "nav":
        return True
    if tag.name in ("header", "footer", "aside"):
        holds_content = tag.find(("h1", "table")) is not None
        return not holds_content and tag.find_parent(("article", "main")) is None
    named = f"{_attribute(tag, 'id')} {_attribute(tag, 'class')}"
    return bool(_CONSENT.search(named)) and tag.name not in ("html", "body") and tag.find("h1") is None


def _attribute(tag: Tag, name: str) -> str:
    value = tag.get(name, "")
    return " ".join(value) if isinstance(value, list) else str(value or "")


def _main(soup: BeautifulSoup) -> Tag:
    """The part the page itself marks as the main one, if it holds most of the text; else all of it."""
    whole = len(soup.get_text())
    marked = [*soup.find_all("main"), *soup.select("[role=main]"), *soup.find_all("article")]
    best = max(marked, key=lambda tag: len(tag.get_text()), default=None)
    return best if best is not None and len(best.get_text()) >= _LEAST_SHARE * whole else soup


def _tame(part: Tag) -> None:
    """Take from markdownify what it stumbles over: cells outside tables, and numbers that are none."""
    for stray in part.find_all(("tr", "td", "th", "tbody", "thead", "tfoot", "caption")):
        stray.name = "div"
    for numbered in part.find_all("ol", start=True):
        if not re.fullmatch(r"[0-9]{1,6}", _attribute(numbered, "start")):
            del numbered["start"]


def _close_gaps(part: Tag) -> None:
    """Cut long runs of white space: the time that markdownify takes for one grows with its square."""
    for text in list(part.find_all(string=True)):
        if len(text) > _LONG_GAP and (closed := _GAP.sub(" ", text)) != text:
            text.replace_with(type(text)(closed))


def _settle(table: Tag, base: str) -> None:
    """Put the Markdown of a table of data in its place; a table that only lays out becomes plain divisions."""
    rows = [[_cell(cell, base) for cell in _own(row, ("td", "th"))] for row in _own_rows(table)]
    holds_blocks = table.find((_TABLE, "h1", "h2", "h3", "ul", "ol", "blockquote", "pre")) is not None
    blocks = [] if holds_blocks else table_blocks(rows, 1)
    if any(block.is_row for block in blocks):
        if caption := table.find("caption"):
            caption.name = "p"
            table.insert_before(caption.extract())
        table.name, table.attrs = _TABLE, {}
        table.string = markdown_table([block.cells for block in blocks if block.is_row])
        return
    for tag in [table, *table.find_all(("tbody", "thead", "tfoot", "tr", "td", "th", "caption"))]:
        tag.name = "div"


def _own_rows(table: Tag) -> Iterator[Tag]:
    """The table's rows; by now no table is left inside it."""
    yield from table.find_all("tr")


def _own(row: Tag, names: tuple[str, ...]) -> Iterator[Tag]:
    yield from row.find_all(names, recursive=False)


def _cell(cell: Tag, base: str) -> TableCell:
    for link in cell.find_all("a", href=True):
        if link.find("table") is None:
            link.replace_with(_link(one_line(link.get_text(" ")), _joined(base, _attribute(link, "href"))))
    for stop in cell.find_all(("br", "p", "div", "li")):
        stop.append(" ")
    text = tidy(one_line(cell.get_text()))
    read = TableCell(span(_attribute(cell, "colspan")), span(_attribute(cell, "rowspan")))
    read.blocks.extend([Block(text)] if text else [])
    return read


def _link(text: str, target: str) -> str:
    """A link in Markdown; one that leads nowhere outside the page is its text."""
    text = text.replace("[", "(").replace("]", ")")
    if not text or not target.startswith(("http://", "https://")) or len(target) > _LONGEST_LINK:
        return text
    return f"[{text}]({target.replace(' ', '%20').replace('(', '%28').replace(')', '%29')})"


def _joined(base: str, target: str) -> str:
    """The whole address of a link; '' for one within the page or of another kind."""
    target = _LINE_ENDS.sub("", target).strip()
    if not target or target.startswith("#"):
        return ""
    try:
        return urljoin(base, target)
    except ValueError:
        return ""


def _markdown(part: Tag, base: str) -> str:
    from markdownify import ATX, MarkdownConverter

    class Converter(MarkdownConverter):
        """Markdown for a reader of facts: no emphasis, whole links, images as their description."""

        def convert_a(self, el: Tag, text: str, parent_tags: set[str]) -> str:
            del parent_tags
            lead, trail = text[: len(text) - len(text.lstrip())][:1], text[len(text.rstrip()) :][:1]
            return f"{lead}{_link(one_line(text), _joined(base, _attribute(el, 'href')))}{trail}"

        def convert_img(self, el: Tag, text: str, parent_tags: set[str]) -> str:
            del text, parent_tags
            described = one_line(_attribute(el, "alt"))
            return f"(image: {described})" if described else ""

        def convert_dexter_table(self, el: Tag, text: str, parent_tags: set[str]) -> str:
            del el, parent_tags
            return f"\n\n{text.strip()}\n\n"

    converter = Converter(
        heading_style=ATX,
        bullets="-",
        strip=["b", "strong", "em", "i", "u", "s", "del", "mark"],
        escape_asterisks=False,
        escape_underscores=False,
    )
    return converter.convert_soup(part)
