"""The section of a report on what its sources say differently."""

from __future__ import annotations

from datetime import UTC, datetime

from research.core import Page, SourceKind, SourceName, text_hash
from research.export.citing import contradictions_markdown
from research.language import Bilingual, Language
from research.verification import Contradiction, ContradictionKind, Side


def _page(name: str) -> Page:
    return Page(
        id=name, url=f"https://{name}.example/", title=f"Title *{name}*", site=f"{name}.example",
        origin=SourceName.WEB, kind=SourceKind.OTHER, published=None, fetched_at=datetime(2026, 1, 1, tzinfo=UTC),
        text="x", sha256=text_hash("x"),
    )  # fmt: skip


PAGES = {name: _page(name) for name in ("S1", "S2")}
FOUND = Contradiction(
    kind=ContradictionKind.FIGURES,
    subject="Vietnam",
    label="sales target (FY2027)",
    sides=(
        Side(evidence="E1", source="S1", value="24億円", quote="24億円 <b>[x](http://e)</b>", published="2025-06"),
        Side(evidence="E2", source="S2", value="20億円", quote="[E9] 20億円とする。", published=None),
    ),
    note=Bilingual("They differ.", "異なります。"),
)


def test_both_quotes_stand_side_by_side_with_number_and_date() -> None:
    text = contradictions_markdown([FOUND], {"S1": 3, "S2": 1}, Language.EN, PAGES)
    assert text.startswith("## Contradictions\n\n")
    assert "**Vietnam: sales target (FY2027)** – They differ." in text
    assert "- **24億円** [3] (2025-06): “24億円" in text
    assert "- **20億円** [1] (date unknown): “" in text


def test_japanese() -> None:
    text = contradictions_markdown([FOUND], {"S1": 3, "S2": 1}, Language.JA, PAGES)
    assert text.startswith("## 情報源の食い違い\n\n")
    assert "- **20億円** [1]（日付不明）：「" in text
    assert "**Vietnam：sales target（2027年度）** – 異なります。" in text


def test_text_of_pages_is_no_markup_and_no_citation() -> None:
    text = contradictions_markdown([FOUND], {}, Language.EN, PAGES)
    assert "<b>" not in text
    assert "\\[x\\](http\\:" in text
    assert "[E9]" not in text


def test_a_source_that_the_report_does_not_cite_stands_by_its_title() -> None:
    text = contradictions_markdown([FOUND], {"S1": 1}, Language.EN, PAGES)
    assert "**20億円** Title \\*S2\\* · S2.example (date unknown)" in text


def test_what_a_reflection_named_says_so_and_quotes_whole_sides() -> None:
    named = FOUND.model_copy(
        update={
            "kind": ContradictionKind.NAMED,
            "subject": "",
            "label": "One calls it <b>new</b>.",
            "sides": tuple(side.model_copy(update={"value": ""}) for side in FOUND.sides),
            "note": Bilingual("Named in a reflection, not checked by rule.", "考察での指摘です。"),
        }
    )
    text = contradictions_markdown([named], {"S1": 3, "S2": 1}, Language.EN, PAGES)
    assert "**One calls it &lt;b>new&lt;/b>.** – Named in a reflection, not checked by rule." in text
    assert "- [3] (2025-06): “24億円" in text and "****" not in text


def test_without_contradictions_there_is_no_section() -> None:
    assert contradictions_markdown([], {}, Language.EN, {}) == ""
