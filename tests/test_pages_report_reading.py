"""The report as it is read: table of contents, what was not found, and the questions asked about it, as elements."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts.engine import engine
from pages.parts.live.lanes import activity
from pages.parts.nodes import Element, el, group, report_body
from pages.parts.report.findings import Chapter, folio, missing, note_cards, part, with_places
from pages.parts.report.follow_ups import FORGET, SEARCH, Searching, follow_ups, pending
from pages.parts.report.text import CitedReport, report
from pages.parts.ui import Ui
from research.core import FollowUpAnswered, NoteTaken, Outline, RunView, Section, Sentence
from research.language import Bilingual, Language
from research.results import FollowUp, QueryTrail, RunRecord, TopicTrail, Trail, notes_of
from research.store import RunStore, notes
from tests.support import sample_runs
from tests.support.stored_runs import append

EN, JA = Ui.of(Language.EN, None), Ui.of(Language.JA, None)


def article(markdown: str) -> Element:
    body = report_body(markdown, lambda ids: el("button", "cite", "+".join(ids)), Language.EN)
    return group("article", "report", body)


@pytest.mark.parametrize(
    ("markdown", "titles"),
    [
        ("# Title\n\n## One [E1]\n\ntext\n\n### Deeper\n\n## *Two*", ["One", "Two"]),
        ("## One\n\n## Two", ["One", "Two"]),
        ("# Title\n\n# One\n\n# Two", ["One", "Two"]),
        ("Only text.", []),
    ],
)
def test_each_section_has_a_place_that_its_entry_leads_to(markdown: str, titles: list[str]) -> None:
    placed, chapters = with_places(article(markdown))
    assert [chapter.title for chapter in chapters] == titles
    places = [block.attributes["id"] for block in placed.children if "id" in getattr(block, "attributes", {})]  # type: ignore[union-attr]
    assert places == [chapter.place for chapter in chapters]
    assert placed.text() == article(markdown).text()


def test_contents_are_there_for_wide_and_narrow_and_lead_to_every_heading() -> None:
    text, chapters = with_places(article("## One\n\n## Two"))
    limits = Chapter("limits", "Limits")
    (made,) = folio([text, part(limits, [el("p", "", "None.")], JA)], [*chapters, limits], EN)
    for kind in ("toc", "toc-folded"):
        (contents,) = made.find(kind)
        entries = [item for item in walk(contents) if item.tag == "button"]
        assert [item.attributes["data-goto"] for item in entries] == ["section-1", "section-2", "limits"]
    assert made.find("toc")[0].attributes["aria-label"] == "Contents"
    assert made.find("part")[0].attributes["lang"] == "ja"


def test_two_entries_need_no_contents() -> None:
    text, chapters = with_places(article("## One\n\n## Two"))
    assert folio([text], chapters, EN) == [text]


def walk(element: Element) -> list[Element]:
    inner = [child for child in element.children if isinstance(child, Element)]
    return [item for child in inner for item in [child, *walk(child)]]


def test_what_was_not_found_is_said_topic_by_topic() -> None:
    trail = Trail(
        topics=(
            TopicTrail(
                lane="R1",
                topic="Sales of pumps",
                title="Sales",
                coverage={"volume": 0.0, "value": 0.25, "growth": 1.0},
                queries=(QueryTrail(query="pump volume", asked=1, answered=1), QueryTrail(query="pumps", hits=3)),
            ),
            TopicTrail(lane="R2", topic="Outlook of pumps. More.", coverage={"outlook": 0.0, "market impact": 0.0}),
            TopicTrail(lane="R3", topic="Makers", title="Makers", coverage={"names": 0.75}),
        )
    )
    said = el("div", "", *missing(trail, EN))
    lines = [item.text() for item in walk(said) if item.tag == "li"]
    assert lines == [
        "Salesnothing on volumelittle on value",
        "Outlook of pumpsnothing on outlook and market impact",
    ]
    assert "Searches that found nothing: pump volume" in said.text()
    assert "· pumps" not in said.text()
    assert "volume：記述なしvalue：記述わずか" in el("div", "", *missing(trail, JA)).text()


def test_nothing_is_said_where_all_was_found_or_nothing_counted() -> None:
    assert missing(Trail(), EN) == []
    assert missing(Trail(topics=(TopicTrail(lane="R1", topic="T", title="T", coverage={"a": 1.0}),)), EN) == []


def answer(number: int = 1, **fields: object) -> FollowUpAnswered:
    held = {
        "at": datetime(2026, 11, 22, 9, 0, tzinfo=UTC),
        "number": number,
        "question": "What of prices?",
        "writer": "chat",
        "model": "gpt-5.4",
        "draft": "Prices eased [E5].",
        "sentences": (
            Sentence(
                text="Prices eased.",
                evidence=("E5",),
                verdict="partial",
                reason=Bilingual("Only half.", "半分だけ。"),
                start=0,
                end=18,
            ),
        ),
        "is_answered": True,
        "is_covered": True,
    }
    return FollowUpAnswered.model_validate(held | fields)


@pytest.fixture
def cited(tmp_path: Path) -> CitedReport:
    store = RunStore(tmp_path)
    run = sample_runs.ended(store, Language.EN)
    record = store.record(run)
    assert record is not None
    made = CitedReport.of_record(record, RunView().extend(store.events(run)))
    store.close()
    return made


def drawn(one: FollowUp, cited: CitedReport, ui: Ui = EN, **searches: Searching) -> Element:
    return el("div", "", *follow_ups([one], searches, cited, ui)[0])


def sent_by(element: Element) -> list[str]:
    return [item.attributes["data-send"] for item in walk(element) if "data-send" in item.attributes]


def test_an_answer_is_cited_and_marked_like_the_report(cited: CitedReport) -> None:
    asked = [FollowUp(answer(1)), FollowUp(answer(2))]
    tree, cards = follow_ups(asked, {}, cited, EN)
    made = el("div", "", *tree)
    assert [mark.text() for mark in made.find("cite")] == [str(cited.numbers[cited.evidence["E5"].source])] * 2
    opened = [mark.attributes["data-card"] for mark in made.find("verdict")]
    assert len(set(opened)) == 2
    assert set(opened) <= set(cards)
    assert "Written by the model gpt-5.4" in made.text()
    assert "Partly supported: 1" in made.text()


def test_what_is_not_answered_is_said_and_a_search_offered(cited: CitedReport) -> None:
    silent = drawn(FollowUp(answer(3, draft="", sentences=(), is_answered=False, is_covered=False)), cited)
    assert "The evidence of this report says nothing on this." in silent.text()
    assert sent_by(silent) == [f"{SEARCH}3"]
    partly = drawn(FollowUp(answer(is_answered=False, missing="Nothing on 2030.")), cited)
    assert "Nothing on 2030." in partly.text()
    unsure = drawn(FollowUp(answer(is_covered=False)), cited)
    assert "the quotes do not speak of everything" in unsure.text()
    by_rule = drawn(FollowUp(answer(writer="extractive", is_answered=False, problem="model_unreachable")), cited)
    assert "By rule it is not certain" in by_rule.text()
    assert "no model wrote any of it" in by_rule.text()
    assert len(by_rule.find("verdict-line")) == 2


def test_a_question_is_deleted_only_after_asking(cited: CitedReport) -> None:
    tree, cards = follow_ups([FollowUp(answer(3)), FollowUp(answer(4))], {}, cited, EN)
    made = el("div", "", *tree)
    assert not any(sent.startswith(FORGET) for sent in sent_by(made))
    openers = [
        item.attributes["data-card"]
        for item in walk(made)
        if item.attributes.get("aria-label", "").startswith("Delete")
    ]
    asked = [el("div", "", *cards[name]) for name in openers]
    assert [sent_by(card) for card in asked] == [["close", f"{FORGET}3"], ["close", f"{FORGET}4"]]


def test_what_a_search_added_is_marked_with_its_day(cited: CitedReport) -> None:
    added = drawn(FollowUp(answer(run="small", added=("S8", "S9")), search="small"), cited)
    assert "Added on 22\u00a0Nov\u00a02026: 2 new sources" in added.text()
    none = drawn(FollowUp(answer(run="small"), search="small"), cited, JA)
    assert "追加で検索しましたが、新しい情報はありませんでした。" in none.text()


def test_a_search_under_way_shows_how_it_goes(cited: CitedReport) -> None:
    one = FollowUp(answer(), search="small")
    running = drawn(one, cited, small=Searching(3))
    assert "Searching: 3 sources read" in running.text()
    assert running.find("offer") == []
    broken = drawn(one, cited, small=Searching(3, is_over=True))
    assert "broke off" in broken.text()
    assert len(broken.find("offer")) == 1


def test_a_question_that_is_being_answered_is_shown() -> None:
    (waiting,) = pending(["Why?"], EN)
    assert "Why?Reading the evidence" in waiting.text().replace("progress_activity", "")


def test_notes_have_one_place_once_the_run_has_ended() -> None:
    state = RunView().extend([NoteTaken(seq=1, step=1, query="pumps", summary="A note.", sources=())])
    assert "A note." in el("div", "", *activity(state, EN)).text()
    state.end()
    assert "A note." not in el("div", "", *activity(state, EN)).text()


# --- the notes of a run on its page, and a planned report with its sources section by section ------------------------


PLANNED = Trail(outline=Outline(sections=(Section(title="Power"),)))
TAKEN = (
    NoteTaken(step=2, query="<b>second</b> query", summary="# Head\n\nNothing [E99] <script>x</script>.", sources=()),
    NoteTaken(step=1, query="first query", summary="Known **well** [E1, E5].", sources=("S3", "S1")),
)


def noted(store: RunStore, language: Language = Language.EN) -> str:
    run = sample_runs.ended(store, language)
    for event in TAKEN:
        append(store, run, event)
    return run


def held(tmp_path: Path, language: Language = Language.EN, **changes: object) -> tuple[RunRecord, RunView]:
    store = RunStore(tmp_path)
    run = noted(store, language)
    record, state = store.record(run), RunView().extend(store.events(run))
    store.close()
    assert record is not None
    return record.model_copy(update=changes), state


def report_drawn(record: RunRecord, state: RunView, ui: Ui = EN) -> tuple[Element, dict[str, list[Element]]]:
    tree, cards = note_cards(notes_of(state.notes), record, state, ui)
    return el("div", "", *tree), cards


def test_notes_stand_by_step_with_numbers_that_open_their_quotes(tmp_path: Path) -> None:
    record, state = held(tmp_path)
    tree, cards = report_drawn(record, state)
    first, second = tree.find("research-note")
    assert first.text().startswith("Step 1first query")
    of_page = {source.id: str(source.number) for source in record.sources}
    of_evidence = {entry.id: entry.source for entry in record.evidence}
    marks = first.find("cite")
    assert [mark.text() for mark in marks] == [of_page[of_evidence["E1"]], of_page[of_evidence["E5"]]]
    assert record.evidence[0].quote in el("div", "", *cards[marks[0].attributes["data-card"]]).text()
    assert second.text() == "Step 2<b>second</b> queryHeadNothing <script>x</script>."
    assert not second.find("cite") and not second.find("section-sources")


def test_the_sources_of_a_note_stand_below_it_by_number(tmp_path: Path) -> None:
    record, state = held(tmp_path)
    sources = report_drawn(record, state)[0].find("section-sources")
    assert len(sources) == 1
    numbers = [number.text() for number in sources[0].find("number")]
    assert len(numbers) == 2 and numbers == sorted(numbers)


def test_notes_speak_the_readers_language(tmp_path: Path) -> None:
    record, state = held(tmp_path, Language.JA)
    assert "ステップ" in report_drawn(record, state, JA)[0].text()
    assert "結果が届くたびに" in report_drawn(record, state, JA)[0].text()


def planned(tmp_path: Path, **changes: object) -> tuple[Element, dict[str, list[Element]]]:
    record, state = held(tmp_path, trail=PLANNED, **changes)
    tree, cards = report(CitedReport.of_record(record, state), EN)
    return tree[0], cards


def test_each_section_of_a_planned_report_names_its_sources(tmp_path: Path) -> None:
    tree, cards = planned(tmp_path)
    lists = tree.find("section-sources")
    assert lists and all(found.text().startswith("Sources of this section") for found in lists)
    headings = [child for child in tree.children if isinstance(child, Element) and child.tag == "h3"]
    assert len(lists) <= len(headings) + 1
    for found in lists:
        numbers = [int(mark.text()) for mark in found.find("cite")]
        assert numbers == sorted(set(numbers)), "each source once, by number"
        assert all(mark.attributes["data-card"] in cards for mark in found.find("cite"))


def test_a_section_names_exactly_what_it_cites(tmp_path: Path) -> None:
    draft = "# T\n\nIn [E1].\n\n## A\n\nUp [E5]. Up [E1].\n\n### Deep\n\n- Up [E5]\n\n## B\n\nNothing.\n"
    tree, _ = planned(tmp_path, draft=draft)
    kinds = [child.attributes.get("class") or child.tag for child in tree.children if isinstance(child, Element)]
    named = [[mark.text() for mark in found.find("cite")] for found in tree.find("section-sources")]
    assert kinds[-5:] == ["h4", "ul", "section-sources", "h3", "p"]
    assert len(named) == 2 and len(named[0]) == 1 and len(named[1]) == 2


def test_what_is_recent_stands_out_in_a_planned_report_alone(tmp_path: Path) -> None:
    record, state = held(tmp_path)
    day = record.day.isoformat()
    cited = next(source.id for source in record.sources if source.number == 1)
    state.pages[cited] = state.pages[cited].model_copy(update={"published": day})
    free, _ = report(CitedReport.of_record(record, state), EN)
    assert not free[0].find("recent") and not free[0].find("legend")
    with_plan = record.model_copy(update={"trail": PLANNED})
    tree, _ = report(CitedReport.of_record(with_plan, state), EN)
    assert {mark.text() for mark in tree[0].find("recent")} == {"1"}
    lead = [line.text() for line in tree[0].find("legend")]
    assert lead[0] == f"Researched on {EN.partial_date(day)}" and "A framed number" in lead[1]
    assert any(date.tag == "strong" for date in tree[0].find("date"))


def test_verdicts_stay_where_they_are_in_a_planned_report(tmp_path: Path) -> None:
    record, state = held(tmp_path)
    free, _ = report(CitedReport.of_record(record, state), EN)
    tree, _ = report(CitedReport.of_record(record.model_copy(update={"trail": PLANNED}), state), EN)
    for kind in ("verdict", "said"):
        assert [mark.text() for mark in tree[0].find(kind)] == [mark.text() for mark in free[0].find(kind)]
    checked, _ = report(CitedReport.of_record(record.model_copy(update={"trail": PLANNED}), state), EN, to_check=True)
    assert not checked[0].find("section-sources")


def open_run(app: AppTest, run: str, tab: str = "") -> list[str]:
    """Open a run, at a tab if one is named; return the names of its tabs."""
    app.query_params["id"] = run
    if tab:
        app.session_state[f"tabs_{run}_en"] = tab
    app.switch_page("pages/run.py").run()
    assert not app.exception and not app.error
    return [found.label for found in app.tabs]


def test_only_a_run_with_notes_has_a_tab_for_them(app: AppTest) -> None:
    app.run()
    run, plain = noted(engine().store), sample_runs.ended(engine().store, Language.EN)
    assert "Notes (2)" in open_run(app, run)
    assert not any(name.startswith("Notes") for name in open_run(app, plain))


def test_notes_are_deleted_after_a_second_question(app: AppTest, tmp_path: Path) -> None:
    app.run()
    run, other = noted(engine().store), noted(engine().store)
    open_run(app, run, "Notes (2)")
    app.button(key="delete_notes").click().run()
    assert not app.exception
    assert notes(engine().store, run) == () and len(notes(engine().store, other)) == 2
    assert not any(found.label.startswith("Notes") for found in app.tabs)
    with closing(sqlite3.connect(tmp_path / "runs.sqlite3")) as connection:
        rows = connection.execute("SELECT body FROM events WHERE run = ?", (run,)).fetchall()
    assert "note_taken" not in {json.loads(body)["type"] for (body,) in rows}
