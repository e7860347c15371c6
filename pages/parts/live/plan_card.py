"""The plan of a report that waits, in full: what somebody reads before they let it begin."""

from __future__ import annotations

from collections.abc import Iterator

from pages.parts.nodes import Element, el, group, icon
from pages.parts.ui import Ui
from research.events import DepthChosen
from research.language import Language
from research.outline import Outline, Section


def plan_card(outline: Outline, depth: DepthChosen | None, language: Language, ui: Ui) -> list[Element]:
    """Return the plan, whose text is in `language`, and how deep it goes once that is known."""
    lang = language.value
    sections = [_section(section, place, lang, ui) for place, section in enumerate(outline.sections, 1)]
    facts = group("dl", "brief", [*_frame(outline, lang, ui), *_depth(depth, lang, ui)], key="facts")
    return [
        el(
            "section", "proposal",
            el("p", "purpose", outline.purpose, key="purpose", lang=lang) if outline.purpose else None,
            group("ol", "sections", sections, key="sections"),
            facts if facts.children else None,
            key="proposal",
        )
    ]  # fmt: skip


def _section(section: Section, place: int, lang: str, ui: Ui) -> Element:
    questions = group("ul", "asks", [el("li", "", line) for line in section.questions], lang=lang)
    return el(
        "li", "",
        el("span", "number", ui.number(place)),
        el("h3", "", section.title, lang=lang),
        el("p", "focus", section.focus, lang=lang) if section.focus not in ("", section.title) else None,
        questions if section.questions else None,
        _needs(section, lang, ui),
        key=f"section-{place}",
    )  # fmt: skip


def _needs(section: Section, lang: str, ui: Ui) -> Element | None:
    if not section.needs:
        return None
    tags = group("ul", "tags", [el("li", "", line) for line in section.needs], lang=lang)
    return el("div", "needs", el("span", "label", ui._("Required information")), tags)


def _frame(outline: Outline, lang: str, ui: Ui) -> Iterator[Element]:
    named = (
        (ui._("Introduction"), outline.introduction),
        (ui._("Conclusion"), outline.conclusion),
        (ui._("Remark on the plan"), outline.remark),
    )
    for name, text in named:
        if text:
            yield el("div", "", el("dt", "", name), el("dd", "", text, lang=lang))


def _depth(chosen: DepthChosen | None, lang: str, ui: Ui) -> Iterator[Element]:
    if chosen is None:
        return
    counts = [
        ui.n_("{count} query per section", "{count} queries per section", chosen.depth.queries_per_section),
        ui.n_("{count} iteration", "{count} iterations", chosen.depth.iterations),
    ]
    reason = el("span", "faint", chosen.depth.reason, lang=lang) if chosen.depth.reason else None
    yield el("div", "", el("dt", "", ui._("Depth")), el("dd", "", el("span", "", " · ".join(counts)), reason))


def nothing_left(ui: Ui) -> list[Element]:
    """Return what is said where a plan that is being edited has no section."""
    words = ui._("Without a section, the question is researched as one.")
    return [el("p", "faint", icon("info"), words)]
