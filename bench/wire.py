"""A wire between a browser and the app, which counts the bytes that really come through, compressed as they are."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit

_CHUNK = 65_536


class Wire:
    """Passes on every connection made to `address`."""

    def __init__(self, listener: socket.socket, target: str) -> None:
        self.address = f"http://127.0.0.1:{listener.getsockname()[1]}"
        self.received = 0
        """Bytes that came from the app."""
        self._listener = listener
        self._target = urlsplit(target)

    def serve(self) -> None:
        """Pass on connections until the listener is closed."""
        while True:
            try:
                browser, _ = self._listener.accept()
            except OSError:
                return
            app = socket.create_connection((str(self._target.hostname), self._target.port or 80))
            _in_background(_pump, browser, app, lambda size: None)
            _in_background(_pump, app, browser, self._count)

    def _count(self, size: int) -> None:
        self.received += size


def _pump(source: socket.socket, sink: socket.socket, count: Callable[[int], None]) -> None:
    with suppress(OSError):  # either side may go at any time
        while data := source.recv(_CHUNK):
            count(len(data))
            sink.sendall(data)
    with suppress(OSError):
        sink.shutdown(socket.SHUT_WR)


def _in_background(work: Callable[..., None], *given: object) -> None:
    threading.Thread(target=work, args=given, daemon=True).start()


@contextmanager
def wire(target: str) -> Iterator[Wire]:
    """Lay a wire to the app at the address `target`."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        found = Wire(listener, target)
        _in_background(found.serve)
        yield found
        listener.shutdown(socket.SHUT_RDWR)
