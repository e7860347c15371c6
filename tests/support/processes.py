"""Other processes on this machine: each begins at once, in a copy of one that has loaded what they need."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from types import ModuleType

_CONTEXT = get_context("forkserver")
_CONTEXT.set_forkserver_preload(["pytest", "research.store", "research.library"])
_PATIENCE = 120.0


@contextmanager
def elsewhere(act: Callable[..., None], *given: object) -> Iterator[tuple[BaseProcess, Connection]]:
    """Let a process of its own do `act(connection, *given)`; give it and the other end of its connection.

    It is killed in the end, if it is not gone by then. `act` stands in a module; so does what it is given.
    """
    here, there = _CONTEXT.Pipe()
    process = _CONTEXT.Process(target=act, args=(there, *given), daemon=True)
    with _nothing_as_main():
        process.start()
    there.close()
    try:
        yield process, here
    finally:
        process.kill()
        process.join()
        here.close()


@contextmanager
def _nothing_as_main() -> Iterator[None]:
    """Let a process begin without the main script of this one: a page that was tried here stays in its place."""
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


def said(connection: Connection, patience: float = _PATIENCE) -> object:
    """Return what a process says next, within so many seconds.

    Raises:
        AssertionError: it says nothing, or is gone.
    """
    assert connection.poll(patience), "nothing was said in time"
    try:
        return connection.recv()
    except EOFError:
        raise AssertionError("the process is gone") from None
