"""HTTP with servers of others: where a connection may lead, and how much room an answer may take.

The program asks for gzip or nothing. An answer that is packed otherwise, or more than once, is refused: a few kilobytes
of it can stand for gigabytes, and nothing would count them before they are there. A name is asked for its addresses
once, they are held against what is allowed, and one of them is connected to: no other answer of DNS comes between.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
import sys
import zlib
from collections.abc import AsyncIterator, Callable, Iterator
from functools import cache
from typing import Any, TypeVar

import httpx

from research.core.safety import is_askable

Allowed = Callable[[str], bool]
"""Whether an IP address may be asked."""
_Client = TypeVar("_Client")

_ACCEPTED = {"Accept-Encoding": "gzip"}
"""The header that asks for what is unpacked here; httpx by itself asks for more."""
_MOST_TRIED = 3
"""Addresses of one name that are tried."""
_PATIENCE = 3.0
"""Seconds after which the next address of a name is tried: a computer may believe that it has IPv6 and have none."""
_GZIP = ("gzip", "x-gzip")
_STREAMS = ("AsyncByteStream", "SyncByteStream")
_STEP = 64 * 1024
"""Bytes that are unpacked at once."""


class UnusableBody(httpx.DecodingError):
    """What a server sent is packed in a way that is not taken, is damaged, or is larger than allowed."""


@cache
def certificates(client: type = httpx.Client) -> ssl.SSLContext:
    """Return what a client of httpx, or of what became of it, trusts: read once, as that keeps a processor for 50 ms.

    Each httpx has its own store: `client` is the class of clients, or one of its descendants.
    """
    library = client.__mro__[-2].__module__.partition(".")[0]  # all clients of an httpx have one base
    context: ssl.SSLContext = sys.modules[library].create_ssl_context()
    return context


def for_service(
    client: _Client,
    largest: int,
    on_failure: Callable[[UnusableBody], None] | None = None,
    *,
    allowed: Allowed = is_askable,
) -> _Client:
    """Return a client of httpx, or of what became of it, bound to what a service may do that the user set up.

    It connects to no address at which no service of a user can be (`httpx.ConnectError`), follows no redirect, as key
    and words are for one address alone, and reading an answer raises `UnusableBody` where that cannot be unpacked or is
    too large. Behind a proxy of the environment, the proxy alone knows where a name leads, and its own address is held
    against the rule.

    Args:
        client: new, with its hooks, which see what is unpacked already.
        largest: bytes that an answer may have, unpacked.
        on_failure: is told of an unusable answer as well, where nobody may be reading.
        allowed: at which addresses the service may be.
    """
    some: Any = client
    some.follow_redirects = False
    bound(some, largest, on_failure)
    for transport in (some._transport, *some._mounts.values()):
        if transport is not None:
            confine(transport, allowed)
    return client


def bound(client: Any, largest: int, on_failure: Callable[[UnusableBody], None] | None = None) -> None:
    """Make a client raise `UnusableBody` for answers that are packed otherwise than asked, damaged, or too large."""

    def hook(response: Any) -> None:
        _bind(response, largest, on_failure)

    async def async_hook(response: Any) -> None:
        _bind(response, largest, on_failure)

    client.headers.update(_ACCEPTED)
    later = client.event_hooks["response"]
    client.event_hooks = {**client.event_hooks, "response": [async_hook if hasattr(client, "aclose") else hook, *later]}


# --- where a connection may lead --------------------------------------------------------------------------------


def confine(transport: Any, allowed: Allowed) -> None:
    """Let a transport of httpx connect to allowed addresses alone; connections are still kept by name.

    What opens connections is no part of a transport's interface, though it is one of the pool's within: a transport
    without it raises an AttributeError here, before anything is sent.
    """
    pool = transport._pool
    kind = _GuardedAsync if hasattr(transport, "handle_async_request") else _Guarded
    pool._network_backend = kind(pool._network_backend, allowed)


class _Guard:
    def __init__(self, opener: Any, allowed: Allowed) -> None:
        self._opener = opener
        self._allowed = allowed
        # The clients of some services bring an httpx of their own, which knows errors by its own classes.
        library = sys.modules[type(opener).__module__.partition(".")[0]]
        self._failure: type[Exception] = library.ConnectError
        self._failures = (library.ConnectError, library.ConnectTimeout)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._opener, name)

    def _found(self, host: str, port: int) -> list[str]:
        """Return the addresses of a name that are tried, best first."""
        try:
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError) as error:
            raise self._failure(f"{host} is not known") from error
        addresses = list(dict.fromkeys(str(entry[4][0]) for entry in found))
        if not addresses:
            raise self._failure(f"{host} is not known")
        if not all(map(self._allowed, addresses)):
            raise self._failure(f"{host} leads to an address that is not public, or not for services")
        return addresses[:_MOST_TRIED]


class _GuardedAsync(_Guard):
    async def connect_tcp(self, host: str, port: int, **more: Any) -> Any:
        *others, last = await asyncio.get_running_loop().run_in_executor(None, self._found, host, port)
        for address in others:
            try:
                return await self._opener.connect_tcp(address, port, **_briefly(more))
            except self._failures:
                continue
        return await self._opener.connect_tcp(last, port, **more)


class _Guarded(_Guard):
    def connect_tcp(self, host: str, port: int, **more: Any) -> Any:
        *others, last = self._found(host, port)
        for address in others:
            try:
                return self._opener.connect_tcp(address, port, **_briefly(more))
            except self._failures:
                continue
        return self._opener.connect_tcp(last, port, **more)


def _briefly(more: dict[str, Any]) -> dict[str, Any]:
    timeout = more.get("timeout")
    return more | {"timeout": _PATIENCE if timeout is None else min(timeout, _PATIENCE)}


# --- how much room an answer may take ---------------------------------------------------------------------------


def _bind(response: Any, largest: int, on_failure: Callable[[UnusableBody], None] | None) -> None:
    named = [name.strip().lower() for name in response.headers.get("Content-Encoding", "").split(",")]
    used = [name for name in named if name not in ("", "identity")]
    if used and (len(used) > 1 or used[0] not in _GZIP):
        failure = UnusableBody(f"the answer is packed as {', '.join(used)[:80]}, which was not asked for")
        if on_failure is not None:
            on_failure(failure)
        raise failure
    # What is read is unpacked already.
    response.headers.pop("Content-Encoding", None)
    # The clients of some services bring an httpx of their own, which knows streams by its own classes.
    bases = tuple(kind for kind in type(response.stream).__mro__ if kind.__name__ in _STREAMS)
    made = type("UnpackedStream", (_Unpacked, *bases), {})
    response.stream = made(response.stream, Unpacking(largest, is_packed=bool(used)), on_failure)


class Unpacking:
    """Takes a body piece by piece and gives it out unpacked, in steps, up to a limit."""

    def __init__(self, largest: int, *, is_packed: bool = True) -> None:
        """`largest` is counted in unpacked bytes; what is not `is_packed` is only counted."""
        self._largest = largest
        self._left = largest
        self._is_empty = True
        self._inflate = zlib.decompressobj(zlib.MAX_WBITS | 16) if is_packed else None

    def pieces(self, data: bytes) -> Iterator[bytes]:
        """Yield what is in the next bytes of the body; what follows the end of packed data is passed over.

        Raises:
            UnusableBody: they are damaged, or hold more than the limit.
        """
        if self._inflate is None:
            yield self._counted(data)
            return
        self._is_empty = self._is_empty and not data
        while data and not self._inflate.eof:
            try:
                piece = self._inflate.decompress(data, _STEP)
            except zlib.error as error:
                raise UnusableBody("the answer is packed and damaged") from error
            data = self._inflate.unconsumed_tail
            if piece:
                yield self._counted(piece)

    def close(self) -> None:
        """Check that the body is whole, or empty; raises `UnusableBody` if its end is missing."""
        if self._inflate is not None and not (self._inflate.eof or self._is_empty):
            raise UnusableBody("the answer is packed and breaks off")

    def _counted(self, piece: bytes) -> bytes:
        self._left -= len(piece)
        if self._left < 0:
            raise UnusableBody(f"an answer larger than {self._largest:,} bytes")
        return piece


class _Unpacked:
    def __init__(self, stream: Any, unpacking: Unpacking, on_failure: Callable[[UnusableBody], None] | None) -> None:
        self._stream = stream
        self._unpacking = unpacking
        self._on_failure = on_failure

    def __iter__(self) -> Iterator[bytes]:
        for data in self._stream:
            yield from self._unpacking.pieces(data)
        self._unpacking.close()

    async def __aiter__(self) -> AsyncIterator[bytes]:
        try:
            async for data in self._stream:
                for piece in self._unpacking.pieces(data):
                    yield piece
            self._unpacking.close()
        except UnusableBody as failure:
            if self._on_failure is not None:
                self._on_failure(failure)
            raise

    def close(self) -> None:
        self._stream.close()

    async def aclose(self) -> None:
        await self._stream.aclose()
