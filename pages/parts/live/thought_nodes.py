"""What analysts thought, and the topics that they were given: long texts that start short."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from pages.parts.nodes import Element, el, group, icon
from pages.parts.report.quote_links import quote_links, with_links
from pages.parts.ui import Ui
from research.events import Reflected
from research.reflection import Doubt, Insight, NextQuery, Reflection

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


def folded(text: str, kind: str, key: str, parts: Sequence[Element | str | None] = ()) -> Element:
    """Return a text; of a long one, the first lines, and the rest on a click. `parts` are drawn in its place."""
    paragraph = group("span", kind, parts or [text])
    if _width(text) <= _LONG:
        return el("p", "", paragraph, key=key)
    return el("details", "fold", el("summary", "", paragraph), key=key)


def _width(text: str) -> int:
    return sum(2 if ord(character) > 0x2E7F else 1 for character in text) + 60 * text.count("\n")


def thoughts(
    reflections: Sequence[Reflected],
    known: Collection[str],
    ui: Ui,
    *,
    whole: bool = False,
    at_most: int | None = None,
) -> list[Element]:
    """Return the latest reflection and, folded, the earlier ones, the newest first.

    Of a reflection in parts the summary is shown, and the parts on a click, linked to the quotes that are `known`.
    Of the earlier ones those before the last `at_most` are only counted; None stands for all.
    """
    if not reflections:
        return []
    *earlier, latest = reflections
    key = f"thought-{len(reflections)}"
    text = _said(latest)
    parts = with_links(text, known, ui)
    shown = [group("p", "thought", parts, key=key) if whole else folded(text, "thought", key, parts)]
    if latest.parts:
        shown += _parts(latest.parts, known, ui, f"parts-{len(reflections)}")
    if earlier:
        label = ui.n_("{count} earlier reflection", "{count} earlier reflections", len(earlier))
        first = 0 if at_most is None else max(0, len(earlier) - at_most)
        listed = [_earlier(place, thought, known, ui) for place, thought in enumerate(earlier) if place >= first]
        shown.append(
            el(
                "details", "more",
                el("summary", "", label), group("ol", "thoughts", listed[::-1]), _unlisted(first, ui),
                key="earlier",
            )
        )  # fmt: skip
    return shown


def _unlisted(count: int, ui: Ui) -> Element | None:
    said = ui.n_("{count} earlier reflection", "{count} earlier reflections", count)
    return el("p", "faint", said, key="unlisted") if count else None


def _said(thought: Reflected) -> str:
    return (thought.parts.summary if thought.parts else "") or thought.reflection


def _earlier(place: int, thought: Reflected, known: Collection[str], ui: Ui) -> Element:
    parts = _parts(thought.parts, known, ui, "parts") if thought.parts else []
    return el("li", "", group("p", "thought", with_links(_said(thought), known, ui)), *parts, key=f"old-{place}")


def _parts(thought: Reflection, known: Collection[str], ui: Ui, key: str) -> list[Element]:
    """Return the parts of a reflection behind a line that counts them."""
    parts = (
        (
            ui.n_("{count} insight", "{count} insights", len(thought.insights)),
            [_insight(insight, known, ui) for insight in thought.insights],
        ),
        (
            ui.n_("{count} gap", "{count} gaps", len(thought.gaps)),
            [el("li", "", icon("radio_button_unchecked"), el("span", "", gap)) for gap in thought.gaps],
        ),
        (
            ui.n_("{count} doubt", "{count} doubts", len(thought.doubts)),
            [_doubt(doubt, known, ui) for doubt in thought.doubts],
        ),
        (
            ui.n_("{count} next query", "{count} next queries", len(thought.queries)),
            [_query(query) for query in thought.queries],
        ),
    )
    filled = [(label, entries) for label, entries in parts if entries]
    if not filled:
        return []
    label = el("summary", "", " · ".join(label for label, _ in filled))
    bodies = [el("div", "part", el("h4", "", label), group("ul", "", entries)) for label, entries in filled]
    return [el("details", "more parts", label, *bodies, key=key)]


def _insight(insight: Insight, known: Collection[str], ui: Ui) -> Element:
    sure = ui._("Confidence: {confidence} of 10").format(confidence=insight.confidence)
    return el(
        "li", "",
        el(
            "span", "sure",
            el("span", "", f"{insight.confidence}/10", aria_hidden="true"), el("span", "unseen", sure), title=sure,
        ),
        el("span", "", insight.text, quote_links(insight.evidence, known, ui)),
    )  # fmt: skip


def _doubt(doubt: Doubt, known: Collection[str], ui: Ui) -> Element:
    return el("li", "", icon("help"), el("span", "", doubt.text, quote_links(doubt.evidence, known, ui)))


def _query(query: NextQuery) -> Element:
    reason = el("span", "reason", query.reason) if query.reason else None
    return el("li", "", icon("search"), el("span", "", query.query, reason))
