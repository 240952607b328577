"""Which terminals show links one can click (OSC 8)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

# Variables by which terminals that know OSC 8 links name themselves.
_LINK_PROGRAMS = frozenset({"iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper", "rio", "WarpTerminal", "Tabby"})
_LINK_TERMS = ("xterm-kitty", "xterm-ghostty", "foot", "alacritty", "contour", "wezterm")
_LINK_MARKS = ("KITTY_WINDOW_ID", "WT_SESSION", "KONSOLE_VERSION", "DOMTERM", "WEZTERM_PANE")
_FIRST_VTE_WITH_LINKS = 5000


def knows_links(environ: Mapping[str, str]) -> bool:
    """Whether this terminal shows OSC 8 links, by the name it gives itself; unknown terminals get addresses."""
    if environ.get("TMUX") or environ.get("STY"):
        return False
    vte = environ.get("VTE_VERSION", "")
    return (
        environ.get("TERM_PROGRAM") in _LINK_PROGRAMS
        or environ.get("TERM", "").startswith(_LINK_TERMS)
        or any(environ.get(mark) for mark in _LINK_MARKS)
        or (vte.isdigit() and int(vte) >= _FIRST_VTE_WITH_LINKS)
    )


def use_links(setting: Literal["auto", "always", "never"], environ: Mapping[str, str]) -> bool:
    """What the setting says, and with `auto` what the terminal can."""
    return knows_links(environ) if setting == "auto" else setting == "always"
