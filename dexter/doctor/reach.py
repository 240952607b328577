"""Whether the addresses answer, and whether model providers take the keys. Only where it was asked for."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from dexter.config.load import Configuration
from dexter.doctor.finding import Finding, ok, problem
from dexter.doctor.services import endpoints

if TYPE_CHECKING:
    import httpx

_AREA = "reachable"
_TIMEOUT_S = 8.0
_REFUSED = frozenset({401, 403})


def check_reach(config: Configuration, transport: httpx.AsyncBaseTransport | None = None) -> list[Finding]:
    """Ask each address once. `transport` stands in for the network in tests."""
    return asyncio.run(_check(config, transport))


async def _check(config: Configuration, transport: httpx.AsyncBaseTransport | None) -> list[Finding]:
    import httpx

    headers = {"User-Agent": config.settings.sec.contact or "dexter doctor"}
    async with httpx.AsyncClient(timeout=_TIMEOUT_S, transport=transport, headers=headers) as client:
        probes = [_probe(client, name, *probe) for name, probe in _requests(config)]
        return list(await asyncio.gather(*probes))


def _requests(config: Configuration) -> Iterator[tuple[str, tuple[str, Mapping[str, str], str]]]:
    """What is asked: name, address, headers, and whose key it tries."""
    keys = config.keys
    for name, address in endpoints(config).items():
        if name == "anthropic.base_url" and (key := keys.get("anthropic")):
            headers = {"x-api-key": key, "anthropic-version": "2023-06-01"}
            yield name, (f"{address.rstrip('/')}/v1/models", headers, "anthropic")
        elif name == "openai_compatible.base_url" and (key := keys.get("openai")):
            yield name, (f"{address.rstrip('/')}/models", {"Authorization": f"Bearer {key}"}, "openai")
        else:
            yield name, (address, {}, "")


async def _probe(
    client: httpx.AsyncClient, name: str, address: str, headers: Mapping[str, str], key_of: str
) -> Finding:
    import httpx

    try:
        response = await client.get(address, headers=headers)
    except httpx.HTTPError as error:
        told = f"{name}: {address} does not answer ({type(error).__name__})."
        return problem(
            _AREA, told, "check the network, HTTPS_PROXY and SSL_CERT_FILE; dexter ask --offline works without"
        )
    except (httpx.InvalidURL, ValueError):
        return problem(_AREA, f"{name}: {address} is no address.", f"dexter config  # mend {name}")
    if key_of and response.status_code in _REFUSED:
        told = f"{name}: the key of {key_of} is refused ({response.status_code})."
        return problem(_AREA, told, f"dexter config set-key {key_of}")
    return ok(_AREA, f"{name}: {address} answers ({response.status_code})")
