"""A proxy in front of the app that says who is there, as a team's does: bytes are passed on, WebSockets as well."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress
from typing import Self

from tests.support.serving import _free_port

HEADER, SECRET_HEADER, SECRET = "X-Forwarded-Email", "X-Research-Login-Secret", "a secret of two servers"
LOGIN = {"RESEARCH_LOGIN_HEADER": HEADER, "RESEARCH_LOGIN_SECRET": SECRET}


class LoginProxy:
    """Passes every connection on as that of one account; what a reader says of themselves is taken out."""

    def __init__(self, address: str, account: str) -> None:
        """Stand before the app at an `address` (`http://127.0.0.1:8501`), for somebody who has logged in."""
        self._to = int(address.rpartition(":")[2])
        self.account = account
        """Who is there now; another may log in in the same browser."""
        self._open: list[socket.socket] = []
        self._port = _free_port()
        self.address = f"http://127.0.0.1:{self._port}"
        self._listening = socket.create_server(("127.0.0.1", self._port))

    def __enter__(self) -> Self:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def cut(self) -> None:
        """Cut all connections, as a proxy does when somebody logs out: browsers connect anew."""
        for one in self._open:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
        self._open.clear()

    def __exit__(self, *_: object) -> None:
        self._listening.close()

    def _accept(self) -> None:
        while True:
            try:
                reader, _ = self._listening.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(reader,), daemon=True).start()

    def _serve(self, reader: socket.socket) -> None:
        """Serve one request of a connection, or all of a WebSocket."""
        with suppress(OSError), reader, socket.create_connection(("127.0.0.1", self._to)) as app:
            self._open.append(reader)
            asked = b""
            while b"\r\n\r\n" not in asked:
                if not (piece := reader.recv(65_536)):
                    return
                asked += piece
            head, _, body = asked.partition(b"\r\n\r\n")
            app.sendall(self._signed(head) + b"\r\n\r\n" + body)
            threading.Thread(target=_pass_on, args=(reader, app), daemon=True).start()
            _pass_on(app, reader)

    def _signed(self, head: bytes) -> bytes:
        first, *lines = head.decode("latin-1").split("\r\n")
        is_socket = any(line.lower().startswith("upgrade:") for line in lines)
        ours = [HEADER.lower(), SECRET_HEADER.lower(), *([] if is_socket else ["connection"])]
        kept = [line for line in lines if line.partition(":")[0].strip().lower() not in ours]
        said = [f"{HEADER}: {self.account}", f"{SECRET_HEADER}: {SECRET}", "X-Forwarded-For: 203.0.113.7"]
        return "\r\n".join([first, *kept, *said, *([] if is_socket else ["Connection: close"])]).encode("latin-1")


def _pass_on(one: socket.socket, other: socket.socket) -> None:
    try:
        while piece := one.recv(65_536):
            other.sendall(piece)
        other.shutdown(socket.SHUT_WR)
    except OSError:
        pass
