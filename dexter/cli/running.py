"""What `ask` and `resume` have in common: settings, sinks, the run, its exit status."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

import typer

from dexter.cli.run_options import RunOptions
from dexter.cli.terminal import Terminal
from dexter.errors import DexterError, ExitStatus

if TYPE_CHECKING:
    from dexter.agent.outcome import Answer
    from dexter.app.build import Parts
    from dexter.app.outside import Setup
    from dexter.cli.ending import Ender
    from dexter.cli.outputs import Outputs
    from dexter.events import Sink

Start = Callable[["Setup", Sequence["Sink"], "Parts"], Coroutine[Any, Any, "Answer"]]


def run_and_leave(options: RunOptions, terminal: Terminal, start: Start) -> NoReturn:
    """Run what `start` starts and leave with its exit status.

    Raises:
        DexterError: the run failed, after the output was closed.
    """
    from dexter.cli.ending import Ender
    from dexter.cli.outputs import Outputs

    ender = Ender()
    outputs = Outputs(options, terminal, lambda: ender.end(ExitStatus.FAILED))
    try:
        answer = _run(options, outputs, ender, start)
    except DexterError as error:
        outputs.close(error)
        raise
    except BaseException:  # a fault of ours, or left at once: whatever it is, the terminal is given back
        outputs.give_up()
        raise
    outputs.close()
    raise typer.Exit(int(answer.exit_status))


def _run(options: RunOptions, outputs: Outputs, ender: Ender, start: Start) -> Answer:
    from dexter.app.approving import approvals_for
    from dexter.app.build import Parts
    from dexter.app.outside import Setup
    from dexter.cli.configured import configured
    from dexter.cli.ending import run_to_end

    setup = Setup(configured(options.flags(), options.config_file))
    sinks = outputs.sinks(setup.settings.ui.links, stream=setup.settings.ui.stream)
    approvals = approvals_for(setup, outputs.approver(), options.allow or ())
    parts = Parts(approvals=approvals, ask_user=outputs.asker())
    return run_to_end(
        start(setup, sinks, parts), ender, tick=outputs.refresh, stopping=outputs.stopping, give_up=outputs.give_up
    )
