"""An answer's Markdown as HTML that can do nothing: no tags of its own, no pictures, no links but to the web.

Figures that were checked are marked in it. They are given as places in the Markdown; private-use characters carry the
places through the rendering.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING

from dexter.ui.addresses import is_misleading, tell_addresses
from dexter.ui.literal import literal

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_BEGIN, _OF, _END = "\ue000", "\ue001", "\ue002"
_MARKER = re.compile(f"[{_BEGIN}{_OF}{_END}]")
_TAG = re.compile(r"<[^>]*>")
_NUMBER_MARK = re.compile(f"{_BEGIN}\\d+{_OF}|{_END}")
# As they are spelled in an address.
_IN_ADDRESS = re.compile(r"%EE%80%80\d+%EE%80%81|%EE%80%82")
_FIGURE = re.compile(f"{_BEGIN}(\\d+){_OF}([^<{_BEGIN}{_END}]*){_END}")
_WEB = ("https://", "http://")

Span = tuple[int, int]


def answer_html(text: str, spans: Sequence[Span] = (), mark: Callable[[int, str], str] = lambda _at, html: html) -> str:
    """The answer as HTML.

    Args:
        text: Markdown.
        spans: places of figures in `text`, ascending, apart from each other.
        mark: what becomes of the HTML of the figure with that place in `spans`.
    """
    parser = _parser()
    tokens = parser.parse(literal(_with_marks(text, spans)))
    _make_literal(tokens)
    tell_addresses(tokens)
    html = parser.renderer.render(tokens, parser.options, {})
    html = _TAG.sub(lambda tag: _IN_ADDRESS.sub("", _NUMBER_MARK.sub("", tag[0])), html)
    html = _FIGURE.sub(lambda match: mark(int(match[1]), match[2]), html)
    return _NUMBER_MARK.sub("", html)  # a figure with markup in its middle stays as it is


def link_html(url: str, text: str) -> str:
    """A link where the address is one of the web; else the text alone."""
    shown = escape(literal(text))
    if not url.startswith(_WEB):
        return shown
    address = escape(literal(url))
    behind = f" ({address})" if is_misleading(text, url) else ""
    return f'<a href="{address}" rel="noopener noreferrer">{shown}</a>{behind}'


def _with_marks(text: str, spans: Sequence[Span]) -> str:
    parts, done = [], 0
    for at, (start, end) in enumerate(spans):
        if done <= start < end <= len(text):
            parts += [_clean(text[done:start]), f"{_BEGIN}{at}{_OF}", _clean(text[start:end]), _END]
            done = end
    return "".join((*parts, _clean(text[done:])))


def _clean(text: str) -> str:
    return _MARKER.sub("\ufffd", text)


def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False}).enable("table").disable(["image", "html_block", "html_inline"])
    parser.validateLink = lambda url: url.startswith(_WEB)  # type: ignore[method-assign] # its documented hook
    return parser


def _make_literal(tokens: Iterable[Token]) -> None:
    """Once more after parsing: Markdown can spell characters as entities."""
    for token in tokens:
        token.content = literal(token.content)
        token.attrs = {name: literal(value) if isinstance(value, str) else value for name, value in token.attrs.items()}
        if "style" in token.attrs:  # the page's security policy allows no styles but its own
            token.attrs = {"class": "right"} if "right" in str(token.attrs["style"]) else {}
        if token.type == "link_open":
            token.attrSet("rel", "noopener noreferrer")
        _make_literal(token.children or ())
