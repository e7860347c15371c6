"""A real PostgreSQL on loopback, with a database for each test: Debian's package, started as a user of its own."""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Self

import psycopg
from psycopg.conninfo import make_conninfo
from pydantic import SecretStr

USER, PASSWORD = "research", "s3cret-of-the-team"
_PATIENCE = 120.0


def programs() -> Path | None:
    """Return the folder of PostgreSQL's programs, the newest first; None where it is not installed."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: float(path.parts[4]))
    if found:
        return found[-1].parent
    elsewhere = shutil.which("initdb")
    return Path(elsewhere).parent if elsewhere else None


class PostgresqlServer:
    """A server with data of its own, which can be stopped and started again."""

    def __init__(self, bin_: Path, place: Path | None = None) -> None:
        """`place` is the disk that its data is on; else, as it has a user of its own who enters no folder of tests,
        it has one of its own, in memory where theirs is.
        """
        self._bin = bin_
        place = place or os.environ.get("PYTEST_DEBUG_TEMPROOT")
        self.folder = Path(tempfile.mkdtemp(prefix="research-postgresql-", dir=place))
        self._process: subprocess.Popen[bytes] | None = None
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        password = self.folder / "password"
        password.write_text(PASSWORD)
        if os.getuid() == 0:
            for path in (self.folder, password):
                shutil.chown(path, "postgres", "postgres")
        flags = ["-U", USER, "-A", "scram-sha-256", f"--pwfile={password}", "-E", "UTF8", "--locale=C.UTF-8", "-N"]
        subprocess.run(self._as_user("initdb", "-D", str(self._data), *flags), check=True, capture_output=True, cwd="/")
        self.start()

    @property
    def _data(self) -> Path:
        return self.folder / "data"

    def _as_user(self, program: str, *arguments: str) -> list[str]:
        """Return the command: a server does not run as root."""
        other = ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"] if os.getuid() == 0 else []
        return [*other, str(self._bin / program), *arguments]

    def address(self, name: str = "postgres", *, password: str = PASSWORD) -> SecretStr:
        return SecretStr(f"postgresql://{USER}:{password}@127.0.0.1:{self.port}/{name}")

    def start(self) -> None:
        """Begin, unless it is running, and wait until it answers."""
        if self._process is not None and self._process.poll() is None:
            return
        settings = ["fsync=off", "listen_addresses=127.0.0.1", "unix_socket_directories=", "max_connections=60"]
        options = [part for setting in settings for part in ("-c", setting)]
        command = self._as_user("postgres", "-D", str(self._data), "-p", str(self.port), *options)
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log, cwd="/")
        deadline = time.monotonic() + _PATIENCE
        while True:
            try:
                self.execute("SELECT 1")
            except psycopg.OperationalError:
                assert time.monotonic() < deadline, (self.folder / "log").read_text()
                time.sleep(0.05)
            else:
                return

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """End all that is under way and the server; `SIGQUIT` is a crash."""
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(_PATIENCE)
            self._process = None

    def execute(self, statement: str, name: str = "postgres") -> list[tuple[object, ...]]:
        """Carry out a statement beside the program."""
        info = make_conninfo(self.address(name).get_secret_value(), connect_timeout=5)
        with psycopg.connect(info, autocommit=True) as connection:
            cursor = connection.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []

    def new_database(self) -> SecretStr:
        """Make an empty database and return its address."""
        name = f"t{secrets.token_hex(6)}"
        self.execute(f"CREATE DATABASE {name}")
        return self.address(name)

    @contextmanager
    def lent_database(self) -> Iterator[SecretStr]:
        """Lend an empty database: one is four hundred files, of which many are more than a disk throws away quickly.

        One that somebody did not leave stays until the server goes.
        """
        address = self.new_database()
        yield address
        name = address.get_secret_value().rpartition("/")[2]
        if not self.execute(f"SELECT 1 FROM pg_stat_activity WHERE datname = '{name}'"):
            self.execute(f"DROP DATABASE {name}")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop(signal.SIGQUIT)
        shutil.rmtree(self.folder, ignore_errors=True)


class CuttingProxy:
    """Stands before a server and cuts, when told so, a connection over its next `COMMIT`: before or after it."""

    def __init__(self, server: PostgresqlServer) -> None:
        self._server = server
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.cuts_before = self.cuts_after = False
        self.cuts = 0
        threading.Thread(target=self._accept, daemon=True).start()

    def address(self, direct: SecretStr) -> SecretStr:
        """Return the address of a database by way of this proxy."""
        here = str(self._listening.getsockname()[1])
        return SecretStr(direct.get_secret_value().replace(f":{self._server.port}/", f":{here}/"))

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listening.accept()
            except OSError:
                return
            server = socket.create_connection(("127.0.0.1", self._server.port))
            threading.Thread(target=self._pass_on, args=(client, server, True), daemon=True).start()
            threading.Thread(target=self._pass_on, args=(server, client, False), daemon=True).start()

    def _pass_on(self, one: socket.socket, other: socket.socket, is_asking: bool) -> None:
        try:
            while data := one.recv(65_536):
                is_cut = is_asking and b"COMMIT\0" in data and (self.cuts_before or self.cuts_after)
                if is_cut and self.cuts_after:
                    one.shutdown(socket.SHUT_RDWR)  # The answer finds nobody.
                if not (is_cut and self.cuts_before):
                    other.sendall(data)
                if is_cut:
                    self.cuts_before = self.cuts_after = False
                    self.cuts += 1
                    time.sleep(0.2)
                    break
        except OSError:
            pass
        with suppress(OSError):
            other.shutdown(socket.SHUT_RDWR)
        one.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._listening.close()
