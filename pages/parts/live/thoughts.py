"""Reflections and scores."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from pages.parts.nodes import Element, el, group, icon
from pages.parts.report.text import quote_links, with_links
from pages.parts.ui import Ui
from research.core import Assessed, Doubt, Insight, NextQuery, Reflected, Reflection

_FIRST_SENTENCE = re.compile(r"^\s*(.{4,90}?)(?:[.!?](?=\s|$)|[。！？])", re.DOTALL)
_BEFORE_COLON = re.compile(r"^\s*(.{4,90}?)(?::(?=\s)|：)", re.DOTALL)
_LONG = 220
"""Half-width characters from which a text starts folded; about four lines of a lane."""


def heading(topic: str) -> str:
    """Return the first sentence of a topic, or what stands before its colon, if that is short, else all of it.

    It stands over its lane: topics may differ in nothing but what follows the colon.
    """
    first = _FIRST_SENTENCE.match(topic) or _BEFORE_COLON.match(topic)
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
    bodies = [el("div", "part", el("h3", "", label), group("ul", "", entries)) for label, entries in filled]
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


_FULL = 10
_POINTS = 2
"""Points that each criterion can bring."""
_TRAIL = 8
"""Scores that are shown of how it grew, the latest."""


def mark(assessed: Sequence[Assessed], ui: Ui) -> Element | None:
    """Return the latest score in short, for the head of a lane; None before the first search."""
    if not assessed:
        return None
    score = assessed[-1].score
    return el(
        "span", "score-mark",
        el("span", "", f"{score}/{_FULL}", aria_hidden="true"), el("span", "unseen", _in_words(score, ui)),
        title=_in_words(score, ui),
    )  # fmt: skip


def score(assessed: Sequence[Assessed], enough: int, ui: Ui) -> Element | None:
    """Return the score as it stands after the last search, and how it grew; None before the first search.

    `enough` is the score at which a search for one question may stop; it is marked on the scale.
    """
    if not assessed:
        return None
    latest = assessed[-1]
    return el(
        "section", "score",
        el(
            "div", "score-head",
            el("span", "", ui._("Sufficiency")),
            el("strong", "", f"{latest.score}/{_FULL}"),
            _scale(latest.score, enough, ui),
        ),
        el("p", "faint", _growth(assessed, ui)),
        group("ul", "criteria", [_criterion(name, points, ui) for name, points in latest.criteria.items()]),
        el("p", "faint", _legend(enough, ui)),
        _kinds(latest, ui),
        key="score",
    )  # fmt: skip


def _legend(enough: int, ui: Ui) -> str:
    return ui._("Two points each, counted from the quotes; {enough} of 10 are enough.").format(enough=enough)


def _in_words(score: int, ui: Ui) -> str:
    return ui._("Computed score: {score} of 10").format(score=score)


def _scale(score: int, enough: int, ui: Ui) -> Element:
    """Return ten cells, of which as many are filled, with a mark where it is enough."""
    cells = [
        el("i", " ".join(name for name, fits in (("on", at < score), ("mark", at == enough)) if fits), key=f"c{at}")
        for at in range(_FULL)
    ]
    label = ui._("Computed score: {score} of 10; {enough} is enough").format(score=score, enough=enough)
    kind = "scale enough" if score >= enough else "scale"
    return group("span", kind, cells, role="img", aria_label=label, title=label)


def _growth(assessed: Sequence[Assessed], ui: Ui) -> str:
    latest = assessed[-1]
    after = ui.n_("After {count} search round", "After {count} search rounds", latest.iteration)
    sources = ui.n_("{count} good source", "{count} good sources", latest.good_sources)
    steps = [str(one.score) for one in assessed[-_TRAIL:]]
    trail = " → ".join(["…", *steps] if len(assessed) > _TRAIL else steps) if len(assessed) > 1 else ""
    return " · ".join(filter(None, [after, trail, sources]))


def _criterion(name: str, points: int, ui: Ui) -> Element:
    labels = {
        "results": ui._("Results"),
        "relevance": ui._("Relevance"),
        "diversity": ui._("Diversity"),
        "detail": ui._("Detail"),
        "coverage": ui._("Coverage"),
    }
    bar = [el("i", "on" if at < points else "", key=f"c{at}") for at in range(_POINTS)]
    said = ui._("{points} of 2").format(points=points)
    return el(
        "li", "criterion",
        group("span", "points", bar, aria_hidden="true"),
        el("span", "", labels.get(name, name)), el("span", "unseen", said), title=said, key=name,
    )  # fmt: skip


def _kinds(latest: Assessed, ui: Ui) -> Element | None:
    """Return how far each thing that the topic wants was found; nothing where nothing was counted."""
    chips = [_kind(kind, share, ui) for kind, share in latest.coverage.items()]
    label = ui._("Required information (confidence {share})").format(share=ui.percent(latest.confidence))
    return _row(label, chips, "kinds") if chips else None


def _kind(kind: str, share: float, ui: Ui) -> Element:
    level = "full" if share >= 1 else "part" if share > 0 else "none"
    return _chip(kind, ui._("{share} found").format(share=ui.percent(share)), level, ui.percent(share))


_SIGNS = {"full": "check", "part": "contrast", "none": "radio_button_unchecked"}


def _chip(label: str, said: str, level: str, shown: str = "") -> Element:
    """Return a chip; `said` is how far it is there, in words, and `shown` the same in short."""
    return el(
        "li", f"chip {level}",
        icon(_SIGNS[level]), el("span", "", label),
        el("span", "share", shown, aria_hidden="true") if shown else None,
        el("span", "unseen", said), title=said, key=label,
    )  # fmt: skip


def _row(label: str, chips: Sequence[Element], key: str) -> Element:
    return el("div", "chips", el("span", "chips-label", label), group("ul", "", chips), key=key)
