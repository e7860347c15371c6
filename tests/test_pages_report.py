"""The report, its citations and the snapshot behind them, as elements."""

from __future__ import annotations

import json
import re
from datetime import date
from pathlib import Path

import pytest

from pages.parts.nodes import Element, el, link, report_body
from pages.parts.report.sources import AROUND, SourceFacts, snapshot, sources
from pages.parts.report.text import CitedReport, report
from pages.parts.ui import Ui
from research.core import Brief, Evidence, RunView
from research.language import Language
from research.store import RunStore
from tests.support import sample_runs

EN, JA = Ui.of(Language.EN, None), Ui.of(Language.JA, None)
KNOWN = SourceFacts(date(2025, 12, 1))


def cited(tmp_path: Path, language: Language = Language.EN) -> CitedReport:
    store = RunStore(tmp_path)
    run = sample_runs.ended(store, language)
    record = store.record(run)
    assert record is not None
    made = CitedReport.of_record(record, RunView().extend(store.events(run)))
    store.close()
    return made


def body(markdown: str, language: Language = Language.EN) -> Element:
    return el("div", "", *report_body(markdown, lambda ids: el("sup", "mark", "+".join(ids)), language))


def tags(element: Element) -> list[str]:
    inner = [child for child in element.children if isinstance(child, Element)]
    return [tag for child in inner for tag in [child.tag, *tags(child)]]


def test_citations_are_numbered_by_source_and_open_their_quotes(tmp_path: Path) -> None:
    tree, cards = report(cited(tmp_path), EN)
    marks = tree[0].find("cite")
    assert [mark.text() for mark in marks[:3]] == ["1", "2", "1"]
    assert {mark.attributes["data-card"] for mark in marks} == {name for name in cards if name.startswith("E")}
    first = el("div", "", *cards[marks[0].attributes["data-card"]])
    assert "renewables supplied 22.9 per cent" in first.text()
    assert "fourteen reactors" in first.text()
    assert marks[0].attributes["aria-label"] == "Source 1: Energy white paper 2025"


def test_a_mark_of_several_sources_shows_each_number_once(tmp_path: Path) -> None:
    tree, _ = report(cited(tmp_path), EN)
    assert ["2", "4"] in [[mark.text() for mark in group.find("cite")] for group in tree[0].find("cites")]


@pytest.mark.parametrize(
    ("text", "kept_together"),
    [
        ("Prices rose [E1]. They fell [E2, E3].", ["roseE1.", "fellE2+E3."]),
        ("価格は上がった [E1]。需要は「減った」[E2]", ["たE1。", "」E2"]),
        ("**Bold** [E1]", ["E1"]),
        ("It rose by 4.2% [E1], then fell", ["4.2%E1,"]),
    ],
)
def test_a_citation_stays_with_its_word_and_stop(text: str, kept_together: list[str]) -> None:
    assert [span.text() for span in body(text).find("nobr")] == kept_together
    assert body(text).text().replace(" ", "") == re.sub(r"\[|\]|\*| ", "", text).replace(",E", "+E")


def test_page_text_never_becomes_markup(tmp_path: Path) -> None:
    tree, cards = report(cited(tmp_path), EN)
    told = json.dumps([element.to_data() for card in cards.values() for element in card])
    assert "<b>again</b>" in told  # as text, in a leaf
    assert all(element.tag not in ("b", "script") for card in cards.values() for element in card)
    made = body("A <script>alert(1)</script> ![pixel](https://spy.example/p.png) [go](javascript:alert(1))")
    assert set(tags(made)) <= {"p", "span"}
    assert "<script>alert(1)</script>" in made.text()
    assert "pixel" in made.text()
    assert tree[0].tag == "article"


def test_only_addresses_of_the_web_become_links() -> None:
    assert link("https://a.example/", "a").tag == "a"
    for address in ("file:///etc/passwd", "javascript:alert(1)", "data:text/html,x", "a.html", ""):
        assert link(address, "a").tag == "span"


def test_markdown_becomes_elements() -> None:
    made = body(
        "# Title\n\n## Part\n\n1. one\n2. *two*\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n> said\n\n`code`\n\n---\n"
    )
    assert tags(made) == [
        "h2", "h3", "ol", "li", "li", "em", "div", "table", "thead", "tr", "th", "th", "tbody", "tr", "td", "td",
        "blockquote", "p", "p", "code", "hr",
    ]  # fmt: skip


@pytest.mark.parametrize(("language", "text"), [(Language.EN, "one two"), (Language.JA, "onetwo")])
def test_lines_are_joined_as_the_language_does(language: Language, text: str) -> None:
    assert body("one\ntwo", language).text() == text


def test_a_report_in_progress_shows_no_ids(tmp_path: Path) -> None:
    store = RunStore(tmp_path)
    state = RunView().extend(store.events(sample_runs.researching(store, Language.EN)))
    store.close()
    for written, shown in (
        ("Prices rose [E", "Prices rose"),
        ("Prices rose [E5", "Prices rose"),
        ("Rose [E99].", "Rose."),
    ):
        state.draft = written
        tree, _ = report(CitedReport.of_draft(Brief(question="Why?"), state), EN)
        assert tree[0].text() == shown
    state.draft = "Prices rose [E5]."
    assert report(CitedReport.of_draft(Brief(question="Why?"), state), EN)[0][0].text() == "Prices rose1."


def test_sources_list_what_is_cited_by_number_and_then_the_rest(tmp_path: Path) -> None:
    made = cited(tmp_path)
    listed = el("div", "", *sources(made, KNOWN, EN))
    assert [number.text() for number in listed.find("number")] == ["1", "2", "3", "4"]
    assert len(listed.find("source")) == 4
    fewer = CitedReport("Prices rose [E1].", {"S1": 1}, made.evidence, made.pages, made.brief)
    assert "3 pages read but not cited" in el("div", "", *sources(fewer, KNOWN, EN)).text()
    none = CitedReport("", {}, made.evidence, made.pages, made.brief)
    assert len(el("div", "", *sources(none, KNOWN, EN)).find("source")) == 4


def test_sources_speak_the_readers_language(tmp_path: Path) -> None:
    made = el("div", "", *sources(cited(tmp_path, Language.JA), KNOWN, JA)).text()
    assert "2025年6月3日官公庁" in made
    assert "日付不明" in made


def quote(text: str, words: str, name: str = "E1") -> Evidence:
    start = text.index(words)
    return Evidence(id=name, source="S1", quote=words, start=start, end=start + len(words))


def test_a_snapshot_marks_its_quotes_and_loses_no_text() -> None:
    text = "Prices rose by 4 per cent. Demand fell. Supply held."
    first, second = quote(text, "Prices rose by 4 per cent"), quote(text, "Demand fell", "E2")
    made = el("div", "", *snapshot(text, [first, second], second, EN))
    assert made.text() == text
    marks = [
        (mark.text(), "data-scroll" in mark.attributes)
        for mark in made.find("snapshot")[0].children
        if isinstance(mark, Element)
    ]
    assert marks == [("Prices rose by 4 per cent", False), ("Demand fell", True)]


def test_overlapping_quotes_are_marked_once() -> None:
    text = "Prices rose by 4 per cent in 2025."
    wide, narrow = quote(text, "Prices rose by 4 per cent in 2025", "E1"), quote(text, "4 per cent", "E2")
    assert el("div", "", *snapshot(text, [wide, narrow], narrow, EN)).text() == text


def test_a_long_page_is_shown_around_the_quote_until_all_is_asked_for() -> None:
    text = "before " * 2_000 + "the very words" + " after" * 2_000
    focus = quote(text, "the very words")
    part = el("div", "", *snapshot(text, [focus], focus, EN)).text()
    assert "the very words" in part
    assert len(part) < 3 * AROUND
    assert part.startswith("… earlier text left out")
    assert el("div", "", *snapshot(text, [focus], focus, EN, whole=True)).text() == text


def test_a_title_that_repeats_the_question_is_left_out(tmp_path: Path) -> None:
    made = cited(tmp_path)
    draft = f"# {made.brief.question}\n\nPrices rose [E5]."
    tree, _ = report(CitedReport(draft, {"S3": 1}, made.evidence, made.pages, made.brief), EN)
    assert tree[0].text() == "Prices rose1."
