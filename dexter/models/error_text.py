"""What a failure's text holds, taken apart: sentences, the names that programs give to errors, and statuses.

Providers, gateways and libraries wrap each other's errors: JSON in JSON strings, Python and Node reprs, exception
prefixes, HTML pages. Fields that echo the request or name it are left out, so that only the error itself is read.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

# An error page can be megabytes; what it says stands at the start, or at the end of a long quotation.
_HEAD_CHARS, _TAIL_CHARS = 8_000, 2_000
_DEEPEST = 16

_NAME_FIELDS = frozenset(
    """type code status reason error_code error_type errorcode errortype err_code errcode name __type blockreason
    block_reason finish_reason stop_reason exception error_name""".split()  # noqa: SIM905 - a list of words reads better so
)
# What was sent, who asked and where to read on say nothing of what went wrong.
_ECHO_FIELDS = frozenset(
    """request_id requestid id provider_name user_id input failed_generation documentation_url doc_url help trace_id
    traceid stack trace event_id object url ctx model modelid org organization project domain @type
    param""".split()  # noqa: SIM905 - a list of words reads better so
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
    leaves = list(_leaves(text, 0))
    prose = [value for key, value in leaves if key not in _NAME_FIELDS]
    names = [value for key, value in leaves if key in _NAME_FIELDS]
    names += [value for part in prose for _, value in _FIELD.findall(part)]
    names += [name for part in prose for name in _EXCEPTION.findall(part)]
    flat = _flat(text)
    found = _QUOTED_STATUS.search(flat)
    return Said(
        text=flat,
        sentences=tuple(s for part in prose for s in _sentences(part)),
        names=tuple(dict.fromkeys(n for n in map(speak, names) if n)),
        classes=tuple(speak("".join(pair)) for pair in _CLASS.findall(text)),
        status=int(next(group for group in found.groups() if group)) if found else None,
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


def _flat(text: str) -> str:
    text = re.sub(r"\\+[nrt]", " ", text)
    text = re.sub(r"\\+u([0-9a-fA-F]{4})", lambda m: chr(int(m.group(1), 16)), text)
    return " ".join(re.sub(r"\\+([\"'/])", r"\1", text).lower().split())


# ── structures in text ──


def _leaves(value: object, depth: int, key: str = "") -> Iterator[tuple[str, str]]:
    """Every text with the name of its field; texts that hold structures are opened, and what surrounds them is kept."""
    if depth > _DEEPEST or key in _ECHO_FIELDS:
        return
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _leaves(inner, depth + 1, str(name).lower())
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _leaves(inner, depth + 1, key)
    elif isinstance(value, str):
        around, inside = _opened(value)
        yield key, around
        for inner in inside:
            yield from _leaves(inner, depth + 1, "")
    elif value is not None:
        yield key, str(value)


def _opened(text: str) -> tuple[str, list[object]]:
    """The text without the structures in it, and those."""
    around, inside, at = "", [], 0
    for start in (m.start() for m in re.finditer(r"[{\[](?=\s*[\"'{\\\[])", text)):
        if start < at:
            continue
        found = _structure(text[start:])
        if found:
            value, length = found
            around, at = around + text[at:start] + "\n", start + length
            inside.append(value)
    rest = text[at:]
    return around + (_unescaped(rest) if "{" in rest else rest), inside


def _structure(text: str) -> tuple[object, int] | None:
    try:
        return json.JSONDecoder(strict=False).raw_decode(text)
    except (ValueError, RecursionError):
        pass
    for candidate in _balanced(text):
        for plain in (candidate, _unescaped(candidate)):
            for read in (ast.literal_eval, json.loads):
                try:
                    value = read(plain)
                except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError):
                    continue
                if isinstance(value, dict | list):
                    return value, len(candidate)
    return None


def _balanced(text: str) -> Iterator[str]:
    depth = 0
    for at, char in enumerate(text):
        depth += (char in "{[") - (char in "}]")
        if depth == 0:
            yield text[: at + 1]
            return


def _unescaped(text: str) -> str:
    text = re.sub(r"\\+u([0-9a-fA-F]{4})", lambda m: chr(int(m.group(1), 16)), text)
    text = re.sub(r"\\+[nrt]", " ", text)
    return re.sub(r"\\+([\"'/])", r"\1", text)
