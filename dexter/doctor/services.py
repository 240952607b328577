"""Keys, models, providers of data, and the addresses they are reached at."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date
from ipaddress import ip_address
from urllib.parse import urlsplit

from dexter.config.keys import KEY_VARIABLES, is_placeholder
from dexter.config.load import Configuration
from dexter.config.settings import all_settings, value_of
from dexter.data.web.search.provider import NEEDS
from dexter.doctor.finding import Finding, note, ok, problem
from dexter.models.catalogue import LOCAL_PROVIDERS, resolve
from dexter.models.default_model import OFFLINE, default_model
from dexter.models.model_table import bundled_table

_KEYED_PRICES = ("financialdatasets", "twelvedata")
_DATA_PROVIDERS = ("sec", "financialdatasets", "sample")


def check_keys(config: Configuration, environ: Mapping[str, str]) -> Iterator[Finding]:
    """Which keys are set, masked; placeholders that stand where a key should."""
    for provider in config.keys.providers:
        yield ok("keys", f"{provider}: {config.keys.masked(provider)} ({config.keys.origin(provider)})")
    for provider, variables in KEY_VARIABLES.items():
        for name in variables:
            value = environ.get(name, "")
            if value and is_placeholder(value):
                yield problem(
                    "keys", f"{name} holds a placeholder, not a key.", f"unset {name}; dexter config set-key {provider}"
                )
    for name in sorted(environ):
        known = _meant_by(name)
        if known and environ[name] and not environ.get(known):
            yield problem("keys", f"{name} is read by nobody; the variable is {known}.", f'export {known}="${name}"')
    if not config.keys.providers:
        yield ok("keys", "None is set; none is needed for the offline analyst and the bundled sample.")


def _meant_by(name: str) -> str:
    """The variable that one like it was meant to be, `TWELVE_DATA_API_KEY` for `TWELVEDATA_KEY`; '' for none."""
    variables = [variable for names in KEY_VARIABLES.values() for variable in names]
    if name in variables:
        return ""
    return next((variable for variable in variables if _bare(variable) == _bare(name)), "")


def _bare(variable: str) -> str:
    """Whose key a variable holds, however it is spelt; one that holds none stays itself."""
    owner = re.fullmatch(r"(.*?)_?(?:API_?)?KEY", variable.upper())
    return owner[1].replace("_", "") if owner else variable


def check_models(config: Configuration, today: date) -> Iterator[Finding]:
    """Who answers, and whether it has its key."""
    settings = config.settings
    if not bundled_table():
        yield problem("models", "The table of models is missing.", "python -m pip install --force-reinstall litellm")
    if settings.offline:
        yield ok("models", "The offline analyst answers, as set.")
        return
    if settings.model is None:
        choice = default_model(config.keys, today)
        mend = "dexter config set-key anthropic" if choice.model == OFFLINE else ""
        shown = f"{choice.model} answers. {choice.reason.partition('`')[0].strip()}"
        yield note("models", shown, mend) if mend else ok("models", shown)
    for role, name in (("model", settings.model), ("fast_model", settings.fast_model)):
        if name is not None:
            yield from _model(role, name, config, today)


def _model(role: str, name: str, config: Configuration, today: date) -> Iterator[Finding]:
    if name == OFFLINE:
        yield ok("models", f"{role}: the offline analyst")
        return
    info = resolve(name, today=today)
    own_address = info.provider == "openai" and config.settings.openai_compatible.base_url
    if not (info.provider in LOCAL_PROVIDERS or own_address or config.keys.get(info.provider)):
        told = f"{role} is {info.name} (set by {config.origin(role)}), but {info.provider} has no key."
        yield problem("models", told, f"dexter config set-key {info.provider}")
    elif not info.window_known:
        told = f"{role}: {info.name}, whose window is not known; {info.window:,} tokens are assumed."
        yield note("models", told, "dexter ask --window TOKENS …")
    else:
        yield ok("models", f"{role}: {info.name}, a window of {info.window:,} tokens")


def check_data(config: Configuration) -> Iterator[Finding]:
    """The providers of financial data, in their order."""
    settings = config.settings
    for name in settings.data.providers:
        if name not in _DATA_PROVIDERS:
            known = ",".join(_DATA_PROVIDERS)
            told = f"data.providers names {name!r}, which does not exist."
            yield problem("data", told, f"export DEXTER_DATA__PROVIDERS={known}")
    if "sec" in settings.data.providers:
        yield from _edgar(settings.sec.contact)
    if "sample" in settings.data.providers:
        yield ok("data", "The bundled sample: twelve companies, no key, no network.")
    if "financialdatasets" in settings.data.providers and config.keys.get("financialdatasets") is None:
        told = "Financial Datasets, a vendor of statements, has no key and is passed over."
        yield note("data", told, "dexter config set-key financialdatasets")


def check_prices(config: Configuration) -> Iterator[Finding]:
    """Where prices come from: live ones need a key."""
    asked = [name for name in config.settings.market.providers if name not in _KEYED_PRICES or config.keys.get(name)]
    live = [name for name in asked if name != "sample"]
    if live:
        yield ok("prices", f"Asked in this order: {', '.join(asked)}")
    else:
        told = "Month-end closes of the bundled sample only; live prices need a key."
        yield note("prices", told, "dexter config set-key twelvedata")


def check_search(config: Configuration, *, has_ddgs: bool) -> Iterator[Finding]:
    """Who searches the web, in order."""
    named = config.settings.search.providers
    for name in named:
        if name not in NEEDS:
            told = f"search.providers names {name!r}, which does not exist."
            yield problem("search", told, f"export DEXTER_SEARCH__PROVIDERS={','.join(NEEDS)}")
    ready = {"searxng": bool(config.settings.search.searxng_url), "ddgs": has_ddgs}
    there = [name for name in named if ready.get(name, config.keys.get(name) is not None)]
    if there:
        yield ok("search", f"Asked in this order: {', '.join(there)}")
    else:
        yield note("search", "No web search: no key, no address, no extra.", "dexter config set-key exa")


def _edgar(contact: str) -> Iterator[Finding]:
    if not contact:
        told = "SEC EDGAR is free but wants to know who asks; without a contact it is passed over."
        yield note("data", told, "export DEXTER_SEC__CONTACT='Your Name you@example.com'")
    elif not re.search(r"\S+@\S+\.\S+", contact):
        told = f"sec.contact is {contact!r}; EDGAR turns away who gives no e-mail address."
        yield problem("data", told, "export DEXTER_SEC__CONTACT='Your Name you@example.com'")
    else:
        yield ok("data", f"SEC EDGAR, asked as {contact}")


def endpoints(config: Configuration) -> dict[str, str]:
    """Every address that is set, by the name of its setting."""
    marked = (setting.name for setting in all_settings().values() if setting.guarded == "an endpoint")
    found = {name: str(value_of(config.settings, name)) for name in marked}
    return {name: address for name, address in found.items() if address}


def check_endpoints(config: Configuration) -> Iterator[Finding]:
    """Whether each address is one, and encrypted unless it is this machine's."""
    for name, address in endpoints(config).items():
        origin = config.origin(name)
        parts = urlsplit(address)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            told = f"{name} is {address!r} (set by {origin}), which is no address."
            yield problem("endpoints", told, f"dexter config  # then give {name} an address like https://example.com")
        elif parts.scheme == "http" and not _is_this_machine(parts.hostname):
            yield note("endpoints", f"{name}: {address} (set by {origin}) is not encrypted.", f"use https for {name}")
        else:
            yield ok("endpoints", f"{name}: {address}")


def _is_this_machine(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
