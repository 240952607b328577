"""Pieces of HTML that are safe as they are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from dexter.ui.page.markdown import link_html
from dexter.ui.tools import source_name

if TYPE_CHECKING:
    from markupsafe import Markup


def as_markup(html: str) -> Markup:
    """HTML that is safe as it is."""
    from markupsafe import Markup

    return Markup(html)  # noqa: S704 - every caller's text went through escaping or is the package's own


def source_link(source: Mapping[str, Any]) -> Markup:
    """A source by its name, linked where it is on the web."""
    return as_markup(link_html(str(source.get("url") or ""), source_name(source)))
