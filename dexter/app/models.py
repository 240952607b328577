"""Which model answers, and why."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from dexter.app.discretion import DiscreetModel
from dexter.app.outside import Setup
from dexter.context.stage import ResultStore
from dexter.context.tokens import effective_window
from dexter.errors import UsageError
from dexter.models.catalogue import LOCAL_ADDRESSES, LOCAL_PROVIDERS, names_like, resolve, thinking_mode
from dexter.models.default_model import OFFLINE, Choice, default_model
from dexter.models.learnt_limits import read_limits, with_learnt_limit
from dexter.models.protocol import Model, ModelInfo

LEARNT_LIMITS = "model-limits.json"


@runtime_checkable
class Closing(Protocol):
    """Holds connections."""

    async def aclose(self) -> None:
        """Close them."""
        ...


@dataclass(frozen=True)
class Models:
    """The main model and the fast one for summaries (None: the main one)."""

    main: Model
    fast: Model | None = None

    async def aclose(self) -> None:
        """Close the connections of those that hold any."""
        models: tuple[object, ...] = (self.main, self.fast)
        for model in models:
            if isinstance(model, Closing):
                await model.aclose()


@dataclass(frozen=True)
class ModelChoice:
    """What was decided and a sentence that says why. `make` builds the models once the run's record is open."""

    info: ModelInfo
    fast_name: str | None
    reason: str
    make: Callable[[ResultStore], Models]

    @classmethod
    def of(cls, main: Model, fast: Model | None = None, reason: str = "Handed in.") -> ModelChoice:
        """A choice of models that are there already."""
        return cls(main.info, fast.info.name if fast else None, reason, lambda _results: Models(main, fast))


def choose_models(setup: Setup) -> ModelChoice:
    """The configured model, else the best with a key, else the offline analyst.

    Raises:
        MissingKeyError: the configured model's provider has no key.
    """
    choice = default_choice(setup)
    if choice.model == OFFLINE:
        return _offline(choice.reason)
    main = model_info(choice.model, setup)
    fast_name = setup.settings.fast_model or main.fast
    fast = model_info(fast_name, setup) if fast_name and fast_name != main.name else None
    model = connect(main, setup)
    fast_model = connect(fast, setup) if fast else None
    return ModelChoice(main, fast.name if fast else None, choice.reason, lambda _results: Models(model, fast_model))


def model_info(name: str, setup: Setup) -> ModelInfo:
    """What is known of a model, its window as learnt from an overflow where that is smaller."""
    limits = read_limits(setup.config.places.data / LEARNT_LIMITS)
    info = resolve(name, default_window=setup.settings.context.default_window, today=setup.outside.now().date())
    return with_learnt_limit(info, limits)


def connect(info: ModelInfo, setup: Setup) -> Model:
    """The adapter for a model; its errors name no key. Nothing is imported or sent before its first call.

    Raises:
        MissingKeyError: its provider has no key.
    """
    return DiscreetModel(_adapter(info, setup), setup.config.keys)


def _adapter(info: ModelInfo, setup: Setup) -> Model:
    keys, settings = setup.config.keys, setup.settings
    if info.provider == "anthropic":
        from dexter.models.anthropic import AnthropicModel

        return AnthropicModel(
            info,
            keys.require("anthropic", info.name),
            base_url=settings.anthropic.base_url,
            thinking=thinking_mode(info.name),
            idle_s=settings.anthropic.timeout_s,
        )
    from dexter.models.litellm import LiteLLMModel

    # The address is for servers that speak OpenAI's protocol, also those on the user's own machine; the other
    # providers have their own.
    own = info.provider == "openai" or info.provider in LOCAL_ADDRESSES
    base_url = (settings.openai_compatible.base_url if own else "") or LOCAL_ADDRESSES.get(info.provider, "")
    keyless = base_url or info.provider in LOCAL_PROVIDERS
    if info.provider == "openai" and not (base_url or info.window_known or keys.get("openai")):
        raise _unknown(info.name)
    key = keys.get(info.provider) if keyless else keys.require(info.provider, info.name)
    window = effective_window(settings.window or info.window, settings.window_cap, settings.context)
    return LiteLLMModel(info, key or "", base_url, settings.openai_compatible.timeout_s, context=window)


def _unknown(name: str) -> UsageError:
    """A name nobody knows goes to a server that speaks OpenAI's protocol, if there is one."""
    like = names_like(name)
    return UsageError(
        f"{name.removeprefix('openai/')} is no known model, and no server is set that could be asked for it.",
        remedy=(f"Did you mean {like[0]}? " if like else "")
        + "`dexter models` lists models; OPENAI_BASE_URL names a server of your own.",
    )


def default_choice(setup: Setup) -> Choice:
    """The model that answers as things are set, and why."""
    settings = setup.settings
    if settings.offline:
        return Choice(OFFLINE, "Offline: no socket is opened.")
    if settings.model:
        return Choice(settings.model, f"Set by {setup.config.origin('model')}.")
    return default_model(setup.config.keys, setup.outside.now().date())


def _offline(reason: str) -> ModelChoice:
    from dexter.offline.model import INFO, OfflineModel

    def make(results: ResultStore) -> Models:
        model = OfflineModel(results)
        return Models(model, model)

    return ModelChoice(INFO, INFO.name, reason, make)
