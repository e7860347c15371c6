"""A mail server on loopback that takes what is sent to it, after a name and a password if it is told to want them."""

from __future__ import annotations

import base64
import socketserver
import threading
from email import message_from_bytes, policy
from email.message import EmailMessage
from types import TracebackType
from typing import Self, cast


class MailServer:
    """The server; a context manager."""

    def __init__(self, login: tuple[str, str] | None = None, *, refuses: bool = False) -> None:
        self.mails: list[EmailMessage] = []
        self.recipients: list[str] = []
        self.login = login
        self.refuses = refuses
        outer = self

        class Conversation(socketserver.StreamRequestHandler):
            def handle(self) -> None:
                outer._talk(self)

        self._server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Conversation)
        self._thread = threading.Thread(target=self._server.serve_forever)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    @property
    def address(self) -> str:
        """What to give as `RESEARCH_SMTP`."""
        who = "{}:{}@".format(*self.login) if self.login else ""
        return f"smtp://{who}127.0.0.1:{self._server.server_address[1]}"

    def _talk(self, with_client: socketserver.StreamRequestHandler) -> None:
        def say(line: str) -> None:
            with_client.wfile.write(f"{line}\r\n".encode())

        is_known = self.login is None
        say("220 loopback")
        while line := with_client.rfile.readline().decode().strip():
            word, _, rest = line.partition(" ")
            match word.upper():
                case "EHLO":
                    say("250-loopback\r\n250 AUTH PLAIN" if self.login else "250 loopback")
                case "AUTH":
                    given = base64.b64decode(rest.partition(" ")[2]).decode().split("\0")[1:]
                    is_known = given == list(self.login or ())
                    say("235 welcome" if is_known else "535 who is that")
                case "RCPT":
                    self.recipients.append(rest)
                    say("550 nobody of that name" if self.refuses or not is_known else "250 yes")
                case "DATA":
                    say("354 go on")
                    lines = iter(with_client.rfile.readline, b".\r\n")
                    mail = message_from_bytes(b"".join(lines), policy=policy.default)
                    self.mails.append(cast("EmailMessage", mail))
                    say("250 kept")
                case "QUIT":
                    say("221 bye")
                    return
                case _:
                    say("250 yes")
