"""Whom LiteLLM would ask for each provider it knows. Run as a process of its own; no name is looked up.

python -m tests.support.where_asked: prints "provider host" for every look-up that was tried.
"""

from __future__ import annotations

import asyncio
import socket
import sys
from contextlib import aclosing
from typing import Any, NoReturn

from dexter.errors import ModelError
from dexter.messages import UserMessage
from dexter.models.litellm import LiteLLMModel
from dexter.models.litellm_setup import load_litellm
from dexter.models.protocol import ModelInfo

_VIEW = (UserMessage("m1", "Hello?"),)
_MOST_S = 8


async def ask(provider: str) -> None:
    """One question to the provider's own address."""

    def refuse(host: Any, *_args: object, **_named: object) -> NoReturn:
        sys.stdout.write(f"{provider} {host if isinstance(host, str) else host.decode()}\n")
        raise socket.gaierror("no name is looked up here")

    async def refuse_later(*args: object, **_named: object) -> NoReturn:
        refuse(*args)

    socket.getaddrinfo = socket.gethostbyname = refuse
    asyncio.get_running_loop().getaddrinfo = refuse_later  # type: ignore[method-assign] - a process of its own
    async with aclosing(LiteLLMModel(ModelInfo(f"{provider}/test", provider), "none", idle_s=1.0)) as model:
        try:
            async with asyncio.timeout(_MOST_S):
                async for _item in model.stream(_VIEW, tools=(), tool_choice="auto", max_tokens=5):
                    pass
        except (ModelError, TimeoutError):
            pass


async def main() -> None:
    """Every provider in turn."""
    for provider in sorted(str(getattr(name, "value", name)) for name in load_litellm().provider_list):
        try:
            await ask(provider)
        except Exception as error:  # noqa: BLE001 - LiteLLM stumbles over providers nobody can use here
            sys.stdout.write(f"{provider} - {type(error).__name__}\n")


if __name__ == "__main__":
    asyncio.run(main())
