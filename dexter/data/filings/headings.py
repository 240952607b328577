"""Where items begin: blocks that read as an item's heading, each isolated in a block of its own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from dexter.data.filings.blocks import Block
from dexter.data.filings.forms import Form, ItemSpec
from dexter.data.filings.titles import continues, is_cross_reference, likeness, matched_length, split_title, words

_NUMBER = r"\d{1,2}(?:\.\d{2}(?!\d)(?:\s*\([a-z]\))?|(?!\.\d)(?:\s?\(?[a-k]\)?(?:\(t\))?(?![a-z])(?=\W|$))?)"
_PART = re.compile(r"\W*part\s+(iv|i{1,3})\b[\s.:,–—-]*", re.IGNORECASE)
_ITEM = re.compile(
    rf"[\W_]*(?:part\s+(?P<part>iv|i{{1,3}})\b[\s.:,–—-]*)?items?[\s.#]*(?P<first>{_NUMBER})"
    rf"(?:[.,\s]*(?:and|&|,|through|-)\s*(?:item\s*)?(?P<second>{_NUMBER}))?[\s.:)–—-]*",
    re.IGNORECASE,
)
_PROPOSAL = re.compile(
    r"\W*(?:proposal|item)\s*(?:no\.?|number)?\s*(\d{1,2}|one|two|three|four|five|six)\b[\s.:–—-]*", re.IGNORECASE
)
_LINE_START = re.compile(r"\n(?=\W*(?:part\s+[iv]+\b|items?\s+\d))", re.IGNORECASE)
_PAGE_REFERENCE = re.compile(
    r"(?:[\s.…]{2,}|\s)(?:page\s*)?(?:[a-z]{1,2}-)?\d{1,3}(?:\s*[-–,]\s*\d{1,3})*\s*$", re.IGNORECASE
)
_INDEX_NUMBER = re.compile(r"\d{1,2}[a-k]?\s*\.?", re.IGNORECASE)
_PAGE_CELL = re.compile(
    r"(?:page\s*)?(?:[a-z]{1,2}-)?\d{0,3}(?:\s*[-–,]\s*\d{1,3})*|n/?a|[*—–-]|\([a-z]\)", re.IGNORECASE
)
_CONTINUED = re.compile(r"\s*[(\[–—-]*\s*cont(?:inued|[’']?d|\.)[)\]]*\.?\s*$", re.IGNORECASE)
_SIGNATURES = re.compile(r"\W*signatures?(?:\s*page)?\W*", re.IGNORECASE)
_LONGEST_HEADING = 400  # characters within which leaders and a page number are looked for
_PART_TITLE = 100  # characters of a part heading at most
_BARE_TITLE = 120  # characters of a title that stands in the block after a bare `Item 7.`
_QUOTES = "“\"'‘"


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading at block `start`; its section's text begins at block `body`.

    `specs` are the items it opens: several for `Items 1 and 2`, none for a part, the signatures or a section the form
    does not know. `label` is what is left then. `contents` is set where it reads as an entry of a table of contents.
    """

    start: int
    body: int
    title: str
    specs: tuple[ItemSpec, ...] = ()
    label: str = ""
    contents: bool = False
    link: str = ""
    table: int = 0

    @property
    def is_part(self) -> bool:
        """Whether it opens a part rather than an item."""
        return self.label.startswith("part")

    @property
    def is_signatures(self) -> bool:
        """Whether it stands above the signatures."""
        return self.label == "signatures"

    @property
    def key(self) -> tuple[str, str]:
        """Which item it opens; two headings of one item have the same."""
        return self.specs[0].key if self.specs else ("", self.label)


def find_headings(blocks: Sequence[Block], form: Form) -> tuple[list[Block], list[Heading]]:
    """The headings of items in reading order, and the blocks with each heading parted from the text around it."""
    reader = _HeadingReader(form)
    pending = [piece for block in blocks for piece in _split_lines(block)]
    pending.reverse()
    while pending:
        reader.take(pending)
    return reader.blocks, reader.headings


def _split_lines(block: Block) -> list[Block]:
    """A paragraph of several lines parted before each line that opens a part or an item."""
    if block.is_row or block.preformatted or "\n" not in block.text:
        return [block]
    first, *others = _LINE_START.split(block.text)
    return [replace(block, text=first), *(replace(block, text=text, anchors=(), links=()) for text in others)]


class _HeadingReader:
    """Reads blocks one after the other. What it remembers: the part it is in."""

    def __init__(self, form: Form) -> None:
        self.form = form
        self.blocks: list[Block] = []
        self.headings: list[Heading] = []
        self._part = ""
        self._named = [spec for spec in form.items if not spec.number]

    def take(self, pending: list[Block]) -> None:
        """Read the next block (the last of `pending`) and, for a heading, those that belong to its title."""
        block = pending.pop()
        if not block.text or (len(block.text) > _PART_TITLE and not (block.is_row or _may_open(block.text))):
            self.blocks.append(block)
            return
        is_heading = (
            self._item(block, pending)
            or self._index_row(block)
            or self._part_heading(block)
            or self._named_heading(block)
        )
        if not is_heading:
            self.blocks.append(block)

    def _add(
        self, block: Block, title: str, specs: Sequence[ItemSpec] = (), *, label: str = "", contents: bool = False
    ) -> None:
        start = len(self.blocks)
        self.blocks.append(block)
        link = block.links[0] if block.links else ""
        title = title[:_LONGEST_HEADING].strip()
        self.headings.append(Heading(start, start + 1, title, tuple(specs), label, contents, link, block.table))

    def _item(self, block: Block, pending: list[Block]) -> bool:
        match = _ITEM.match(block.text)
        if not match or block.text.lstrip()[:1] in _QUOTES:
            return False
        if match["part"]:
            self._part = match["part"].upper()
        rest, contents = _without_page(block, match.end())
        specs = self._specs(match)
        if not specs or is_cross_reference(rest):
            return False
        title_and_text = split_title(rest, specs) if rest else ("", "")
        if title_and_text is None:
            return False
        title, text = title_and_text
        chosen = self._choose(specs, title or (pending[-1].text if pending else ""))
        self._add(
            replace(block, text=block.text[: len(block.text) - len(text)]) if text else block,
            title,
            chosen,
            contents=contents,
        )
        if text:
            self.blocks.append(Block(text, page=block.page))  # never a heading itself, whatever it begins with
        elif not contents:
            self._gather_title(pending, bool(title))
        return True

    def _index_row(self, block: Block) -> bool:
        """A row of a cross-reference index that leaves out the word: `1A.`, `Risk Factors`, `12–31`."""
        cells = [cell for cell in block.cells if cell]
        if len(cells) < 2 or not _INDEX_NUMBER.fullmatch(cells[0]):  # noqa: PLR2004 - number and title
            return False
        number = cells[0].rstrip(". ").upper()
        specs = [spec for spec in self.form.items if spec.number == number and matched_length(cells[1], spec.titles)]
        if not specs:
            return False
        self._add(block, cells[1], self._choose(specs, cells[1]), contents=True)
        return True

    def _specs(self, match: re.Match[str]) -> list[ItemSpec]:
        """The items of the form with the number, or numbers, of a heading."""
        numbers = [_plain_number(number) for number in (match["first"], match["second"]) if number]
        return [spec for number in numbers for spec in self.form.items if spec.number == number]

    def _choose(self, specs: Sequence[ItemSpec], title: str) -> list[ItemSpec]:
        """One item for each number: by its title where it says so, else by the part the heading stands in."""
        chosen: dict[str, ItemSpec] = {}
        for number in dict.fromkeys(spec.number for spec in specs):
            same = [spec for spec in specs if spec.number == number]
            by_title = max(same, key=lambda spec: likeness(title, spec))
            by_part = next((spec for spec in same if spec.part == self._part), same[0])
            chosen[number] = by_title if likeness(title, by_title) > likeness(title, by_part) else by_part
            self._part = chosen[number].part or self._part
        return list(chosen.values())

    def _gather_title(self, pending: list[Block], has_title: bool) -> None:
        """Take the title, or the rest of it, from the blocks after a heading."""
        heading = self.headings[-1]
        titles = [title for spec in heading.specs for title in spec.titles]
        title = heading.title
        while pending and not _ITEM.match(pending[-1].text):
            following = pending[-1]
            if has_title and not continues(title, _CONTINUED.sub("", following.text[:_LONGEST_HEADING]), titles):
                break
            if not has_title:
                found = _bare_title(following, heading.specs)
                if found is None:
                    break
                title, text = found
                if text:
                    pending[-1] = replace(following, text=text)
                    break
                has_title = True
            else:
                title = f"{title} {following.text}"
            self.blocks.append(pending.pop())
        self.headings[-1] = replace(heading, title=title, body=len(self.blocks))

    def _part_heading(self, block: Block) -> bool:
        match = _PART.match(block.text)
        if _SIGNATURES.fullmatch(block.text):
            self._add(block, block.text, label="signatures")
            return True
        if not match or len(block.text) > _PART_TITLE or block.text.lstrip()[:1] in _QUOTES:
            return False
        rest, _ = _without_page(block, match.end())
        if is_cross_reference(rest) or rest.endswith((".", ",", ";")) and len(words(rest)) > 4:  # noqa: PLR2004, RUF021
            return False
        self._part = match[1].upper()
        self._add(block, rest, label=f"part {match[1].upper()}")
        return True

    def _named_heading(self, block: Block) -> bool:
        """A section known by its title alone, or a numbered proposal of a proxy statement."""
        if not (self._named or self.form.proposals) or block.preformatted:
            return False
        rest, contents = _without_page(block, 0)
        proposal = _PROPOSAL.match(rest) if self.form.proposals else None
        if proposal and not is_cross_reference(rest[proposal.end() :]):
            self._add(block, rest, label=f"proposal {_digits(proposal[1])}", contents=contents)
            return True
        for spec in self._named:
            if matched_length(rest, spec.titles) and any(words(rest) == words(title) for title in spec.titles):
                self._add(block, rest, [spec], contents=contents)
                return True
        return False


def _may_open(text: str) -> bool:
    return bool(_ITEM.match(text) or _PROPOSAL.match(text))


def _plain_number(number: str) -> str:
    """`9.01(d)` → 9.01, `9a(T)` → 9A, `1 a` → 1A."""
    plain = re.sub(r"\(t\)|[\s()]", "", number.lower() if "." not in number else number.split("(", maxsplit=1)[0])
    return plain.upper().strip()


def _digits(number: str) -> str:
    names = {"one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6"}
    return names.get(number.lower(), number)


def _without_page(block: Block, start: int) -> tuple[str, bool]:
    """The text from `start` without the page it refers to and without '(continued)'; and whether there was a page."""
    cells = [cell for cell in block.cells if cell]
    if len(cells) > 1 and _PAGE_CELL.fullmatch(cells[-1]):
        rest = " ".join(cells[:-1])[start:]
        return _CONTINUED.sub("", rest).strip(), True
    rest = block.text[start:]
    if len(rest) > _LONGEST_HEADING:
        return rest.strip(), False
    reference = _PAGE_REFERENCE.search(rest)
    if reference and words(rest[: reference.start()]):
        return rest[: reference.start()].rstrip(" .…"), True
    return _CONTINUED.sub("", rest).strip(), False


def _bare_title(block: Block, specs: Sequence[ItemSpec]) -> tuple[str, str] | None:
    """Title and following text of the block after a bare `Item 7.`; None if that block is no title."""
    if block.preformatted or _PART.match(block.text):
        return None
    known = matched_length(block.text, (title for spec in specs for title in spec.titles))
    if known:
        return split_title(block.text, specs)
    text = block.text
    if len(text) <= _BARE_TITLE and not text.endswith((".", ":", ";", ",")) and not is_cross_reference(text):
        return split_title(text, specs)
    return None
