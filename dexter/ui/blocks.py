"""Streamed Markdown cut into blocks that are complete, so that each is printed once and never again.

A block is complete when a blank line stands after it and the next line neither is indented nor goes on with the same
list. Fenced code is one block, blank lines and all.
"""

from __future__ import annotations

import re

_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})")
_LINES = re.compile(r"[^\n]*\n|[^\n]+")
_LIST_ITEM = re.compile(r"^ {0,3}(?:[-*+]|\d{1,9}[.)])\s")


class BlockSplitter:
    """Feed pieces of text; get the blocks that are complete. What is not is in `tail`."""

    def __init__(self) -> None:
        self.tail = ""

    def feed(self, piece: str) -> list[str]:
        """Take a piece; give the blocks that became complete, in order."""
        self.tail += piece
        blocks: list[str] = []
        while (end := _end_of_block(self.tail)) is not None:
            blocks.append(self.tail[:end].strip("\n"))
            self.tail = self.tail[end:]
        return [block for block in blocks if block.strip()]

    def finish(self) -> list[str]:
        """The text has ended: give what is left."""
        blocks = self.feed("\n")
        rest, self.tail = self.tail.strip("\n"), ""
        return [*blocks, rest] if rest.strip() else blocks


# A line begun that is shorter than this could still turn out to be a list item.
_LIST_PREFIX = 4


def _end_of_block(text: str) -> int | None:
    """Where the first block ends, None while it may still grow."""
    fence = ""
    first = True
    is_list = after_blank = False
    position = 0
    for line in _LINES.findall(text):
        if line.strip():
            if after_blank and not line.endswith("\n") and len(line) < _LIST_PREFIX:
                return None
            if after_blank and not _goes_on(line, is_list=is_list):
                return position
            is_list = bool(_LIST_ITEM.match(line)) if first else is_list
            first = after_blank = False
        else:
            after_blank = not first and not fence
        fence = _fence_after(line, fence) if line.endswith("\n") else fence
        position += len(line)
    return None


def _goes_on(line: str, *, is_list: bool) -> bool:
    """Whether a line after a blank one belongs to the block before it."""
    return is_list and (line.startswith((" ", "\t")) or bool(_LIST_ITEM.match(line)))


def _fence_after(line: str, fence: str) -> str:
    """The fence that is open after this line, '' if none."""
    match = _FENCE.match(line)
    if not match:
        return fence
    if not fence:
        return match[1]
    closes = match[1].startswith(fence) and not line.strip().strip(fence[0])
    return "" if closes else fence
