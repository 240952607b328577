"""Failures that are no answer of a provider: cut, silent or garbled connections, as errors with a remedy."""

from __future__ import annotations

import email.utils
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime

from dexter.errors import RETRIED_KINDS, ModelError
from dexter.models.catalogue import PROVIDER_NAMES
from dexter.models.error_figures import read_retry_after
from dexter.models.errors import ErrorInfo, classify, model_error

# Kinds that no broken connection has: where the words say one of them, the provider did answer.
_TOLD_KINDS = frozenset({"context_overflow", "billing", "rate_limit", "overloaded", "content_filter"})


def said_by(provider: str, message: str) -> str:
    """What a provider said, as a sentence of ours."""
    text = message.strip()
    return f"{PROVIDER_NAMES.get(provider, provider)}: {text}{'' if text.endswith(('.', '!', '?')) else '.'}"


def broken_stream(what: str) -> ModelError:
    """The stream `what`; nothing of it was accepted."""
    info = classify("connection closed: incomplete response")
    return model_error(info, f"The model's stream {what}; nothing of it was accepted.")


def mark_begun(error: ModelError, has_begun: bool) -> ModelError:
    """The same failure, of an answer that had begun."""
    error.begun = error.begun or has_begun
    return error


def stalled(seconds: float) -> ModelError:
    """Nothing came for so long."""
    return model_error(classify("timed out"), f"Nothing came from the model for {seconds:g} seconds.")


# What cannot be sent at all: the libraries refuse it before anything is on the wire, and quote it.
_BAD_KEY = re.compile(r"illegal header value|control character detected in headers|codec can't encode")
_BAD_ADDRESS = re.compile(r"unsupported protocol|missing an? '?https?|no scheme supplied|invalid (?:url|port)")


def unsendable(said: str, provider: str) -> ModelError | None:
    """The error for a key or an address that no request can be made of, or None; trying again would not help."""
    text, name = said.lower(), PROVIDER_NAMES.get(provider, provider)
    if _BAD_KEY.search(text):
        info = classify("invalid api key", provider=provider)
        return model_error(info, f"The key for {name} holds characters that no key has, such as a line break.")
    if _BAD_ADDRESS.search(text):
        info = replace(classify("", status=400), remedy="An address begins with http:// or https://: `dexter config`.")
        return model_error(info, f"The address set for {name} is not one that can be asked: {said.rstrip('.')}.")
    return None


def transport_failure(error: Exception, provider: str, idle_s: float) -> ModelError:
    """A connection that could not be made or did not hold. Looks at the causes too: libraries hide the reason there."""
    causes = chain(error)
    if any(isinstance(one, TimeoutError) or "Timeout" in type(one).__name__ for one in causes):
        return stalled(idle_s)
    said = " · ".join(dict.fromkeys(text for one in causes if (text := str(one).strip())))
    refused = unsendable(said, provider)
    if refused is not None:
        return refused
    info, name = classify(said), PROVIDER_NAMES.get(provider, provider)
    if isinstance(error, ValueError | LookupError | TypeError) and info.kind in _TOLD_KINDS:
        return model_error(info, said_by(provider, said))  # a library stumbled over an error that did say something
    if info.kind not in RETRIED_KINDS:  # nothing else can be known of a provider that did not answer
        info = classify("Connection error.")
    return model_error(info, f"The connection to {name} failed: {(said or type(error).__name__).rstrip('.')}.")


def _utc_now() -> datetime:
    return datetime.now(UTC)


def read_headers(
    info: ErrorInfo, headers: Mapping[str, str] | None, *, now: Callable[[], datetime] = _utc_now
) -> ErrorInfo:
    """The same with the wait that the response's headers ask for, which is exact where words are not.

    A date is compared with the server's own `Date`; only where there is none with our clock, `now`.
    """
    return info.waiting(_retry_after(headers or {}, now))


def chain(error: BaseException | None) -> list[BaseException]:
    """The exception and what led to it."""
    found: list[BaseException] = []
    while error is not None and error not in found:
        found.append(error)
        error = error.__cause__ or error.__context__
    return found


def _retry_after(headers: Mapping[str, str], now: Callable[[], datetime]) -> float | None:
    """Seconds, from milliseconds, seconds, a time with its unit or an HTTP date; None where none of them can be read.

    Nothing and less than nothing are no wait: then ours is used.
    """
    named = {name.lower(): value.strip() for name, value in headers.items()}
    stated = named.get("retry-after", "")
    milliseconds = _number(named.get("retry-after-ms", ""))
    readings = (
        None if milliseconds is None else milliseconds / 1_000,
        _number(stated),
        read_retry_after(f"retry after {stated.lower()}"),
        _seconds_until(stated, named.get("date"), now),
    )
    return next((wait for wait in readings if wait is not None and wait > 0), None)


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _seconds_until(then: str, date: str | None, now: Callable[[], datetime]) -> float | None:
    moment = _moment(then)
    if moment is None:
        return None
    return (moment - (_moment(date or "") or now())).total_seconds()


def _moment(text: str) -> datetime | None:
    try:
        moment = email.utils.parsedate_to_datetime(text)
    except (ValueError, TypeError):
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
