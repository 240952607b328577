"""Failures that are no answer of a provider: cut, silent or garbled connections, as errors with a remedy."""

from __future__ import annotations

import email.utils
from collections.abc import Mapping
from dataclasses import replace

from dexter.errors import RETRIED_KINDS, ModelError
from dexter.models.catalogue import PROVIDER_NAMES
from dexter.models.errors import ErrorInfo, classify, model_error


def said_by(provider: str, message: str) -> str:
    """What a provider said, as a sentence of ours."""
    text = message.strip()
    return f"{PROVIDER_NAMES.get(provider, provider)}: {text}{'' if text.endswith(('.', '!', '?')) else '.'}"


def broken_stream(what: str) -> ModelError:
    """The stream `what`; nothing of it was accepted."""
    info = classify("connection closed: incomplete response")
    return model_error(info, f"The model's stream {what}; nothing of it was accepted.")


def stalled(seconds: float) -> ModelError:
    """Nothing came for so long."""
    return model_error(classify("timed out"), f"Nothing came from the model for {seconds:g} seconds.")


def transport_failure(error: Exception, provider: str, idle_s: float) -> ModelError:
    """A connection that could not be made or did not hold. Looks at the causes too: libraries hide the reason there."""
    chain = list(_chain(error))
    if any(isinstance(one, TimeoutError) or "Timeout" in type(one).__name__ for one in chain):
        return stalled(idle_s)
    said = " · ".join(dict.fromkeys(text for one in chain if (text := str(one).strip())))
    info = classify(said)
    if info.kind not in RETRIED_KINDS:  # nothing else can be known of a provider that did not answer
        info = classify("Connection error.")
    name = PROVIDER_NAMES.get(provider, provider)
    return model_error(info, f"The connection to {name} failed: {(said or type(error).__name__).rstrip('.')}.")


def read_headers(info: ErrorInfo, headers: Mapping[str, str] | None) -> ErrorInfo:
    """The same with the wait that the response's headers ask for, which is exact where words are not."""
    wait = _retry_after(headers or {})
    return info if wait is None else replace(info, retry_after=wait)


def _chain(error: BaseException | None) -> list[BaseException]:
    found: list[BaseException] = []
    while error is not None and error not in found:
        found.append(error)
        error = error.__cause__ or error.__context__
    return found


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds, from milliseconds, seconds or an HTTP date."""
    named = {name.lower(): value for name, value in headers.items()}
    try:
        if "retry-after-ms" in named:
            return max(0.0, float(named["retry-after-ms"]) / 1_000)
        return max(0.0, float(named["retry-after"]))
    except KeyError:
        return None
    except ValueError:
        return _seconds_between(named.get("date", ""), named["retry-after"])


def _seconds_between(now: str, then: str) -> float | None:
    """Both as the server sees them, so that our own clock does not matter."""
    try:
        wait = email.utils.parsedate_to_datetime(then) - email.utils.parsedate_to_datetime(now)
    except (ValueError, TypeError):
        return None
    return max(0.0, wait.total_seconds())
