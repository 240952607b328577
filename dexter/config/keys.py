"""API keys: from the environment or the user's `.env`, nowhere else, and never shown."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from urllib.parse import quote

from dexter.config.origins import Variable
from dexter.config.private_files import write_private
from dexter.errors import MissingKeyError, SettingsError, UsageError

# The variables a provider's key may stand in; the first is the one `dexter config set-key` writes.
KEY_VARIABLES: Mapping[str, tuple[str, ...]] = {
    "anthropic": ("ANTHROPIC_API_KEY",),
    "openai": ("OPENAI_API_KEY",),
    "gemini": ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
    "xai": ("XAI_API_KEY",),
    "openrouter": ("OPENROUTER_API_KEY",),
    "deepseek": ("DEEPSEEK_API_KEY",),
    "moonshot": ("MOONSHOT_API_KEY",),
    "mistral": ("MISTRAL_API_KEY",),
    "groq": ("GROQ_API_KEY",),
    "financialdatasets": ("FINANCIAL_DATASETS_API_KEY",),
    "twelvedata": ("TWELVE_DATA_API_KEY",),
    "exa": ("EXA_API_KEY", "EXASEARCH_API_KEY"),
    "tavily": ("TAVILY_API_KEY",),
    "brave": ("BRAVE_API_KEY",),
    "perplexity": ("PERPLEXITY_API_KEY",),
    "langsearch": ("LANGSEARCH_API_KEY",),
}
_PROVIDER_OF = {variable: provider for provider, variables in KEY_VARIABLES.items() for variable in variables}
_PLACEHOLDER = re.compile(
    r"""^(?:$|[.…x*]+$|<.*>$|\[.*\]$|\$\{?\w+\}?$|(?:sk|key)-(?:\w+-)*(?:\.{3}|…|x{3,})
    |.*(?:your|insert|paste|replace|change)[-_ ]?(?:me|this|it|here|own|api|key|secret|token|[\w -]*key)
    |(?:none|null|todo|changeme|placeholder|dummy|example)$)""",
    re.IGNORECASE | re.VERBOSE,
)
_LEAST_SECRET = 6
_LEAST_IN_BASE64 = 12  # what is left of a shorter one could be a word
# Four characters of a long key tell it from another and give nothing away.
_SHOWN_END, _LEAST_FOR_END = 4, 16


def is_placeholder(value: str) -> bool:
    """Whether a value is what an example file has where a key should stand."""
    return bool(_PLACEHOLDER.match(value.strip()))


@dataclass(frozen=True)
class Keys:
    """The keys that are set, by variable. `repr` and `str` never show one."""

    _values: Mapping[str, str] = field(default_factory=dict, repr=False)
    _origins: Mapping[str, str] = field(default_factory=dict, repr=False)

    def get(self, provider: str) -> str | None:
        """The key of a provider, or None."""
        return next((self._values[name] for name in variables_of(provider) if name in self._values), None)

    def require(self, provider: str, wanted_by: str = "") -> str:
        """The key of a provider. `wanted_by` names what needs it, if that is not the provider itself.

        Raises:
            MissingKeyError: it is not set; the remedy names the command that sets it.
        """
        if (key := self.get(provider)) is None:
            name = variables_of(provider)[0]
            needs = f"{wanted_by} needs a key of {provider}" if wanted_by else f"{provider} needs a key"
            how = f"Set it with `dexter config set-key {provider}`" if provider in KEY_VARIABLES else f"Export {name}"
            raise MissingKeyError(f"{needs}, and {name} is not set.", remedy=f"{how}, or choose another.")
        return key

    @property
    def any_set(self) -> bool:
        """Whether there is any key, of a known provider or not."""
        return bool(self._values)

    @property
    def providers(self) -> tuple[str, ...]:
        """Who has a key, in the order of `KEY_VARIABLES`."""
        return tuple(provider for provider in KEY_VARIABLES if self.get(provider) is not None)

    def origin(self, provider: str) -> str:
        """Where a provider's key was found, '' without one."""
        return next((self._origins[name] for name in variables_of(provider) if name in self._origins), "")

    def masked(self, provider: str) -> str:
        """A provider's key as it may be shown: its last four characters, none of a short one; '' without one."""
        key = self.get(provider)
        return "" if key is None else f"…{key[-_SHOWN_END:]}" if len(key) >= _LEAST_FOR_END else "…"

    def redact(self, text: str) -> str:
        """The text with every key in it replaced by its variable's name: as it is, in a URL, or in base64."""
        for name, value in self._secrets():
            for spelling in spellings(value):
                text = text.replace(spelling, f"[{name}]")
        return text

    def begun(self, text: str) -> int:
        """How many characters at the end of a text may be the beginning of a key."""
        secrets = (spelling for _, value in self._secrets() for spelling in spellings(value))
        return max((_overlap(text, secret) for secret in secrets), default=0)

    def _secrets(self) -> Iterator[tuple[str, str]]:
        """Those long enough to be told from a word, longest first: one may hold another."""
        long = ((name, value) for name, value in self._values.items() if len(value) >= _LEAST_SECRET)
        return iter(sorted(long, key=lambda item: -len(item[1])))


@cache
def spellings(value: str) -> tuple[str, ...]:
    """A key as it is, percent-encoded, and in base64 wherever it begins in what is encoded."""
    data = value.encode()
    in_base64 = []
    for shift in range(3) if len(data) >= _LEAST_IN_BASE64 else ():
        whole = len(data) + shift - (len(data) + shift) % 3
        encoded = base64.b64encode(bytes(shift) + data)[: whole // 3 * 4]
        in_base64.append(encoded[4 if shift else 0 :].decode())
    urlsafe = [text.replace("+", "-").replace("/", "_") for text in in_base64]
    return tuple(dict.fromkeys((value, quote(value, safe=""), *in_base64, *urlsafe)))


def _overlap(text: str, value: str) -> int:
    """The length of the longest end of a text that a value begins with."""
    tail = text[max(len(text) - len(value) + 1, 0) :]
    start = tail.find(value[0])
    while start >= 0 and not value.startswith(tail[start:]):
        start = tail.find(value[0], start + 1)
    return len(tail) - start if start >= 0 else 0


def variables_of(provider: str) -> tuple[str, ...]:
    """The variables that may hold a provider's key; `FOO_API_KEY` for one not in the list."""
    return KEY_VARIABLES.get(provider, (f"{re.sub(r'[^A-Za-z0-9]', '_', provider).upper()}_API_KEY",))


def find_keys(variables: Mapping[str, Variable]) -> Keys:
    """The keys among the variables; placeholders are no keys."""
    found = [v for name, v in variables.items() if name.endswith("_API_KEY") and not is_placeholder(v.value)]
    return Keys({v.name: v.value.strip() for v in found}, {v.name: str(v.origin) for v in found})


def is_key_variable(name: str) -> bool:
    """Whether Dexter would read a key from this variable."""
    return name in _PROVIDER_OF


def store_key(path: Path, provider: str, value: str) -> str:
    """Write a key into the user's `.env` (0600), in place of an older one. Gives the variable's name.

    Raises:
        UsageError: the value is no key, or the provider is unknown.
        SettingsError: the file can't be written.
    """
    if provider not in KEY_VARIABLES:
        raise UsageError(f"No provider is called “{provider}”.", remedy="Known: " + ", ".join(KEY_VARIABLES) + ".")
    key = value.strip()
    if is_placeholder(key) or not key.isprintable() or any(c.isspace() or c in "\"'" for c in key):
        raise UsageError("That is not a key: it is empty, a placeholder, or holds spaces or quotes.")
    name = variables_of(provider)[0]
    try:
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        kept = [line for line in lines if not re.match(rf"\s*(?:export\s+)?{name}\s*=", line)]
        write_private(path, "\n".join([*kept, f"{name}={key}", ""]))
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path} can't be written: {error}.") from error
    return name
