"""Files of the user's own: small ones that the program keeps, and `mcp.json`, which people write by hand.

What is kept is one JSON object each, checked by a pydantic model. Every file is for its owner's eyes alone (0600 in a
folder of 0700), is written whole or not at all, and is of limited size. One that cannot be read is told (`StoreError`)
and never lost: what is kept next sets it aside.

Servers of tools (MCP) are set up in `mcp.json` in the home folder, as `docs/settings.md` says.
"""

from __future__ import annotations

import codecs
import errno
import logging
import os
import re
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Annotated, Generic, Self, TypeVar

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    PlainSerializer,
    SecretStr,
    SerializationInfo,
    StringConstraints,
    TypeAdapter,
    ValidationError,
    field_validator,
    model_validator,
)

from research.core import SourceError, SourceKind, StoreError, UsageError, is_address
from research.language import Bilingual, Phrase

LARGEST = 32_000_000
"""Bytes of a file: just above 200 full sets of sites with the longest names there are, the most that can be kept."""
LONGEST_NAME = 60
Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=LONGEST_NAME)]
"""What people call a thing that they keep."""

_OTHERS = 0o077
_LONG_NAME = Phrase("The name is too long: at most {most} characters.")
_log = logging.getLogger(__name__)

_REVEALED = {"secrets": "revealed"}
"""The context in which models are written."""


def _masked(secret: SecretStr, info: SerializationInfo) -> str:
    return secret.get_secret_value() if info.context == _REVEALED else str(secret)


KeptSecret = Annotated[SecretStr, PlainSerializer(_masked, when_used="json-unless-none")]
"""A secret of a model that is kept: it stands in the file as it is, and is masked anywhere else."""

Kept = TypeVar("Kept", bound=BaseModel)


class UserFile(Generic[Kept]):
    """A file below `settings` in the home folder, of which there is one in each home."""

    def __init__(self, name: str, kind: type[Kept]) -> None:
        self._name = name
        self._kind = kind
        self._lock = threading.Lock()

    def path(self, home: Path) -> Path:
        """Return where the file of `home` is, whether or not there is one."""
        return home / "settings" / self._name

    def stamp(self, home: Path) -> tuple[int, ...]:
        """Return what tells whether the file of `home` is still the one that was read last."""
        try:
            status = self.path(home).stat()
        except OSError:
            return ()
        return status.st_ino, status.st_size, status.st_mtime_ns

    def load(self, home: Path) -> Kept:
        """Return what is kept in `home`; if nothing is, what holds without.

        Raises:
            StoreError: the file cannot be read, or is damaged.
        """
        return read(self.path(home), self._kind) or self._kind()

    def change(self, home: Path, changed: Callable[[Kept], Kept]) -> Kept:
        """Replace what is kept in `home` by what `changed` makes of it, and return that.

        A file that cannot be read counts as none: it is set aside as `<name>.unreadable`, which the log says.

        Raises:
            StoreError: it cannot be written; then everything is as before, as after an error that `changed` raises.
        """
        path = self.path(home)
        with self._lock:
            aside: AbstractContextManager[None]
            try:
                before, aside = self.load(home), nullcontext()
            except StoreError:
                before, aside = self._kind(), _set_aside(path)
            kept = changed(before)
            with aside:
                write(path, kept)
        return kept


def read(path: Path, kind: type[Kept]) -> Kept | None:
    """Return what is kept at `path`, or None if nothing is; if other users could read the file, they no longer can.

    Raises:
        StoreError: the file cannot be read, is too large, or is damaged.
    """
    data = read_bytes(path)
    if data is None:
        return None
    with suppress(OSError):  # of somebody else, or on a disk that cannot be written: it can be used nevertheless
        if os.name == "posix" and path.stat().st_mode & _OTHERS:
            path.chmod(0o600)
    try:
        return kind.model_validate_json(data)
    except ValidationError as error:
        raise StoreError(f"{path} is damaged.") from error


def read_bytes(path: Path, largest: int = LARGEST) -> bytes | None:
    """Return the content of the file at `path`, or None if there is none.

    Raises:
        StoreError: it cannot be read, or has more than `largest` bytes.
    """
    with _told(path):
        try:
            with path.open("rb") as file:
                data = file.read(largest + 1)
        except (FileNotFoundError, NotADirectoryError):
            return None
    if len(data) > largest:
        raise StoreError(f"{path}: > {largest:,} bytes")
    return data


def write(path: Path, value: BaseModel) -> None:
    """Write `value` in place of what is at `path`.

    Raises:
        StoreError: it cannot be written, or is too large; then everything is as before.
    """
    data = (value.model_dump_json(indent=2, context=_REVEALED) + "\n").encode()
    if len(data) > LARGEST:
        raise StoreError(f"{path}: > {LARGEST:,} bytes")
    with _told(path):
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        path.parent.chmod(0o700)
        write_whole(path, data)


def write_whole(path: Path, data: bytes, mode: int = 0o600) -> None:
    """Write a file whole or not at all; raises `OSError`."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:40]}-")
    draft = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        draft.chmod(mode)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def clean_name(name: str, nameless: Bilingual) -> str:
    """Return a name that somebody typed, on one line.

    Raises:
        UsageError: there is none, which `nameless` says, or it is too long.
    """
    name = " ".join(name.split())
    if not name:
        raise UsageError(nameless)
    if len(name) > LONGEST_NAME:
        raise UsageError(_LONG_NAME.filled(most=LONGEST_NAME))
    return name


def disk_problem(error: OSError) -> str:
    """Return the key of `research.core.errors` that says what is wrong with a disk."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO):
        return "store_full"
    return "store_refused" if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS) else "store_failed"


@contextmanager
def _told(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StoreError(f"{path}: {error.strerror}", disk_problem(error)) from error


@contextmanager
def _set_aside(path: Path) -> Iterator[None]:
    """Move a file out of the way of one that is written; if that fails, it moves back."""
    aside = path.with_name(f"{path.name}.unreadable")
    with _told(path):
        path.replace(aside)
    try:
        yield
    except StoreError:
        aside.replace(path)
        raise
    _log.warning("%s could not be read and is kept as %s.", path, aside.name)


# --- servers of tools, which people set up by hand -------------------------------------------------------------------

_VARIABLE = re.compile(r"\$\{(\w+)\}")
_LARGEST_BY_HAND = 1_000_000
"""Bytes of the file, which people write by hand."""
_UNREADABLE = Phrase("{path} cannot be read: {reason}")


class McpServer(BaseModel):
    """A server of tools."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    name: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]{0,29}$")
    """What it is called in prompts, on the screen and in addresses."""
    url: str = ""
    """Where it answers (streamable HTTP)."""
    headers: dict[str, str] = {}
    """Sent with every request; `${NAME}` stands for an environment variable."""
    command: str = ""
    """A program that is started for each question and answers on its standard output."""
    args: tuple[str, ...] = ()
    environment: dict[str, str] = {}
    """Variables that the program is given beside the usual ones; `${NAME}` stands for one of ours."""
    kind: SourceKind = SourceKind.OTHER
    """What the records are that it finds: a fact-strict report rests on official statistics, papers and the like."""
    tools: tuple[str, ...] = ()
    """Those that may be used; if empty, all that say of themselves that they change nothing.

    One that does not say so is used only if the user agreed to it (`Settings.agreed_tools`), listed here or not.
    """
    instructions: str = Field(default="", max_length=4_000)
    """What the researcher is told about the server, in the user's own words."""
    search: str = ""
    """A tool that takes one text and searches: every query goes to it as well.

    Naming it here is to agree to it, unless it says of itself that it changes something.
    """

    @field_validator("url")
    @classmethod
    def _is_address(cls, value: str) -> str:
        if value and not is_address(value):
            raise ValueError("not an address: it begins with http:// or https://")
        return value

    @model_validator(mode="after")
    def _has_one_way(self) -> Self:
        if bool(self.url) is bool(self.command):
            raise ValueError("it has either a url or a command")
        return self

    @property
    def place(self) -> str:
        """What is asked, as it is agreed to: another server or program under the same name was not meant."""
        return self.url or " ".join((self.command, *self.args))

    def allows(self, tool: str) -> bool:
        """Whether a tool may be offered to whoever decides; that which searches is used without being chosen."""
        return tool != self.search and (not self.tools or tool in self.tools)

    def filled(self, environment: Mapping[str, str] = os.environ) -> dict[str, str]:
        """Return the headers, or the variables of the program, with the values of ours.

        Raises:
            SourceError: `mcp_no_variable`, one is not set.
        """
        given = self.headers | self.environment
        named = {name for value in given.values() for name in _VARIABLE.findall(value)}
        missing = sorted(name for name in named if not environment.get(name, "").strip())
        if missing:
            raise SourceError("mcp_no_variable", ", ".join(missing))
        return {
            header: _VARIABLE.sub(lambda match: environment[match[1]].strip(), value) for header, value in given.items()
        }


_SERVERS = TypeAdapter(tuple[McpServer, ...])


def servers_file(home: Path) -> Path:
    """Return where the servers of `home` are set up, whether or not there are any."""
    return home / "mcp.json"


def mcp_servers(home: Path) -> tuple[McpServer, ...]:
    """Return the servers that are set up in `home`.

    Raises:
        UsageError: the file cannot be used; says where and why.
    """
    file = servers_file(home)
    try:
        data = read_bytes(file, _LARGEST_BY_HAND)
        servers = _SERVERS.validate_json(data.removeprefix(codecs.BOM_UTF8)) if data is not None else ()
    except (ValidationError, StoreError) as error:
        if isinstance(error, ValidationError):
            reason = "; ".join(_reason(entry["loc"], entry["msg"]) for entry in error.errors()[:3])
        else:
            reason = str(error).removeprefix(f"{file}: ")
        raise UsageError(_UNREADABLE.filled(path=file, reason=reason)) from error
    names = [server.name.lower() for server in servers]
    twice = next((server.name for server in servers if names.count(server.name.lower()) > 1), None)
    if twice is not None:
        raise UsageError(Phrase("{path}: two servers are named {name}.").filled(path=file, name=twice))
    return servers


def _reason(location: tuple[int | str, ...], said: str) -> str:
    """Return what is wrong, behind its place in the file as people count: `server 1, url: …`."""
    place = ", ".join(f"server {part + 1}" if isinstance(part, int) else part for part in location)
    return f"{place}: {said}" if place else said
