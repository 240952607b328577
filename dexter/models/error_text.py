"""What a failure's text holds, taken apart: sentences, the names that programs give to errors, and statuses.

Providers, gateways and libraries wrap each other's errors: JSON in JSON strings, Python and Node reprs, exception
prefixes, HTML pages.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from dexter.models.error_structure import leaves, unescaped

# An error page can be megabytes; what it says stands at the start, or at the end of a long quotation.
_HEAD_CHARS, _TAIL_CHARS = 8_000, 2_000

_NAME_FIELDS = frozenset(
    """type code status reason error_code error_type errorcode errortype err_code errcode name __type blockreason
    block_reason finish_reason stop_reason exception error_name""".split()  # noqa: SIM905 - a list of words reads better so
)


@dataclass(frozen=True)
class Said:
    """`text`: one lower-cased line, JSON strings opened. `sentences`: as people speak. `names`: as programs do.

    `classes`: names of exceptions in front, which are the library's view. `status`: one quoted in the text.
    """

    text: str
    sentences: tuple[str, ...]
    names: tuple[str, ...]
    classes: tuple[str, ...]
    status: int | None
    page: bool
    hosts: str


_URL = re.compile(r"https?://[^\s\"'<>)]+")
# Addresses, and what a call was named: words in them are no statement.
_NAMED = re.compile(
    r"https?://[^\s\"'<>)]+|(?<![\w/])/{1,2}[\w.-]+/[\w./-]*|when calling the \w+ operation|<[\w.]+ object at \w+>"
    r"|\W(?:\w+[ _-])?id\b[\"']?[ :=]{1,3}(?=[\w-]*\d)[\w-]{6,}",
    re.IGNORECASE,
)
# The parameter is not the same as "the max tokens allowed".
_ANSWER_ROOM = re.compile(
    r"\bmax_?(?:output|completion|new|response)?_tokens\b|\bmax(?:Output|Completion|New)?Tokens\b", re.IGNORECASE
)
_HTML = re.compile(r"<html|<!doctype html|<head>|<title>")
_SENTENCE_END = re.compile(r"(?<=[.;!?])\s+|[。！？；\n]|\. (?=[A-Z])")
# Names that client libraries give to what they raise: LiteLLM says RateLimitError of an empty balance too.
_CLASS = re.compile(
    r"\b(?:(?:litellm|openai|anthropic|httpx2?)\.(?:exceptions\.)?([A-Za-z]+)|([A-Za-z]{3,}Error))(?=:|$)"
)
# Those that services give, as AWS does, say more.
_EXCEPTION = re.compile(r"\b([A-Z][A-Za-z]+Exception)\b")
# Fields of JSON that was cut off or is no JSON.
_FIELD = re.compile(
    r"[\"']?\b(type|code|status|error_?code|error_?type|err_?code|reason|__type)[\"']?\s*[:=]\s*[\"']?"
    r"([A-Za-z0-9_.-]{3,60})\b"
)
_QUOTED_STATUS = re.compile(
    r"^\W*(?:error\W+)?([1-5]\d\d)\b(?!\d|[,.]\d)|(?:http(?:/\d(?:\.\d)?)?|status(?:[ _]?code)?|error code"
    r"|[\"']code[\"'])[\"']?\W{1,3}([1-5]\d\d)\b"
    r"|<(?:title|h1)>\s*([1-5]\d\d)\b|\b(?:got|returned|received) (?:an? )?([45]\d\d)\b(?! \w+s\b)"
)


def read_message(message: str) -> Said:
    """Take a message apart; never fails, whatever it holds."""
    text = message if len(message) <= _HEAD_CHARS + _TAIL_CHARS else f"{message[:_HEAD_CHARS]} {message[-_TAIL_CHARS:]}"
    found = list(leaves(text))
    prose = [value for key, value in found if key not in _NAME_FIELDS]
    names = [value for key, value in found if key in _NAME_FIELDS]
    names += [value for part in prose for _, value in _FIELD.findall(part)]
    names += [name for part in prose for name in _EXCEPTION.findall(part)]
    flat = " ".join(unescaped(text).lower().split())
    status = _QUOTED_STATUS.search(flat)
    return Said(
        text=flat,
        sentences=tuple(s for part in prose for s in _sentences(part)),
        names=tuple(dict.fromkeys(n for n in map(speak, names) if n)),
        classes=tuple(speak("".join(pair)) for part in prose for pair in _CLASS.findall(part)),
        status=int(next(group for group in status.groups() if group)) if status else None,
        page=bool(_HTML.search(flat)),
        hosts=" ".join(_URL.findall(flat)),
    )


def speak(text: str) -> str:
    """As one would say it: `rate_limit_error` and `RateLimitError` are both "rate limit error"."""
    text = _ANSWER_ROOM.sub("max output tokens", text)
    text = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z]{2})", " ", text)
    return " ".join(re.sub(r"[_`*]+", " ", text).lower().split())


def _sentences(text: str) -> Iterator[str]:
    plain = _CLASS.sub(" ", _NAMED.sub(" ", text))
    for part in _SENTENCE_END.split(plain):
        said = speak(part)
        if re.search(r"\w", said):
            yield said
