"""Whether what a run does is told to LangSmith: only where the product's own setting says so."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

_OUTDATED = ("LANGCHAIN_TRACING", "LANGCHAIN_HANDLER")
"""Variables of a tracer that is no more: where one is set and tracing is off, LangChain refuses to work at all."""


@contextmanager
def tracing(is_wanted: bool) -> Iterator[None]:
    """Let LangChain and LangGraph send traces within this block, or keep them from it.

    A trace holds everything: brief, pages, own documents, prompts and answers. LangSmith's own variables, which
    may be there for other programs, say where traces go; they do not say that this product makes any.
    """
    from langsmith import tracing_context

    for name in _OUTDATED:
        os.environ.pop(name, None)
    with tracing_context(enabled=is_wanted):
        yield
