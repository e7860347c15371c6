"""How a run was researched, drawn from its events alone."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from research import core
from research.export.citing import Numbering, trail_markdown
from research.language import Language
from research.results import QueryTrail, RunRecord, TopicTrail, Trail, trail_of
from research.store import RunStore, load_report
from tests.support.scripted import NOW, MemorySource, ScriptedAnalyst, run_scripted
from tests.support.stored_runs import append, page as read_page

BRIEF = core.Brief(question="What of pumps?")
PLAN = core.Outline(sections=(core.Section(title="Market", needs=("size",)), core.Section(title="Outlook")))


def stamped(*events: core.Event) -> list[core.Event]:
    """The events, ten seconds apart."""
    return [
        event.model_copy(update={"seq": place, "at": NOW + timedelta(seconds=10 * place)})
        for place, event in enumerate(events, 1)
    ]


def assessed(score: int, iteration: int = 1) -> core.Assessed:
    return core.Assessed(
        lane="R1", iteration=iteration, criteria={"results": 2, "coverage": score - 2}, score=score,
        missing=("outlook",), coverage={"size": 0.5}, confidence=0.4, good_sources=2,
    )  # fmt: skip


def started(method: core.MethodName) -> core.RunStarted:
    return core.RunStarted(
        run="r", brief=BRIEF, brief_text="", analyst="extractive", sources=(core.SourceName.WEB,), method=method
    )


def search(name: str, query: str, lane: str = "R1") -> core.SearchStarted:
    return core.SearchStarted(lane=lane, search=name, query=query, source=core.SourceName.WEB)


WHOLE = stamped(
    started(core.MethodName.OUTLINED),
    core.DepthChosen(depth=core.Depth(queries_per_section=2, iterations=3, reason="Wide."), by="user"),
    core.PlanDrafted(outline=core.Outline(sections=PLAN.sections[:1])),
    core.PlanSettled(outline=PLAN, edited=True, step_budget=34),
    core.TopicQueued(lane="R1", topic="Market. Find its size.", title="Market"),
    core.TopicQueued(lane="R2", topic="Outlook.", title="Outlook"),
    core.TopicStarted(lane="R1"),
    search("Q1", "pump market"),
    search("Q2", "pump market"),
    search("Q3", "pump size"),
    core.SearchReturned(lane="R1", search="Q1", pages=4, new=3, seconds=0.1),
    core.SearchFailed(lane="R1", search="Q3", code="search_timeout"),
    core.SearchReturned(lane="R1", search="Q2", pages=2, new=0, seconds=0.1),
    assessed(4),
    assessed(7, iteration=2),
    core.TopicFinished(lane="R1", reason="budget", why="No steps are left."),
    core.ResearchFinished(reason="budget"),
)


def test_a_whole_run_leaves_a_whole_trail() -> None:
    trail = trail_of(core.RunView.of(WHOLE))
    assert (trail.method, trail.depth_by, trail.step_budget) == (core.MethodName.OUTLINED, "user", 34)
    assert trail.depth is not None and trail.depth.reason == "Wide."
    assert trail.outline == PLAN, "the plan that was carried out, not the draft"
    assert trail.edited and trail.ended == "budget"
    first, second = trail.topics
    assert (first.lane, first.title, first.searches, first.score) == ("R1", "Market", 2, 7)
    assert (first.ended, first.why, first.seconds) == ("budget", "No steps are left.", 90.0)
    assert (first.coverage, first.good_sources) == ({"size": 0.5}, 2)
    assert (second.score, second.ended, second.seconds, second.queries) == (None, "", None, ())


def test_a_query_stands_once_with_what_all_sources_brought() -> None:
    assert trail_of(core.RunView.of(WHOLE)).topics[0].queries == (
        QueryTrail(query="pump market", asked=2, answered=2, hits=6, new=3),
        QueryTrail(query="pump size", asked=1, failed=("search_timeout",)),
    )


@pytest.mark.parametrize("cut", range(len(WHOLE)))
def test_a_run_that_broke_off_anywhere_has_the_trail_so_far(cut: int) -> None:
    trail = trail_of(core.RunView.of(WHOLE[:cut]))
    assert len(trail.topics) == sum(isinstance(event, core.TopicQueued) for event in WHOLE[:cut])
    assert trail.ended == ""


def test_events_of_lanes_that_were_never_opened_are_passed_over() -> None:
    assert trail_of(core.RunView.of(stamped(search("Q1", "x", lane="R9"), core.TopicStarted(lane="R9")))) == Trail()


async def test_the_engine_enters_the_trail_into_the_record() -> None:
    source = MemorySource(failing=frozenset({"Topic two query"}))
    result, journal = await run_scripted(ScriptedAnalyst(), source)
    trail = result.record.trail
    assert trail == trail_of(core.RunView.of(journal.events))
    assert trail.method is core.MethodName.SUPERVISED and trail.ended
    assert [topic.topic for topic in trail.topics] == ["Topic one", "Topic two"]
    assert [topic.queries[0].failed for topic in trail.topics] == [(), ("search_failed",)]
    assert all(topic.seconds is not None and topic.ended for topic in trail.topics)
    assert "## How it was researched" in result.markdown


async def test_a_record_of_before_still_loads() -> None:
    result, _ = await run_scripted(ScriptedAnalyst())
    old = result.record.model_dump(mode="json")
    del old["trail"]
    loaded = RunRecord.model_validate(old)
    assert (loaded.method, loaded.outline, loaded.trail) == (core.MethodName.SUPERVISED, None, Trail())


def test_an_interrupted_run_has_its_trail(tmp_path: Path) -> None:
    store = RunStore(tmp_path, now=lambda: datetime(2026, 11, 1, tzinfo=UTC))
    run = store.create(BRIEF, "extractive")
    for event in WHOLE[:8]:
        append(store, run, event)
    store.close()
    later = RunStore(tmp_path)
    report = load_report(later, run)
    later.close()
    assert report.record.outline == PLAN
    assert [query.query for query in report.record.trail.topics[0].queries] == ["pump market"]
    assert "It was broken off." in report.markdown


# --- the appendix ----------------------------------------------------------------------------------------------


def page(name: str, site: str, url: str, origin: core.SourceName = core.SourceName.WEB) -> core.Page:
    title, kind = f"*Title* {name}", core.SourceKind.NEWS
    return read_page(name, "", url=url, title=title, site=site, kind=kind, origin=origin, fetched_at=NOW)


PAGES = {
    "S1": page("S1", "a.example", "https://a.example/x y"),
    "S2": page("S2", "b.example", "https://b.example/"),
    "S3": page("S3", "b.example", "https://b.example/2"),
    "S4": page("S4", "notes/memo.md", "file:///tmp/memo.md", core.SourceName.LIBRARY),
    "S5": page("S5", "c.example", "javascript:alert(1)"),
}


def appendix(
    trail: Trail, pages: dict[str, core.Page], numbers: dict[str, int], language: Language = Language.EN
) -> str:
    return trail_markdown(trail, Numbering(numbers, pages, {}, language, NOW.date()))


def test_the_appendix_says_it_topic_by_topic() -> None:
    text = appendix(trail_of(core.RunView.of(WHOLE)), PAGES, {"S1": 1})
    for line in (
        "- **Method:** Outlined",
        "- **Depth:** Queries a search: at most 2. Searches a section: at most 3. Chosen by the user. Wide.",
        "- **Plan:** Sections: 2. Edited before research began. At most 34 steps (searches and reflections).",
        "- **Why research ended:** The budget of steps is used up.",
        "- **Pages read but not cited:** 4 (b.example: 2, My documents: 1, Web: 1)",
        "- **Market** – computed score 7/10, searches: 2, 90 s. The budget of steps is used up. No steps are left.",
        "  - Found of what was wanted: size 50%",
        "  - Queries: “pump market” · “pump size” (failed)",
        "- **Outlook** – not searched. It was broken off.",
    ):
        assert f"{line}\n" in f"{text}\n"
    assert "https://" not in text, "only a chain of searches lists every address"


@pytest.mark.parametrize(
    ("language", "head"),
    [(Language.EN, "- **While it was planned** – searches: 1."), (Language.JA, "- **計画中の検索**（検索1回）")],
)
def test_what_was_searched_for_before_there_was_a_topic_is_told_so_that_the_searches_add_up(
    language: Language, head: str
) -> None:
    view = core.RunView.of(stamped(WHOLE[0], search("Q0", "pumps", lane=core.events.SUPERVISOR), *WHOLE[1:]))
    trail = trail_of(view)
    assert len(trail.ahead) + sum(len(topic.queries) for topic in trail.topics) == len(view.queries) == 3
    text = appendix(trail, PAGES, {}, language)
    assert f"\n{head}\n  - " in text and text.index(head) < text.index("Market")


def test_the_appendix_speaks_japanese() -> None:
    text = appendix(trail_of(core.RunView.of(WHOLE)), PAGES, {"S1": 1}, Language.JA)
    assert text.startswith("## 調査の過程\n\n- **調査方法**：章立て型\n")
    assert "- **Market**（計算した充足度 7/10、検索2回、90秒）：手順の予算を使い切りました。No steps are left." in text
    assert "検索語：「pump market」「pump size」（失敗）" in text
    assert "- **読んだが引用していないページ**：4件（b.example 2件、自分の資料 1件、ウェブ 1件）" in text


def test_a_chain_lists_every_page_that_it_referred_to() -> None:
    trail = Trail(
        method=core.MethodName.CHAINED, ended="enough", topics=(TopicTrail(lane="R1", topic="Pumps?", score=8),)
    )
    listed = appendix(trail, PAGES, {"S2": 1}).partition("Pages referred to:\n\n")[2]
    assert listed.splitlines() == [
        "- [1] <https://b.example/>",
        "- <https://a.example/x%20y>",
        "- <https://b.example/2>",
        "- [\\*Title\\* S4](<file:memo.md>)",
        "- \\*Title\\* S5",
    ]


def test_a_topic_without_title_stands_by_its_first_sentence() -> None:
    topic = TopicTrail(
        lane="R1", topic="The pump market. Find its size, and who buys.",
        coverage={"outlook": 0.0, "new one": 0.5}, score=3,
        searches=1, ended="complete", queries=(QueryTrail(query="a", answered=1), QueryTrail(query="b", asked=1)),
    )  # fmt: skip
    text = appendix(Trail(topics=(topic,), ended="complete"), {}, {})
    assert "- **The pump market** – computed score 3/10, searches: 2." in text
    assert "Found of what was wanted: outlook 0%, new one 50%" in text
    assert "Queries: “a” (nothing found) · “b” (not waited for)" in text


def test_words_that_say_the_reason_themselves_are_not_doubled() -> None:
    said = "Round 3 of 3. The limit of searches is reached."
    topic = TopicTrail(lane="R1", topic="Pumps", ended="limit", why=said)
    text = appendix(Trail(topics=(topic,), ended="limit"), {}, {})
    assert f"– not searched. {said}" in text


def test_hostile_queries_titles_and_reasons_stay_text() -> None:
    evil = "[x](http://evil) <img src=x>\n# Title [E1]"
    topic = TopicTrail(
        lane="R1", topic=evil, title=evil, ended=evil, why=evil, coverage={evil: 1.0}, queries=(QueryTrail(query=evil),)
    )
    text = appendix(Trail(topics=(topic,), ended=evil, why=evil), {}, {})
    assert "](http://evil)" not in text and "<img" not in text and "[E1]" not in text
    assert [line for line in text.splitlines() if line.startswith("#")] == ["## How it was researched"]


def test_there_is_no_appendix_if_nothing_is_known() -> None:
    assert appendix(Trail(), PAGES, {}) == ""


def test_the_criteria_of_the_trail_are_those_of_the_score() -> None:
    names = set(core.Criteria(0, 0, 0, 0, 0).by_name())
    assert set(trail_of(core.RunView.of(WHOLE)).topics[0].criteria) <= names
