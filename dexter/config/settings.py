"""Every setting, typed, with its default. config.example.toml documents them; a test proves that the two agree.

Where values come from is `load.py`'s business. This module imports pydantic: import it inside functions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field
from pydantic_settings import NoDecode  # noqa: TID253 - a marker in annotations; this module is loaded inside functions

from dexter.config.limits import Limits


@dataclass(frozen=True)
class Guarded:
    """Marks a setting that a file in the current folder may name only once it is trusted; `what` says why."""

    what: str


def _split(value: Any) -> Any:
    """Commas separate in the environment; TOML has lists."""
    if isinstance(value, str):
        return tuple(part.strip() for part in value.split(",") if part.strip())
    return tuple(value) if isinstance(value, list) else value


def _address(value: str) -> str:
    """Without its scheme an address is none: the libraries would only stumble over it later."""
    address = value.strip()
    if address and not re.match(r"https?://[^\s/]", address, re.IGNORECASE):
        raise ValueError("an address that begins with http:// or https://")
    return address


Endpoint = Annotated[str, AfterValidator(_address), Guarded("an endpoint")]
Folder = Annotated[Path | None, Guarded("a path")]
Folders = Annotated[
    tuple[Annotated[Path, Field(strict=False)], ...], NoDecode, BeforeValidator(_split), Guarded("an allowed path")
]
Names = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_split)]
PriceSource = Literal["financialdatasets", "twelvedata", "yahoo", "sample"]
PriceSources = Annotated[tuple[PriceSource, ...], NoDecode, BeforeValidator(_split)]
Hosts = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_split), Guarded("an allowed host")]


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, validate_default=False)


class MemorySettings(_Section):
    """Long-term notes."""

    enabled: bool = Field(default=True, description="Keep long-term notes, and write them before a compaction.")
    start_tokens: int = Field(default=4_000, ge=0, description="Tokens of notes that a run knows from its start.")


class AnthropicSettings(_Section):
    """The Anthropic API. The key: ANTHROPIC_API_KEY."""

    base_url: Endpoint = Field(
        default="https://api.anthropic.com", description="Also ANTHROPIC_BASE_URL. Without `/v1`."
    )
    timeout_s: float = Field(default=60.0, gt=0, description="Seconds without a byte before a call is given up.")


class OpenAICompatibleSettings(_Section):
    """Any server that speaks OpenAI's chat protocol. The key: OPENAI_API_KEY."""

    base_url: Endpoint = Field(default="", description="Also OPENAI_BASE_URL. Empty: the provider's own.")
    timeout_s: float = Field(
        default=60.0,
        gt=0,
        description="Seconds of silence before a call is given up; the first word may take five times that.",
    )


class DataSettings(_Section):
    """Where financial figures come from."""

    providers: Names = Field(
        default=("sec", "financialdatasets", "sample"),
        description="Asked in this order; those without a contact or key are passed over.",
    )


class SecSettings(_Section):
    """SEC EDGAR: free, but wants to know who asks."""

    contact: str = Field(
        default="", description="Your name and e-mail address, sent as User-Agent. Needed to use EDGAR."
    )
    data_url: Endpoint = Field(default="https://data.sec.gov", description="Company facts and submissions.")
    www_url: Endpoint = Field(default="https://www.sec.gov", description="Documents and the list of tickers.")
    search_url: Endpoint = Field(default="https://efts.sec.gov", description="Full-text search.")
    requests_per_second: float = Field(
        default=10.0, ge=1, le=10, description="EDGAR blocks who asks more than 10 a second."
    )


class FinancialDatasetsSettings(_Section):
    """Financial Datasets. The key: FINANCIAL_DATASETS_API_KEY."""

    base_url: Endpoint = Field(default="https://api.financialdatasets.ai", description="The API's address.")


class MarketSettings(_Section):
    """Prices. The keys: FINANCIAL_DATASETS_API_KEY, TWELVE_DATA_API_KEY."""

    providers: PriceSources = Field(
        default=("financialdatasets", "twelvedata", "sample"),
        description="Asked in this order; those without a key are passed over. `yahoo` needs none and is asked only if"
        " named: it is unofficial and promises nothing.",
    )
    twelvedata_url: Endpoint = Field(default="https://api.twelvedata.com", description="Twelve Data.")
    yahoo_url: Endpoint = Field(
        default="https://query1.finance.yahoo.com", description="Yahoo's chart data, where `providers` names it."
    )


class SearchSettings(_Section):
    """Web search."""

    providers: Names = Field(
        default=("exa", "tavily", "brave", "perplexity", "searxng", "ddgs"),
        description="In this order; those without a key or an address are passed over.",
    )
    exa_url: Endpoint = Field(default="https://api.exa.ai", description="The key: EXA_API_KEY.")
    tavily_url: Endpoint = Field(default="https://api.tavily.com", description="The key: TAVILY_API_KEY.")
    brave_url: Endpoint = Field(default="https://api.search.brave.com", description="The key: BRAVE_API_KEY.")
    perplexity_url: Endpoint = Field(default="https://api.perplexity.ai", description="The key: PERPLEXITY_API_KEY.")
    searxng_url: Endpoint = Field(default="", description="Address of a SearXNG that answers in JSON.")


class WebSettings(_Section):
    """Fetching pages."""

    timeout_s: float = Field(default=20.0, gt=0, description="Seconds for one page.")
    max_bytes: int = Field(default=20_000_000, gt=0, description="Larger pages are cut.")
    allowed_hosts: Hosts = Field(
        default=(), description="Hosts (`host` or `host:port`) that may be fetched although they are not public."
    )


class FilesSettings(_Section):
    """What `read_file` and `write_file` may touch."""

    allowed: Folders = Field(
        default=(), description="Folders beside the runs' own. Nothing outside is read or written."
    )


class PathsSettings(_Section):
    """Where things are kept. Empty: the user's folders, by the XDG rules."""

    scratchpads: Folder = Field(
        default=None, description="Runs. Default: ./scratchpads where it exists, else below the data."
    )
    data: Folder = Field(default=None, description="Memory, history and runs.")
    cache: Folder = Field(default=None, description="Responses of data providers.")


class UiSettings(_Section):
    """The terminal."""

    stream: bool = Field(default=True, description="Show the answer while it is written.")
    links: Literal["auto", "always", "never"] = Field(default="auto", description="Sources as clickable links (OSC 8).")


class Settings(BaseModel):
    """All settings. Frozen; pure defaults when made without arguments."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    model: str | None = Field(
        default=None, description="`claude-…`, or `provider/name` for others; none: the best with a key."
    )
    fast_model: str | None = Field(default=None, description="For summaries and notes; none: the provider's fast one.")
    policy: str = Field(default="dexter", description="Context policy: dexter, four-level, lean or none.")
    max_turns: int = Field(default=20, ge=1, description="Turns with tools before the last, tool-less call.")
    window: int | None = Field(default=None, gt=0, description="Context window in tokens; none: the model's own.")
    window_cap: int = Field(default=200_000, ge=0, description="Use no more than this of a larger window; 0: no cap.")
    budget_usd: Decimal | None = Field(default=None, gt=0, description="Stop asking the model at this cost in USD.")
    offline: bool = Field(default=False, description="Open no socket: the rule-based analyst over the bundled sample.")
    as_of: date | None = Field(default=None, description="Answer as on this day: nothing filed later is used.")
    strict: bool = Field(default=False, description="Exit status 4 if a figure of the answer is not found.")

    context: Limits = Field(
        Limits(), description="The numbers of the context pipeline, in tokens unless they say characters."
    )
    memory: MemorySettings = MemorySettings()
    anthropic: AnthropicSettings = AnthropicSettings()
    openai_compatible: OpenAICompatibleSettings = OpenAICompatibleSettings()
    data: DataSettings = DataSettings()
    sec: SecSettings = SecSettings()
    financialdatasets: FinancialDatasetsSettings = FinancialDatasetsSettings()
    market: MarketSettings = MarketSettings()
    search: SearchSettings = SearchSettings()
    web: WebSettings = WebSettings()
    files: FilesSettings = FilesSettings()
    paths: PathsSettings = PathsSettings()
    ui: UiSettings = UiSettings()


@dataclass(frozen=True)
class Setting:
    """One setting as the documentation and `dexter config` see it. `name` is dotted: `sec.contact`."""

    name: str
    default: Any
    description: str = ""
    guarded: str = ""


def sections() -> tuple[str, ...]:
    """The names of the sections, in order."""
    return tuple(name for name, info in Settings.model_fields.items() if _is_section(info.default))


def all_settings() -> dict[str, Setting]:
    """Every setting by its dotted name, in the order of the example file."""
    return {setting.name: setting for setting in _walk(Settings, "")}


def _is_section(default: Any) -> bool:
    return isinstance(default, BaseModel) or is_dataclass(default)


def _walk(model: type[BaseModel], prefix: str) -> Iterator[Setting]:
    for name, info in model.model_fields.items():
        default = info.default
        if isinstance(default, BaseModel):
            yield from _walk(type(default), f"{name}.")
        elif isinstance(default, Limits):
            yield from (Setting(f"{name}.{f.name}", f.default) for f in fields(default))
        else:
            guarded = next((mark.what for mark in info.metadata if isinstance(mark, Guarded)), "")
            yield Setting(prefix + name, default, info.description or "", guarded)


def value_of(settings: Settings, name: str) -> Any:
    """The value of a dotted name."""
    found: Any = settings
    for part in name.split("."):
        found = getattr(found, part)
    return found
