"""The report, its citations and the snapshot behind them, as elements."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from pages.parts.nodes import COMPUTED, Badge, Element, el, link, report_body
from pages.parts.report.sources import AROUND, SourceFacts, snapshot, sources
from pages.parts.report.text import (
    CitedReport,
    PassageAddress,
    badges,
    is_checked,
    left_out,
    only_weak,
    passage_asked_for,
    passage_message,
    report,
    summary,
    weak_count,
)
from pages.parts.ui import Ui
from research.core import Brief, Evidence, RunView, Sentence
from research.language import Bilingual, Language
from research.results import LeftOut
from research.store import RunStore
from research.text import Span
from research.verification import Label
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


def test_a_japanese_figure_stays_with_its_unit_in_the_cards_of_a_report(tmp_path: Path) -> None:
    quote = "売上高は4億5,500万円で、11か国に25〜30か所の拠点があり、利益率は3ポイント下がった。"
    told = cited(tmp_path, Language.JA)
    evidence = {name: entry.model_copy(update={"quote": quote}) for name, entry in told.evidence.items()}
    _, cards = report(replace(told, evidence=evidence), JA)
    for kind in "EV":
        card = next(el("div", "", *card) for name, card in cards.items() if name.startswith(kind))
        kept = [span.text() for span in card.find("nobr")]
        assert kept[:4] == ["4億5,500万円", "11か国", "25〜30か所", "3ポイント"]


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
    listed = el("div", "", *sources(made, KNOWN, EN)[0])
    assert [number.text() for number in listed.find("number")] == ["1", "2", "3", "4"]
    assert len(listed.find("source")) == 4
    fewer = CitedReport("Prices rose [E1].", {"S1": 1}, made.evidence, made.pages, made.brief)
    assert "3 pages read but not cited" in el("div", "", *sources(fewer, KNOWN, EN)[0]).text()
    none = CitedReport("", {}, made.evidence, made.pages, made.brief)
    assert len(el("div", "", *sources(none, KNOWN, EN)[0]).find("source")) == 4


def test_sources_speak_the_readers_language(tmp_path: Path) -> None:
    made = el("div", "", *sources(cited(tmp_path, Language.JA), KNOWN, JA)[0]).text()
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


def test_what_markdown_says_of_itself_is_not_shown_before_its_text_unless_it_is_quoted() -> None:
    text = "---\ntitle: Minutes\ndate: 2026-01-22\n---\n\n# Minutes\n\nThe site opens."
    title, opens = Span(4, 18), Span(text.index("The"), len(text))
    assert el("div", "", *snapshot(text, [opens], opens, EN)).text() == "# Minutes\n\nThe site opens."
    assert el("div", "", *snapshot(text, [title], opens, EN)).text() == text


def test_a_title_that_repeats_the_question_is_left_out(tmp_path: Path) -> None:
    made = cited(tmp_path)
    draft = f"# {made.brief.question}\n\nPrices rose [E5]."
    tree, _ = report(CitedReport(draft, {"S3": 1}, made.evidence, made.pages, made.brief), EN)
    assert tree[0].text() == "Prices rose1."


# --- what stands behind each sentence of a report, as elements -------------------------------------------------------


EVIDENCE = {"E1": Evidence(id="E1", source="S1", quote="Prices rose by 4%.", start=0, end=18)}


def cited_sales(tmp_path: Path, language: Language = Language.EN, *, checked: bool = True) -> CitedReport:
    store = RunStore(tmp_path)
    run = sample_runs.sales(store, language) if checked else sample_runs.ended(store, language, checked=False)
    record = store.record(run)
    assert record is not None
    made = CitedReport.of_record(record, RunView().extend(store.events(run)))
    store.close()
    return made


def sentence(draft: str, text: str, label: Label | None, *ids: str) -> Sentence:
    start = draft.index(text)
    return Sentence(text=text, evidence=ids, verdict=label, reason="so", start=start, end=start + len(text))


def drawn(draft: str, *sentences: Sentence, to_check: bool = False) -> Element:
    made = CitedReport(draft, {"S1": 1}, EVIDENCE, {}, Brief(question="Why?"), sentences)
    if "[E" in draft:
        raise ValueError("Citations need their pages.")
    return report(made, EN, to_check=to_check)[0][0]


def test_each_sentence_with_a_verdict_has_a_badge_that_says_it(tmp_path: Path) -> None:
    tree, cards = report(cited_sales(tmp_path), EN)
    marks = tree[0].find("verdict")
    assert [mark.attributes["class"].split()[1] for mark in marks] == ["verbatim", "unsupported", "uncited"]
    assert marks[1].attributes["aria-label"] == "Not supported: what stands behind this sentence"
    assert {mark.attributes["data-card"] for mark in marks} <= set(cards)


def test_a_card_says_verdict_reason_and_which_figure_was_not_found(tmp_path: Path) -> None:
    tree, cards = report(cited_sales(tmp_path), EN)
    card = el("div", "", *cards[tree[0].find("verdict")[1].attributes["data-card"]])
    for said in ("Not supported", "931 million yen", "Checked against the stored page, by rules", "391 million yen"):
        assert said in card.text()
    figures = {figure.text(): figure.attributes["class"] for figure in card.find("found")[0].children if figure}  # type: ignore[union-attr]
    assert any("931 million yen" in text and kind == "missing" for text, kind in figures.items())
    assert "quote:E2" in [button.attributes["data-send"] for button in card.find("textual")]


def test_a_card_says_which_model_read_what_rules_left_open() -> None:
    draft = "Prices went up a little."
    read = sentence(draft, draft, Label.SUPPORTED).model_copy(update={"read_by": "gpt-5.4-mini"})
    made = CitedReport(draft, {"S1": 1}, EVIDENCE, {}, Brief(question="Why?"), (read,))
    assert "read by a model, as rules did not decide: 1" in el("div", "", *summary((read,), EN)).text()
    for ui, said in ((EN, "read on the stored page by gpt-5.4-mini"), (JA, "保存ページをgpt-5.4-miniが読みました")):
        (card,) = report(made, ui)[1].values()
        assert said in el("div", "", *card).text()


def test_a_reader_of_the_other_language_is_told_the_reason_too(tmp_path: Path) -> None:
    tree, cards = report(cited_sales(tmp_path), JA)
    card = el("div", "", *cards[tree[0].find("verdict")[1].attributes["data-card"]])
    assert "ページの数値と異なります" in card.text()


def test_a_reason_of_an_older_record_stands_in_its_one_language() -> None:
    old = {"text": "Prices rose.", "evidence": (), "verdict": "uncited"}
    assert Sentence.model_validate({**old, "reason": "It cites nothing"}).reason == Bilingual(*["It cites nothing"] * 2)
    assert Sentence.model_validate({**old, "reason": ""}).reason is None
    assert not is_checked([Sentence.model_validate({**old, "reason": ""})])


@pytest.mark.parametrize(
    ("ui", "words"),
    [(EN, "checked against the stored page, by rules"), (JA, "保存したページと規則により照合")],
)
def test_the_counts_stand_with_how_they_came_about(tmp_path: Path, ui: Ui, words: str) -> None:
    made = cited_sales(tmp_path, ui.language)
    head = summary(made.sentences, ui)[0]
    assert words in head.children[0].text()  # type: ignore[union-attr]
    assert [entry.attributes["class"] for entry in head.find("count")] == [
        "count verbatim", "count unsupported", "count uncited",
    ]  # fmt: skip
    assert weak_count(made.sentences) == 2
    assert "true" not in head.text()


def test_a_run_whose_sentences_were_not_checked_shows_no_verdicts(tmp_path: Path) -> None:
    old = cited_sales(tmp_path, checked=False)
    assert not is_checked(old.sentences)
    assert summary(old.sentences, EN) == []
    tree, cards = report(old, EN)
    assert tree[0].find("verdict") == []
    assert tree[0].text().startswith("Japan's electricity mix since 2015")
    assert all(name.startswith("E") for name in cards)


def test_only_the_words_of_a_weak_sentence_are_marked() -> None:
    draft = "**Prices rose.** Demand **fell** by half. Supply held."
    made = drawn(
        draft,
        sentence(draft, "**Prices rose.**", Label.SUPPORTED),
        sentence(draft, "Demand **fell** by half.", Label.UNCITED),
    )
    assert "".join(part.text() for part in made.find("said")).replace("link_off", "") == "Demand fell by half."
    assert made.text() == "Prices rose.check Demand fell by half.link_off Supply held."


@pytest.mark.parametrize(
    ("said", "result", "working"),
    [
        (
            "Computed: Vietnam, sales: 293.3 = sum of 12 rows (country: Vietnam)",
            "293.3",
            " = sum of 12 rows (country: Vietnam)",
        ),
        (
            "計算：ベトナム、売上：3億9,100万円 = 12行の合計（country: Vietnam）",
            "3億9,100万円",
            " = 12行の合計（country: Vietnam）",
        ),
        ("計算：12行の合計 = 391.4 − 293.3", "12行の合計", " = 391.4 − 293.3"),
    ],
)
def test_what_a_calculation_came_to_stands_out_and_how_it_was_worked_out_is_quiet(
    said: str, result: str, working: str
) -> None:
    badge = Badge(0, len(said) + 5, el("button", "verdict"), COMPUTED)
    (line,) = report_body(f"{said} [E1]", lambda ids: el("span", "cites", "1"), Language.JA, [badge])
    assert line.text() == f"{said}1"
    assert [one.text() for one in line.children if isinstance(one, Element) and one.tag == "strong"] == [result]
    assert "".join(one.text() for one in line.find("working")) == f"{working}1"


def test_a_sentence_that_gives_no_working_is_written_like_any_other() -> None:
    badge = Badge(0, 13, el("button", "verdict"), COMPUTED)
    (line,) = report_body("No sum: none.", lambda _: None, Language.EN, [badge])
    assert (line.text(), line.find("working")) == ("No sum: none.", [])


def test_badges_do_not_break_a_table() -> None:
    draft = "| a | b |\n|---|---|\n| x | 1 |\n| y | 2 |\n"
    rows = [sentence(draft, "| x | 1 |", Label.SUPPORTED), sentence(draft, "| y | 2 |", Label.PARTIAL)]
    table = drawn(draft, *rows)
    assert table.text() == "abx1checky2contrast"
    assert "".join(part.text() for part in table.find("partial") if part.tag == "span") == "y2contrast"


@pytest.mark.parametrize("text", ["⸦s0⸧ odd", "⸦e99⸧", "a ⸦cE1⸧ b"])
def test_brackets_of_our_own_in_a_report_stay_text(text: str) -> None:
    assert "(" in drawn(text, sentence(text, text, Label.SUPPORTED)).text()


def test_sentences_that_overlap_or_stand_nowhere_get_no_badge() -> None:
    draft = "Prices rose by half."
    whole = sentence(draft, draft, Label.SUPPORTED)
    nowhere = Sentence(text="gone", evidence=(), verdict="uncited", reason="so")
    found, _ = badges([whole, whole.model_copy(update={"start": 3}), nowhere], {}, EN)
    assert [(badge.start, badge.end) for badge in found] == [(0, len(draft))]


def test_the_filter_keeps_what_needs_checking_and_the_headings_over_it() -> None:
    draft = "# T\n\n## A\n\nFine.\n\n## B\n\n- Good.\n- Bad.\n\n### C\n\nFine.\n"
    made = drawn(draft, sentence(draft, "Bad.", Label.UNSUPPORTED), to_check=True)
    assert [child.text() for child in made.children] == ["T", "B", "Good.Bad.error"]  # type: ignore[union-attr]
    assert only_weak([el("p", "", "Fine.")]) == []


def test_what_was_left_out_is_listed_with_its_reason() -> None:
    one = LeftOut(text="Prices rose.", evidence=("E1",), reason="No primary source: a.example (News)")
    made = left_out([one, one.model_copy(update={"evidence": ("E9",)})], EVIDENCE, EN)[0]
    assert "Left out: 2 statements" in made.text()
    assert made.text().count("No primary source: a.example (News)") == 2
    assert [button.attributes["data-send"] for button in made.find("textual")] == ["quote:E1"]
    assert left_out([], EVIDENCE, EN) == []


def test_a_passage_is_asked_for_by_page_and_offsets() -> None:
    place = PassageAddress("S12", 3, 40)
    assert passage_asked_for(passage_message(place)) == place
    for other in ("passage:S1:x:2", "passage:S1:3", "quote:E1", "passage:"):
        assert passage_asked_for(other) is None


def test_a_japanese_title_within_english_breaks_where_its_phrases_do() -> None:
    said = (
        "Of everything that was read for this question in the documents of the house and elsewhere, only the memo "
        "“東南アジア事業戦略メモ（2025〜2027年度）” gives a figure of its own for that, and no other page says how it "
        "was worked out, by whom, or from which of the tables: 186億2,000万円 a year."
    )
    tree = body(said)
    spans = [one for one in _all(tree) if one.attributes.get("lang") == "ja"]
    assert [one.text() for one in spans] == ["東南アジア事業戦略メモ（2025〜2027年度）", "186億2,000万円"]
    assert [one.text() for one in spans[1].find("nobr")] == ["186億2,000万円"]
    assert tree.text() == said


def test_what_is_quoted_in_another_language_breaks_and_is_read_aloud_in_it() -> None:
    tree = body(
        "- “東南アジアの売上高は16億円” [E1]\n- Sales rose by 3%.\n\n| | Sales |\n|---|---|\n| タイの拠点 | 3 |"
    )
    languages = [(one.text()[:4], one.attributes.get("lang")) for one in _all(tree) if one.tag in ("li", "td")]
    assert languages == [("“東南ア", "ja"), ("Sale", None), ("タイの拠", "ja"), ("3", None)]


def _all(element: Element) -> list[Element]:
    inner = [child for child in element.children if isinstance(child, Element)]
    return [element, *(one for child in inner for one in _all(child))]
