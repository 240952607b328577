"""Threads that nobody has to wait for."""

from __future__ import annotations

import asyncio
import subprocess
import threading

import pytest

from dexter.threads import in_daemon_thread
from tests.support.terminal import python


def test_what_the_function_gives_or_raises_comes_back():
    """Result and error are those of the function, which ran in another thread."""
    here = threading.get_ident()
    assert asyncio.run(in_daemon_thread(threading.get_ident)) != here
    with pytest.raises(ZeroDivisionError):
        asyncio.run(in_daemon_thread(divmod, 1, 0))


def test_a_thread_that_never_ends_holds_up_neither_the_task_nor_the_process():
    """Cancelled, it is left behind, and the interpreter ends all the same."""
    program = (
        "import asyncio, threading\n"
        "from dexter.threads import in_daemon_thread\n"
        "async def main():\n"
        "    waiting = asyncio.create_task(in_daemon_thread(threading.Event().wait))\n"
        "    await asyncio.sleep(0.01)\n"
        "    waiting.cancel()\n"
        "    try:\n        await waiting\n"
        "    except asyncio.CancelledError:\n        print('cancelled')\n"
        "asyncio.run(main())\n"
    )
    done = subprocess.run(python("-c", program), capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "cancelled\n", "")
