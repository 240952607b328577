"""`dexter ask` with a model that asks the user two things and repeats the replies. Arguments: as of `ask`."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from typing import Annotated

import typer

from dexter.app.ask import ask
from dexter.app.models import ModelChoice
from dexter.cli.edge import run_app
from dexter.cli.run_options import RunOptions, with_run_options
from dexter.cli.running import run_and_leave
from dexter.cli.terminal import Terminal
from dexter.messages import Messages, ToolMessage
from dexter.models.protocol import ModelResponse
from dexter.models.scripted import ScriptedModel, calls, says

_CHOICES = [{"label": "GAAP"}, {"label": "Adjusted", "description": "as the company reports it"}]
_QUESTIONS = [
    {"question": "Which earnings?", "choices": _CHOICES},
    {"question": "Which years?", "choices": [{"label": "2024"}, {"label": "2025"}], "several": True},
]

app = typer.Typer(pretty_exceptions_enable=False)


def _repeat(messages: Messages) -> ModelResponse:
    return says(f"It said: {next(m.text for m in messages if isinstance(m, ToolMessage))}")


@app.command()
@with_run_options
def questioning(question: Annotated[str, typer.Argument()], *, options: RunOptions) -> None:
    """Ask with the scripted model and all tools there are."""
    model = ScriptedModel([calls(("ask_user_question", json.dumps({"questions": _QUESTIONS}))), _repeat])
    run_and_leave(
        options,
        Terminal.here(),
        lambda setup, sinks, given: ask(
            question, setup, sinks=sinks, parts=replace(given, models=ModelChoice.of(model))
        ),
    )


if __name__ == "__main__":
    sys.exit(run_app(app, sys.argv[1:]))
