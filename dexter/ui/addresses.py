"""Links that do not lead where their text says: their address is written behind them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from markdown_it.token import Token

# What reads like a host: two labels or more, the last of letters.
_HOST = re.compile(r"(?<![\w@])(?:[\w-]+\.)+[^\W\d_]{2,}", re.IGNORECASE)


def is_misleading(text: str, url: str) -> bool:
    """Whether a link's text names another host than its address, or the address hides its host behind a user name."""
    try:
        parts = urlsplit(url)
        host = (parts.hostname or "").rstrip(".")
    except ValueError:
        return True
    named = {found.casefold() for found in _HOST.findall(text)}
    return "@" in parts.netloc or any(name != host and not host.endswith(f".{name}") for name in named)


def tell_addresses(tokens: Sequence[Token]) -> None:
    """Put the address behind each misleading link of parsed Markdown."""
    for token in tokens:
        if token.children:
            token.children = list(_told(token.children))
            tell_addresses(token.children)


def _told(children: Sequence[Token]) -> Iterator[Token]:
    from markdown_it.token import Token

    url, text = "", ""
    for child in children:
        yield child
        if child.type == "link_open":
            url, text = str(child.attrs.get("href") or ""), ""
        elif child.type == "link_close":
            if url and is_misleading(text, url):
                yield Token("text", "", 0, content=f" ({url})")
            url = ""
        else:
            text += child.content
