"""A loopback server that sends exactly the bytes it is told to, for answers no honest server would give."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Iterable, Iterator


@contextlib.contextmanager
def raw_server(*answers: Iterable[bytes], pause: float = 0.0) -> Iterator[str]:
    """Serve one answer a connection (the last one again and again); `pause` seconds between an answer's pieces.

    Yields the base URL. The connection is closed after the last piece.
    """
    listener = socket.create_server(("127.0.0.1", 0))
    stopping = threading.Event()

    def serve() -> None:
        served = 0
        while not stopping.is_set():
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            pieces = answers[min(served, len(answers) - 1)]
            served += 1
            with connection, contextlib.suppress(OSError):
                connection.recv(65536)
                for piece in pieces:
                    connection.sendall(piece)
                    if stopping.is_set():
                        return
                    time.sleep(pause)

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        stopping.set()
        with contextlib.suppress(OSError):
            listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        thread.join(5)
