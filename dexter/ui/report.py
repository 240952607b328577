"""What `--output` writes: the answer, and in a report its figures and sources, too."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from dexter.events import Answered, Emitted
from dexter.figures.check import FigureCheck
from dexter.ui.figures import list_lines
from dexter.ui.literal import literal, literal_line
from dexter.ui.page.content import PageContent
from dexter.ui.page.sink import PageSink
from dexter.ui.tools import source_name

# What would make more of a source's name than a name, or end its address.
_MARKDOWN = re.compile(r"[\\`*_\[\]<>!&]")
_IN_ADDRESS = re.compile(r"[<>\\\s]")


class ReportSink:
    """Gathers a run; `text` is the report. The file's ending says which: `.html`, `.md`, else the answer alone."""

    def __init__(self, ending: str) -> None:
        self._gathered = PageSink()
        self._write = _WRITERS.get(ending.lower(), _answer_alone)

    def __call__(self, emitted: Emitted) -> None:
        """Take one event."""
        self._gathered(emitted)

    def text(self) -> str:
        """The report; '' while there is no answer."""
        content = self._gathered.content
        return self._write(content, content.answer) if content.answer else ""


def _answer_alone(_content: PageContent, answer: Answered) -> str:
    return literal(answer.text.rstrip("\n")) + "\n"


def _html(content: PageContent, _answer: Answered) -> str:
    from dexter.ui.page.render import render_page

    return render_page(content)


def _markdown(content: PageContent, answer: Answered) -> str:
    """The question as a title, the answer as it is, then every figure with its status and source, and the sources."""
    parts = [f"# {literal_line(content.question)}"]
    parts += [] if answer.complete else ["*This answer is not complete.*"]
    parts.append(literal(answer.text.strip()) or "*There is no text in this answer.*")
    check = FigureCheck.from_json(answer.figures)
    if check.figures:
        *figures, counts = list_lines(check)
        parts += ["## Figures", counts, "\n".join(f"- {line}" for line in figures)]
    if answer.sources:
        parts += ["## Sources", "\n".join(_source_lines(answer.sources))]
    return "\n\n".join(parts) + "\n"


def _source_lines(sources: Any) -> Iterator[str]:
    for source in sources:
        yield f"- {_source(source)}"


def _source(source: Mapping[str, Any]) -> str:
    url = _IN_ADDRESS.sub(lambda found: f"%{ord(found[0]):02X}", literal_line(str(source.get("url") or "")))
    name, accession = (_literally(text) for text in (source_name(source), str(source.get("accession") or "")))
    linked = f"[{name}](<{url}>)" if url.startswith(("https://", "http://")) else name
    return f"{linked} {accession}".rstrip()


def _literally(text: str) -> str:
    """A text that others wrote, as Markdown that says just this: no link, no picture, no tag."""
    return _MARKDOWN.sub(r"\\\g<0>", literal_line(text))


_WRITERS: dict[str, Callable[[PageContent, Answered], str]] = {".html": _html, ".htm": _html, ".md": _markdown}
