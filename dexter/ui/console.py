"""Consoles with Dexter's few styles: the terminal's own colours only, so that light and dark themes both work."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TextIO

from rich.console import Console
from rich.theme import Theme

TONES: Mapping[str, str] = {"info": "cyan", "good": "green", "warn": "yellow", "bad": "red", "quiet": "dim"}
_THEME = Theme(
    {
        "markdown.code": "bold",
        "markdown.code_block": "",
        "markdown.h1": "bold underline",
        "markdown.h2": "bold",
        "markdown.h3": "bold",
        "markdown.h4": "bold",
        "markdown.link": "underline",
        "markdown.link_url": "underline",
        "markdown.block_quote": "italic",
        "markdown.item.number": "bold",
        "markdown.table.border": "dim",
        "markdown.table.header": "bold",
    }
)


def make_console(
    stream: TextIO, environ: Mapping[str, str], *, width: int | None = None, record: bool = False
) -> Console:
    """A console on this stream. Colours, width and dumb terminals as `environ` says; nothing is highlighted.

    With `record` what is printed can be exported as a picture, in colours whatever the stream is.
    """
    return Console(
        file=stream,
        _environ=environ,
        width=width,
        theme=_THEME,
        color_system="standard" if record else "auto",
        record=record,
        highlight=False,
        markup=False,
        emoji=False,
        soft_wrap=False,
    )
