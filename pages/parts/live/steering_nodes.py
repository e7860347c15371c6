"""What the user may ask of a run under way: the ways to ask, what they lead to, and what was asked so far."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from pages.parts.live.lane_view import LaneState, LaneView
from pages.parts.live.live_view import LiveState
from pages.parts.live.thought_nodes import heading
from pages.parts.nodes import Element, el, group, icon, sender
from pages.parts.ui import Ui
from research.events import PageRead
from research.steering import AddQuestion, BlockSite, BookSteer, DropTopic
from research.vocabulary import SourceName

DROP_TOPIC = "drop:"
"""Message that drops the topic of a lane; its name follows."""
BLOCK_SITE = "block:"
"""Message that blocks a site or a collection; its name follows."""


def drop_button(lane: LaneView, state: LiveState, ui: Ui) -> Element | None:
    """Return the button that asks whether to drop a topic; None if that cannot be asked for (any more)."""
    if not state.is_steerable or lane.dropped:
        return None
    return _opener(DROP_TOPIC + lane.name, "do_not_disturb_on", ui._("Drop topic"), name_of(lane))


def block_button(page: PageRead, state: LiveState, ui: Ui) -> Element | None:
    """Return the button that asks whether to block a site; None if that cannot be asked for (any more).

    A document of the user's own is of no site: what stands in that place is its name.
    """
    is_own = page.origin is SourceName.LIBRARY
    if not state.is_steerable or not page.site or is_own or state.is_blocked(page.site):
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


def confirmations(tree: Iterable[Element], state: LiveState, ui: Ui) -> Mapping[str, list[Element]]:
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


def _confirmation(message: str, state: LiveState, ui: Ui) -> list[Element]:
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


def is_taken(steer: BookSteer, state: LiveState) -> bool:
    """Whether the run has answered what was asked: by doing so, or by saying that it is too late."""
    match steer:
        case AddQuestion(text=text):
            late = any(one.code == "question_late" and text.startswith(one.subject) for one in state.problems)
            return text in state.questions or late
        case DropTopic(lane=lane):
            return lane not in state.lanes or state.lanes[lane].dropped
        case BlockSite(site=site):
            return site in state.blocked


def asked(state: LiveState, waiting: Iterable[BookSteer], ui: Ui) -> list[Element]:
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
    return [group("ul", "asked-of", lines, role="status", key="asked-of")] if lines else []


def _line(symbol: str, subject: str, standing: str, key: str) -> Element:
    return el("li", "", icon(symbol), el("span", "", subject), el("span", "faint", standing), key=key)


def _standing(question: str, state: LiveState, ui: Ui) -> str:
    lane = next((lane for lane in state.lanes.values() if lane.topic == question), None)
    if lane is None or lane.state is LaneState.QUEUED:
        return ui._("will be researched next") if state.is_steerable else ui._("not researched")
    if lane.dropped:
        return ui._("topic dropped")
    return ui._("researched") if lane.is_over else ui._("being researched by {lane}").format(lane=lane.name)


def _subject(steer: BookSteer, state: LiveState) -> str:
    match steer:
        case AddQuestion(text=text):
            return text
        case DropTopic(lane=lane):
            return name_of(state.lanes[lane]) if lane in state.lanes else lane
        case BlockSite(site=site):
            return site
