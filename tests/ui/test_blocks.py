from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from dexter.ui.blocks import BlockSplitter
from dexter.ui.streamed import StreamedText

_lines = st.sampled_from(
    [
        "",
        "",
        "word",
        "- item",
        "  more",
        "1. one",
        "10) ten",
        "# head",
        "| a | b |",
        "| - | - |",
        "```",
        "~~~",
        "    code",
        "-",
        "1",
    ]
)
_documents = st.lists(_lines, max_size=25).map("\n".join)


def _blocks(pieces: list[str]) -> list[str]:
    splitter = BlockSplitter()
    found = [block for piece in pieces for block in splitter.feed(piece)]
    return found + splitter.finish()


@given(_documents, st.data())
@example("- a\n\n  b\n\n- c\n\nend", None)
def test_how_the_text_is_cut_into_pieces_does_not_matter(document: str, data: st.DataObject | None):
    """The blocks of a stream are those of the whole text, wherever the pieces were cut."""
    cuts = sorted(data.draw(st.sets(st.integers(0, len(document)), max_size=12))) if data else range(len(document))
    pieces = [document[a:b] for a, b in zip([0, *cuts], [*cuts, len(document)], strict=True)]
    assert _blocks(pieces) == _blocks([document])


@given(_documents)
def test_no_line_is_lost_or_moved(document: str):
    """All lines with something on them come out once, in order."""
    lines = [line for block in _blocks([document]) for line in block.split("\n") if line.strip()]
    assert lines == [line for line in document.split("\n") if line.strip()]


def test_a_list_with_blank_lines_is_one_block():
    """Numbering would start anew otherwise."""
    assert _blocks(["1. a\n\n   more\n\n2. b\n\nend"]) == ["1. a\n\n   more\n\n2. b", "end"]


def test_fenced_code_with_blank_lines_is_one_block():
    """A blank line within code ends nothing."""
    assert _blocks(["```py\na\n\nb\n```\n\nend"]) == ["```py\na\n\nb\n```", "end"]


def test_a_paragraph_is_given_out_as_soon_as_the_next_begins():
    """One does not wait for the whole answer."""
    splitter = BlockSplitter()
    assert splitter.feed("one\n\n") == []
    assert splitter.feed("And two") == ["one"]
    assert splitter.tail == "And two"


def test_an_answer_streamed_whole_is_not_shown_again():
    """Only what was added behind the streamed text is missing; another text is missing whole."""
    text = StreamedText()
    text.feed("The answer.\n")
    assert text.missing("The answer.") == ""
    assert text.missing("The answer.\n\nNot complete.") == "Not complete."
    assert text.missing("Another.") == "Another."
    text.begin()
    assert text.missing("The answer.") == "The answer."
