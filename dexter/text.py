"""Measuring text without a tokenizer.

Library-free and fast (hundreds of MB a second): every message is measured once when it is made.
"""

from __future__ import annotations

import string

_LETTERS = string.ascii_letters.encode()
_DIGITS = string.digits.encode()
_SPACES = string.whitespace.encode()
_OTHER_ASCII = bytes(b for b in range(128) if b not in _LETTERS + _DIGITS + _SPACES)

# Tokens per UTF-8 byte of each class, fitted on financial JSON, prose, code and Chinese against cl100k: within 6 %.
_WEIGHTS = ((_LETTERS, 0.212), (_DIGITS, 0.569), (_SPACES, 0.163), (_OTHER_ASCII, 0.532))
_HIGH_BYTE_WEIGHT = 0.378


def estimate_tokens(text: str) -> int:
    """Estimate the tokens of `text` from its byte classes. Errs high on Chinese with newer tokenizers."""
    data = text.encode("utf-8", "surrogatepass")
    ascii_bytes = 0
    tokens = 0.0
    for members, weight in _WEIGHTS:
        count = len(data) - len(data.translate(None, members))
        ascii_bytes += count
        tokens += weight * count
    return round(tokens + _HIGH_BYTE_WEIGHT * (len(data) - ascii_bytes))
