"""LiteLLM, imported quietly: no network, no `.env` side effect, no noise, no retries of its own."""

from __future__ import annotations

import logging
import os
from types import ModuleType

from dexter.models.proxies import any_socks, named_proxies

# Read by LiteLLM while it is imported. The first is its master switch; the next two are for other versions.
_ENVIRONMENT = {
    "LITELLM_OFFLINE_MODE": "true",
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    "LITELLM_LOCAL_ANTHROPIC_BETA_HEADERS": "True",
    "LITELLM_MODE": "PRODUCTION",  # else a `.env` nearby is pulled into the environment
    "LITELLM_LOG": "ERROR",
}


def load_litellm() -> ModuleType:
    """The library, set up. The first call takes seconds."""
    os.environ.update(_ENVIRONMENT)
    import litellm

    litellm.suppress_debug_info = True
    litellm.drop_params = True
    litellm.telemetry = False
    litellm.num_retries = 0
    litellm.disable_aiohttp_transport = any_socks(named_proxies())  # aiohttp knows no SOCKS
    for name in ("LiteLLM", "LiteLLM Router", "LiteLLM Proxy"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    return litellm
