"""What a shell completes behind an option or a command: names that Dexter itself knows. Nothing may fail here."""

from __future__ import annotations

_MOST = 50


def policies(incomplete: str) -> list[str]:
    """Context policies."""
    from dexter.context.policies import POLICIES

    return _beginning(incomplete, list(POLICIES))


def key_names(incomplete: str) -> list[str]:
    """Providers that have a key."""
    from dexter.config.keys import KEY_VARIABLES

    return _beginning(incomplete, list(KEY_VARIABLES))


def runs(incomplete: str) -> list[str]:
    """`last`, and the newest runs."""
    from dexter.cli.configured import configured
    from dexter.errors import DexterError
    from dexter.scratchpad.runs import scratchpads

    try:
        found = scratchpads(configured().scratchpads)
    except DexterError:
        found = ()
    return _beginning(incomplete, ["last", *(path.stem for path in found)])[:_MOST]


def _beginning(incomplete: str, names: list[str]) -> list[str]:
    return [name for name in names if name.startswith(incomplete)]
