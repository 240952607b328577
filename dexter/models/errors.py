"""Every failure of a model, classified once: what kind it is, what it says of sizes, and what to do.

Evidence is weighed in this order: specific codes (`insufficient_quota`), words, general codes
(`invalid_request_error`), the HTTP status, and last a status that is only quoted in the text. Words come before the
status because providers send an empty balance as 429, an overload as 200 inside a stream, and a malformed call as 500.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from dexter.errors import RETRIED_KINDS, ModelError
from dexter.models.error_codes import (
    ERROR_KINDS,
    NUMBERED_ALIASES,
    NUMBERED_CODES,
    STRONG_CODES,
    WEAK_CODES,
    ErrorKind,
)
from dexter.models.error_figures import Figures, read_figures, read_retry_after
from dexter.models.error_remedies import remedy_for
from dexter.models.error_rules import RULES

__all__ = ["ERROR_KINDS", "ErrorInfo", "ErrorKind", "classify", "model_error"]

Unit = Literal[
    "",
    "tokens",
    "bytes",
    "characters",
    "tokens_per_minute",
    "tokens_per_day",
    "requests_per_minute",
    "requests_per_day",
]

_OK, _SERVER_FAULT = 200, 500
# An error page can be megabytes; what it says stands at the start, or at the end of a long quotation.
_HEAD_CHARS, _TAIL_CHARS = 8_000, 2_000


@dataclass(frozen=True)
class ErrorInfo:
    """What a failure means.

    `used` and `limit` are in `unit`; `output` is the part of `used` that was room for the answer. `oversized`: the
    request alone is larger than a per-minute limit, so that waiting never helps. `lasting`: the limit comes back in
    hours or days, or the certificate stays untrusted. `retry_after` in seconds, where the message states it.
    """

    kind: ErrorKind
    used: int | None = None
    limit: int | None = None
    unit: Unit = ""
    remedy: str = ""
    output: int | None = None
    oversized: bool = False
    lasting: bool = False
    retry_after: float | None = None
    status: int | None = None

    @property
    def shrinkable(self) -> bool:
        """Whether a smaller request would get through where this one never will."""
        return self.kind == "context_overflow" or self.oversized

    @property
    def retryable(self) -> bool:
        """Whether the same request may get through if it is sent again within minutes.

        A 5xx that says nothing else is a server's passing fault, and so is an error within an answer that had begun
        well (200); every other `other` is final.
        """
        status = self.status or 0
        passing = self.kind in RETRIED_KINDS or (self.kind == "other" and (status >= _SERVER_FAULT or status == _OK))
        return passing and not self.oversized and not self.lasting

    def for_request(self, tokens: int) -> ErrorInfo:
        """The same, knowing that the request had about `tokens` tokens.

        Anthropic states a per-minute limit without saying how large the request was.
        """
        over = self.kind == "rate_limit" and self.unit == "tokens_per_minute" and self.limit is not None
        if over and self.used is None and self.limit is not None and tokens > self.limit:
            return replace(self, used=tokens, oversized=True, remedy=remedy_for("rate_limit", oversized=True))
        return self


def classify(
    message: str, *, status: int | None = None, provider: str | None = None, code: str | None = None
) -> ErrorInfo:
    """Classify a failure.

    Args:
        message: whatever the provider or the library said: a sentence, JSON (also inside a JSON string), HTML.
        status: the HTTP status, where there was a response.
        provider: the provider's name, where known.
        code: the error's own `type` or `code`, where the library hands it over.
    """
    text = _plain(message)
    words = _URL.sub(" ", text)
    who = (provider or "").lower()
    kind = _kind(text, words, status, who, code)
    if kind == "context_overflow":
        return _overflow(words, status, read_figures(words))
    if kind == "rate_limit":
        return _rate_limit(words, status, read_figures(words))
    lasting = kind == "network" and bool(_DISTRUST.search(words))
    remedy = remedy_for(kind, text, provider=who, lasting=lasting)
    status = _quoted(text) if status is None else status
    return ErrorInfo(kind, status=status, remedy=remedy, lasting=lasting, retry_after=read_retry_after(words))


def model_error(info: ErrorInfo, message: str) -> ModelError:
    """The exception for a classified failure; `message` is the sentence a person sees."""
    return ModelError(
        message,
        kind=info.kind,
        remedy=info.remedy,
        used=None if info.used is None else info.used - (info.output or 0),
        limit=info.limit,
        unit=info.unit or "tokens",
        retry_after=info.retry_after,
        shrinkable=info.shrinkable,
        retryable=info.retryable,
    )


# A certificate that is not trusted now will not be in a minute either.
_DISTRUST = re.compile(r"certificate[ _]verify[ _]failed|self-signed certificate|hostname mismatch")


# ── the kind ──

_URL = re.compile(r"https?://[^\s\"'<>)]+")
_HTML = re.compile(r"<html|<!doctype html|<head>|<title>")
# Values of fields that name an error, in JSON or a Python repr.
_FIELD = re.compile(
    r"[\"']?\b(?:type|code|status|error_?code|error_?type|err_?code|reason|name|__type|blockreason)[\"']?\s*[:=]\s*"
    r"[\"']?([a-z0-9_.-]{3,60})\b"
)
# Identifiers that stand alone: `insufficient_quota`, `ThrottlingException:`, a leading `RESOURCE_EXHAUSTED`.
_IDENTIFIER = re.compile(r"\b([a-z]+(?:_[a-z]+)+|[a-z]+exception)\b")
# Names that client libraries give to what they raise: LiteLLM says RateLimitError of an empty balance too.
_CLASS = re.compile(r"\b(?:(?:litellm|openai|anthropic)\.(?:exceptions\.)?([a-z]+)|([a-z]{3,}error))(?=:|$)")
_QUOTED_STATUS = re.compile(
    r"^\W*(?:error\W+)?([1-5]\d\d)\b(?!\d|[,.]\d)|(?:http(?:/\d(?:\.\d)?)?|status(?:[ _]?code)?|error code"
    r"|[\"']code[\"'])[\"']?\W{1,3}([1-5]\d\d)\b"
    r"|<(?:title|h1)>\s*([1-5]\d\d)\b|\b(?:got|returned|received) (?:an? )?([45]\d\d)\b(?! \w+s\b)"
)

_STATUS_KINDS: dict[int, ErrorKind] = {
    400: "bad_request",
    401: "auth",
    402: "billing",
    403: "auth",
    407: "network",
    408: "timeout",
    413: "context_overflow",
    415: "bad_request",
    422: "bad_request",
    429: "rate_limit",
    431: "bad_request",
    499: "network",
    502: "network",
    503: "overloaded",
    504: "timeout",
    520: "network",
    521: "network",
    522: "timeout",
    523: "network",
    524: "timeout",
    525: "network",
    526: "network",
    529: "overloaded",
}


def _plain(message: str) -> str:
    """One lower-cased line, with JSON inside JSON strings opened."""
    text = (
        message if len(message) <= _HEAD_CHARS + _TAIL_CHARS else message[:_HEAD_CHARS] + " " + message[-_TAIL_CHARS:]
    )
    text = re.sub(r"\\+[nrt]", " ", text)
    text = re.sub(r"\\+u([0-9a-fA-F]{4})", lambda m: chr(int(m.group(1), 16)), text)
    return " ".join(re.sub(r"\\+([\"'/])", r"\1", text).lower().split())


def _kind(text: str, words: str, status: int | None, provider: str, code: str | None) -> ErrorKind:
    if _HTML.search(text):
        return _page_kind(text, status)
    codes = [_squeezed(value) for value in _codes(text, code)]
    classes = [_squeezed(value) for value in ("".join(pair) for pair in _CLASS.findall(text))]
    named = " ".join(value.replace("_", " ") for value in _FIELD.findall(text))
    found = (
        _numbered(codes, provider, text)
        or _first_code(STRONG_CODES, codes)
        or _from_words(f"{_CLASS.sub(' ', words)} {named} {(code or '').replace('_', ' ').lower()}", provider, text)
        or _first_code(WEAK_CODES, codes)
        or _first_code({**STRONG_CODES, **WEAK_CODES}, classes)
    )
    return found or _from_status(status) or _from_status(_quoted(text)) or "other"


def _codes(text: str, code: str | None) -> Iterator[str]:
    if code:
        yield code
    for pattern in (_FIELD, _IDENTIFIER):
        yield from pattern.findall(text)


def _squeezed(identifier: str) -> str:
    return re.sub(r"[^a-z0-9]", "", identifier.lower())


def _first_code(table: dict[str, ErrorKind], codes: list[str]) -> ErrorKind | None:
    return next((table[code] for code in codes if code in table), None)


def _numbered(codes: list[str], provider: str, text: str) -> ErrorKind | None:
    name = NUMBERED_ALIASES.get(provider, provider)
    table = NUMBERED_CODES.get(name, {})
    stated = re.findall(r"\b(?:error|code)\W{1,4}(\d{4})\b", text)
    return _first_code(table, [*codes, *stated])


def _from_words(words: str, provider: str, text: str) -> ErrorKind | None:
    # The provider and the linked host count as words: the same sentence means two things at OpenAI and at Google.
    hosts = " ".join(host for host in _URL.findall(text) if "google" in host)
    haystack = f"{words} {provider} {hosts}"
    return next((rule.kind for rule in RULES if rule.fits(haystack)), None)


def _page_kind(text: str, status: int | None) -> ErrorKind:
    """An HTML page comes from something between us and the provider: only its status is to be believed."""
    return _from_status(status) or _from_status(_quoted(text)) or "network"


def _from_status(status: int | None) -> ErrorKind | None:
    return None if status is None else _STATUS_KINDS.get(status)


def _quoted(text: str) -> int | None:
    found = _QUOTED_STATUS.search(text)
    return int(next(group for group in found.groups() if group)) if found else None


# ── what it says of sizes and rates ──


def _overflow(text: str, status: int | None, figures: Figures) -> ErrorInfo:
    unit: Unit = "tokens"
    if "characters" in text or "string too long" in text:
        unit = "characters"
    elif "bytes" in text or _is_body_size(text, status):
        unit = "bytes"
    remedy = remedy_for("context_overflow")
    return ErrorInfo("context_overflow", figures.used, figures.limit, unit, remedy, figures.output, status=status)


def _is_body_size(text: str, status: int | None) -> bool:
    said = status == 413 or re.search(r"entity too large|request_too_large|payload too large|maximum size", text)  # noqa: PLR2004 - Content Too Large
    return bool(said) and "token" not in text and "context" not in text


def _rate_limit(text: str, status: int | None, figures: Figures) -> ErrorInfo:
    unit = _rate_unit(text)
    alone = bool(re.search(r"request (?:\w+ )?too large|must be reduced", text)) or "requested" in text
    over = figures.used is not None and figures.limit is not None and figures.used > figures.limit
    oversized = unit == "tokens_per_minute" and alone and over
    lasting = unit in ("tokens_per_day", "requests_per_day") or bool(_LASTING.search(text))
    return ErrorInfo(
        "rate_limit",
        figures.used,
        figures.limit,
        unit,
        remedy_for("rate_limit", oversized=oversized, lasting=lasting),
        oversized=oversized,
        lasting=lasting and not oversized,
        retry_after=read_retry_after(text),
        status=status,
    )


_LASTING = re.compile(
    r"tomorrow|(?:daily|weekly|monthly|usage) (?:\w+ )?(?:limit|quota)|per[ -](?:day|week|month)|perday"
    r"|reset (?:at|on) \d{4}-|\b[tr]pd\b"
)


def _rate_unit(text: str) -> Unit:
    if re.search(r"\btpd\b|tokens per day", text):
        return "tokens_per_day"
    if re.search(r"\brpd\b|(?:requests|messages)[ _-]?per[ _-]?(?:\w+)?day", text):
        return "requests_per_day"
    if re.search(r"\b[io]?tpm\b|tokens per min|tokens (?:\w+ ){0,4}per-minute|token rate limit", text):
        return "tokens_per_minute"
    if re.search(r"\brpm\b|requests per min", text):
        return "requests_per_minute"
    return ""
