"""What is kept from others: keys in whatever is shown, stored or logged, and traces unless the user wants them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

_LIKE_A_KEY = re.compile(
    r"\b(?:sk|pk|gsk|xai|tvly|lsv2|ghp)[-_][\w*.\-]{6,}|(?<=Bearer )[^\s'\"]+",
    re.IGNORECASE,
)
"""What looks like a key."""
_MASKED = re.compile(r"(?:(?<!\*)\*{3,}|(?<!•)•{3,}|…)[\w\-]{2,}")
"""What looks like the end of a key of which a server shows the last letters; before it may stand its first ones."""
_FIRST = re.compile(r"[\w\-]*\Z")
_SHOWN = 80
"""Letters of a masked key that may stand before its mask."""
_PART = 4
"""Characters that tell a part of a key: services show the last four."""
_MASK = "***"


def without_secrets(text: str, secrets: Iterable[str] = ()) -> str:
    """Return `text` without `secrets`, without parts of them, and without anything that looks like a key.

    A part is whatever has four characters in a row in common with a secret: of keys that are shown in part, the part is
    left out as well, wherever the key is cut. Takes time that grows with the length of the text alone.
    """
    for secret in secrets:
        text = _without(text, secret)
    return _without_masked(_LIKE_A_KEY.sub(_MASK, text))


def _without_masked(text: str) -> str:
    kept: list[str] = []
    at = 0
    for match in _MASKED.finditer(text):
        before = text[at : match.start()]
        first = _FIRST.search(before, max(0, len(before) - _SHOWN))
        kept += [before[: first.start()] if first else before, _MASK]
        at = match.end()
    return "".join([*kept, text[at:]])


def _without(text: str, secret: str) -> str:
    if len(secret) < _PART:
        return text
    parts = {secret[at : at + _PART] for at in range(len(secret) - _PART + 1)}
    covered = bytearray(len(text))
    for at in range(len(text) - _PART + 1):
        if text[at : at + _PART] in parts:
            covered[at : at + _PART] = b"\x01" * _PART
    left = "".join("\0" if hidden else letter for letter, hidden in zip(text, covered, strict=True))
    return re.sub("\0+", _MASK, left)


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
