"""The report as Markdown: numbers that link, sources with their quotes, hostile titles as plain text."""

from __future__ import annotations

import re

import pytest

from research import core
from research.export.citing import Numbering, contradictions_markdown
from research.export.markdown import report_markdown
from research.language import Bilingual, Language
from research.results import LeftOut, Problem, RunRecord, SourceEntry, Trail
from research.verification import Contradiction, ContradictionKind, Side
from tests.support.scripted import NOW
from tests.support.stored_runs import page


def ledger_of(*pages: tuple[str, str, str]) -> core.Ledger:
    ledger = core.Ledger()
    for url, title, text in pages:
        page = ledger.add_page(
            url=url, title=title, site="a.example", origin=core.SourceName.WEB, kind=core.SourceKind.NEWS,
            published="2026-10-02", fetched_at=NOW, text=text,
        )  # fmt: skip
        ledger.quote(page, text.splitlines())
    return ledger


def markdown(
    draft: str,
    ledger: core.Ledger,
    *problems: Problem,
    language: Language = Language.EN,
    trail: Trail | None = None,
    **proved: tuple[object, ...],
) -> str:
    record = record_of(draft, ledger, *problems, language=language, trail=trail, **proved)
    return report_markdown(record, ledger.pages, {})


def record_of(
    draft: str,
    ledger: core.Ledger,
    *problems: Problem,
    language: Language = Language.EN,
    trail: Trail | None = None,
    **proved: tuple[object, ...],
) -> RunRecord:
    cited = core.cite(draft, ledger.evidence)
    return RunRecord(
        run="r", status=core.Status.COMPLETE, analyst="chat", writer="chat", seconds=1.0, usage={}, draft=cited.draft,
        brief=core.Brief(question="What *is* it?", language=language), started_at=NOW.isoformat(), problems=problems,
        sources=tuple(SourceEntry.of(page, cited.numbers.get(page.id)) for page in ledger.pages.values()),
        evidence=tuple(ledger.evidence.values()), trail=trail or Trail(), **{"sentences": (), **proved},
    )  # fmt: skip


LEDGER = (
    ("https://a.example/x y", "Page A", "Sales rose by four percent.\nCosts fell by a third."),
    ("file:///tmp/memo.md", "Memo", "The target is 40 units."),
)


def test_citations_are_numbers_that_link_to_their_source() -> None:
    text = markdown("# T\n\nUp [E1]. Down [E2, E3].\n", ledger_of(*LEDGER))
    assert "Up [1]. Down [1] [2]." in text
    assert "\n[1]: <https://a.example/x%20y>\n[2]: <file:memo.md>\n" in text
    assert re.search(r"^1\. \[Page A\]\[1\] — a.example · News · 2 Oct 2026 · last three months$", text, re.MULTILINE)
    assert "> Sales rose by four percent.\n   >\n   > Costs fell by a third." in text


def test_a_row_of_a_filing_is_listed_without_the_cells_that_are_empty() -> None:
    row = "| Operating Income | | | 11,311 | | | 10,909 | |"
    text = markdown("It rose [E1].\n", ledger_of(("https://a.example/10-K", "Filing", row)))
    assert r"> Operating Income \| 11,311 \| 10,909" in text


def test_the_points_of_a_japanese_quote_are_one_text() -> None:
    said = "- 部品の採算が悪化する。\n- 拠点の開設が遅れる。"
    ledger = ledger_of(("https://a.example/", "方針", said))
    (page,) = ledger.pages.values()
    ledger.quote(page, [said])
    text = markdown("リスク [E3]。\n", ledger, language=Language.JA)
    assert "> 部品の採算が悪化する。拠点の開設が遅れる。\n" in text


def test_a_quote_of_a_file_links_to_its_place() -> None:
    english = markdown("Fact [E1]. Plan [E3].\n", ledger_of(*LEDGER))
    assert "> The target is 40 units. [in the file](<file:memo.md#char=0,23>)" in english
    assert "> Sales rose by four percent.\n" in english, "web pages have no such places"
    japanese = markdown("計画 [E3]。\n", ledger_of(*LEDGER), language=Language.JA)
    assert "[該当箇所](<file:memo.md#char=0,23>)" in japanese


def test_no_number_without_entry_and_no_entry_without_number() -> None:
    text = markdown("A [E3]. B [E1].\n", ledger_of(*LEDGER))
    body, _, sources = text.partition("## Sources")
    assert set(re.findall(r"\[(\d+)\]", body)) == set(re.findall(r"^(\d+)\. ", sources, re.MULTILINE)) == {"1", "2"}


def test_a_report_without_title_gets_the_question() -> None:
    text = markdown("Up [E1].", ledger_of(*LEDGER))
    assert re.match(r"# What \\\*is\\\* it\?\n\n\*Researched on .+\*\n\nUp \[1\]\.", text)


@pytest.mark.parametrize(
    ("ended", "problem", "said"),
    [
        ("cap", None, "incomplete, as the research stopped early. It ended to stay within the cap that was set."),
        ("finish", Problem(stage=core.Stage.RESEARCH, code="stopped"), "incomplete: the run was stopped, as asked."),
        ("complete", Problem(stage=core.Stage.WRITING, code="model_timeout"), "incomplete. The model took too long"),
        ("complete", None, "incomplete: not all that is asked was found or written."),
    ],
)
def test_the_first_line_says_that_a_report_is_incomplete_and_why(
    ended: str, problem: Problem | None, said: str
) -> None:
    ledger = ledger_of(*LEDGER)
    record = record_of("# T\n\nUp [E1].", ledger, *filter(None, [problem]), trail=Trail(ended=ended))
    whole = report_markdown(record, ledger.pages, {})
    assert "incomplete" not in whole.partition("Up [1].")[0]
    partial = report_markdown(record.model_copy(update={"status": core.Status.PARTIAL}), ledger.pages, {})
    assert partial.startswith(f"# T\n\n*This report is {said}")


def test_what_follows_a_citation_does_not_turn_it_into_another_link() -> None:
    text = markdown("Up [E1](soon) and [E1][x], [E1]: yes.", ledger_of(*LEDGER))
    assert "Up [1] and [1]\\[x\\], [1]\\: yes." in text


def test_problems_are_said_once_each_in_the_reports_language() -> None:
    failed = Problem(stage=core.Stage.SEARCH, code="search_timeout", subject="q1")
    text = markdown("上昇 [E1]。", ledger_of(*LEDGER), failed, failed, language=Language.JA)
    assert text.count("検索が時間内に終わりませんでした。") == 1
    assert "## このレポートの限界" in text and "## 情報源" in text


def test_hostile_titles_and_quotes_stay_text() -> None:
    ledger = ledger_of(
        ("javascript:alert(1)", "[x](http://evil) <img src=x>\n# Title", "<script>alert(1)</script> here")
    )
    text = markdown("Up [E1].", ledger)
    assert "](http://evil)" not in text and "<img" not in text.replace("\\<img", "")
    assert "javascript:" not in text
    assert re.search(r"^# Title", text, re.MULTILINE) is None


CHECKED = (
    core.Sentence(text="Sales rose by four percent.", evidence=("E1",), verdict="supported", reason="It does"),
    core.Sentence(text="Costs *fell* | to [E9].", evidence=("E2",), verdict="partial", reason="Not found: <b>x</b>"),
    core.Sentence(text="All is well.", evidence=(), verdict="uncited", reason="The sentence cites nothing"),
    core.Sentence(text="In short:", evidence=(), verdict=None, reason="The sentence claims nothing"),
)


def test_the_counts_of_verdicts_stand_near_the_end_with_what_needs_checking() -> None:
    text = markdown("# T\n\nUp [E1]. Down [E2].\n", ledger_of(*LEDGER), sentences=CHECKED)
    section = text.partition("## Verification\n")[2].partition("## Sources")[0]
    assert (
        "checked against the stored page, by rules: 3. Supported: 1 · Partly supported: 1 · No citation: 1." in section
    )
    assert section.count("\n- ") == 2
    assert "- “All is well.” – No citation: The sentence cites nothing" in section
    assert "Costs \\*fell\\* \\| to" in section and "<b>" not in section and section.count("[1]") == 1
    assert "In short" not in section


def test_nothing_is_said_of_verdicts_where_none_were_given() -> None:
    assert "## Verification" not in markdown("Up [E1].", ledger_of(*LEDGER), sentences=CHECKED[3:])


def test_the_verdicts_are_said_in_japanese() -> None:
    text = markdown("上昇[E1]。", ledger_of(*LEDGER), sentences=CHECKED, language=Language.JA)
    section = text.partition("## 検証\n")[2].partition("## 情報源")[0]
    assert "保存したページと規則により照合した文：3。裏付けあり 1、一部裏付けあり 1、出典なし 1。" in section
    assert "確認が必要な文：" in section


def test_what_was_left_out_is_listed_without_numbers_that_lead_nowhere() -> None:
    left = tuple(LeftOut(text=f"Claim {number}.", evidence=("E3",), reason="No") for number in range(25))
    text = markdown("Up [E1].", ledger_of(*LEDGER), left_out=left)
    section = text.partition("## Left out\n")[2].partition("## Sources")[0]
    assert "Left out: 25." in section and "- “Claim 19.” – No\n- and 5 more" in section
    assert "[2]" not in section
    assert "採用しなかった記述：25件" in markdown("[E1]", ledger_of(*LEDGER), left_out=left, language=Language.JA)


PLANNED = Trail(outline=core.Outline(sections=(core.Section(title="Sales"),)), ended="covered")
DRAFT = (
    "# T\n\nIntro.\n\n## Sales\n\nUp [E1]. Down [E2].\n\n- Then 40 [E3]\n\n### More\n\nUp [E1].\n\n## Words\n\nNone.\n"
)


def dated_ledger() -> core.Ledger:
    """The first page is of the last three months, the second of nobody knows when."""
    ledger = ledger_of(*LEDGER)
    old = ledger.pages["S2"].model_copy(update={"published": None})
    ledger.pages["S2"] = old
    return ledger


def test_a_planned_report_names_the_sources_of_each_section_with_their_dates() -> None:
    text = markdown(DRAFT, dated_ledger(), trail=PLANNED)
    body = text.partition("## Sources")[0]
    assert body.count("Sources of this section") == 1, "a section that cites nothing has none"
    assert (
        "### More\n\nUp [1]†.\n\n**Sources of this section:** [1] Page A, **2 Oct 2026**; [2] Memo, date unknown\n"
        in body
    )


def test_recent_facts_of_a_planned_report_stand_out() -> None:
    text = markdown(DRAFT, dated_ledger(), trail=PLANNED)
    assert "Up [1]†. Down [1]†.\n\n- Then 40 [2]\n" in text
    assert ".*\n\n*† and a date in bold: information of the last three months.*\n\nIntro." in text
    assert "†" not in markdown("# T\n\n## A\n\nThen 40 [E3].\n", dated_ledger(), trail=PLANNED)


def test_a_planned_report_in_japanese() -> None:
    text = markdown("# 題\n\n## 売上\n\n増加[E1]。\n", ledger_of(*LEDGER), trail=PLANNED, language=Language.JA)
    assert "増加[1]†。\n\n**この章の情報源**：[1] Page A · **2026年10月2日**\n" in text
    assert "*†と太字の日付は、直近3か月の情報を示します。*" in text


def test_the_numbers_of_a_planned_report_are_those_of_any_other() -> None:
    planned, free = (markdown(DRAFT, dated_ledger(), trail=trail) for trail in (PLANNED, None))
    without = re.sub(r"\*\*Sources of this section:.*\n\n|†|\*† .*\n\n| and a date in bold.*", "", planned)
    assert re.findall(r"\[\d\]", without.partition("## Sources")[0]) == re.findall(
        r"\[\d\]", free.partition("## Sources")[0]
    )
    assert planned.partition("## Sources")[2].partition("## How")[0].strip() == (
        free.partition("## Sources")[2].partition("[1]:")[0].strip()
    )


@pytest.mark.parametrize(
    ("draft", "sections"),
    [
        ("# T\n\nIn [E1].\n\n## A\n\nx [E1]\n\n## B\n\ny [E3]\n", 3),
        ("# T\n\n# A\n\nx [E1]\n\n# B\n\ny [E3]\n", 2),
        ("### A\n\nx [E1]\n\n### B\n\ny [E3]\n\n#### C\n\nz [E3]\n", 2),
        ("No heading at all [E1].", 1),
        ("#hashtag [E1] is no heading", 1),
        ("", 0),
    ],
)
def test_sections_begin_at_the_highest_heading_below_the_title(draft: str, sections: int) -> None:
    assert markdown(draft, dated_ledger(), trail=PLANNED).count("Sources of this section") == sections


def test_the_appendix_stands_behind_the_sources_and_before_the_addresses() -> None:
    text = markdown("Up [E1].", ledger_of(*LEDGER), trail=Trail(ended="enough"))
    places = [text.index(part) for part in ("## Sources", "## How it was researched", "[1]: <https")]
    assert places == sorted(places)
    assert "Sources of this section" not in text, "there was no plan"


# --- the section of a report on what its sources say differently -----------------------------------------------------


def _page(name: str) -> core.Page:
    return page(name, url=f"https://{name}.example/", title=f"Title *{name}*", site=f"{name}.example")


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


def numbered(numbers: dict[str, int], language: Language = Language.EN) -> Numbering:
    return Numbering(numbers, PAGES, {}, language, NOW.date())


def test_both_quotes_stand_side_by_side_with_number_and_date() -> None:
    text = contradictions_markdown([FOUND], numbered({"S1": 3, "S2": 1}))
    assert text.startswith("## Contradictions\n\n")
    assert "**Vietnam: sales target (FY2027)** – They differ." in text
    assert "- **24億円** [3] (Jun 2025): “24億円" in text
    assert "- **20億円** [1] (date unknown): “" in text


def test_japanese() -> None:
    text = contradictions_markdown([FOUND], numbered({"S1": 3, "S2": 1}, Language.JA))
    assert text.startswith("## 情報源の食い違い\n\n")
    assert "- **20億円** [1]（日付不明）：「" in text
    assert "**Vietnam：sales target（2027年度）** – 異なります。" in text
    parted = FOUND.model_copy(update={"label": "売上高, 前年度 (FY2027)"})
    assert "**Vietnam：売上高、前年度（2027年度）**" in contradictions_markdown([parted], numbered({}, Language.JA))


def test_text_of_pages_is_no_markup_and_no_citation() -> None:
    text = contradictions_markdown([FOUND], numbered({}))
    assert "<b>" not in text
    assert "\\[x\\](http\\:" in text
    assert "[E9]" not in text


def test_a_source_that_the_report_does_not_cite_stands_by_its_title() -> None:
    text = contradictions_markdown([FOUND], numbered({"S1": 1}))
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
    text = contradictions_markdown([named], numbered({"S1": 3, "S2": 1}))
    assert "**One calls it &lt;b>new&lt;/b>.** – Named in a reflection, not checked by rule." in text
    assert "- [3] (Jun 2025): “24億円" in text and "****" not in text


def test_without_contradictions_there_is_no_section() -> None:
    assert contradictions_markdown([], numbered({})) == ""
