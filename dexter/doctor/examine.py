"""Everything that is looked at, in order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date

from dexter.config.load import Configuration
from dexter.context.policies import POLICIES
from dexter.doctor.finding import Finding, ok, problem
from dexter.doctor.folders import check_folders
from dexter.doctor.network import check_network
from dexter.doctor.services import (
    check_data,
    check_endpoints,
    check_keys,
    check_models,
    check_prices,
    check_search,
)
from dexter.doctor.terminal import TerminalFacts, check_terminal
from dexter.doctor.versions import check_ranks, check_versions, installed_version


def examine(
    config: Configuration, environ: Mapping[str, str], terminal: TerminalFacts, *, today: date, version: str
) -> Iterator[Finding]:
    """What can be seen without a network. `version` is Dexter's own."""
    yield from check_versions(version)
    yield from check_keys(config, environ)
    yield from check_models(config, today)
    yield from check_policy(config)
    yield from check_endpoints(config)
    yield from check_network(environ)
    yield from check_data(config)
    yield from check_prices(config)
    yield from check_search(config, has_ddgs=installed_version("ddgs") is not None)
    yield from check_ranks()
    yield from check_folders(config)
    yield from check_terminal(terminal)


def check_policy(config: Configuration) -> Iterator[Finding]:
    """Whether the context policy exists."""
    name = config.settings.policy
    if name in POLICIES:
        yield ok("policy", name)
    else:
        yield problem("policy", f"There is no policy {name!r}.", f"dexter ask --policy {next(iter(POLICIES))} …")
