"""The notes of a run on its page, and a planned report with its sources section by section."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

from streamlit.testing.v1 import AppTest

from pages.parts.engine import engine
from pages.parts.nodes import Element, el
from pages.parts.report.findings import note_cards
from pages.parts.report.text import CitedReport, report
from pages.parts.ui import Ui
from research.core import NoteTaken, Outline, RunView, Section
from research.language import Language
from research.results import RunRecord, Trail, notes_of
from research.store import RunStore, notes
from tests.support import sample_runs

EN, JA = Ui.of(Language.EN, None), Ui.of(Language.JA, None)
PLANNED = Trail(outline=Outline(sections=(Section(title="Power"),)))
TAKEN = (
    NoteTaken(step=2, query="<b>second</b> query", summary="# Head\n\nNothing [E99] <script>x</script>.", sources=()),
    NoteTaken(step=1, query="first query", summary="Known **well** [E1, E5].", sources=("S3", "S1")),
)


def noted(store: RunStore, language: Language = Language.EN) -> str:
    run = sample_runs.ended(store, language)
    for event in TAKEN:
        store.append(run, event)
    return run


def held(tmp_path: Path, language: Language = Language.EN, **changes: object) -> tuple[RunRecord, RunView]:
    store = RunStore(tmp_path)
    run = noted(store, language)
    record, state = store.record(run), RunView().extend(store.events(run))
    store.close()
    assert record is not None
    return record.model_copy(update=changes), state


def drawn(record: RunRecord, state: RunView, ui: Ui = EN) -> tuple[Element, dict[str, list[Element]]]:
    tree, cards = note_cards(notes_of(state.notes), record, state, ui)
    return el("div", "", *tree), cards


def test_notes_stand_by_step_with_numbers_that_open_their_quotes(tmp_path: Path) -> None:
    record, state = held(tmp_path)
    tree, cards = drawn(record, state)
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
    sources = drawn(record, state)[0].find("section-sources")
    assert len(sources) == 1
    numbers = [number.text() for number in sources[0].find("number")]
    assert len(numbers) == 2 and numbers == sorted(numbers)


def test_notes_speak_the_readers_language(tmp_path: Path) -> None:
    record, state = held(tmp_path, Language.JA)
    assert "ステップ" in drawn(record, state, JA)[0].text()
    assert "結果が届くたびに" in drawn(record, state, JA)[0].text()


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


# --- on the page -----------------------------------------------------------------------------------------------


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
    rows = sqlite3.connect(tmp_path / "runs.sqlite3").execute("SELECT body FROM events WHERE run = ?", (run,))
    assert "note_taken" not in {json.loads(body)["type"] for (body,) in rows.fetchall()}
