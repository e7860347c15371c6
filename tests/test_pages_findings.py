"""What rules find in the sources of a run, as elements and charts: contradictions, figures, kinds, freshness."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path

import pandas as pd
import pytest

from pages.parts.nodes import Element, el
from pages.parts.report.figures import figures_chart, is_comparable, table_columns
from pages.parts.report.findings import contradictions, opposed
from pages.parts.report.sources import SourceFacts, sources
from pages.parts.report.text import CitedReport, report
from pages.parts.ui import Ui
from research.core import Doubt, Evidence, Page, RunView, SourceKind
from research.language import Bilingual, Language
from research.quantities import figure_rows
from research.results import Remark
from research.sources import decision_for
from research.store import RunStore
from research.text import columns
from research.verification import (
    Point,
    Quantity,
    contradictions as contradictions_contradictions,
    measure_of,
    quantities_in,
)
from research.verification.contradictions import with_named
from tests.support import sample_runs

EN, JA = Ui.of(Language.EN, None), Ui.of(Language.JA, None)
Run = tuple[CitedReport, RunView, list[Evidence], dict[str, Page]]


def sales(tmp_path: Path, language: Language = Language.EN) -> Run:
    store = RunStore(tmp_path)
    run = sample_runs.sales(store, language)
    record, state, pages = store.record(run), RunView().extend(store.events(run)), store.pages(run)
    assert record is not None
    store.close()
    return CitedReport.of_record(record, state), state, list(state.evidence.values()), pages


@pytest.mark.parametrize(
    ("ui", "values", "kind"),
    [(EN, ["320 million yen", "293 million yen"], "Figures"), (JA, ["3億2,000万円", "2億9,300万円"], "数値")],
)
def test_a_contradiction_shows_each_side_with_its_value_marked_and_its_source(
    tmp_path: Path, ui: Ui, values: list[str], kind: str
) -> None:
    _, state, evidence, pages = sales(tmp_path, ui.language)
    made = el("div", "", *contradictions(contradictions_contradictions(evidence, pages), state.pages, ui))
    assert [value.text() for value in made.find("value")] == values
    marks = [part.text() for side in made.find("side") for part in _tagged(side, "mark")]
    assert marks == values
    assert [button.attributes["data-send"] for button in made.find("textual")] == ["quote:E4", "quote:E1"]
    assert kind in made.find("kind")[0].text()
    assert "notes.example.org" in made.find("side")[0].text()


def test_a_side_that_joined_by_a_further_question_says_when(tmp_path: Path) -> None:
    _, state, evidence, pages = sales(tmp_path)
    cards = contradictions(contradictions_contradictions(evidence, pages), state.pages, EN, {"E1": date(2026, 6, 2)})
    badges = [side.find("badge") for side in el("div", "", *cards).find("side")]
    assert [[badge.text() for badge in found] for found in badges] == [[], ["added on 2\u00a0Jun\u00a02026"]]


def _tagged(element: Element, tag: str) -> list[Element]:
    inner = [child for child in element.children if isinstance(child, Element)]
    return [match for child in inner for match in ([child] if child.tag == tag else []) + _tagged(child, tag)]


@pytest.mark.parametrize(("ui", "said"), [(EN, "Named in a reflection"), (JA, "考察での指摘")])
def test_what_a_reflection_named_is_marked_as_not_checked(tmp_path: Path, ui: Ui, said: str) -> None:
    _, state, evidence, pages = sales(tmp_path)
    named = Doubt(text="One expects growth, the other does not.", evidence=("E3", "E5"))
    (found,) = with_named((), [named], {entry.id: entry for entry in evidence}, pages)
    (_, card) = contradictions([found], state.pages, ui)
    assert said in card.find("kind")[0].text()
    assert card.find("note")[0].text() == found.note.in_(ui.language)
    assert "One expects growth" in card.text() and card.find("value") == []
    assert len(card.find("side")) == 2


@pytest.mark.parametrize(
    ("ui", "label", "said"),
    [
        (EN, "sales target (FY2027)", "sales target (FY2027)"),
        (JA, "sales target (FY2027)", "sales target（2027年度）"),
        (JA, "売上高, 前年度 (FY2027)", "売上高、前年度（2027年度）"),
    ],
)
def test_what_a_contradiction_is_about_is_in_the_words_of_the_reader(
    tmp_path: Path, ui: Ui, label: str, said: str
) -> None:
    _, state, evidence, pages = sales(tmp_path)
    (found,) = contradictions_contradictions(evidence, pages)
    renamed = found.model_copy(update={"label": label, "subject": ""})
    (_, card) = contradictions([renamed], state.pages, ui)
    assert [head.text() for head in _tagged(card, "h2")] == [said]


def test_what_contradicts_a_report_stands_at_its_top_and_beside_the_sentence_that_tells_a_side(tmp_path: Path) -> None:
    cited, _, evidence, pages = sales(tmp_path)
    found = contradictions_contradictions(evidence, pages)
    top, sentences, cards = opposed(found, cited, EN)
    (line,) = el("div", "", *top).find("textual")
    assert line.text() == "Vietnam · Sales (FY2024): 320 million yen / 293 million yen"
    assert [kept.text() for kept in line.find("nobr")] == ["320 million yen", "293 million yen"]
    (card,) = el("div", "", *cards[str(line.attributes["data-card"])]).find("card-body")
    assert [value.text() for value in card.find("value")] == ["320 million yen", "293 million yen"]
    (beside,) = report(cited, EN, opposed=sentences)[0][0].find("marks")
    (told,) = [one.text for one in cited.sentences if one.start in sentences]
    assert "293 million yen" in told and [mark.attributes["data-card"] for mark in beside.find("opposed")] == [*cards]
    assert opposed(found, replace(cited, sentences=()), EN) == ([], {}, {})


def test_no_contradiction_found_is_not_said_to_be_none() -> None:
    said = el("div", "", *contradictions((), {}, EN)).text()
    assert "The rules found no contradiction" in said
    assert "That does not mean that there is none." in said


def test_a_quantity_of_several_years_is_a_line_for_each_source(tmp_path: Path) -> None:
    _, state, evidence, pages = sales(tmp_path)
    (quantity,) = quantities_in(figure_rows(evidence, pages))
    chart = figures_chart(quantity, state, EN)
    assert [(trace.name, trace.mode, list(trace.x)) for trace in chart.data] == [
        ("Annual report", "lines+markers", ["FY2024", "FY2025", "FY2026"]),
        ("Market notes", "lines+markers", ["FY2024", "FY2025"]),
    ]
    assert list(chart.layout.xaxis.categoryarray) == ["FY2024", "FY2025", "FY2026"]
    axis = chart.layout.yaxis
    assert (chart.layout.title.text, list(axis.ticktext)) == ("JPY", ["0", "200M", "400M", "600M"])


def test_a_chart_speaks_the_language_of_its_reader(tmp_path: Path) -> None:
    _, state, evidence, pages = sales(tmp_path, Language.JA)
    (quantity,) = quantities_in(figure_rows(evidence, pages))
    layout = figures_chart(quantity, state, JA).layout
    assert list(layout.xaxis.ticktext) == ["2024年度", "2025年度", "2026年度"]
    assert (layout.title.text, list(layout.yaxis.ticktext)) == ("円", ["0", "2億", "4億", "6億"])


def quantity(*points: tuple[str | None, str]) -> Quantity:
    made = (Point(period, 1.0, "<b>1</b>", source, "E1", None) for period, source in points)
    return Quantity("s", "l", None, None, tuple(made))


def test_only_dated_values_of_several_years_or_sources_are_compared() -> None:
    assert is_comparable(quantity(("2024", "S1"), ("2025", "S1")))
    assert is_comparable(quantity(("2024", "S1"), ("2024", "S2")))
    assert not is_comparable(quantity(("2024", "S1"), (None, "S2")))
    assert not is_comparable(quantity((None, "S1"), (None, "S2")))


def test_values_of_one_period_are_bars_so_that_none_hides_another() -> None:
    chart = figures_chart(quantity(("2024", "S1"), ("2024", "S2")), RunView(), EN)
    (trace,) = chart.data
    assert (trace.type, list(trace.x)) == ("bar", [1.0, 1.0])
    amount = "<b>&lt;b&gt;1&lt;/b&gt;</b>"
    assert [told.text for told in chart.layout.annotations] == [f"{amount}  S1", f"{amount}  S2"]


def test_a_bar_is_told_above_it_so_that_its_amount_is_whole_on_a_phone() -> None:
    chart = figures_chart(quantity(("2024", "あ" * 60), ("2024", "S2")), RunView(), JA)
    first, second = chart.layout.annotations
    assert "<b>&lt;b&gt;1&lt;/b&gt;</b>" in first.text and first.text.endswith("…")
    assert columns(first.text.rpartition("  ")[2]) <= 48 and not chart.layout.yaxis.visible
    assert all(told.x == 0 and told.y < place for place, told in enumerate((first, second)))


@pytest.mark.parametrize("letters", [2, 40])
def test_a_table_of_figures_is_as_wide_as_its_page_and_ends_in_dots_what_is_longer_than_its_cell(letters: int) -> None:
    words = "東" * letters
    told = ["label", "text", "period", "value", "unit", "subject", "added", "source"]
    frame = pd.DataFrame([[words, "1" * letters, words, 1e12, words, words, "", words]], columns=told)
    widths = {name: column["width"] for name, column in table_columns(frame, JA).items()}
    assert sum(widths.values()) == 940 and widths["text"] >= 110
    for name in ("label", "unit", "subject", "source"):
        shown = frame[name][0]
        assert 7 * columns(shown) + 20 <= widths[name]
        assert shown == words if letters == 2 else shown.endswith("…")


@pytest.mark.parametrize(
    ("currency", "unit", "shown"),
    [("JPY", "/kWh", "JPY/kWh"), ("JPY", None, "JPY"), (None, "days", "days"), (None, None, "")],
)
def test_currency_and_unit_are_shown_as_one(currency: str | None, unit: str | None, shown: str) -> None:
    assert measure_of(Quantity("s", "l", unit, currency, ())) == shown


def test_words_of_others_are_no_tags_in_a_chart() -> None:
    chart = figures_chart(quantity(("2024", "<i>S1</i>"), ("2025", "<i>S1</i>")), RunView(), EN)
    assert chart.data[0].name == "&lt;i&gt;S1&lt;/i&gt;"
    assert "&lt;b&gt;1&lt;/b&gt;" in chart.data[0].text[0]


def test_sources_tell_their_kind_with_its_rule_and_how_recent_they_are(tmp_path: Path) -> None:
    cited, _, _, pages = sales(tmp_path)
    kinds = {name: decision_for(page) for name, page in pages.items()}
    remark = Remark("one_site", Bilingual("All rest on one site.", "すべて1つのサイトです。"), None)
    tree, cards = sources(cited, SourceFacts(date(2026, 6, 1), kinds, [remark]), EN)
    made = el("div", "", *tree)
    assert [badge.text() for badge in made.find("badge")] == [
        "Company", "last three months", "Blog", "last three months"
    ]  # fmt: skip
    opened = [el("div", "", *cards[badge.attributes["data-card"]]).text() for badge in made.find("badge")[:2]]
    assert opened[0].startswith("Company" + kinds["S1"].rule.en)
    assert "Counted back from the day of the run" in opened[1]
    assert made.find("remarks")[0].text().endswith("All rest on one site.")
    later = el("div", "", *sources(cited, SourceFacts(date(2027, 6, 1)), JA)[0])
    assert [badge.text() for badge in later.find("badge")] == ["企業", "ブログ"]
    assert later.find("remarks") == []


def test_that_a_document_is_the_readers_own_is_said_once(tmp_path: Path) -> None:
    cited, _, _, pages = sales(tmp_path)
    own = {name: page.model_copy(update={"kind": SourceKind.DOCUMENT}) for name, page in cited.pages.items()}
    shown = CitedReport(cited.draft, cited.numbers, cited.evidence, own, cited.brief)
    known = SourceFacts(date(2026, 6, 1), {name: decision_for(page) for name, page in pages.items()})
    tree, cards = sources(shown, known, EN)
    assert {kind.text() for kind in el("div", "", *tree).find("kind")} == {"Own document"}
    assert not [card for card in cards if card.startswith("kind")]


def test_an_unknown_date_is_marked(tmp_path: Path) -> None:
    cited, _, _, _ = sales(tmp_path)
    pages = {name: page.model_copy(update={"published": None}) for name, page in cited.pages.items()}
    undated = CitedReport(cited.draft, cited.numbers, cited.evidence, pages, cited.brief)
    made = el("div", "", *sources(undated, SourceFacts(date(2026, 6, 1)), EN)[0])
    assert [mark.text() for mark in made.find("undated")] == ["helpdate unknown"] * 2
