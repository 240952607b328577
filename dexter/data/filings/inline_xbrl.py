"""The facts an inline-XBRL document tags, with their contexts: read as a stream, without a taxonomy."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal, InvalidOperation

from dexter.data.filings.encoding import utf8_chunks, without_utf16

_ZERO = ("zero", "nocontent", "numdash")  # formats whose text (a dash, nothing) means 0
_LARGEST_SCALE = 15
_LARGEST = 30  # digits: more than any amount has
_DEEPEST = 8  # numbers tagged within numbers; more are unclosed tags


@dataclass(frozen=True, slots=True)
class Context:
    """What a fact is about: `start` is '' for a point in time; `dimensions` are (axis, member) pairs."""

    start: str = ""
    end: str = ""
    dimensions: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Fact:
    """One tagged number in plain units. `row` is the first cell of the table row it stands in."""

    name: str
    context: Context
    unit: str
    value: Decimal
    row: str = ""


def read_facts(content: bytes) -> tuple[Fact, ...]:
    """The numeric facts of a document, in reading order; a document without inline XBRL has none."""
    from lxml import etree

    reader = _FactReader()
    # The stubs ask a target for methods that lxml calls only where they exist.
    parser = etree.HTMLParser(target=reader, encoding="utf-8", huge_tree=True)  # type: ignore[call-overload]
    for chunk in utf8_chunks(without_utf16(content)):
        parser.feed(chunk)
    if content:
        parser.close()
    return tuple(_facts(reader))


@dataclass(slots=True)
class _Open:
    """A tagged number being read."""

    attributes: Mapping[str, str]
    text: list[str] = field(default_factory=list)
    row: int = 0


class _FactReader:
    """Takes the parser's events. Contexts may come after the facts that name them."""

    def __init__(self) -> None:
        self.contexts: dict[str, Context] = {}
        self.units: dict[str, str] = {}
        self.found: list[_Open] = []
        self.rows: list[str] = [""]  # first cell of each table row; 0 stands for 'in no row'
        self._open: list[_Open] = []
        self._context = ""
        self._axis = ""
        self._unit = ""
        self._rows_open: list[int] = []
        self._text: list[str] = []

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        match tag.rpartition(":")[2]:
            case "nonfraction" if len(self._open) < _DEEPEST:
                row = self._rows_open[-1] if self._rows_open else 0
                self._open.append(_Open(dict(attributes), row=row))
            case "context":
                self._context = attributes.get("id", "")
                self.contexts[self._context] = Context()
            case "explicitmember":
                self._axis = attributes.get("dimension", "")
            case "unit":
                self._unit = attributes.get("id", "")
            case "tr":
                self.rows.append("")
                self._rows_open.append(len(self.rows) - 1)
        if tag in _TEXT_TAGS:
            self._text.clear()

    def data(self, data: str) -> None:
        self._text.append(data)
        for fact in self._open:
            fact.text.append(data)

    def end(self, tag: str) -> None:
        name = tag.rpartition(":")[2]
        if name == "nonfraction" and self._open:
            self.found.append(self._open.pop())
        elif name == "tr" and self._rows_open:
            self._rows_open.pop()
        elif name in {"td", "th"} and self._rows_open and not self.rows[self._rows_open[-1]]:
            self.rows[self._rows_open[-1]] = self._words()
        elif name == "measure":
            self.units[self._unit] = (
                f"{self.units[self._unit]}/{self._measure()}" if self._unit in self.units else self._measure()
            )
        elif self._context and name in _CONTEXT_PARTS:
            self._context_part(name)
        elif name == "context":
            self._context = ""

    def close(self) -> None:
        self.found += self._open

    def _context_part(self, name: str) -> None:
        context, text = self.contexts[self._context], self._words()
        if name == "explicitmember":
            context = replace(context, dimensions=(*context.dimensions, (self._axis, text)))
        elif name == "startdate":
            context = replace(context, start=text[:10])
        else:
            context = replace(context, end=text[:10])
        self.contexts[self._context] = context

    def _measure(self) -> str:
        return self._words().rpartition(":")[2]

    def _words(self) -> str:
        return " ".join("".join(self._text).split())


_CONTEXT_PARTS = frozenset({"explicitmember", "startdate", "enddate", "instant"})
_TEXT_TAGS = frozenset(
    {"td", "th", "xbrldi:explicitmember", "xbrli:startdate", "xbrli:enddate", "xbrli:instant", "xbrli:measure"}
    | {"startdate", "enddate", "instant", "measure"}
)


def _facts(reader: _FactReader) -> list[Fact]:
    facts = []
    for found in reader.found:
        context = reader.contexts.get(found.attributes.get("contextref", ""))
        value = _number("".join(found.text), found.attributes)
        if context is not None and value is not None:
            unit = reader.units.get(found.attributes.get("unitref", ""), "")
            facts.append(Fact(found.attributes.get("name", ""), context, unit, value, reader.rows[found.row]))
    return facts


def _number(text: str, attributes: Mapping[str, str]) -> Decimal | None:
    """A tagged number as it is meant: format, scale and sign applied; None where it says nothing."""
    form = attributes.get("format", "").rpartition(":")[2].replace("-", "").lower()
    if attributes.get("xsi:nil") in {"true", "1"}:
        return None
    if any(form.endswith(zero) or form == zero for zero in _ZERO):
        return Decimal(0)
    digits = re.sub(r"[^\d.,]", "", text)
    digits = (
        digits.replace(".", "").replace(",", ".")
        if form.endswith(("numcommadecimal", "numdotcomma"))
        else digits.replace(",", "")
    )
    try:
        value = Decimal(digits).scaleb(_scale(attributes.get("scale", "")))
    except InvalidOperation:
        return None
    if abs(value.adjusted()) >= _LARGEST:
        return None
    return -value if attributes.get("sign") == "-" else value


def _scale(text: str) -> int:
    number = int(text) if re.fullmatch(r"[+-]?\d{1,2}", text) else 0
    return number if abs(number) <= _LARGEST_SCALE else 0
