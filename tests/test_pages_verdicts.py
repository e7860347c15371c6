"""What stands behind each sentence of a report, as elements."""

from __future__ import annotations

from pathlib import Path

import pytest

from pages.parts.nodes import Element, el
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
from research.verification import Label
from tests.support import sample_runs

EN, JA = Ui.of(Language.EN, None), Ui.of(Language.JA, None)
EVIDENCE = {"E1": Evidence(id="E1", source="S1", quote="Prices rose by 4%.", start=0, end=18)}


def cited(tmp_path: Path, language: Language = Language.EN, *, checked: bool = True) -> CitedReport:
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
    tree, cards = report(cited(tmp_path), EN)
    marks = tree[0].find("verdict")
    assert [mark.attributes["class"].split()[1] for mark in marks] == ["verbatim", "unsupported", "uncited"]
    assert marks[1].attributes["aria-label"] == "Not supported: what stands behind this sentence"
    assert {mark.attributes["data-card"] for mark in marks} <= set(cards)


def test_a_card_says_verdict_reason_and_which_figure_was_not_found(tmp_path: Path) -> None:
    tree, cards = report(cited(tmp_path), EN)
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
    tree, cards = report(cited(tmp_path), JA)
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
    made = cited(tmp_path, ui.language)
    head = summary(made.sentences, ui)[0]
    assert words in head.children[0].text()  # type: ignore[union-attr]
    assert [entry.attributes["class"] for entry in head.find("count")] == [
        "count verbatim", "count unsupported", "count uncited",
    ]  # fmt: skip
    assert weak_count(made.sentences) == 2
    assert "true" not in head.text()


def test_a_run_whose_sentences_were_not_checked_shows_no_verdicts(tmp_path: Path) -> None:
    old = cited(tmp_path, checked=False)
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
