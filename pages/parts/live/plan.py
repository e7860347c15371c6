"""The plan as it is read."""

from __future__ import annotations

from collections.abc import Iterator

from pages.parts.nodes import Element, el, group, icon
from pages.parts.ui import Ui
from research.core import DepthChosen, MethodName, Outline, PlanView, ResearchFinished, RunView, Section, StopReason
from research.language import Language

METHOD_ICONS = {
    MethodName.OUTLINED: "toc",
    MethodName.CHAINED: "link",
    MethodName.GAP_DRIVEN: "checklist",
    MethodName.SUPERVISED: "account_tree",
    MethodName.NOTED: "sticky_note_2",
}


def organisation(state: RunView, ui: Ui) -> list[Element]:
    """Return the method, the depth, the plan once nobody can edit it any more, and the ending once there is one."""
    if state.method is None:
        return []
    method, plan = state.method, state.plan
    return [
        el(
            "section", "organisation",
            el(
                "p", "method",
                icon(METHOD_ICONS[method]),
                el("strong", "", ui.of_term(method.label)),
                el("span", "faint", ui.of_term(method.hint)),
            ),
            _depth(plan, ui),
            _plan(plan.outline, plan, ui) if plan.outline and plan.begins_at is None else None,
            _ending(state.ending, ui) if state.ending else None,
            key="organisation",
        )
    ]  # fmt: skip


def _depth(plan: PlanView, ui: Ui) -> Element | None:
    chosen = plan.depth
    if chosen is None:
        return None
    parts = [
        ui.n_("{count} query per section", "{count} queries per section", chosen.depth.queries_per_section),
        ui.n_("{count} iteration", "{count} iterations", chosen.depth.iterations),
    ]
    if plan.step_budget is not None:
        parts.append(ui.n_("budget of {count} step", "budget of {count} steps", plan.step_budget))
    is_users = chosen.by == "user"
    parts.append(ui._("set in the brief") if is_users else ui._("chosen by the analyst"))
    return el(
        "div", "depth",
        el("p", "", el("span", "label", ui._("Depth")), " · ".join(parts)),
        el("p", "faint", chosen.depth.reason) if chosen.depth.reason and not is_users else None,
        key="depth",
    )  # fmt: skip


def _plan(outline: Outline, plan: PlanView, ui: Ui) -> Element:
    label = ui.n_("Plan with {count} section", "Plan with {count} sections", len(outline.sections))
    return el(
        "div", "plan",
        el("h3", "", label, el("span", "badge", ui._("edited")) if plan.edited else None),
        el("p", "purpose", outline.purpose) if outline.purpose else None,
        group("ol", "sections", [_section(section, place, ui) for place, section in enumerate(outline.sections)]),
        _rest(outline, ui),
        key="plan",
    )  # fmt: skip


def _section(section: Section, place: int, ui: Ui) -> Element:
    focus = section.focus if section.focus != section.title else ""
    return el(
        "li", "",
        el("strong", "", section.title),
        el("p", "faint", focus) if focus else None,
        _wanted(section, ui),
        key=f"section-{place}",
    )  # fmt: skip


def _wanted(section: Section, ui: Ui) -> Element | None:
    """Return the key questions and the kinds of information of a section, folded."""
    if not section.wanted:
        return None
    counts = [
        ui.n_("{count} key question", "{count} key questions", len(section.questions)) if section.questions else "",
        ui.n_("{count} requirement", "{count} requirements", len(section.needs)) if section.needs else "",
    ]
    lists = [group("ul", "", [el("li", "", line) for line in lines]) for lines in (section.questions, section.needs)]
    return el(
        "details", "more",
        el("summary", "", " · ".join(filter(None, counts))), *(found for found in lists if found.children),
    )  # fmt: skip


def _rest(outline: Outline, ui: Ui) -> Element | None:
    rows = list(_frame(outline, ui))
    if not rows:
        return None
    label = el("summary", "", ui._("Introduction, conclusion and remark"))
    return el("details", "more", label, group("dl", "brief", rows), key="rest")


def _frame(outline: Outline, ui: Ui) -> Iterator[Element]:
    named = (
        (ui._("Introduction"), outline.introduction),
        (ui._("Conclusion"), outline.conclusion),
        (ui._("Remark on the plan"), outline.remark),
    )
    for name, text in named:
        if text:
            yield el("div", "", el("dt", "", name), el("dd", "", text))


def _ending(ending: ResearchFinished, ui: Ui) -> Element:
    label = el("span", "label", ui._("Research ended"))
    return el("p", "ending", icon("flag"), label, *ended(ending.reason, ending.why, ui), key="ending")


def ended(reason: str, why: str, ui: Ui) -> list[Element]:
    """Return why a topic or the whole research ended: in the program's words, then in those of whoever decided."""
    words = ui.of_term(StopReason.words_of(reason))
    own = el("span", "faint", why) if why and why != words else None
    return [part for part in (el("span", "", words), own) if part]


def plan_card(outline: Outline, depth: DepthChosen | None, language: Language, ui: Ui) -> list[Element]:
    """Return the plan, whose text is in `language`, and how deep it goes once that is known."""
    lang = language.value
    sections = [_section_on_card(section, place, lang, ui) for place, section in enumerate(outline.sections, 1)]
    facts = group("dl", "brief", [*_card_frame(outline, lang, ui), *_depth_on_card(depth, lang, ui)], key="facts")
    return [
        el(
            "section", "proposal",
            el("p", "purpose", outline.purpose, key="purpose", lang=lang) if outline.purpose else None,
            group("ol", "sections", sections, key="sections"),
            facts if facts.children else None,
            key="proposal",
        )
    ]  # fmt: skip


def _section_on_card(section: Section, place: int, lang: str, ui: Ui) -> Element:
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


def _card_frame(outline: Outline, lang: str, ui: Ui) -> Iterator[Element]:
    named = (
        (ui._("Introduction"), outline.introduction),
        (ui._("Conclusion"), outline.conclusion),
        (ui._("Remark on the plan"), outline.remark),
    )
    for name, text in named:
        if text:
            yield el("div", "", el("dt", "", name), el("dd", "", text, lang=lang))


def _depth_on_card(chosen: DepthChosen | None, lang: str, ui: Ui) -> Iterator[Element]:
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
