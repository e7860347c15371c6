"""What is asked of a run under way."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import streamlit as st
from pydantic import ValidationError

from pages.parts.engine import engine, state_of
from pages.parts.live.thoughts import heading
from pages.parts.nodes import Element, el, group, icon, sender, show_nodes
from pages.parts.start.brief import values_of_brief
from pages.parts.start.form import fill
from pages.parts.ui import Ui, go_to, verbatim
from research.core import (
    AddQuestion,
    BlockSite,
    BookSteer,
    DropTopic,
    FinishNow,
    LaneState,
    LaneView,
    PageRead,
    Phase,
    ResearchError,
    RunView,
    Steer,
    StopNow,
    UsageError,
)
from research.store import RunState

DROP_TOPIC = "drop:"
"""Message that drops the topic of a lane; its name follows."""
BLOCK_SITE = "block:"
"""Message that blocks a site or a collection; its name follows."""


def drop_button(lane: LaneView, state: RunView, ui: Ui) -> Element | None:
    """Return the button that asks whether to drop a topic; None if that cannot be asked for (any more)."""
    if not state.is_steerable or lane.dropped:
        return None
    return _opener(DROP_TOPIC + lane.name, "do_not_disturb_on", ui._("Drop topic"), name_of(lane))


def block_button(page: PageRead, state: RunView, ui: Ui) -> Element | None:
    """Return the button that asks whether to block a site; None if that cannot be asked for (any more).

    A document of the user's own is of no site: what stands in that place is its name.
    """
    if not state.is_steerable or not page.site or page.origin.is_own or state.is_blocked(page.site):
        return None
    return _opener(BLOCK_SITE + page.site, "block", ui._("Block site"), page.site)


def _opener(card: str, symbol: str, label: str, subject: str) -> Element:
    """Return a button that opens a card over the page, so that nothing moves."""
    return el(
        "button", "textual steer", icon(symbol), el("span", "word", label), el("span", "unseen", f" {subject}"),
        type="button", data_card=card, data_calm="", aria_haspopup="dialog", aria_expanded="false", key="steer",
    )  # fmt: skip


def name_of(lane: LaneView) -> str:
    """Return what stands over a lane."""
    return lane.title or heading(lane.topic) or lane.name


def confirmations(tree: Iterable[Element], state: RunView, ui: Ui) -> Mapping[str, list[Element]]:
    """Return the card behind each button in `tree` that drops a topic or blocks a site."""
    names = {name for element in tree for name in _cards_in(element)}
    return {name: _confirmation(name, state, ui) for name in sorted(names)}


def _cards_in(element: Element) -> Iterator[str]:
    name = element.attributes.get("data-card", "")
    if name.startswith((DROP_TOPIC, BLOCK_SITE)):
        yield name
    for child in element.children:
        if isinstance(child, Element):
            yield from _cards_in(child)


def _confirmation(message: str, state: RunView, ui: Ui) -> list[Element]:
    name = message.partition(":")[2]
    if message.startswith(DROP_TOPIC):
        title, act = ui._("Drop this topic?"), ui._("Drop topic")
        subject = name_of(state.lanes[name])
        said = ui._("Its researcher ends, and the report leaves out what only it found. This cannot be taken back.")
    else:
        title, act, subject = ui._("Block this site?"), ui._("Block site"), name
        said = ui._(
            "It is read no more, and the report leaves out what was found there. This cannot be taken back in this run."
        )
    return [
        el(
            "div", "card-head plain",
            el("div", "", el("strong", "", title), el("p", "", subject)),
            sender("close", "quiet", icon("close"), el("span", "unseen", ui._("Close"))),
        ),
        el("div", "card-body", el("p", "", said)),
        el("div", "card-foot", sender(message, "offer", act)),
    ]  # fmt: skip


def is_taken(steer: BookSteer, state: RunView) -> bool:
    """Whether the run has answered what was asked: by doing so, or by saying that it is too late."""
    match steer:
        case AddQuestion(text=text):
            late = any(one.code == "question_late" and text.startswith(one.subject) for one in state.problems)
            return text in state.questions or late
        case DropTopic(lane=lane):
            return lane not in state.lanes or state.lanes[lane].dropped
        case BlockSite(site=site):
            return site in state.blocked


def asked_of_run(state: RunView, waiting: Iterable[BookSteer], ui: Ui) -> list[Element]:
    """Return what was asked of the run and how it stands: by anybody, then what this reader's run has yet to hear."""

    def subject(steer: BookSteer) -> str:
        return _subject(steer, state)

    lines = [
        *(_line("add_comment", text, _standing(text, state, ui), f"question-{text}") for text in state.questions),
        *(
            _line("do_not_disturb_on", name_of(lane), ui._("topic dropped"), f"topic-{lane.name}")
            for lane in state.lanes.values()
            if lane.dropped
        ),
        *(_line("block", site, ui._("blocked; read no more"), f"site-{site}") for site in state.blocked),
        *(_line("schedule", name, ui._("passed on…"), f"waiting-{name}") for name in map(subject, waiting)),
    ]  # fmt: skip
    return [el("div", "", group("ul", "asked-of", lines), role="status", key="asked-of")] if lines else []


def _line(symbol: str, subject: str, standing: str, key: str) -> Element:
    return el("li", "", icon(symbol), el("span", "", subject), el("span", "faint", standing), key=key)


def _standing(question: str, state: RunView, ui: Ui) -> str:
    lane = next((lane for lane in state.lanes.values() if lane.topic == question), None)
    if lane is None or lane.state is LaneState.QUEUED:
        return ui._("will be researched next") if state.is_steerable else ui._("not researched")
    if lane.dropped:
        return ui._("topic dropped")
    return ui._("researched") if lane.is_over else ui._("being researched by {lane}").format(lane=lane.name)


def _subject(steer: BookSteer, state: RunView) -> str:
    match steer:
        case AddQuestion(text=text):
            return text
        case DropTopic(lane=lane):
            return name_of(state.lanes[lane]) if lane in state.lanes else lane
        case BlockSite(site=site):
            return site


_LONGEST = 1_000
"""Characters of a question."""
STOP_AND_EDIT = "stop_and_edit"
"""Key of the button that stops a run and leads to the form."""


class SteeringState(NamedTuple):
    """What can be asked of a run, and why the last thing could not be."""

    finish: bool
    stop: bool
    question: bool
    trouble: str

    @classmethod
    def of(cls, run_id: str, state: RunView) -> SteeringState:
        """Return how things stand."""
        is_ending = state.finish_requested or state.stop_requested or state.phase is Phase.WRITING
        waits = state.phase is Phase.WAITING and state_of(run_id) is RunState.WAITING
        return cls(
            finish=not (is_ending or waits),
            stop=not state.stop_requested,
            question=state.phase is Phase.WAITING or state.is_steerable,
            trouble=st.session_state.get(_key("trouble", run_id), ""),
        )


def show_steering(run_id: str, state: RunView, reader: Ui) -> None:
    """Show what can be asked of the run as `state` is now; see `is_overtaken`."""
    standing = SteeringState.of(run_id, state)
    st.session_state[_key("shown", run_id)] = standing
    _buttons(run_id, standing, reader)
    if standing.trouble:
        st.error(verbatim(standing.trouble), icon=":material/error:")
    _question(run_id, standing, reader)


def stop_and_edit(run_id: str, reader: Ui) -> None:
    """Stop the run and go to the form with its brief, if that was pressed; called before anything is drawn."""
    if st.session_state.get(STOP_AND_EDIT) and ask(run_id, StopNow(), reader):
        fill(values_of_brief(engine().store.get(run_id).brief))
        go_to("pages/new_research.py")


def was_steerable(run_id: str) -> bool:
    """Whether this session was shown what can be asked of the run."""
    return _key("shown", run_id) in st.session_state


def is_overtaken(run_id: str, state: RunView) -> bool:
    """Whether what can be asked is no longer what is shown."""
    return st.session_state.get(_key("shown", run_id)) != SteeringState.of(run_id, state)


def show_asked(run_id: str, state: RunView, reader: Ui) -> None:
    """Show what was asked of the run, and what became of it."""
    waiting = [one for one in _waiting(run_id) if not is_taken(one, state)]
    st.session_state[_key("waiting", run_id)] = waiting
    with st.container(key="asked"):
        if tree := asked_of_run(state, waiting, reader):
            show_nodes(tree, key="asked_of", language=reader.language)


def _buttons(run_id: str, standing: SteeringState, reader: Ui) -> None:
    # At the right: when the run ends under the pointer, what can be done with its report comes at the left.
    with st.container(horizontal=True, horizontal_alignment="right", gap="xsmall"):  # one row on a phone as well
        st.button(
            reader._("Stop and edit"),
            icon=":material/edit_square:",
            help=reader._("Stop this run, and open the form with its question and brief."),
            disabled=not standing.question,
            key=STOP_AND_EDIT,
        )
        st.button(
            reader._("Finish now"),
            icon=":material/fast_forward:",
            help=reader._("Stop searching and write the report from what there is."),
            disabled=not standing.finish,
            on_click=_ask,
            args=(run_id, FinishNow(), reader),
            key="finish_now",
        )
        st.button(
            reader._("Stop"),
            icon=":material/stop_circle:",
            help=reader._("Stop at once. What was found is kept and arranged by rule."),
            disabled=not standing.stop,
            on_click=_ask,
            args=(run_id, StopNow(), reader),
            key="stop",
        )


def _question(run_id: str, standing: SteeringState, reader: Ui) -> None:
    """Show the line for one more question. It stays when research has ended, so that nothing typed is lost."""
    key = _key("question", run_id)
    with (
        st.form(_key("form", run_id), border=False),
        st.container(horizontal=True, vertical_alignment="bottom"),
    ):
        st.text_input(
            reader._("Add a question"),
            max_chars=_LONGEST,
            placeholder=reader._("What else should be researched?") if standing.question else "",
            disabled=not standing.question,
            key=key,
        )
        st.form_submit_button(
            reader._("Add"),
            icon=":material/add_comment:",
            disabled=not standing.question,
            on_click=_add,
            args=(run_id, key, reader),
            key=_key("add", run_id),
        )
    if not standing.question:
        st.caption(reader._("Research has ended; ask about the report once it is written."))


def _ask(run_id: str, steer: Steer, reader: Ui) -> None:
    ask(run_id, steer, reader)


def _add(run_id: str, key: str, reader: Ui) -> None:
    text = str(st.session_state.get(key) or "").strip()
    if text and ask(run_id, AddQuestion(text=text), reader):
        st.session_state[key] = ""


def handle_steering(run_id: str, message: str, reader: Ui) -> bool:
    """Ask the run for what a button in a lane was pressed for; return whether it was one of these."""
    name = message.partition(":")[2]
    if not message.startswith((DROP_TOPIC, BLOCK_SITE)):
        return False
    try:
        steer = DropTopic(lane=name) if message.startswith(DROP_TOPIC) else BlockSite(site=name)
    except ValidationError:
        return True  # a browser sent what no button sends
    ask(run_id, steer, reader)
    return True


def ask(run_id: str, steer: Steer, reader: Ui) -> bool:
    """Ask something of the run and return whether it could be; if not, the page says why until something else is."""
    trouble = ""
    try:
        engine().runner.steer(run_id, steer)
    except UsageError:
        trouble = reader._("This run does not exist any more, so nothing could be asked of it.")
    except ResearchError as error:
        trouble = reader.reason(error)
    else:
        waiting = _waiting(run_id)
        if isinstance(steer, BookSteer) and steer not in waiting:
            st.session_state[_key("waiting", run_id)] = [*waiting, steer]
    st.session_state[_key("trouble", run_id)] = trouble
    return not trouble


def _waiting(run_id: str) -> list[BookSteer]:
    """Return what this reader asked and the run has not answered yet."""
    return list(st.session_state.get(_key("waiting", run_id), []))


def _key(name: str, run_id: str) -> str:
    return f"steering_{name}_{run_id}"


_HOLD_TEXT = {"article", "section", "div", "ul", "ol", "li", "p", "blockquote", "h1", "h2", "h3", "h4", "h5", "h6"}


def with_caret(tree: Sequence[Element]) -> list[Element]:
    """Return `tree` with the sign at its end: in the last line of the last text that it holds."""
    if tree and tree[-1].tag in _HOLD_TEXT:
        return [*tree[:-1], _ending(tree[-1])]
    return [*tree, _caret()]


def _ending(element: Element) -> Element:
    inner = [child for child in element.children[-1:] if isinstance(child, Element) and child.tag in _HOLD_TEXT]
    if inner:
        return replace(element, children=(*element.children[:-1], _ending(inner[0])))
    return replace(element, children=(*element.children, _caret()))


def _caret() -> Element:
    return el("span", "writing", aria_hidden="true")
