"""What is taken from a summariser's answer, and what makes it useless."""

from __future__ import annotations

import re

from dexter.models.protocol import ModelResponse

SECTIONS = (
    "Query and intent",
    "Key concepts",
    "Data retrieved",
    "Errors and retries",
    "Analysis so far",
    "All numbers",
    "Data still needed",
    "Current state",
    "Next steps",
)
FIGURES_SECTION = 6

_ANALYSIS = re.compile(r"<analysis>.*?</analysis>", re.DOTALL | re.IGNORECASE)
_OPEN = re.compile(r"<summary>", re.IGNORECASE)
_CLOSE = re.compile(r"</summary>", re.IGNORECASE)
_TAGS = re.compile(r"</?(?:summary|analysis)>", re.IGNORECASE)
_TEXT_STOPS = ("end_turn",)


class NoSummaryError(Exception):
    """The answer holds no usable summary; the message says why."""


def read_summary(response: ModelResponse) -> str:
    """The nine sections from an answer; its draft and its tags are left out.

    Raises:
        NoSummaryError: nothing, a tool call, cut off, no summary tag and not all nine headings either, or an open tag.
    """
    check_is_whole_text(response)
    text = _ANALYSIS.sub("", response.text, count=1)
    opening = _OPEN.search(text)
    if opening is None:
        if not has_all_sections(text):
            raise NoSummaryError("there is no summary in the answer")
        return _cleaned(text)
    # The material may hold such a tag: a summary that quotes it goes on until the last.
    closings = list(_CLOSE.finditer(text, opening.end()))
    if not closings:
        raise NoSummaryError("the summary has no end")
    return _cleaned(text[opening.end() : closings[-1].start()])


def check_is_whole_text(response: ModelResponse) -> None:
    """A whole answer in text.

    Raises:
        NoSummaryError: nothing, a tool call, a refusal, or cut off.
    """
    if response.tool_calls:
        raise NoSummaryError("the model called a tool instead of writing")
    if response.stop_reason == "max_tokens":
        raise NoSummaryError("the answer was cut off by the output limit")
    if response.stop_reason not in _TEXT_STOPS:
        raise NoSummaryError(f"the model stopped early ({response.stop_reason})")
    if not response.text.strip():
        raise NoSummaryError("the model answered with nothing")


def has_all_sections(text: str) -> bool:
    """Whether the nine headings stand in the text, each at the start of a line, in order."""
    position = 0
    for number, title in enumerate(SECTIONS, 1):
        match = heading(number, title).search(text, position)
        if match is None:
            return False
        position = match.end()
    return True


def heading(number: int, title: str) -> re.Pattern[str]:
    """A heading however it is decorated: `6. All numbers`, `## 6. **All numbers**`."""
    return re.compile(rf"^[#*\s]*{number}[.):]?[*\s]*{re.escape(title)}", re.MULTILINE | re.IGNORECASE)


def _cleaned(text: str) -> str:
    text = _TAGS.sub("", text).strip()
    if not text:
        raise NoSummaryError("the summary is empty")
    return text
