"""Seeded variants of a filing: the same words in another dress, as other filers and other decades wrote them.

Each change works on the HTML alone and knows nothing of how the product reads it.
"""

from __future__ import annotations

import random
import re
import textwrap
from collections.abc import Callable, Iterator

from lxml import html

_HEADING = re.compile(r"\s*(item|part)\s*([0-9]{1,2}[a-c]?|iv|i{1,3})(?![\w.]*\d)", re.IGNORECASE)
_NUMBER = re.compile(r"(\s*item\s*\d{1,2}[a-c]?\s*[.:]?)\s*(.*)", re.IGNORECASE | re.DOTALL)

Change = Callable[[html.HtmlElement, random.Random], None]


def parse(content: bytes) -> html.HtmlElement:
    """The tree of a filing."""
    return html.fromstring(content, parser=html.HTMLParser(encoding="utf-8", huge_tree=True))


def headings(tree: html.HtmlElement) -> Iterator[html.HtmlElement]:
    """Paragraphs outside tables that open a part or an item."""
    for element in tree.iter("div", "p"):
        text = element.text_content()
        if len(text) < 250 and _HEADING.match(text) and not element.xpath(".//div | .//p | .//table | ancestor::table"):
            yield element


def _texts(element: html.HtmlElement) -> Iterator[html.HtmlElement]:
    return (part for part in element.iter() if isinstance(part.tag, str) and part.text)


def recase(tree: html.HtmlElement, rng: random.Random) -> None:
    """Headings in capitals, in small letters, or with capitals at the start of words."""
    change = rng.choice([str.upper, str.lower, str.title])
    for heading in headings(tree):
        for part in _texts(heading):
            part.text = change(part.text)


def into_tables(tree: html.HtmlElement, rng: random.Random) -> None:
    """Headings as layout tables: number and title in cells of their own, or in tables of their own."""
    apart = rng.random() < 0.3
    for heading in list(headings(tree)):
        match = _NUMBER.fullmatch(heading.text_content())
        if not match or not match[2].strip():
            continue
        cells = [f"<td>{escaped(text)}</td>" for text in (match[1], match[2])]
        rows = "</tr></table><table><tr>".join(cells) if apart else "<td></td>".join(cells)
        box = html.fragment_fromstring(f"<div><table><tr>{rows}</tr></table></div>")
        _replace(heading, box)


def punctuation(tree: html.HtmlElement, rng: random.Random) -> None:
    """Another sign between number and title, or none."""
    sign = rng.choice([" – ", "—", ": ", " ", " - ", ".  "])
    for heading in list(headings(tree)):
        match = _NUMBER.fullmatch(" ".join(heading.text_content().split()))
        if match and match[2]:
            _replace(heading, _element("div", match[1].rstrip(" .:") + sign + match[2]))


def split_spans(tree: html.HtmlElement, rng: random.Random) -> None:
    """Headings torn into pieces of a few letters, each in a tag of its own."""
    for heading in list(headings(tree)):
        text = heading.text_content()
        box = html.Element("div")
        while text:
            length = rng.randint(1, 9)
            piece = html.Element(rng.choice(["span", "font", "b"]))
            piece.text, text = text[:length], text[length:]
            box.append(piece)
        _replace(heading, box)


def broken_titles(tree: html.HtmlElement, rng: random.Random) -> None:
    """Long titles over two lines, by a line break or as two paragraphs."""
    for heading in list(headings(tree)):
        words = heading.text_content().split()
        if len(words) > 7:
            cut = rng.randint(4, len(words) - 1)
            box = html.Element("div")
            box.append(_element("div", " ".join(words[:cut])))
            box.append(_element("div", " ".join(words[cut:])))
            if rng.random() < 0.5:
                box = _element("div", " ".join(words[:cut]))
                line = html.Element("br")
                line.tail = " ".join(words[cut:])
                box.append(line)
            _replace(heading, box)


def no_style(tree: html.HtmlElement, _: random.Random) -> None:
    """No style at all but what hides text: page breaks can't be seen."""
    for element in tree.iter():
        style = element.attrib.get("style", "") if isinstance(element.tag, str) else ""
        if style and "none" not in style:
            del element.attrib["style"]


def running_heads(tree: html.HtmlElement, rng: random.Random) -> None:
    """A head and a foot on every page of a document of several pages."""
    name = rng.choice(["ACME HOLDINGS, INC.", "Form 10-K Annual Report", "Acme Holdings | 2024 Report"])
    breaks = [e for e in tree.iter("hr") if "page-break" in e.attrib.get("style", "")]
    for number, element in enumerate(breaks if len(breaks) > 3 else (), 1):
        foot, head = _element("p", f"{name} {number}"), _element("p", name)
        element.addprevious(foot)
        element.addnext(head)


def continued(tree: html.HtmlElement, rng: random.Random) -> None:
    """The heading of the open item again on a later page, marked as continued."""
    breaks = [e for e in tree.iter("hr") if "page-break" in e.attrib.get("style", "")]
    current = ""
    marks = set(rng.sample(breaks, min(12, len(breaks))))
    known = set(headings(tree))
    for element in tree.iter("div", "p", "hr"):
        if element.tag != "hr" and re.fullmatch(r"\s*signatures?\s*", element.text_content(), re.IGNORECASE):
            current = ""
        elif element in known:
            text = " ".join(element.text_content().split())
            current = text if text.lower().startswith("item") else ""
        elif element in marks and current:
            element.addnext(_element("div", f"{current} (continued)"))


def swap_parts(tree: html.HtmlElement, _: random.Random) -> None:
    """The first part after the last; the signatures stay at the end."""
    starts = [h for h in headings(tree) if re.match(r"\s*part\s", h.text_content(), re.IGNORECASE)]
    ends = [e for e in tree.iter("div") if re.fullmatch(r"\s*signatures?\s*", e.text_content(), re.IGNORECASE)]
    ends = [e for e in ends if not e.xpath("ancestor::table | .//div")]
    if len(starts) < 2 or not ends:
        return
    container, tops = _common([starts[0], starts[1], ends[-1]])
    children = list(container)
    first, second, last = (children.index(top) for top in tops)
    if not first < second < last:
        return
    for child in children[first:second]:
        children[last].addprevious(child)


def whole_in_table(tree: html.HtmlElement, _: random.Random) -> None:
    """The whole document in one cell, as page makers of the nineties did."""
    body = tree.find(".//body")
    table, row, cell = html.Element("table"), html.Element("tr"), html.Element("td")
    for child in list(body):
        cell.append(child)
    row.append(cell)
    table.append(row)
    body.append(table)


def without_contents(tree: html.HtmlElement, _: random.Random) -> None:
    """No table of contents."""
    for table in list(tree.iter("table")):
        rows = [" ".join(row.text_content().split()) for row in table.iter("tr")]
        if sum(bool(_HEADING.match(row)) for row in rows) >= 5:
            table.getparent().remove(table)


def contents_last(tree: html.HtmlElement, _: random.Random) -> None:
    """The table of contents as an index at the end."""
    body = tree.find(".//body")
    for table in list(tree.iter("table")):
        rows = [" ".join(row.text_content().split()) for row in table.iter("tr")]
        if sum(bool(_HEADING.match(row)) for row in rows) >= 5:
            body.append(table)


def cross_references(tree: html.HtmlElement, rng: random.Random) -> None:
    """Paragraphs that name items, as forward-looking statements and risk factors do."""
    lines = [
        "Item 1A of this report describes the risks that the reader should know of before going on.",
        "Item 7, “Management’s Discussion and Analysis of Financial Condition and Results of Operations,” says more.",
        "See Item 3. Legal Proceedings.",
        "“Item 1. Business” and “Item 7. Management’s Discussion and Analysis” hold forward-looking statements.",
    ]
    paragraphs = [
        p
        for p in tree.iter("div")
        if len(p) and len(p.text_content()) > 600 and not p.xpath("ancestor::table | .//table")
    ]
    inner = [p for p in paragraphs if not p.xpath(".//div")]
    for paragraph in rng.sample(inner, min(8, len(inner))):
        following = paragraph.getnext()
        if following is not None and len(following.text_content()) > 600:
            paragraph.addnext(_element("div", rng.choice(lines)))


_INTACT: tuple[Change, ...] = (
    recase, into_tables, punctuation, split_spans, broken_titles, no_style, running_heads, continued, swap_parts,
    whole_in_table, contents_last, cross_references,
)  # fmt: skip


def variant(content: bytes, seed: int) -> tuple[bytes, str]:
    """A variant of a filing by seed, and the names of what was done to it."""
    rng = random.Random(seed)  # noqa: S311 - a seed that can be named
    tree = parse(content)
    chosen = rng.sample(_INTACT, rng.randint(1, 3))
    if rng.random() < 0.15:
        chosen.append(without_contents)
    for change in chosen:
        change(tree, rng)
    dress = rng.choice([_as_is, _as_is, _windows, _entities, _byte_order_mark, _capital_tags, _wrapped])
    return dress(html.tostring(tree, encoding="unicode"), rng), " ".join(step.__name__ for step in (*chosen, dress))


def without_heading(content: bytes, part: str, number: str, *, links: bool) -> bytes:
    """The filing with one item's heading left out; without `links`, nothing in the contents leads there either."""
    tree = parse(content)
    within = ""
    for heading in list(headings(tree)):
        text = " ".join(heading.text_content().split())
        if match := re.match(r"part\s+(iv|i{1,3})\b", text, re.IGNORECASE):
            within = match[1].upper()
        if within == part and re.match(rf"item\s*{number}\b", text, re.IGNORECASE):
            _replace(heading, html.Element("div"))
    if not links:
        for link in tree.iter("a"):
            link.attrib.pop("href", None)
    return html.tostring(tree, encoding="utf-8")


def plain_text(content: bytes, form: str) -> bytes:
    """The filing as the plain text of the nineties: wrapped at 78 columns, pages marked, in the SEC's wrapper."""
    tree = parse(content)
    for hidden in [e for e in tree.iter() if isinstance(e.tag, str) and e.tag in {"ix:header", "head", "title"}]:
        hidden.drop_tree()
    lines = ["<DOCUMENT>", f"<TYPE>{form}", "<SEQUENCE>1", "<TEXT>", "<PAGE>", ""]
    for element in tree.iter("div", "p", "table", "hr"):
        if element.tag == "hr":
            lines += ["", "<PAGE>", ""]
        elif element.tag == "table" and not element.xpath("ancestor::table"):
            rows = [" ".join(row.text_content().split()) for row in element.iter("tr")]
            rows = [row for row in rows if row]
            marks = ("<TABLE>", "</TABLE>") if len(rows) > 1 else ("", "")
            lines += ["", marks[0], *rows, marks[1], ""]
        elif element.tag != "table" and not element.xpath(".//div | .//p | .//table | ancestor::table"):
            lines += [*textwrap.wrap(" ".join(element.text_content().split()), 78), ""]
    return "\n".join([*lines, "</TEXT>", "</DOCUMENT>"]).encode("utf-8")


def escaped(text: str) -> str:
    """Text as it stands in markup."""
    return text.replace("&", "&amp;").replace("<", "&lt;")


def _element(tag: str, text: str) -> html.HtmlElement:
    element = html.Element(tag)
    element.text = text
    return element


def _replace(old: html.HtmlElement, new: html.HtmlElement) -> None:
    new.tail, old.tail = old.tail, None
    old.getparent().replace(old, new)


def _common(elements: list[html.HtmlElement]) -> tuple[html.HtmlElement, list[html.HtmlElement]]:
    """The nearest element that holds all, and its children that hold each."""
    paths = [[element, *element.iterancestors()] for element in elements]
    container = next(node for node in paths[0] if all(node in path for path in paths) and node not in elements)
    return container, [path[path.index(container) - 1] for path in paths]


def _as_is(text: str, _: random.Random) -> bytes:
    return text.encode("utf-8")


def _windows(text: str, _: random.Random) -> bytes:
    return text.encode("windows-1252", errors="xmlcharrefreplace")


def _entities(text: str, rng: random.Random) -> bytes:
    """Quotes, dashes and a share of the spaces and letters of headings as entities."""

    def obscure(match: re.Match[str]) -> str:
        return "".join(f"&#{ord(c)};" if rng.random() < 0.4 else ("&nbsp;" if c == " " else c) for c in match[0])

    text = re.sub(r"(?<=>)\s*Item\s\d[^<&]*", obscure, text, flags=re.IGNORECASE)
    return (
        text.replace("’", "&#146;").replace("“", "&ldquo;").replace("”", "&#148;").encode("ascii", "xmlcharrefreplace")
    )


def _byte_order_mark(text: str, _: random.Random) -> bytes:
    return b"\xef\xbb\xbf" + text.encode("utf-8")


def _capital_tags(text: str, _: random.Random) -> bytes:
    return re.sub(r"</?[a-z]+\d?", lambda match: match[0].upper(), text).encode("utf-8")


def _wrapped(text: str, _: random.Random) -> bytes:
    return f"<DOCUMENT>\n<TYPE>10-K\n<SEQUENCE>1\n<FILENAME>a.htm\n<TEXT>\n{text}\n</TEXT>\n</DOCUMENT>".encode()
