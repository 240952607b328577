"""Work beside the event loop that nobody has to wait for."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


async def in_daemon_thread(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """What the function gives, computed in a thread of its own; what it raises is raised here.

    Cancelled, the thread is left behind and its outcome dropped. Unlike the threads of `asyncio.to_thread` it does
    not hold up the end of the process: for what may take long, or may never end (a read from a terminal).
    """
    loop = asyncio.get_running_loop()
    done: asyncio.Future[T] = loop.create_future()

    def tell(result: T | None, error: BaseException | None) -> None:
        if done.done():
            return
        if error is not None:
            done.set_exception(error)
        else:
            done.set_result(result)  # type: ignore[arg-type]  # no error: it is what the function gave

    def work() -> None:
        result, failure = None, None
        try:
            result = function(*args, **kwargs)
        except BaseException as error:  # noqa: BLE001 - it is raised where the result is awaited
            failure = error
        try:
            loop.call_soon_threadsafe(tell, result, failure)
        except RuntimeError:  # the loop is closed: nobody waits any more
            return

    threading.Thread(target=work, name=getattr(function, "__name__", "work"), daemon=True).start()
    return await done
