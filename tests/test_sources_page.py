"""The page of sources and cache as the script draws it, over a real store, cache and folders."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts.engine import (
    OwnDocument,
    add,
    documents_folder,
    engine,
    present_documents,
    read_documents,
    remove_document,
    safe_name,
    take_in_documents,
)
from pages.parts.nodes import el
from pages.parts.sources.cache import cache_content, saved_nodes
from pages.parts.sources.collection import documents_head, skipped_nodes
from pages.parts.sources.library import Jobs, page_details, page_rows, page_uses
from pages.parts.start.documents import documents as rows, refused
from pages.parts.ui import Ui
from research.core import UsageError, explain
from research.language import Language
from research.library import Library, library_state
from research.settings import Settings
from research.sources.sites import kept, make, save
from research.store import CacheContent, Savings, WantedPages, catch_up_seen, citing_sentences, find_pages, uses_of_page
from tests.support import sample_runs
from tests.support.machine import wait_until
from tests.support.seen_pages import TODAY, end, page, quote, read
from tests.support.without_browser import page_alone, script

EN, JA = Ui.of(Language.EN, None), Ui.of(Language.JA, None)
CACHE, SETS, DOCUMENTS = "Cache", "Site sets", "Documents"


@pytest.fixture
def app(app_home: Path) -> AppTest:
    """The page alone."""
    return page_alone("sources.py")


def opened(at: AppTest, tab: str = "Pages read") -> AppTest:
    at.session_state["sources_tabs_en"] = tab
    at.run()
    assert not at.exception
    return at


def said(at: AppTest) -> str:
    return "\n".join(
        str(one.value) for one in (*at.caption, *at.markdown, *at.header, *at.info, *at.warning, *at.error)
    )


def test_a_new_home_says_what_will_stand_here(app: AppTest) -> None:
    assert "No page has been read yet" in said(opened(app))
    assert "Nothing yet." in said(opened(app, CACHE))
    assert app.button(key="cache_clear").disabled


def test_the_tab_that_was_open_is_open_in_another_language(app: AppTest) -> None:
    assert "What the cache saved" in said(opened(app, CACHE))
    app.session_state["lang"] = "ja"
    app.run()
    assert "キャッシュによる節約" in said(app)


def test_pages_are_searched_turned_and_found_again(app: AppTest) -> None:
    opened(app)
    read(engine().store, *(page(number) for number in range(60)))
    opened(app)
    assert "60 pages" in said(app)
    app.session_state["seen_place"] = 3
    app.run()
    app.text_input(key="seen_words").set_value('"market 7"').run()
    assert "1 page" in said(app) and app.session_state["seen_place"] == 1
    app.selectbox(key="seen_use").set_value("cited").run()
    assert "No page fits." in said(app)
    next(one for one in app.button if one.label == "Clear the filters").click().run()
    assert "60 pages" in said(app)


def test_a_part_that_is_gone_is_replaced_by_the_last(app: AppTest) -> None:
    opened(app)
    read(engine().store, *(page(number) for number in range(60)))
    app.session_state["seen_place"] = 900
    opened(app)
    assert app.session_state["seen_place"] == 3


def test_a_drawer_whose_page_is_gone_says_so(app: AppTest) -> None:
    app.session_state["open_seen"] = 12345
    assert "This page is no longer stored." in said(opened(app))


def test_a_page_whose_text_is_gone_still_shows_what_is_known(app: AppTest) -> None:
    opened(app)
    read(engine().store, page(1))
    catch_up_seen(engine().store)
    with engine().store.database.writing() as connection:
        connection.execute("PRAGMA defer_foreign_keys = ON")
        connection.execute("UPDATE run_pages SET sha256 = 'other'")
        connection.execute("INSERT INTO pages VALUES ('other', x'00')")
        connection.execute("DELETE FROM pages WHERE sha256 <> 'other'")
    (one,) = find_pages(engine().store, WantedPages(), today=TODAY).pages
    app.session_state["open_seen"] = one.id
    assert "The text of this page is no longer stored." in said(opened(app))


def test_a_cache_that_cannot_be_read_is_no_loss(app: AppTest, tmp_path: Path) -> None:
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / "summaries").write_text("no folder")
    assert "The cache cannot be read now." in said(opened(app, CACHE))


def test_sets_that_cannot_be_read_leave_those_that_come_along(app: AppTest, tmp_path: Path) -> None:
    place = kept.path(tmp_path)
    place.parent.mkdir()
    place.write_text("damaged")
    opened(app, SETS)
    assert "Your own sets cannot be read" in app.error[0].value
    assert not app.button(key="site_set_new").disabled


def test_a_folder_that_is_gone_is_still_listed(app: AppTest, tmp_path: Path) -> None:
    folder = tmp_path.parent / f"{tmp_path.name}-papers"
    folder.mkdir()
    (folder / "a.md").write_text("Words of a paper.")
    (folder / "empty.txt").write_text("")
    Library(folder, tmp_path / "library").refresh()
    (folder / "a.md").unlink()
    (folder / "empty.txt").unlink()
    folder.rmdir()
    opened(app, DOCUMENTS)
    assert app.button(key=f"collection_index_folder_{folder}").disabled
    assert not app.button(key=f"collection_remove_folder_{folder}").disabled


def test_an_own_file_that_is_left_out_stands_in_one_list(app: AppTest, tmp_path: Path) -> None:
    folder = tmp_path / "documents"
    (folder / "old").mkdir(parents=True)
    (folder / "a.md").write_text("Words of a paper.")
    (folder / "broken.pdf").write_bytes(b"%PDF-1.7 and nothing else")
    Library(folder, tmp_path / "library").refresh()
    opened(app, DOCUMENTS)
    labels = [one.label for one in app.expander]
    assert "Add or remove files" in labels and "1 file left out" not in labels, "the list of files says it"
    (folder / "old" / "minutes.pdf").write_bytes(b"%PDF-1.7 and nothing else")
    Library(folder, tmp_path / "library").refresh()
    opened(app, DOCUMENTS)
    assert "1 file left out" in [one.label for one in app.expander], "which holds no file of a folder within"


def test_a_broken_store_is_a_sentence(app: AppTest, tmp_path: Path) -> None:
    opened(app)
    read(engine().store, page(1))
    with engine().store.database.writing() as connection:
        connection.execute("ALTER TABLE seen_pages RENAME TO elsewhere")
    opened(app)
    assert explain("store_failed", Language.EN) in [one.value for one in app.error]


def test_a_job_that_fails_says_so_and_can_be_started_again(tmp_path: Path) -> None:
    work = Jobs()

    def refuse() -> Path:
        raise UsageError("no folder")

    work.start("x", refuse, tmp_path)
    wait_until(lambda: not work.is_running("x"))
    job = work.get("x")
    assert job is not None and job.failed
    folder = tmp_path / "documents"
    folder.mkdir()
    work.start("x", lambda: folder, tmp_path / "library")
    wait_until(lambda: not work.is_running("x"))
    again = work.get("x")
    assert again is not None and again.is_over and not again.failed


def brief_sites() -> None:
    """The sets in a form of a brief, and its two fields."""
    import streamlit as st

    from pages.parts.sources.library import show_source_choice
    from pages.parts.start.form import fill, form_values, prepare_form
    from pages.parts.ui import ui

    reader = ui()
    prepare_form(reader)
    show_source_choice(reader, form_values, fill)
    st.text_area("Preferred", key="brief_preferred_sites")
    st.text_area("Forbidden", key="brief_forbidden_sites")


def test_sets_are_chosen_in_the_form_and_follow_what_is_typed(app_home: Path) -> None:
    own = make("Own", ["a.jp", "b.jp"], ["x.com"])
    save(app_home, own)
    at = script(brief_sites).run()
    assert at.pills(key="site_sets_chosen").options[0] == "Own"
    at.text_area(key="brief_preferred_sites").set_value("mine.jp").run()
    at.pills(key="site_sets_chosen").set_value(["Own"]).run()
    fields = {box.label: box.value for box in at.text_area}
    assert fields == {"Preferred": "mine.jp\na.jp\nb.jp", "Forbidden": "x.com"}
    at.text_area(key="brief_forbidden_sites").set_value("").run()
    assert at.pills(key="site_sets_chosen").value == []
    at.pills(key="site_sets_chosen").set_value(["Own"]).run()
    at.pills(key="site_sets_chosen").set_value([]).run()
    assert at.text_area(key="brief_preferred_sites").value == "mine.jp"
    assert not at.exception


def test_rows_and_details_hold_text_and_no_markup(tmp_path: Path) -> None:
    store = sample_runs.RunStore(tmp_path)
    hostile = page(1, title="<script>alert(1)</script>\n" * 40, url="javascript:alert(1)", published="2025-06")
    run = read(store, hostile, quotes=(quote(1, "S1"),), question="<b>Who?</b>")
    end(store, run, cited={"S1": 7})
    catch_up_seen(store)
    (one,) = find_pages(store, WantedPages(), today=TODAY).pages
    row = el("div", "", *page_rows([one], EN))
    assert len(row.find("title")[0].text()) <= 160 and "Jun\xa02025" in row.text()
    assert "cited in 1 report" in row.text() and "レポート1件" in el("div", "", *page_rows([one], JA)).text()
    shown = el("div", "", *page_details(one, 40, EN), *page_uses(one, uses_of_page(store, one.id), {}, EN))
    assert one.sha256 in shown.text() and "cited as [7]" in shown.text() and "<b>Who?</b>" in shown.text()
    assert shown.find("title")[0].tag == "span"
    store.close()


def test_sentences_that_cite_a_page_stand_with_the_run(tmp_path: Path) -> None:
    store = sample_runs.RunStore(tmp_path)
    run = sample_runs.ended(store, Language.EN)
    catch_up_seen(store)
    (one,) = find_pages(store, WantedPages(words="white paper"), today=TODAY).pages
    shown = uses_of_page(store, one.id)
    found = citing_sentences(store, shown)
    record = store.record(run)
    assert record is not None
    quotes = {entry.id for entry in record.evidence if entry.source == shown[0].page}
    assert found == {run: [sentence for sentence in record.sentences if quotes & set(sentence.evidence)]}
    said = [row.text() for row in el("div", "", *page_uses(one, shown, found, EN)).find("seen-sentences")[0].children]
    assert len(said) == len(found[run]) > 1
    assert said[0].startswith(found[run][0].text) and said[0].endswith(("Supported", "Partly supported"))
    store.close()


def test_earlier_runs_are_folded_away_from_the_text(tmp_path: Path) -> None:
    store = sample_runs.RunStore(tmp_path)
    for _ in range(7):
        read(store, page(1))
    catch_up_seen(store)
    (one,) = find_pages(store, WantedPages(), today=TODAY).pages
    tree = el("div", "", *page_uses(one, uses_of_page(store, one.id, limit=6), {}, EN))
    assert [len(rows.children) for rows in tree.find("seen-uses")] == [5, 1]
    assert "2 earlier runs" in tree.text() and "and 1 earlier run" in tree.text()
    store.close()


def test_money_is_about_and_unknown_prices_are_said() -> None:
    def told(total: Savings) -> str:
        return el("div", "", *saved_nodes(total, EN)).text()

    assert "about $1.50" in told(Savings(2, 10, 1.5, 0)) and "No price" not in told(Savings(2, 10, 1.5, 0))
    assert "No price is known for 4 of these calls" in told(Savings(2, 10, 1.5, 4))
    assert "price not known" in told(Savings(2, 10, 0.0, 10)) and "$" not in told(Savings(2, 10, 0.0, 10))
    assert "–" in el("div", "", *cache_content(CacheContent(0, 32_768), EN)).text()


def test_documents_left_out_come_with_their_reason(tmp_path: Path) -> None:
    (tmp_path / "empty\u202e.txt").write_text("")
    (tmp_path / "good.md").write_text("Words.")
    Library(tmp_path, tmp_path / "library").refresh()
    state = library_state(tmp_path, tmp_path / "library")
    text = el("div", "", *skipped_nodes(state, JA)).text()
    assert "empty\N{REPLACEMENT CHARACTER}.txt" in text and "テキストがありません" in text
    head = el("div", "", *documents_head("Papers", "", "folder", state, EN)).text()
    assert "Indexed, up to date" in head
    assert "cannot be read now" in el("div", "", *documents_head("Papers", "", "folder", None, EN)).text()


# --- the folder of the user's own documents --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("report.pdf", "report.pdf"),
        ("売上 2025年度.csv", "売上 2025年度.csv"),
        ("../../etc/passwd", "passwd"),
        ("..\\..\\boot.ini", "boot.ini"),
        (".hidden.md", "hidden.md"),
        ("a:b*c?.txt", "a_b_c_.txt"),
        ("line\nbreak.md", "line_break.md"),
        ("...", "document"),
        ("", "document"),
        ("x" * 400 + ".md", "x" * 120 + ".md"),
    ],
)
def test_names_stay_inside_the_folder(name: str, kept: str) -> None:
    assert safe_name(name) == kept


def test_a_file_is_kept_once_and_another_of_its_name_beside_it(tmp_path: Path) -> None:
    assert add(tmp_path, "a.md", b"one") == "a.md"
    assert add(tmp_path, "a.md", b"one") == "a.md"
    assert add(tmp_path, "a.md", b"two") == "a (2).md"
    assert [name for name, _, _ in present_documents(tmp_path)] == ["a (2).md", "a.md"]


def test_removing_reaches_nothing_outside_the_folder(tmp_path: Path) -> None:
    outside, inside = tmp_path / "keep.md", tmp_path / "documents"
    inside.mkdir()
    outside.write_text("keep")
    (inside / "gone.md").write_text("gone")
    remove_document(inside, "../keep.md")
    remove_document(inside, "gone.md")
    remove_document(inside, "gone.md")
    assert outside.exists()
    assert present_documents(inside) == []


def test_documents_that_cannot_be_read_come_with_their_reason(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path)
    place = documents_folder(settings)
    add(place, "good.md", b"# Pumps\n\nThe pump market grew by 4 per cent in 2025.")
    add(place, "empty.txt", b"")
    add(place, "picture.png", b"\x89PNG\r\n\x1a\n\x00\x00")
    add(place, "broken.pdf", b"%PDF-1.7 and then nothing")
    held = {document.name: document.problem for document in read_documents(settings)}
    assert held["good.md"] == ""
    assert held["empty.txt"] == "file_empty"
    assert held["picture.png"] in ("file_broken", "file_scanned"), "broken, where something looks into it"
    assert held["broken.pdf"] == "file_broken"


def test_of_what_is_dropped_only_what_can_be_read_is_kept_and_the_rest_is_named(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path)
    dropped = [
        ("dir/minutes.md", b"# Minutes\n\nThe board wants 20 million yen."),
        ("売上.txt", "国内売上高は45億円で、前年度比4.2%増となった。".encode("cp932")),
        ("empty.txt", b" \n"),
        ("budget.xls", b"PK\x03\x04"),
        ("broken.pdf", b"%PDF-1.7 and then nothing"),
    ]
    added, files = take_in_documents(settings, dropped)
    assert added == 2
    assert {name for name, _, _ in present_documents(documents_folder(settings))} == {"minutes.md", "売上.txt"}
    assert [(file.name, file.problem) for file in files] == [
        ("empty.txt", "file_empty"),
        ("budget.xls", "file_binary"),
        ("broken.pdf", "file_broken"),
    ]
    assert take_in_documents(settings, dropped[:1]) == (1, [])
    assert len(present_documents(documents_folder(settings))) == 2


def test_a_file_that_cannot_be_kept_is_named_with_the_reason(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path)
    place = documents_folder(settings)
    (place / "taken.md").mkdir()
    added, files = take_in_documents(
        settings, [("taken.md", b"# One"), ("good.md", b"# Two\n\nIt grew by 4 per cent.")]
    )
    assert (added, [file.name for file in files]) == (1, ["taken.md"])
    assert "store" in files[0].problem


def test_files_that_were_refused_come_with_what_to_do() -> None:
    files = [
        OwnDocument("scan.pdf", 9_000, "file_scanned"),
        OwnDocument("notes.txt", 0, "file_empty"),
        OwnDocument("sales.XLSX", 9_000, "file_binary"),
        OwnDocument("talk.pptx", 9_000, "file_binary"),
        OwnDocument("photo.png", 9_000, "file_binary"),
        OwnDocument("all.csv", 30_000_000, "file_too_large"),
    ]
    box = refused(files, EN)[0]
    assert "where Tesseract is installed" in box.find("reason")[0].text()
    assert [reason.text().partition(". ")[2] for reason in box.find("reason")[1:]] == [
        "",
        "Save its sheets as CSV.",
        "Save it as PDF.",
        "",
        "Split it, or add only the part that matters.",
    ]
    assert "6 files were not added" in box.text() and "all.csv" in box.text() and "30 MB" in box.text()
    assert "追加できないファイル：6件" in refused(files, JA)[0].text()


def test_problems_stand_first_and_are_explained() -> None:
    held = [OwnDocument("a.md", 1_200), OwnDocument("b.pdf", 9_000, "file_encrypted")]
    told = el("div", "", *rows(held, EN)).text()
    assert told.index("b.pdf") < told.index("a.md")
    assert "The file is encrypted." in told
    assert "暗号化" in el("div", "", *rows(held, JA)).text()
