"""Runs whose reports are proved: a verdict for every sentence, repair, fact-strict reports, Japanese, many at once."""

import asyncio
import re
import time
from datetime import UTC, datetime

import pytest

from research.analysts import Analyst, PageRequest, PageSummary, Repair, RepairRequest, ReportRequest
from research.analysts.extractive import ExtractiveAnalyst
from research.core import (
    Brief,
    ModelError,
    ModelRefused,
    PresetName,
    ProblemOccurred,
    ReportVerified,
    ReportWritten,
    RunFinished,
    SentencesRepaired,
    SourceKind,
    Status,
    UnusableAnswer,
)
from research.engine import Control, RunResult, World, conduct
from research.export.markdown import report_markdown
from research.language import Bilingual, Language
from research.sources import FoundPage
from research.verification import Label
from tests.support.scripted import (
    NOW,
    MemoryJournal,
    MemorySource,
    ScriptedAnalyst,
    found_page,
    run_scripted,
)

WRONG = "The pump market grew 9.9% in 2025"
RIGHT = "The pump market grew 4.2% in 2025"
IMPORTS = "Imports of pumps fell to 310 units in March 2026 [E2]."
DRAFT = f"# Pumps\n\n## Growth\n\n{WRONG} [E1]. {IMPORTS}\n"


def writing(draft: str, **hooks: object) -> ScriptedAnalyst:
    return ScriptedAnalyst(topics=["T"], on_write=lambda request: draft, **hooks)


def proposing(*repairs: Repair) -> dict[str, object]:
    return {"on_repair": lambda request: repairs}


def verdicts(result: RunResult) -> dict[str, str | None]:
    return {sentence.text: sentence.verdict for sentence in result.record.sentences}


def section(result: RunResult, title: str) -> str:
    found = re.search(rf"^## {title}\n(.*?)(?=^## |^\[1\]: |\Z)", result.markdown, re.MULTILINE | re.DOTALL)
    return found[1] if found else ""


async def extractive_run(question: str, *pages: FoundPage, **fields: object) -> tuple[RunResult, MemoryJournal]:
    analyst, journal = ExtractiveAnalyst(), MemoryJournal()
    world = World(analyst, analyst, (MemorySource(pages),), lambda: NOW, report_markdown)
    brief = Brief.model_validate({"question": question, **fields})
    return await conduct("test", brief, world, journal, Control()), journal


# --- verdicts --------------------------------------------------------------------------------------------------


async def test_every_sentence_has_its_verdict_with_figures_and_the_place_it_rests_on() -> None:
    result, journal = await run_scripted(writing(f"{DRAFT}\nPumps will rule the world for ever.\n"), in_order=True)
    assert list(verdicts(result).values()) == ["unsupported", "supported", "uncited"]
    wrong, right, _ = result.record.sentences
    assert [(number.text, number.found) for number in wrong.numbers] == [("9.9%", False)]
    assert wrong.reason is not None
    assert all("4.2%" in words or "9.9%" in words for words in wrong.reason), "readers of either language are told why"
    assert wrong.reason.en != wrong.reason.ja
    assert right.passage is not None and (right.passage.source, right.passage.evidence) == ("S2", "E2")
    page = result.pages["S2"].text
    assert "310 units" in page[right.passage.start : right.passage.end]
    assert all(page[number.start : number.end] in ("310 units", "310") for number in right.numbers)
    assert [sentence.verbatim for sentence in result.record.sentences] == [False, True, False]
    assert journal.of(ReportVerified)[-1].counts == {"verbatim": 1, "unsupported": 1, "uncited": 1}


async def test_the_place_of_a_sentence_in_the_draft_is_kept() -> None:
    result, _ = await run_scripted(writing(DRAFT), in_order=True)
    pieces = [result.record.draft[sentence.start : sentence.end] for sentence in result.record.sentences]
    assert pieces == [f"{WRONG} [E1].", IMPORTS]


async def test_verdicts_come_after_the_writing_and_before_the_end() -> None:
    _, journal = await run_scripted(writing(DRAFT), in_order=True)
    kinds = [type(event) for event in journal.events]
    assert kinds.index(ReportWritten) < kinds.index(ReportVerified) < kinds.index(RunFinished)


async def test_the_programs_own_phrases_claim_nothing_and_its_quotes_are_supported() -> None:
    pages = [
        found_page(
            "ja", "売上高は2025年度に3億9,100万円で、前年度から33%増加した。市場は拡大している。", title="売上メモ"
        ),
        found_page("en", "Sales in Japan rose by 33% in fiscal 2025. The market for pumps is growing.", title="Sales"),
    ]
    for language, question in ((Language.EN, "How did sales grow?"), (Language.JA, "売上高はどう増えたか")):
        result, journal = await extractive_run(question, *pages, language=language)
        judged = [sentence for sentence in result.record.sentences if sentence.verdict]
        assert judged and {(sentence.verdict, sentence.shown) for sentence in judged} == {("supported", "verbatim")}
        own = [sentence for sentence in result.record.sentences if sentence.verdict is None]
        assert {sentence.reason_code for sentence in own} <= {"framing"}
        assert not journal.of(SentencesRepaired)


async def test_stopping_composes_by_rule_and_proves_that_too() -> None:
    control = Control()

    def write(request: ReportRequest) -> str:
        control.stop.set()
        return DRAFT

    slow = ScriptedAnalyst(topics=["T"], on_write=write)
    result, journal = await run_scripted(slow, control=control, in_order=True)
    assert "stopped" in {problem.code for problem in result.record.problems}
    assert journal.of(ReportVerified)


# --- repair ----------------------------------------------------------------------------------------------------


async def test_a_wrong_figure_is_repaired_from_what_the_evidence_says() -> None:
    asked: list[RepairRequest] = []

    def repair(request: RepairRequest) -> tuple[Repair, ...]:
        asked.append(request)
        return (Repair(0, f"{RIGHT}.", ("E1",)),)

    result, journal = await run_scripted(writing(DRAFT, on_repair=repair), in_order=True)
    assert result.record.draft == f"# Pumps\n\n## Growth\n\n{RIGHT} [E1]. {IMPORTS}\n"
    assert set(verdicts(result).values()) == {"supported"}
    (request,) = asked
    (sentence,) = request.sentences
    assert (sentence.text, sentence.cited) == (f"{WRONG}.", ("E1",))
    assert sentence.candidates[0] == "E1" and set(sentence.candidates) <= request.evidence.keys()
    assert [(e.changed, e.dropped, e.kept) for e in journal.of(SentencesRepaired)] == [(1, 0, 0)]
    assert [event.counts for event in journal.of(ReportVerified)] == [
        {"verbatim": 1, "unsupported": 1},
        {"verbatim": 2},
    ]
    assert result.record.status is Status.COMPLETE


async def test_a_sentence_can_be_dropped_and_an_empty_heading_goes_with_it() -> None:
    draft = f"# Pumps\n\n## Growth\n\n- {WRONG} [E1].\n\n## Imports\n\n{IMPORTS}\n"
    result, journal = await run_scripted(writing(draft, **proposing(Repair(0, "", ()))), in_order=True)
    assert result.record.draft == f"# Pumps\n\n## Imports\n\n{IMPORTS}\n"
    assert [(e.changed, e.dropped, e.kept) for e in journal.of(SentencesRepaired)] == [(0, 1, 0)]


@pytest.mark.parametrize(
    "error",
    [ModelError("model_failed"), ModelRefused("model_unauthorized"), UnusableAnswer("model_unusable"), KeyError()],
)
async def test_a_failed_repair_leaves_the_report_as_it_is(error: Exception) -> None:
    def repair(request: RepairRequest) -> tuple[Repair, ...]:
        raise error

    result, journal = await run_scripted(writing(DRAFT, on_repair=repair), in_order=True)
    assert result.record.draft == DRAFT and result.record.writer == "scripted"
    assert [event.code for event in journal.of(ProblemOccurred)] == ["repair_failed"]
    assert result.record.status is Status.COMPLETE, "the verdicts say what the repair would have mended"


async def test_nothing_is_asked_where_all_is_borne_out() -> None:
    asked: list[RepairRequest] = []
    await run_scripted(
        writing(f"# Pumps\n\n{IMPORTS}\n", on_repair=lambda request: asked.append(request) or ()), in_order=True
    )
    assert not asked


async def test_stopping_during_the_repair_keeps_the_report_that_was_written() -> None:
    control = Control()

    class Slow(ScriptedAnalyst):
        async def repair(self, request: RepairRequest) -> tuple[Repair, ...]:
            control.stop.set()
            await asyncio.sleep(60)
            return ()

    began = time.monotonic()
    result, _ = await run_scripted(Slow(topics=["T"], on_write=lambda request: DRAFT), control=control, in_order=True)
    assert time.monotonic() - began < 30, "no call was waited for"
    assert result.record.draft == DRAFT and result.record.writer == "scripted"
    assert "stopped" in {problem.code for problem in result.record.problems}


# --- fact-strict -----------------------------------------------------------------------------------------------

OFFICIAL = found_page("alpha", "The pump market grew 4.2% in 2025. Demand rose.", kind=SourceKind.STATISTICS)
NEWS = found_page("beta", "Imports of pumps fell to 310 units in March 2026. More follows.", kind=SourceKind.NEWS)
STRICT = Brief(question="What of pumps?", preset=PresetName.FACT_STRICT)


async def test_fact_strict_keeps_supported_sentences_on_primary_sources_and_lists_the_rest() -> None:
    draft = (
        f"# Pumps\n\n## Growth\n\nThese figures are known:\n\n- {RIGHT} [E1].\n- {WRONG} [E1].\n\n"
        f"## Imports\n\nThese follow:\n\n{IMPORTS}\n\n## View\n\nPumps have a bright future.\n"
    )
    result, _ = await run_scripted(writing(draft), MemorySource((OFFICIAL, NEWS)), brief=STRICT, in_order=True)
    assert result.record.draft == f"# Pumps\n\n## Growth\n\nThese figures are known:\n\n- {RIGHT} [E1].\n"
    left = {entry.text: entry for entry in result.record.left_out}
    assert list(left) == [f"{WRONG}.", IMPORTS.replace(" [E2]", ""), "Pumps have a bright future."]
    assert left[IMPORTS.replace(" [E2]", "")].reason == Bilingual(
        "No primary source: beta.example (News)",
        "一次情報ではありません：beta.example（報道）",
    )
    assert [entry.verdict for entry in left.values()] == ["unsupported", "supported", "uncited"]
    shown = section(result, "Left out")
    assert all(text.rstrip(".") in shown for text in left)
    assert "Sentences checked against the stored page, by rules: 1. Verbatim: 1." in section(result, "Verification")
    assert [entry.number for entry in result.record.sources] == [1, None]


async def test_a_sentence_on_both_kinds_keeps_its_primary_citation_if_that_suffices() -> None:
    news = found_page("beta", "The pump market grew 4.2% in 2025, papers say. More.", kind=SourceKind.NEWS)
    draft = f"# Pumps\n\n{RIGHT} [E1, E2].\n"
    result, _ = await run_scripted(writing(draft), MemorySource((OFFICIAL, news)), brief=STRICT, in_order=True)
    assert result.record.draft == f"# Pumps\n\n{RIGHT} [E1].\n"
    assert not result.record.left_out


async def test_a_sentence_that_only_the_other_sources_bear_out_is_left_out() -> None:
    draft = f"# Pumps\n\n{RIGHT} [E1].\n\nImports of pumps fell to 310 units in March 2026 [E1, E2].\n"
    result, _ = await run_scripted(writing(draft), MemorySource((OFFICIAL, NEWS)), brief=STRICT, in_order=True)
    assert result.record.draft == f"# Pumps\n\n{RIGHT} [E1].\n"
    (left,) = result.record.left_out
    assert (left.verdict, left.reason.en) == ("supported", "Its primary sources alone do not bear it out")


async def test_where_nothing_of_a_model_is_left_primary_sources_are_quoted_by_rule() -> None:
    analyst = ExtractiveAnalyst()
    journal = MemoryJournal()

    async def by_rule(_: Analyst, request: PageRequest) -> tuple[PageSummary, bool]:
        return await analyst.summarise(request), False

    world = World(
        writing(f"# Pumps\n\n{WRONG} [E1]. {IMPORTS}\n"),
        analyst,
        (MemorySource((OFFICIAL, NEWS)),),
        lambda: NOW,
        report_markdown,
        by_rule,
    )
    brief = STRICT.model_copy(update={"question": "How did the pump market and imports of pumps change?"})
    result = await conduct("test", brief, world, journal, Control())
    assert result.record.writer == "extractive"
    assert "strict_by_rule" in {problem.code for problem in result.record.problems}
    body = result.markdown.split("## Left out")[0]
    assert "4.2%" in body and "310 units" not in body and "9.9%" not in body
    assert any("310 units" in entry.text for entry in result.record.left_out)
    assert [source.site for source in result.record.sources if source.number] == [OFFICIAL.site]


@pytest.mark.parametrize(
    ("language", "said"), [(Language.EN, "No primary source"), (Language.JA, "一次情報が見つからなかった")]
)
async def test_if_nothing_remains_the_report_says_so(language: Language, said: str) -> None:
    brief = STRICT.model_copy(update={"language": language})
    result, _ = await run_scripted(
        writing("# P\n\nImports of pumps fell to 310 units [E1].\n"), MemorySource((NEWS,)), brief=brief
    )
    assert result.record.status is Status.PARTIAL
    assert not result.record.sentences and result.record.left_out
    assert said in result.markdown
    assert "[1]" not in result.markdown


async def test_the_rules_own_report_is_subject_to_the_same_rule() -> None:
    news = found_page(
        "beta", "Imports of pumps fell by 3% in 2026, said a ministry. More on pumps.", kind=SourceKind.NEWS
    )
    result, _ = await extractive_run(
        "How did the pump market and imports of pumps change?", OFFICIAL, news, preset=PresetName.FACT_STRICT
    )
    body, _, rest = result.markdown.partition("## Left out")
    assert "4.2%" in body and "3% in 2026" not in body and "3% in 2026" in rest
    quoted = [(entry.id,) for entry in result.record.evidence if entry.source == "S2"]
    assert quoted and [entry.evidence for entry in result.record.left_out] == quoted
    assert {sentence.verdict for sentence in result.record.sentences} <= {"supported", None}


# --- the report as Markdown ------------------------------------------------------------------------------------


async def test_counts_in_the_report_are_those_of_the_record() -> None:
    draft = f"{DRAFT}\nPumps will rule the world for ever.\n"
    result, _ = await run_scripted(writing(draft), in_order=True)
    text = section(result, "Verification")
    shown = {label.value: int(found[1]) for label in Label if (found := re.search(f"{label.words.en}: (\\d+)", text))}
    counted = [sentence.shown for sentence in result.record.sentences if sentence.shown]
    assert shown == {verdict: counted.count(verdict) for verdict in counted}
    assert f"Sentences checked against the stored page, by rules: {len(counted)}." in text
    assert f"“{WRONG}.” – Not supported" in text and text.count("\n- ") == 2
    assert "true" not in text.lower()


async def test_long_lists_are_cut_and_the_rest_is_counted() -> None:
    lines = "\n".join(f"- Pump number {number} fell into the sea of Da Nang." for number in range(31))
    true = "In March 2026, imports of pumps fell to 310 units [E2]."
    result, _ = await run_scripted(writing(f"# P\n\n{true}\n\n{lines}\n"), in_order=True)
    text = section(result, "Verification")
    assert text.count("\n- “") == 20 and "and 11 more" in text


@pytest.mark.parametrize(
    "said", ["Pumps are loved everywhere, say those of town {}.", "A town {} loves its pumps [E1]."]
)
async def test_what_cites_nothing_or_a_page_in_another_language_costs_no_report(said: str) -> None:
    page = found_page("ja", "ポンプの売上高は2025年度に3億9,100万円で、前年度から33%増加した。")
    lines = "\n\n".join([*(said.format(number) for number in "ABCDEF"), "Sales of pumps grew by 33% [E1]."])
    analyst = ScriptedAnalyst(
        topics=["T"], on_write=lambda request: f"# T\n\n{lines}", on_summarise=ExtractedWhole.summary
    )
    result, _ = await run_scripted(analyst, MemorySource((page,)))
    assert result.record.writer == "scripted" and "33%" in result.markdown


async def test_a_japanese_report_is_proved_repaired_and_shown_in_japanese() -> None:
    page = found_page(
        "ja", "ポンプの売上高は2025年度に3億9,100万円で、前年度から33%増加した。", kind=SourceKind.COMPANY, title="決算"
    )
    wrong, right = "ポンプの売上高は2025年度に5億円となった", "ポンプの売上高は2025年度に3億9,100万円となった"
    draft = f"# ポンプ\n\n{wrong}[E1]。前年度から33%増加した[E1]。海外でも人気が高い。\n"
    seen: list[RepairRequest] = []

    def repair(request: RepairRequest) -> tuple[Repair, ...]:
        seen.append(request)
        return (Repair(0, f"{right}。", ("E1",)),)

    analyst = ScriptedAnalyst(
        topics=["T"], on_write=lambda request: draft, on_repair=repair, on_summarise=ExtractedWhole.summary
    )
    brief = Brief(question="ポンプの売上は？", language=Language.JA)
    result, _ = await run_scripted(analyst, MemorySource((page,)), brief=brief)
    assert [sentence.text for sentence in seen[0].sentences] == [f"{wrong}。", "海外でも人気が高い。"]
    assert result.record.draft == f"# ポンプ\n\n{right}[E1]。前年度から33%増加した[E1]。海外でも人気が高い。\n"
    assert list(verdicts(result).values()) == ["supported", "supported", "uncited"]
    text = section(result, "検証")
    assert "保存したページと規則により照合した文：3。裏付けあり 2、出典なし 1。" in text
    assert "- 「海外でも人気が高い。」：出典なし（出典が示されていません）" in text
    assert "「検証」を参照" in result.markdown


class ExtractedWhole:
    @staticmethod
    def summary(request):  # type: ignore[no-untyped-def]
        from research.analysts import PageSummary

        return PageSummary("要約", (request.text,))


async def test_ten_runs_at_once_are_proved_each_by_its_own_pages() -> None:
    async def one(number: int) -> RunResult:
        page = found_page(f"site{number}", f"The market of class {number} grew {number + 3}.5% in 2025. Prices fell.")
        good = f"The market of class {number} grew {number + 3}.5% in 2025 [E1]."
        draft = f"# T\n\n{good} The market of class {number} grew {number + 4}.5% in 2025 [E1].\n"
        return (await run_scripted(writing(draft), MemorySource((page,)), brief=Brief(question=f"Q {number}")))[0]

    for result in await asyncio.gather(*map(one, range(10))):
        assert [sentence.verdict for sentence in result.record.sentences] == ["supported", "unsupported"]


async def test_other_runs_go_on_while_a_long_page_is_looked_at() -> None:
    ticks: list[datetime] = []

    async def tick() -> None:
        while True:
            ticks.append(datetime.now(UTC))
            await asyncio.sleep(0.005)

    plants = " ".join(f"Plant {number} made {number + 7},000 parts." for number in range(20_000))
    page = found_page("long", f"The pump market grew 4.2% in 2025. {plants}")
    ticking = asyncio.create_task(tick())
    _, journal = await run_scripted(writing(f"# T\n\n{RIGHT} [E1].\n"), MemorySource((page,)))
    ticking.cancel()
    (written,), (verified,) = journal.of(ReportWritten), journal.of(ReportVerified)
    assert written.at and verified.at
    # On the loop itself, nothing could tick between the two.
    assert any(written.at < at < verified.at for at in ticks)
