"""`dexter models`: what models there are, and which one answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from dexter.cli.options import AsJson, ConfigFile, Debug

if TYPE_CHECKING:
    from dexter.models.listing import ListedModel


def models(
    *,
    every: Annotated[bool, typer.Option("--all", metavar="", help="List every model that can use tools.")] = False,
    as_json: AsJson = False,
    config_file: ConfigFile = None,
    debug: Debug = False,
) -> None:
    """List models with window, prices and whether their provider has a key; say which answers and why."""
    del debug  # the edge reads it
    from dexter.app.models import default_choice
    from dexter.app.outside import Setup
    from dexter.cli.configured import configured
    from dexter.models.listing import all_models, newest_models
    from dexter.ui.literal import literal
    from dexter.ui.safe_json import safe_json

    setup = Setup(configured(config_file=config_file))
    list_models = all_models if every else newest_models
    found = list(list_models(setup.config.keys, setup.outside.now().date()))
    choice = default_choice(setup)
    if as_json:
        default = {"model": choice.model, "reason": choice.reason}
        typer.echo(safe_json({"default": default, "models": [model.to_json() for model in found]}))
        return
    typer.echo(literal("\n".join(_lines(found))))
    typer.echo(literal(f"\n{choice.model} answers. {choice.reason}"))


def _lines(found: Sequence[ListedModel]) -> Iterator[str]:
    rows = [("model", "for", "key", "window", "USD per million tokens in / out")]
    rows += [
        (
            model.info.name,
            model.role or "–",
            "yes" if model.has_key else "no",
            f"{model.info.window:,}" if model.info.window_known else "unknown",
            "n/a" if model.prices_per_million is None else "{:g} / {:g}".format(*model.prices_per_million),
        )
        for model in found
    ]
    rows.append(("offline", "no key", "–", "–", "free; rules, no language model"))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
