"""What was counted of the findings on a topic: the score and what it is made of, aspects, kinds of information."""

from __future__ import annotations

from collections.abc import Sequence

from pages.parts.nodes import Element, el, group, icon
from pages.parts.ui import Ui
from research.events import Assessed
from research.sufficiency import Aspect

_FULL = 10
_POINTS = 2
"""Points that each criterion can bring."""
_TRAIL = 8
"""Scores that are shown of how it grew, the latest."""
_ASPECTS = {label for aspect in Aspect for label in aspect.label}
"""What stands for the kinds of information where no section names any."""


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
        _aspects(latest, ui),
        _kinds(latest, ui),
        key="score",
    )  # fmt: skip


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


def _aspects(latest: Assessed, ui: Ui) -> Element | None:
    chips = [_aspect(name, ui, covered=True) for name in latest.covered]
    chips += [_aspect(name, ui, covered=False) for name in latest.missing]
    return _row(ui._("Aspects"), chips, "aspects") if chips else None


def _aspect(name: str, ui: Ui, *, covered: bool) -> Element:
    label = ui.of_term(Aspect(name).label) if name in set(Aspect) else name
    return _chip(label, ui._("covered") if covered else ui._("not covered"), "full" if covered else "none")


def _kinds(latest: Assessed, ui: Ui) -> Element | None:
    """Return how far each kind of information that the section requires is there; without a section, nothing is."""
    if set(latest.coverage) <= _ASPECTS:
        return None
    chips = [_kind(kind, share, ui) for kind, share in latest.coverage.items()]
    label = ui._("Required information (confidence {share})").format(share=ui.percent(latest.confidence))
    return _row(label, chips, "kinds")


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
