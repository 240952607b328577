"""Text of tools, models and the web, made harmless for a terminal: shown as it is spelled, never obeyed.

Control characters become their visible pictures (`␛` for ESC), direction overrides and invisible tags are written as
`<U+202E>`. Lines and tabs stay. Rich markup is harmless because nothing here goes through markup.
"""

from __future__ import annotations

import re
from typing import Final

_PICTURES: Final = 0x2400
_DELETE: Final = 0x7F
# C1 controls, soft hyphen's neighbours that reorder or hide text, lone surrogates, tag characters, odd line breaks.
_HIDDEN = re.compile(
    "[\x80-\x9f\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f]")


def literal(text: str) -> str:
    """The same text with everything a terminal would obey spelled out. A CR before a line break is dropped."""
    text = text.replace("\r\n", "\n")
    return _HIDDEN.sub(_spelled, _CONTROL.sub(_pictured, text))


def literal_line(text: str) -> str:
    """Harmless and on one line: breaks become `⏎`, tabs a blank."""
    return literal(text.replace("\r\n", "\n").replace("\t", " ")).replace("\n", "⏎")


def _pictured(match: re.Match[str]) -> str:
    code = ord(match[0])
    return "␡" if code == _DELETE else chr(_PICTURES + code)


def _spelled(match: re.Match[str]) -> str:
    return f"<U+{ord(match[0]):04X}>"
