"""Every failure of a model, classified once: what kind it is, what it says of sizes, and what to do."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal

from dexter.errors import RETRIED_KINDS, ModelError
from dexter.models.error_codes import ERROR_KINDS, ErrorKind
from dexter.models.error_evidence import kind_of
from dexter.models.error_figures import Figures, compare_sizes, read_figures, read_retry_after
from dexter.models.error_remedies import LONG_WAIT_S, remedy_after, remedy_for
from dexter.models.error_text import Said, read_message

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

    def waiting(self, seconds: float | None) -> ErrorInfo:
        """The same with the wait that the provider asks for; where that is long, the remedy names it."""
        if seconds is None:
            return self
        named = self.kind in ("rate_limit", "overloaded") and not self.oversized and seconds > LONG_WAIT_S
        return replace(self, retry_after=seconds, remedy=remedy_after(seconds) if named else self.remedy)


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
    said = read_message(message)
    who = (provider or "").lower()
    kind = kind_of(said, status, who, code)
    words = said.text
    if kind == "context_overflow":
        return _overflow(words, status, _sizes(said))
    if kind == "rate_limit":
        return _rate_limit(words, status, read_figures(words))
    lasting = kind == "network" and bool(_DISTRUST.search(words))
    remedy = remedy_for(kind, words, provider=who, lasting=lasting)
    status = said.status if status is None else status
    return ErrorInfo(kind, status=status, remedy=remedy, lasting=lasting).waiting(read_retry_after(words))


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


# ── what it says of sizes and rates ──


def _sizes(said: Said) -> Figures:
    if said.page:
        return Figures()
    stated, compared = read_figures(said.text), compare_sizes(said.sentences)
    over = stated.used is not None and stated.limit is not None and stated.used > stated.limit
    if compared.used is not None and not over:
        return replace(compared, output=compared.output or stated.output)
    return replace(stated, limit=stated.limit or compared.limit)


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
        status=status,
    ).waiting(read_retry_after(text))


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
