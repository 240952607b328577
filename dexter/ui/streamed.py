"""The text of one model response as it arrives, and what of it is on the screen already."""

from __future__ import annotations

from dexter.ui.blocks import BlockSplitter


class StreamedText:
    """Pieces in, complete Markdown blocks out."""

    def __init__(self) -> None:
        self._blocks = BlockSplitter()
        self._text = ""

    @property
    def tail(self) -> str:
        """What is not a complete block yet."""
        return self._blocks.tail

    @property
    def text(self) -> str:
        """Everything that arrived, shown or not."""
        return self._text

    def feed(self, piece: str) -> list[str]:
        """Take a piece; give the blocks to show now."""
        self._text += piece
        return self._blocks.feed(piece)

    def finish(self) -> list[str]:
        """The response is whole: give the rest."""
        return self._blocks.finish()

    def begin(self) -> None:
        """A new response begins."""
        self._blocks = BlockSplitter()
        self._text = ""

    def missing(self, answer: str) -> str:
        """What of the answer is not shown: nothing, what was added behind it, or all of it."""
        shown, answer = self._text.strip(), answer.strip()
        return answer[len(shown) :].strip() if shown and answer.startswith(shown) else answer
