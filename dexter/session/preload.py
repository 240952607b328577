"""What the first question needs is loaded while it is typed."""

from __future__ import annotations

import importlib
import threading

_ALWAYS = ("dexter.ui.markdown", "dexter.figures.check", "dexter.data.identity.directory")
_OFFLINE = ("dexter.offline.turn", "dexter.offline.summarise", "dexter.data.sample.provider")


def preload(provider: str) -> threading.Thread:
    """Import what a question to this provider will load, in a thread that holds nothing up, not even the end."""
    thread = threading.Thread(target=_load, args=(provider,), name="preload", daemon=True)
    thread.start()
    return thread


def _load(provider: str) -> None:
    """What can't be imported says so where it is used."""
    try:
        for name in (*_ALWAYS, *(_OFFLINE if provider == "offline" else ("httpx",))):
            importlib.import_module(name)
        if provider == "anthropic":
            importlib.import_module("anthropic")
        elif provider not in {"offline", "scripted", "demo"}:
            from dexter.models.litellm_setup import load_litellm

            load_litellm()
    except Exception:  # noqa: BLE001 - whatever a library raises is told with the first question
        return
