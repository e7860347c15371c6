"""A report is as long as it was asked to be: counted in pages, written again once, said where it is not."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from research import core
from research.analysts import ReportRequest
from research.analysts.extractive import ExtractiveAnalyst
from research.engine import Control, rewrite, rewritten
from research.export import FORMATS
from research.export.composing import document_of
from research.export.document import Paper, PartKind
from research.language import Language
from research.results import Problem, Report
from research.settings import Settings
from research.store import run_sync
from tests.support.chat import Shelf, desk
from tests.support.openai_server import OpenAIServer, Text
from tests.support.pdf_samples import read, squeezed
from tests.support.scripted import MemoryJournal, MemorySource, ScriptedAnalyst, run_scripted, scripted_world

SENTENCE = "The market for pumps grew by 4.2% in 2025 [E1]. "
"""Ten words, of which one is a mark that is not counted."""
PROBLEMS = ("report_longer", "report_shorter")


def of_pages(pages: float) -> str:
    """A report of about so many pages."""
    return "# Pumps\n\n" + SENTENCE * round(pages * 400 / 9) + "\n"


def noted(problems: tuple[Problem, ...]) -> list[tuple[str, str]]:
    return [(one.code, one.subject) for one in problems if one.code in PROBLEMS]


def test_four_hundred_words_or_nine_hundred_characters_are_a_page() -> None:
    assert core.pages_of("word " * 400) == 1
    assert core.pages_of("市" * 900) == 1
    assert core.pages_of("word " * 200 + "市場" * 225) == 1


def test_marks_and_the_rules_of_tables_are_not_counted() -> None:
    assert core.pages_of(SENTENCE * 100) == core.pages_of(SENTENCE.replace(" [E1]", "") * 100)
    assert core.pages_of("| a |\n| --- |\n") == core.pages_of("| a |\n")


def test_headings_and_short_points_take_the_room_of_their_lines() -> None:
    assert core.pages_of("## A\n" * 10) > core.pages_of("- a\n" * 10) > core.pages_of("a " * 10)


def test_the_brief_decides_before_its_preset() -> None:
    assert core.length_of(core.Brief(question="?", preset=core.PresetName.QUALITY)) is core.Length.MEDIUM
    assert (
        core.length_of(core.Brief(question="?", preset=core.PresetName.QUALITY, length=core.Length.PAGE))
        is core.Length.PAGE
    )


def test_a_little_more_or_less_is_let_pass() -> None:
    assert not core.is_too_long(1.2, core.Length.PAGE)
    assert core.is_too_long(1.3, core.Length.PAGE)
    assert not core.is_too_short(0.1, core.Length.PAGE), "one page is an upper bound"
    assert core.is_too_short(3.1, core.Length.MEDIUM)
    assert not core.is_too_short(3.3, core.Length.MEDIUM)
    assert core.is_far_off(1.6, core.Length.PAGE) and not core.is_far_off(1.4, core.Length.PAGE)
    assert (
        core.is_nearer(2, 5, core.Length.PAGE)
        and core.is_nearer(3, 1, core.Length.LONG)
        and not core.is_nearer(5, 6, core.Length.MEDIUM)
    )


def test_the_length_is_told_in_both_languages() -> None:
    assert core.length_in_words(3.1, core.Length.PAGE, Language.EN) == "asked for: 1 page; it has about 3 pages"
    assert core.length_in_words(3.6, core.Length.LONG, Language.JA) == "10〜30ページの指定に対し、約3.5ページ"
    assert core.length_in_words(0.2, core.Length.SHORT, Language.EN) == "asked for: 2–3 pages; it has about half a page"
    assert core.range_in_words(*core.PAGES[core.Length.SHORT], Language.EN) == "800 to 1200 words"
    assert core.range_in_words(*core.PAGES[core.Length.PAGE], Language.JA) == "900 characters"


async def test_a_report_far_too_long_is_written_again_once() -> None:
    asked: list[str] = []

    def write(request: ReportRequest) -> str:
        asked.append(request.earlier)
        return of_pages(0.9 if request.earlier else 4)

    result, journal = await run_scripted(
        ScriptedAnalyst(on_write=write), brief=core.Brief(question="What of pumps?", length=core.Length.PAGE)
    )
    assert [bool(earlier) for earlier in asked] == [False, True]
    assert asked[1].startswith("# Pumps") and "[E1]" in asked[1]
    assert result.record.pages == pytest.approx(0.95, abs=0.1)
    assert [event.pages for event in journal.of(core.ReportWritten)] == [result.record.pages]
    assert noted(result.record.problems) == []
    assert result.record.sentences and result.record.draft.count("[E1]") > 30


async def test_what_stays_too_long_is_said_and_counts_as_complete() -> None:
    result, journal = await run_scripted(
        ScriptedAnalyst(on_write=lambda _: of_pages(3)),
        brief=core.Brief(question="What of pumps?", length=core.Length.PAGE),
    )
    assert noted(result.record.problems) == [("report_longer", "asked for: 1 page; it has about 3 pages")]
    assert "- The report is longer than was asked for. (asked for: 1 page; it has about 3 pages)" in result.markdown
    assert result.record.status is core.Status.COMPLETE
    assert len(journal.of(core.ReportStarted)) == 3, "the second, which is no shorter, is void"
    last = max(event.seq for event in journal.of(core.ReportStarted))
    shown = "".join(event.text for event in journal.of(core.ReportExtended) if event.seq > last)
    assert shown == result.record.draft


@pytest.mark.parametrize(
    "failure",
    [core.ModelError("model_timeout", "slow"), core.CapReached("spent"), "# Pumps\n\nPumps without any citation.\n"],
)
async def test_a_second_report_that_fails_or_cites_nothing_costs_nothing(failure: Exception | str) -> None:
    def write(request: ReportRequest) -> str:
        if not request.earlier:
            return of_pages(2)
        if isinstance(failure, Exception):
            raise failure
        return failure

    result, journal = await run_scripted(
        ScriptedAnalyst(on_write=write),
        brief=core.Brief(question="ポンプ市場は？", length=core.Length.PAGE, language=Language.JA),
    )
    assert result.record.writer == "scripted"
    assert result.record.pages == pytest.approx(2, abs=0.1)
    codes = [event.code for event in journal.of(core.ProblemOccurred)]
    assert [code for code in codes if code != "repair_failed"] == ["answer_language", "report_longer"]
    assert "1ページの指定に対し、約2ページ" in result.markdown


async def test_a_report_is_not_filled_up_beyond_the_evidence() -> None:
    asked: list[str] = []

    def write(request: ReportRequest) -> str:
        asked.append(request.earlier)
        return of_pages(1)

    result, _ = await run_scripted(
        ScriptedAnalyst(on_write=write), brief=core.Brief(question="What of pumps?", length=core.Length.LONG)
    )
    assert asked == [""], "three short quotes fill no ten pages"
    assert noted(result.record.problems) == [("report_shorter", "asked for: 10–30 pages; it has about 1 page")]


async def test_a_length_that_nobody_asked_for_is_no_limit_of_a_short_report() -> None:
    result, _ = await run_scripted(ScriptedAnalyst(), brief=core.Brief(question="What of pumps?"))
    assert noted(result.record.problems) == []


async def test_a_user_who_wants_the_report_now_does_not_wait_for_another() -> None:
    asked: list[str] = []
    control = Control()

    def write(request: ReportRequest) -> str:
        asked.append(request.earlier)
        control.finish.set()
        return of_pages(4)

    brief = core.Brief(question="What of pumps?", length=core.Length.PAGE)
    result, _ = await run_scripted(ScriptedAnalyst(on_write=write), brief=brief, control=control)
    assert asked == [""]
    assert noted(result.record.problems)


@pytest.mark.parametrize(("pages", "how"), [(3, "leave out the rest whole"), (0.5, "does not say yet")])
async def test_a_model_is_shown_its_report_and_told_the_length(pages: float, how: str) -> None:
    shelf = Shelf()
    shelf.page("A fact holds.")
    request = shelf.report_request()
    request = replace(
        request, brief=request.brief.model_copy(update={"length": core.Length.SHORT if pages < 1 else core.Length.PAGE})
    )
    with OpenAIServer() as server:
        server.enqueue(Text("# Pumps\n\nA fact holds [E1].\n"))
        pieces = [piece async for piece in desk(server).analyst.write(replace(request, earlier=of_pages(pages)))]
        [sent] = server.requests
    assert pieces
    roles = [message["role"] for message in sent.body["messages"]]
    assert roles == ["system", "user", "assistant", "user"]
    assert sent.body["messages"][2]["content"] == of_pages(pages)
    last = sent.body["messages"][3]["content"]
    assert how in last and "[E1]" in last
    assert ("400 words" if pages > 1 else "800 to 1200 words") + " were asked for" in last


# --- reports composed by rule keep to their length, counted and on paper ---------------------------------------------


QUESTION = {
    Language.EN: "What did the service centres cost in 2025, and is the strategy on track?",
    Language.JA: "サービス拠点の2025年の費用はいくらか、戦略は順調か？",
}


@pytest.fixture(scope="module")
def researched(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """A run on what the product brings along: its report is written anew by each test."""
    brief = core.Brief(question=QUESTION[Language.EN], sources=(core.SourceName.HOUSE,))
    settings = Settings(home=tmp_path_factory.mktemp("home"))
    return run_sync(brief, analyst="extractive", settings=settings)


async def composed(first: Report, length: core.Length, **changes: object) -> Report:
    """The report of a run, written by rule at another length."""
    rules, journal = ExtractiveAnalyst(), MemoryJournal()
    world = replace(scripted_world(rules, MemorySource()), rules=rules)
    brief = rewritten(first.record.brief, length=length, **changes)
    result = await rewrite("again", brief, world, journal, Control(), first=first)
    return Report(record=result.record, markdown=result.markdown, history=tuple(journal.events), pages=result.pages)


@pytest.mark.parametrize("form", [core.OutputForm.TEXT, core.OutputForm.POINTS, core.OutputForm.MIX])
@pytest.mark.parametrize("language", list(Language))
async def test_one_page_is_one_page_of_paper(researched: Report, language: Language, form: core.OutputForm) -> None:
    report = await composed(researched, core.Length.PAGE, language=language, form=form, summary=core.Summary.FIRST)
    assert 0.2 < core.pages_of(report.record.draft) <= 1
    for paper in Paper:
        first, second, *_ = [page.extract_text() for page in read(FORMATS["pdf"].make(report, paper)).pages]
        for sentence in report.record.sentences:
            assert squeezed(sentence.text) in squeezed(re.sub(r"\[\d+\]", "", first)), (paper, sentence.text)
        behind = document_of(report).part(PartKind.VERIFICATION)
        assert behind is not None
        assert "Verification" in second or "検証" in second
        assert not re.search(r"^(Verification|検証|Sources|情報源)$", first, re.MULTILINE)


async def test_no_length_is_filled_up_beyond_what_there_is(researched: Report) -> None:
    reports = {length: await composed(researched, length, form=core.OutputForm.MIX) for length in core.Length}
    pages = {length: report.record.pages or 0 for length, report in reports.items()}
    assert list(pages.values()) == sorted(pages.values())
    assert all(pages[length] <= core.PAGES[length].most for length in core.Length)
    shown = {length: len(set(re.findall(r"E\d+", report.record.draft))) for length, report in reports.items()}
    assert shown[core.Length.PAGE] <= shown[core.Length.SHORT] <= shown[core.Length.LONG]
    limits = reports[core.Length.LONG].markdown.partition("## Limits")[2].partition("\n## ")[0]
    assert "shorter than was asked for; it is not filled up" in limits
    assert "asked for: 10–30 pages; it has about" in limits
