"""Answers over HTTP, unpacked in steps and counted: what a server sends may take no more room than it is given.

The program asks for gzip or nothing. An answer that is packed otherwise, or more than once, is refused: a few kilobytes
of it can stand for gigabytes, and nothing would count them before they are there.
"""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Any

import httpx

ACCEPTED = {"Accept-Encoding": "gzip"}
"""The header that asks for what is unpacked here; httpx by itself asks for more."""
_GZIP = ("gzip", "x-gzip")
_STREAMS = ("AsyncByteStream", "SyncByteStream")
_STEP = 64 * 1024
"""Bytes that are unpacked at once."""


class UnusableBody(httpx.DecodingError):
    """What a server sent is packed in a way that is not taken, is damaged, or is larger than allowed."""


def bounded(largest: int, on_failure: Callable[[UnusableBody], None] | None = None) -> Callable[..., Awaitable[None]]:
    """Return a hook for the responses of an asynchronous client; it stands before all hooks that read them.

    Reading a response then raises `UnusableBody` where it cannot be unpacked, or holds more than `largest` bytes.

    Args:
        largest: bytes, unpacked.
        on_failure: is told as well, where nobody may be reading.
    """

    async def hook(response: Any) -> None:
        _bind(response, largest, on_failure)

    return hook


def bounded_sync(largest: int) -> Callable[..., None]:
    """Return what `bounded` returns, for a client that is not asynchronous."""

    def hook(response: Any) -> None:
        _bind(response, largest, None)

    return hook


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
