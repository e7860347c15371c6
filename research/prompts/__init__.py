"""The prompts, one file each. What a model is told is versioned by the hash of its file."""

from __future__ import annotations

import hashlib
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


@cache
def load(name: str) -> Prompt:
    """Return the prompt kept in `<name>.md`.

    Raises:
        FileNotFoundError: there is no such prompt.
    """
    text = (files(__package__) / f"{name}.md").read_text("utf-8").strip()
    return Prompt(name, text, hashlib.sha256(text.encode()).hexdigest())


def names() -> list[str]:
    """Return the names of all prompts."""
    return sorted(file.name.removesuffix(".md") for file in files(__package__).iterdir() if file.name.endswith(".md"))
