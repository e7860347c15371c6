"""What analysts thought, and the topics that they were given: long texts that start short."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pages.parts.nodes import Element, el, group
from pages.parts.ui import Ui

_FIRST_SENTENCE = re.compile(r"^\s*(.{4,90}?)(?:[.:!?](?=\s)|[。：！？])", re.DOTALL)
_LONG = 220
"""Half-width characters from which a text starts folded; about four lines of a lane."""


def heading(topic: str) -> str:
    """Return the first sentence of a topic if that is short, else all of it: what stands over its lane."""
    first = _FIRST_SENTENCE.match(topic)
    return " ".join((first[1] if first else topic).split())


def task(topic: str, ui: Ui) -> Element | None:
    """Return the whole topic, folded, if the heading does not say all of it."""
    if heading(topic) == " ".join(topic.split()).rstrip(".。"):
        return None
    return el("details", "more", el("summary", "", ui._("The task in full")), el("p", "notes", topic), key="task")


def folded(text: str, kind: str, key: str) -> Element:
    """Return a text; of a long one, the first lines, and the rest on a click."""
    paragraph = el("span", kind, text)
    if _width(text) <= _LONG:
        return el("p", "", paragraph, key=key)
    return el("details", "fold", el("summary", "", paragraph), key=key)


def _width(text: str) -> int:
    return sum(2 if ord(character) > 0x2E7F else 1 for character in text) + 60 * text.count("\n")


def thoughts(reflections: Sequence[str], ui: Ui, *, whole: bool = False) -> list[Element]:
    """Return the latest reflection and, folded, the earlier ones, the newest first."""
    if not reflections:
        return []
    *earlier, latest = reflections
    key = f"thought-{len(reflections)}"
    shown = [el("p", "thought", latest, key=key) if whole else folded(latest, "thought", key)]
    if earlier:
        label = ui.n_("{count} earlier reflection", "{count} earlier reflections", len(earlier))
        older = [el("li", "thought", text, key=f"old-{place}") for place, text in enumerate(earlier)]
        shown.append(
            el("details", "more", el("summary", "", label), group("ol", "thoughts", older[::-1]), key="earlier")
        )
    return shown
