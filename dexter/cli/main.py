"""The command `dexter`: what there is, and nothing heavy until it is needed."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from dexter import __version__
from dexter.cli import config, memory, runs, skills
from dexter.cli.ask import ask
from dexter.cli.batch import batch
from dexter.cli.chat import chat, start_session
from dexter.cli.doctor import doctor
from dexter.cli.eval import evaluate
from dexter.cli.models import models
from dexter.cli.replay import replay
from dexter.cli.resume import resume
from dexter.cli.rules import rules
from dexter.cli.run_options import RunOptions
from dexter.cli.tool import tool
from dexter.cli.tools import tools
from dexter.errors import UsageError

EPILOG = """\
Examples:

  dexter

  dexter ask "compare NVDA vs AMD"

  dexter ask --offline --json "AMD's gross margin over five years"

  cat notes.txt | dexter ask "which of these figures are wrong?"

  dexter tool get_financials tickers=NVDA,AMD period=quarterly --csv

Exit statuses: 0 answered, 1 failed, 2 usage, settings or a missing key, 3 ended without a complete answer, 4 a figure
that was not found under --strict, 5 an evaluation below its minimum, 129 hung up, 130 interrupted, 143 terminated.
"""


_SESSION, _ASK = "chat", "ask"
# fmt: off
_QUESTION_WORDS = frozenset({
    "what", "which", "who", "how", "why", "when", "where", "is", "are", "was", "were", "do", "does", "did",
    "has", "have", "had", "can", "will", "should", "show", "tell", "give", "find", "list", "compare", "rank",
    "explain",
})
# fmt: on


class Commands(TyperGroup):
    """The commands. Options without one are those of a session.

    A question in quotes where a command should stand is asked; one in loose words may as well be a mistyped command,
    and is answered with the command it belongs to.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        own = {name for parameter in self.get_params(ctx) for name in parameter.opts}
        if args and args[0].startswith("-") and args[0].partition("=")[0] not in own:
            args = [_SESSION, *args]
        parsed: list[str] = super().parse_args(ctx, args)
        return parsed

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if self.get_command(ctx, args[0]) is not None:
            return super().resolve_command(ctx, args)
        if " " in args[0].strip():
            return _ASK, self.get_command(ctx, _ASK), args
        if self._is_question(args):
            raise UsageError(
                "That is no command.", remedy='A question goes like this: dexter ask "compare NVDA vs AMD"'
            )
        return super().resolve_command(ctx, args)

    def _is_question(self, args: list[str]) -> bool:
        """Several words, of which the first begins a question or is not nearly a command."""
        from difflib import get_close_matches

        words = " ".join(args).split()
        begins = bool(words) and words[0].lower().removesuffix("'s") in _QUESTION_WORDS
        return len(words) > 1 and (begins or not get_close_matches(args[0], self.commands))


app = typer.Typer(
    name="dexter",
    cls=Commands,
    help="Answers financial research questions, each figure with its source. Informs; does not advise.",
    invoke_without_command=True,
    epilog=EPILOG,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command(_ASK)(ask)
app.command(_SESSION)(chat)
app.command()(replay)
app.command()(resume)
app.command("eval")(evaluate)
app.command()(batch)
app.command()(doctor)
app.command()(models)
app.command()(tool)
app.command()(tools)
app.command()(rules)
app.add_typer(runs.app, name="runs")
app.add_typer(config.app, name="config")
app.add_typer(memory.app, name="memory")
app.add_typer(skills.app, name="skills")


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"dexter {__version__}")
        raise typer.Exit


@app.callback()
def dexter(
    ctx: typer.Context,
    version: Annotated[  # noqa: ARG001 - its callback acts before this is called
        bool,
        typer.Option(
            "--version", metavar="", callback=_print_version, is_eager=True, help="Print the version and stop."
        ),
    ] = False,
) -> None:
    """Without a command: a session where a terminal is, else the help."""
    if ctx.invoked_subcommand is not None:
        return
    if sys.stdin.isatty() and sys.stdout.isatty():
        start_session(RunOptions())
    typer.echo(ctx.get_help())
