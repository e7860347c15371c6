"""The prompts, one file each. What a model is told is versioned by the hash of its file."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import Context, ContextVar
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from string import Template


@dataclass(frozen=True)
class Prompt:
    """A prompt with places (`$name`) to fill in."""

    name: str
    text: str
    hash: str
    """SHA-256 of the text, in hexadecimal: two prompts with one hash ask for the same."""

    @property
    def places(self) -> frozenset[str]:
        """Names of the places to fill in."""
        return frozenset(Template(self.text).get_identifiers())

    def fill(self, **values: object) -> str:
        """Return the prompt with every place filled. What is filled in is not looked at for further places.

        Raises:
            KeyError: a place was left open, or a value has no place: the prompt and its caller do not fit.
        """
        if values.keys() != self.places:
            raise KeyError(f"prompt {self.name}: {sorted(values.keys() ^ self.places)}")
        return Template(self.text).substitute(values)


_REPLACED: ContextVar[Mapping[str, str] | None] = ContextVar("replaced", default=None)


@contextmanager
def replaced(texts: Mapping[str, str]) -> Iterator[None]:
    """Let what begins meanwhile, in this context, be told these texts instead of the prompts of their names.

    Raises:
        FileNotFoundError: there is no such prompt.
        ValueError: a text has not the places of the prompt that it stands for.
    """
    for name, text in texts.items():
        wanted = _kept(name).places
        if _prompt(name, text).places != wanted:
            raise ValueError(f"prompt {name}: its places are {', '.join(sorted(wanted)) or 'none'}")
    before = _REPLACED.set({**(_REPLACED.get() or {}), **texts})
    try:
        yield
    finally:
        _REPLACED.reset(before)


def carried_into(context: Context) -> Context:
    """Return a context of others, in which what is replaced here is replaced as well."""
    context.run(_REPLACED.set, _REPLACED.get())
    return context


def load(name: str) -> Prompt:
    """Return the prompt of a name: what replaces it here, else what is kept in `<name>.md`.

    Raises:
        FileNotFoundError: there is no such prompt.
    """
    text = (_REPLACED.get() or {}).get(name)
    return _kept(name) if text is None else _prompt(name, text)


def _prompt(name: str, text: str) -> Prompt:
    text = text.strip()
    return Prompt(name, text, hashlib.sha256(text.encode()).hexdigest())


@cache
def _kept(name: str) -> Prompt:
    return _prompt(name, (files(__package__) / f"{name}.md").read_text("utf-8"))


def names() -> list[str]:
    """Return the names of all prompts."""
    return sorted(file.name.removesuffix(".md") for file in files(__package__).iterdir() if file.name.endswith(".md"))
