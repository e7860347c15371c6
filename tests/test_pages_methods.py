"""What a run's page shows of its method: depth, plan, score, reflections in parts, notes, endings."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from pages.parts.live.lanes import activity
from pages.parts.live.plan import METHOD_ICONS
from pages.parts.live.thoughts import score
from pages.parts.nodes import Element, el
from pages.parts.report.text import with_links
from pages.parts.ui import Ui
from research.core import (
    Assessed,
    Brief,
    Depth,
    DepthChosen,
    Doubt,
    Event,
    EvidenceFound,
    Insight,
    MethodName,
    NextQuery,
    NoteTaken,
    Outline,
    PageRead,
    Phase,
    PlanDrafted,
    PlanSettled,
    Reflected,
    Reflection,
    ResearchFinished,
    RunStarted,
    RunView,
    SearchReturned,
    SearchStarted,
    Section,
    SourceKind,
    SourceName,
    StopReason,
    TopicFinished,
    TopicQueued,
    TopicStarted,
)
from research.language import Language

EN, JA = Ui.of(Language.EN, None), Ui.of(Language.JA, None)

OUTLINE = Outline(
    purpose="To see how large the market is.",
    sections=(
        Section(title="Size", focus="how large", questions=("How large is it?",), needs=("size", "growth")),
        Section(title="Outlook", focus="what is next"),
    ),
    introduction="Why it matters.",
    conclusion="What to do.",
    remark="Two sections are enough.",
)
REFLECTION = Reflection(
    summary="The size is known.",
    insights=(Insight(text="It grew by 4.2%.", confidence=7, evidence=("E1", "E9")),),
    gaps=("The growth of 2024.",),
    doubts=(Doubt(text="Two sizes are named.", evidence=("E1",)),),
    queries=(NextQuery(query="pump market 2024", reason="The year is missing."),),
)


def counted(iteration: int = 2, total: int = 6, **facts: object) -> Assessed:
    named: dict[str, object] = {
        "criteria": {"results": 2, "relevance": 1, "diversity": 0, "detail": 2, "coverage": 1},
        "covered": ("definition", "market"),
        "missing": ("cases", "technical", "outlook"),
        "coverage": {"size": 1.0, "growth": 0.5, "price": 0.0},
        "confidence": 0.69,
        "good_sources": 1,
    }
    return Assessed(lane="R1", iteration=iteration, score=total, **(named | facts))  # type: ignore[arg-type]


def run(*events: Event, method: MethodName = MethodName.OUTLINED) -> RunView:
    brief = Brief(question="How large is the market?", method=method)
    start = RunStarted(run="r", brief=brief, brief_text="", analyst="chat", sources=(), method=method)
    page = PageRead(
        lane="R1", page="S1", url="https://a.example/", title="Pumps", site="a.example", origin=SourceName.WEB,
        kind=SourceKind.NEWS, published=None, sha256="0", characters=9,
    )  # fmt: skip
    quote = EvidenceFound(lane="R1", id="E1", source="S1", quote="It grew by 4.2%.", start=0, end=16)
    told = (start, TopicQueued(lane="R1", topic="Size. Find how large it is.", title="Size"), page, quote, *events)
    return RunView().extend(event.model_copy(update={"seq": place}) for place, event in enumerate(told, 1))


def drawn(state: RunView, ui: Ui = EN) -> Element:
    return el("div", "", *activity(state, ui))


def text(tree: Element, kind: str) -> str:
    return tree.find(kind)[0].text()


@pytest.mark.parametrize("method", list(MethodName))
@pytest.mark.parametrize("ui", [EN, JA], ids=lambda ui: ui.language.value)
def test_the_method_is_named_with_when_to_use_it(method: MethodName, ui: Ui) -> None:
    told = text(drawn(run(method=method), ui), "method")
    assert told == METHOD_ICONS[method] + ui.of_term(method.label) + ui.of_term(method.hint)


@pytest.mark.parametrize("method", list(MethodName))
def test_only_a_supervised_run_waits_for_a_supervisor(method: MethodName) -> None:
    has_supervisor = bool(drawn(run(method=method)).find("supervisor"))
    assert has_supervisor is (method is MethodName.SUPERVISED)
    spoken = run(Reflected(lane="supervisor", reflection="Two topics."), method=method)
    assert "Two topics." in text(drawn(spoken), "supervisor")


@pytest.mark.parametrize("method", [MethodName.SUPERVISED, MethodName.GAP_DRIVEN])
def test_what_is_searched_while_somebody_plans_is_shown(method: MethodName) -> None:
    begun = SearchStarted(lane="supervisor", search="Q1", query="What of pumps?", source="web")
    told = text(drawn(run(begun, method=method)), "supervisor")
    assert told.startswith("account_treeSupervisor" if method is MethodName.SUPERVISED else "travel_explore")
    assert "What of pumps?searching…" in told
    back = SearchReturned(lane="supervisor", search="Q1", pages=4, new=4, seconds=0.5)
    assert "4 pages · 4 new" in text(drawn(run(begun, back, method=method)), "supervisor")


def test_the_depth_is_shown_with_its_reason_and_who_chose_it() -> None:
    depth = Depth(queries_per_section=2, iterations=3, reason="A broad question.")
    told = text(drawn(run(DepthChosen(depth=depth, by="analyst"))), "depth")
    assert told == "Depth2 queries per section · 3 iterations · chosen by the analystA broad question."
    settled = run(DepthChosen(depth=depth, by="user"), PlanSettled(outline=OUTLINE, edited=False, step_budget=34))
    told = text(drawn(settled), "depth")
    assert told == "Depth2 queries per section · 3 iterations · budget of 34 steps · set in the brief"


def test_the_plan_is_shown_once_nobody_can_edit_it_any_more() -> None:
    assert not drawn(run(PlanDrafted(outline=OUTLINE, begins_at=datetime.now(UTC)))).find("plan")
    assert "Plan with 2 sections" in text(drawn(run(PlanDrafted(outline=OUTLINE))), "plan")
    tree = drawn(run(PlanSettled(outline=OUTLINE, edited=True)))
    told = text(tree, "plan")
    for said in (
        "edited", "To see how large", "Size", "how large", "1 key question · 2 requirements", "How large is it?",
        "growth", "Outlook", "Why it matters.", "What to do.", "Two sections are enough.",
    ):  # fmt: skip
        assert said in told
    assert len(tree.find("sections")[0].children) == 2


def test_the_score_can_be_read_and_heard() -> None:
    shown = score([counted(1, 3), counted(2, 6)], 8, EN)
    assert shown is not None
    scale = shown.find("scale")[0]
    assert scale.attributes["aria-label"] == "Computed score: 6 of 10; 8 is enough"
    assert (len(scale.children), len(scale.find("on")), [cell.key for cell in scale.find("mark")]) == (10, 6, ["c8"])
    assert "6/10" in shown.text()
    assert "After 2 search rounds · 3 → 6 · 1 good source" in shown.text()
    bars = {bar.key: (len(bar.find("on")), bar.text()) for bar in shown.find("criterion")}
    assert bars["results"] == (2, "Results2 of 2")
    assert bars["diversity"] == (0, "Diversity0 of 2")
    assert list(bars) == ["results", "relevance", "diversity", "detail", "coverage"]


def test_what_is_covered_and_what_is_missing_are_told_apart_without_colour() -> None:
    shown = score([counted()], 8, EN)
    assert shown is not None
    chips = [chip.text() for chip in shown.find("chip")]
    assert chips[:3] == [
        "checkdefinitioncovered",
        "checkmarket impactcovered",
        "radio_button_uncheckedconcrete casesnot covered",
    ]
    assert chips[5:] == [
        "checksize100%100% found", "contrastgrowth50%50% found", "radio_button_uncheckedprice0%0% found"
    ]  # fmt: skip
    assert "Required information (confidence 69%)" in shown.text()
    japanese = score([counted()], 8, JA)
    assert japanese is not None
    assert "必要な情報（確信度 69%）" in japanese.text()


def test_a_lane_is_headed_by_its_section_with_score_and_ending() -> None:
    state = run(counted(), TopicFinished(lane="R1", reason="limit", why="Three rounds are over."))
    head = text(drawn(state), "lane-head")
    for said in ("Size", "6/10", "Computed score: 6 of 10", StopReason.LIMIT.label.en):
        assert said in head
    assert "Three rounds are over." not in head
    assert "Three rounds are over." in text(drawn(state), "lane-course")


@pytest.mark.parametrize("reason", [*StopReason, "something_new"])
def test_why_the_research_ended_is_said_for_every_code(reason: str) -> None:
    told = text(drawn(run(ResearchFinished(reason=reason, why="As planned."))), "ending")
    assert StopReason.words_of(reason).en in told
    assert "As planned." in told


def test_a_reflection_in_parts_shows_its_summary_and_the_parts_on_a_click() -> None:
    tree = drawn(run(TopicStarted(lane="R1"), Reflected(lane="R1", reflection="all of it", parts=REFLECTION)))
    assert text(tree, "thought") == "The size is known."
    (parts,) = tree.find("parts")
    assert parts.tag == "details"
    assert "open" not in parts.attributes
    assert parts.children[0].text() == "1 insight · 1 gap · 1 doubt · 1 next query"  # type: ignore[union-attr]
    for said in ("7/10", "Confidence: 7 of 10", "It grew by 4.2%.", "The growth of 2024.", "Two sizes are named.",
                 "pump market 2024", "The year is missing."):  # fmt: skip
        assert said in parts.text()
    assert [link.attributes["data-send"] for link in parts.find("cite")] == ["quote:E1", "quote:E1"]


def test_earlier_reflections_keep_their_parts() -> None:
    earlier = Reflected(lane="R1", reflection="", parts=REFLECTION)
    tree = drawn(run(earlier, Reflected(lane="R1", reflection="Enough.")))
    assert "Enough." in text(tree, "thought")
    assert "pump market 2024" in text(tree, "thoughts")


def test_marks_in_a_text_become_links_to_quotes_that_exist() -> None:
    parts = with_links("Known [E1, E2], unknown [E7]; [see] below.", {"E1": 1, "E2": 2}, EN)
    told = el("p", "", *parts)
    assert told.text() == "KnownE1E2, unknown; [see] below."
    assert [link.attributes["data-send"] for link in told.find("cite")] == ["quote:E1", "quote:E2"]


def test_notes_are_cards_in_the_order_of_their_steps_while_the_run_goes_on() -> None:
    later = NoteTaken(step=2, query="outlook", summary="- <b>Grows</b> [E1]", sources=("S1", "S9"))
    state = run(later, NoteTaken(step=1, query="size", summary="Large.", sources=()), method=MethodName.NOTED)
    cards = drawn(state).find("note-card")
    assert [card.key for card in cards] == ["note-1", "note-2"]
    assert "<b>Grows</b>" in cards[1].text()
    assert [link.attributes["data-send"] for link in cards[1].find("cite")] == ["quote:E1"]
    assert [link.attributes["data-send"] for link in cards[1].find("title")] == ["page:S1"]
    state.phase = Phase.ENDED
    assert not drawn(state).find("note-card")
