"""What the way to the network is said to be: proxies and certificates, which every connection rests on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.parse import urlsplit

from dexter.doctor.finding import Finding, ok, problem
from dexter.errors import ModelError
from dexter.models.proxies import check_proxies

_AREA = "network"
_PROXIES = ("HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy")
_CERTIFICATES = {"SSL_CERT_FILE": Path.is_file, "SSL_CERT_DIR": Path.is_dir}


def check_network(environ: Mapping[str, str]) -> Iterator[Finding]:
    """Whether proxies are addresses and certificates are there; nothing is asked. A password is not shown."""
    for name in _PROXIES:
        address = environ.get(name, "")
        if address and not _is_proxy(address):
            yield problem(_AREA, f"{name} names no usable proxy: every connection would fail.", f"unset {name}")
        elif address:
            yield ok(_AREA, f"{name}: {_shown(address)}")
    for name, is_there in _CERTIFICATES.items():
        path = environ.get(name, "")
        if path and not is_there(Path(path)):
            yield problem(
                _AREA, f"{name} names {path}, which is not there: every connection would fail.", f"unset {name}"
            )
        elif path:
            yield ok(_AREA, f"{name}: {path}")


def _is_proxy(address: str) -> bool:
    """An address that models are reached by, perhaps without `http://`, which some programs leave out."""
    try:
        check_proxies({"all": address})
        parts = urlsplit(address if "://" in address else f"http://{address}")
        return bool(parts.hostname) and ("://" in address or parts.port is not None)
    except (ModelError, ValueError):
        return False


def _shown(address: str) -> str:
    return address.rpartition("@")[2]
