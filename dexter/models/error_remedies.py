"""What a person can do about each kind of failure."""

from __future__ import annotations

import re

from dexter.models.error_codes import ErrorKind

_REMEDIES: dict[ErrorKind, str] = {
    "context_overflow": "Ask for less at once, start a new conversation, or choose a larger window (`--model`).",
    "rate_limit": "Wait a minute and `dexter resume`, or choose another model (`--model`).",
    "billing": "Add credit or raise the limit at the provider, or choose another provider's model (`--model`).",
    "auth": "Check the key (`dexter config set-key {provider}`, `dexter doctor`) and that it may use this model.",
    "timeout": "Try again with `dexter resume`; if it lasts, check the network and the provider's status page.",
    "overloaded": "The provider is overloaded: `dexter resume` later, or choose another model (`--model`).",
    "bad_request": "The provider refused the request as built; `--debug` shows it. Another model (`--model`) may do.",
    "content_filter": "The provider's filter stopped this: ask in other words, or choose another model (`--model`).",
    "network": "Check the connection, the proxy (HTTPS_PROXY) and certificates (SSL_CERT_FILE), then `dexter resume`.",
    "other": "Try `dexter resume`; `dexter doctor` checks the set-up and `dexter models` lists what there is.",
}
# No call is held back for longer than this: then a person decides.
LONG_WAIT_S = 60.0
_UNITS = ((86_400, "day"), (3_600, "hour"), (60, "minute"))


def remedy_after(seconds: float) -> str:
    """One sentence for a person whom the provider asks to come back after so long."""
    size, name = next((unit for unit in _UNITS if seconds >= 2 * unit[0]), _UNITS[-1])
    wait = f"about {seconds / size:,.0f} {name}s"
    return f"The provider asks to wait {wait}: `dexter resume` then, or choose another model (`--model`) now."


def remedy_for(
    kind: ErrorKind, text: str = "", *, provider: str = "", oversized: bool = False, lasting: bool = False
) -> str:
    """One sentence for a person; `text` is the lower-cased message, `provider` its name in settings."""
    if oversized:
        return "This request alone is over the account's tokens per minute: ask for less or raise the limit."
    if lasting and kind == "network":
        return "Name the file of the authority that signed it in SSL_CERT_FILE."
    if lasting:
        return (
            "This limit comes back only after hours or days: choose another model (`--model`) or `dexter resume` later."
        )
    if kind == "other" and "model" in text and re.search(r"not found|not exist|deactivated|not a valid|no such", text):
        return "The provider does not know this model: `dexter models` lists names, `--model` chooses one."
    if kind == "other" and re.search(r"\b404\b|not found", text):
        return "Nothing answers at this address: check the base URL (`dexter config`) and the model's name (`--model`)."
    return _REMEDIES[kind].replace("{provider}", provider or "NAME")
