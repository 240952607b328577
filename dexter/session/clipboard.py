"""OSC 52: text into the clipboard of the terminal, wherever the program runs."""

from __future__ import annotations

import base64

# Terminals refuse more; a part would be worse than a clear cut.
MOST_BYTES = 74_000


def osc52(text: str) -> str:
    """The sequence that puts text into the clipboard; what is too long is cut at a character."""
    data = text.encode("utf-8", "replace")[:MOST_BYTES].decode("utf-8", "ignore").encode()
    return f"\x1b]52;c;{base64.b64encode(data).decode('ascii')}\x07"
