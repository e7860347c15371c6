"""The plan: as it is read, while its reader may still change it, and as a form."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

import streamlit as st

from pages.parts.engine import current, engine
from pages.parts.nodes import Element, el, group, icon, show_nodes
from pages.parts.ui import Ui, no_traceback, verbatim
from research.core import (
    PRESETS,
    BeginWithPlan,
    Brief,
    DepthChosen,
    HoldPlan,
    MethodName,
    Outline,
    Phase,
    PlanView,
    ResearchFinished,
    RunView,
    Section,
    StopReason,
    method_of,
)
from research.language import Language
from research.store import RunSummary

METHOD_ICONS = {
    MethodName.OUTLINED: "toc",
    MethodName.CHAINED: "link",
    MethodName.GAP_DRIVEN: "checklist",
    MethodName.SUPERVISED: "account_tree",
    MethodName.NOTED: "sticky_note_2",
}


def organisation(state: RunView, ui: Ui) -> list[Element]:
    """Return the method, depth and plan once nobody can edit it any more, and the ending once there is one."""
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
            _depth(plan, ui) if plan.begins_at is None else None,
            _plan(plan.outline, plan, ui) if plan.outline and plan.begins_at is None else None,
            _ending(state.ending, ui) if state.ending else None,
            key="organisation",
        )
    ]  # fmt: skip


def _depth(plan: PlanView, ui: Ui) -> Element | None:
    chosen = plan.depth
    if chosen is None:
        return None
    parts = _depth_counted(chosen, ui)
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


def _depth_counted(chosen: DepthChosen, ui: Ui) -> list[str]:
    return [
        ui.n_("{count} query per section", "{count} queries per section", chosen.depth.queries_per_section),
        ui.n_("{count} iteration", "{count} iterations", chosen.depth.iterations),
    ]


def _plan(outline: Outline, plan: PlanView, ui: Ui) -> Element:
    label = ui.n_("Plan with {count} section", "Plan with {count} sections", len(outline.sections))
    return el(
        "div", "plan",
        el("h2", "", label, el("span", "badge", ui._("edited")) if plan.edited else None),
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


def _frame(outline: Outline, ui: Ui, lang: str | None = None) -> Iterator[Element]:
    named = (
        (ui._("Introduction"), outline.introduction),
        (ui._("Conclusion"), outline.conclusion),
        (ui._("Remark on the plan"), outline.remark),
    )
    for name, text in named:
        if text:
            yield el("div", "", el("dt", "", name), el("dd", "", text, lang=lang))


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
    facts = group("dl", "brief", [*_frame(outline, ui, lang), *_depth_on_card(depth, lang, ui)], key="facts")
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


def _depth_on_card(chosen: DepthChosen | None, lang: str, ui: Ui) -> Iterator[Element]:
    if chosen is None:
        return
    reason = el("span", "faint", chosen.depth.reason, lang=lang) if chosen.depth.reason else None
    yield el(
        "div",
        "",
        el("dt", "", ui._("Depth")),
        el("dd", "", el("span", "", " · ".join(_depth_counted(chosen, ui))), reason),
    )


def nothing_left(ui: Ui) -> list[Element]:
    """Return what is said where a plan that is being edited has no section."""
    words = ui._("Without a section, the question is researched as one.")
    return [el("p", "faint", icon("info"), words)]


_FIELDS = ("title", "focus", "questions", "needs")


@dataclass
class Draft:
    """A plan that is being edited. What its fields hold stands in the session while the form is shown.

    What a button asks for is done once, however often a server that is busy hears of one press.
    """

    run: str
    outline: Outline
    at_most: int
    """Sections that a plan may have."""
    has_needs: bool
    """Each section says which information it requires."""
    sections: list[int] = field(default_factory=list)
    """The sections in their order, by numbers that stay theirs."""
    _numbers: count[int] = field(default_factory=count)

    @classmethod
    def of(cls, run: str, outline: Outline, *, at_most: int, has_needs: bool) -> Draft:
        """Begin to edit a plan."""
        has_needs = has_needs or any(section.needs for section in outline.sections)
        draft = cls(run, outline, at_most, has_needs)
        for section in outline.sections:
            draft.add(section)
        return draft

    def key(self, section: int, name: str) -> str:
        """Return the key under which a field stands in the session."""
        return f"plan_{self.run}_{section}_{name}"

    def add(self, section: Section) -> None:
        """Put a section at the end."""
        number = next(self._numbers)
        self.sections.append(number)
        held = {"questions": "\n".join(section.questions), "needs": "\n".join(section.needs)}
        for name in _FIELDS:
            st.session_state[self.key(number, name)] = held.get(name) or getattr(section, name) or ""

    def append(self, place: int) -> None:
        """Put an empty section at the end, which is at `place` unless it was done before."""
        if len(self.sections) == place:
            self.add(Section(title=""))

    def remove(self, section: int) -> None:
        """Take a section out."""
        if section in self.sections:
            self.sections.remove(section)

    def move(self, section: int, place: int) -> None:
        """Move a section to a place, counted from 0."""
        if section in self.sections:
            self.sections.remove(section)
            self.sections.insert(place, section)

    def edited(self) -> Outline:
        """Return the plan as the form holds it; a section without a title is called by what else it says."""
        sections = [self._section(number) for number in self.sections]
        return self.outline.model_copy(update={"sections": tuple(section for section in sections if section.title)})

    def _section(self, number: int) -> Section:
        held = {name: str(st.session_state.get(self.key(number, name), "")) for name in _FIELDS}
        return Section(
            title=next(filter(None, (held[name].strip().partition("\n")[0] for name in _FIELDS)), ""),
            focus=held["focus"],
            questions=tuple(held["questions"].splitlines()),
            needs=tuple(held["needs"].splitlines()),
        )


def show_plan_form(draft: Draft, reader: Ui, *, begin: Callable[[], None], cancel: Callable[[], None]) -> None:
    """Show the form; every button hands over all that was typed."""
    with st.form(f"plan_form_{draft.run}", border=False, enter_to_submit=False):
        for place, number in enumerate(draft.sections):
            _section_fields(draft, number, place, reader)
        if not draft.sections:
            show_nodes(nothing_left(reader), key="plan_nothing_left", language=reader.language)
        st.form_submit_button(
            reader._("Add a section"),
            icon=":material/add:",
            on_click=draft.append,
            args=(len(draft.sections),),
            disabled=len(draft.sections) >= draft.at_most,
            help=verbatim(_full(draft, reader)),
            # By another name each time: a press that a busy server hears of again when the form has grown is old.
            key=f"plan_{draft.run}_add_{len(draft.sections)}",
        )
        with st.container(horizontal=True):
            st.form_submit_button(
                reader._("Save and start"),
                type="primary",
                icon=":material/play_arrow:",
                on_click=begin,
                key=f"plan_{draft.run}_begin",
            )
            st.form_submit_button(reader._("Cancel"), on_click=cancel, key=f"plan_{draft.run}_cancel")


def _full(draft: Draft, reader: Ui) -> str:
    if len(draft.sections) < draft.at_most:
        return ""
    return reader.n_(
        "A plan of this preset has {count} section at most.",
        "A plan of this preset has {count} sections at most.",
        draft.at_most,
    )


def _section_fields(draft: Draft, number: int, place: int, reader: Ui) -> None:
    last = len(draft.sections) - 1
    with st.container(border=True, gap="small"):
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
            st.markdown(reader._("**Section {number}**").format(number=reader.number(place + 1)), width="content")
            with st.container(horizontal=True, gap="small", width="content"):
                _button(draft, number, "up", reader._("Up"), act=draft.move, to=place - 1, off=place == 0)
                _button(draft, number, "down", reader._("Down"), act=draft.move, to=place + 1, off=place == last)
                _button(draft, number, "remove", reader._("Remove"), act=draft.remove)
        title, focus = st.columns([2, 3])
        title.text_input(reader._("Title"), key=draft.key(number, "title"), max_chars=200)
        focus.text_input(reader._("Focus"), key=draft.key(number, "focus"), max_chars=500)
        questions, needs = st.columns([3, 2]) if draft.has_needs else (st.container(), None)
        key = draft.key(number, "questions")
        questions.text_area(reader._("Key questions, one per line"), key=key, height=_LINES)
        if needs is not None:
            key = draft.key(number, "needs")
            needs.text_area(reader._("Required information, one per line"), key=key, height=_LINES)


_LINES = 108
"""Height of a field of lines, in pixels; three of them fit."""
_ICONS = {"up": ":material/arrow_upward:", "down": ":material/arrow_downward:", "remove": ":material/delete:"}


def _button(
    draft: Draft,
    number: int,
    name: str,
    label: str,
    *,
    act: Callable[..., None],
    off: bool = False,
    to: int | None = None,
) -> None:
    st.form_submit_button(
        verbatim(label),
        icon=_ICONS[name],
        type="tertiary",
        disabled=off,
        on_click=act,
        args=(number,) if to is None else (number, to),
        # By another name in another place, as the one that adds: an old press moves nothing again.
        key=draft.key(number, name if to is None else f"{name}_{to}"),
    )


_HTML = """
<div class="countdown" role="timer"><span class="icon" aria-hidden="true" translate="no">schedule</span><span class="said"></span></div>
"""  # noqa: E501 - white space would be shown

_ASSETS = Path(__file__).parents[1] / "assets"

_mount = st.components.v2.component(
    "workbench_countdown",
    html=_HTML,
    css=(_ASSETS / "countdown.css").read_text(encoding="utf-8"),
    js=(_ASSETS / "countdown.js").read_text(encoding="utf-8"),
)


def show_countdown(seconds: float, text: str, over: str, *, key: str, language: Language) -> None:
    """Show `text`, in which `{time}` counts down from `seconds`, and `over` when it has."""
    _mount(key=key, data={"seconds": max(0.0, seconds), "text": text, "over": over, "lang": language.value})


PLAN_EDIT = "plan_edit"
"""Key of the button that opens a plan as a form."""
_EVERY = 1.0
"""Seconds between two looks at the store."""
_PLANNED = (MethodName.OUTLINED, MethodName.GAP_DRIVEN)


def plans_sections(brief: Brief) -> bool:
    """Whether the method of a run plans sections before it searches."""
    return method_of(brief) in _PLANNED


def show_plan_panel(run: RunSummary, reader: Ui) -> None:
    """Show the plan of a run that is under way, from when it is drafted until research begins."""
    if not plans_sections(run.brief):
        return
    draft = _draft(run.id)
    if _is_over(current(run.id)):
        _say_what_came_too_late(run.id, reader)
    elif draft is not None:
        with st.container(key="plan_editor"):
            st.header(reader._("Edit the plan"), anchor=False)
            _watch(run, reader._("Research waits for you. In {time} it begins with the plan as it was."), reader)
            _editor(draft, reader)
            st.space("small")
    elif current(run.id).plan.begins_at is None:
        _watch(run, "", reader)
    else:
        with st.container(border=True, key="plan"):
            _proposal(run, reader)
        st.space("small")


def _say_what_came_too_late(run_id: str, reader: Ui) -> None:
    """Say so to whoever was still editing the plan; or pressed, in the instant in which research began, to edit it."""
    if _draft(run_id) is not None:
        _close(run_id)
        said = reader._("Research began before your changes were saved; they were not used.")
        st.warning(verbatim(said), icon=":material/schedule:")
    elif _key("seen", run_id) in st.session_state:
        with st.container(key="plan_pressed_late"):  # not to be seen
            st.button(verbatim(PLAN_EDIT), on_click=_refuse, args=(reader,), key=PLAN_EDIT)


def _refuse(reader: Ui) -> None:
    said = reader._("Research began before the plan was opened. “Stop and edit” leads back to the form.")
    st.toast(verbatim(said), icon=":material/schedule:", duration="long")


def _proposal(run: RunSummary, reader: Ui) -> None:
    begun = _key("begun", run.id) in st.session_state
    st.session_state[_key("seen", run.id)] = True
    st.header(reader._("The plan"), anchor=False)
    with st.container(horizontal=True, vertical_alignment="center", key="plan_actions"):
        _watch(run, reader._("Research begins by itself in {time}"), reader)
        st.button(
            reader._("Start now"),
            type="primary",
            icon=":material/play_arrow:",
            disabled=begun,
            on_click=_begin,
            args=(run.id,),
            key="plan_begin",
        )
        st.button(
            reader._("Edit"),
            icon=":material/edit:",
            help=reader._("Change, move, add or remove sections. Research waits for you."),
            disabled=begun,
            on_click=_edit,
            args=(run,),
            key=PLAN_EDIT,
        )
    _card(run, reader)


@st.fragment(run_every=_EVERY)
def _card(run: RunSummary, reader: Ui) -> None:
    """Show what is planned; how deep it goes may be known a while later."""
    plan = current(run.id).plan
    if plan.outline is not None:
        tree = plan_card(plan.outline, plan.depth, run.brief.language, reader)
        show_nodes(tree, key="plan_card", language=reader.language)


@st.fragment(run_every=_EVERY)
def _watch(run: RunSummary, text: str, reader: Ui) -> None:
    """Say by `text`, if at all, how long the plan still waits; draw all anew when it comes, or research begins."""
    with no_traceback(reader):
        state = current(run.id)
        if _is_over(state) or (state.plan.begins_at and not text):
            st.rerun()
        if text:
            begun = _key("begun", run.id) in st.session_state
            _clock(None if begun else state.plan.begins_at, text, reader)


@st.fragment
def _editor(draft: Draft, reader: Ui) -> None:
    with no_traceback(reader):
        if draft is not _draft(draft.run):
            st.rerun()
        show_plan_form(draft, reader, begin=lambda: _save(draft), cancel=lambda: _close(draft.run))


def _clock(until: datetime | None, text: str, reader: Ui) -> None:
    """Show how long the plan waits; None stands for one that waits no longer."""
    seconds = (until - datetime.now(UTC)).total_seconds() if until else 0.0
    over = reader._("Research begins…")
    show_countdown(seconds, text, over, key="plan_clock", language=reader.language)


# --- what the buttons do


def _begin(run_id: str) -> None:
    engine().runner.steer(run_id, BeginWithPlan())
    st.session_state[_key("begun", run_id)] = True


def _edit(run: RunSummary) -> None:
    outline, brief = current(run.id).plan.outline, run.brief
    if outline is None:
        return
    engine().runner.steer(run.id, HoldPlan())
    at_most = max(PRESETS[brief.preset].limits.methods.sections, len(outline.sections))
    has_needs = method_of(brief) is MethodName.GAP_DRIVEN
    st.session_state[_key("draft", run.id)] = Draft.of(run.id, outline, at_most=at_most, has_needs=has_needs)


def _save(draft: Draft) -> None:
    engine().runner.steer(draft.run, BeginWithPlan(outline=draft.edited()))
    st.session_state[_key("begun", draft.run)] = True
    _close(draft.run)


def _close(run_id: str) -> None:
    st.session_state.pop(_key("draft", run_id), None)


# --- what is known


def _draft(run_id: str) -> Draft | None:
    """Return the plan that this session is editing."""
    return st.session_state.get(_key("draft", run_id))


def _is_over(state: RunView) -> bool:
    """Whether no plan waits any more, nor will."""
    has_ended = state.phase in (Phase.WRITING, Phase.ENDED)
    return state.plan.is_settled or has_ended or state.finish_requested or state.stop_requested


def _key(name: str, run_id: str) -> str:
    return f"plan_{name}_{run_id}"
