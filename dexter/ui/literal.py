"""Text of tools, models and the web, made harmless for a terminal: shown as it is spelled, never obeyed.

Control characters become their visible pictures (`␛` for ESC); direction overrides, hidden characters and odd line
breaks are written as `<U+202E>`. Lines and tabs stay. Rich markup is harmless because no text here goes through markup.
"""

from __future__ import annotations

import re
from typing import Final

# C0 but tab and line feed, DEL, C1, what reorders or hides text, odd line breaks, lone surrogates, tag characters.
UNSAFE: Final = (
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff"
    "\uffa0\ufff9-\ufffb\ud800-\udfff\U0001d173-\U0001d17a\U000e0000-\U000e007f]"
)
_UNSAFE = re.compile(UNSAFE)
_PICTURES: Final = 0x2400
_LAST_C0: Final = 0x1F
_DELETE: Final = 0x7F


def literal(text: str) -> str:
    """The same text with everything a terminal would obey spelled out. A CR before a line break is dropped."""
    return _UNSAFE.sub(_spelled, text.replace("\r\n", "\n"))


def literal_line(text: str) -> str:
    """Harmless and on one line: breaks become `⏎`, tabs a blank."""
    return literal(text.replace("\r\n", "\n").replace("\t", " ")).replace("\n", "⏎")


def _spelled(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code <= _LAST_C0:
        return chr(_PICTURES + code)
    return "␡" if code == _DELETE else f"<U+{code:04X}>"
